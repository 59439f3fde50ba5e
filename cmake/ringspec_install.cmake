# SPDX-License-Identifier: Apache-2.0
#
# The installation: the command, what it loads, the headers, and the packages for CMake and pkg-config. Nothing in it
# names the prefix, so that the whole may be moved afterwards.
include(CMakePackageConfigHelpers)

set(core "${PROJECT_SOURCE_DIR}/src/ringspec")
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ringspec")
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(
  TARGETS ringspec ringspec_port ringspec_queue
  EXPORT ringspecTargets
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS ringspec_probe LIBRARY DESTINATION "${RINGSPEC_INSTALL_MODULE_DIR}")
install(TARGETS wrong_shrink LIBRARY DESTINATION "${RINGSPEC_INSTALL_MODULE_DIR}/wrong")

install(FILES "${core}/port.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ringspec")
file(GLOB headers CONFIGURE_DEPENDS "${core}/queue/inline_ring_queue*.hpp" "${core}/queue/queue_port.hpp"
     "${core}/queue/port_*.hpp")
install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ringspec/queue")

install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/spec" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${core}/rust/ringspec.rs" DESTINATION "${CMAKE_INSTALL_DATADIR}/ringspec")
install(FILES "${PROJECT_SOURCE_DIR}/src/ports/c_queue.c" "${PROJECT_SOURCE_DIR}/src/ports/rust_ring.rs"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples")

# ---- find_package(ringspec CONFIG) ----
install(EXPORT ringspecTargets NAMESPACE ringspec:: DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ringspecConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_SOURCE_DIR}/cmake/ringspecConfig.cmake" "${PROJECT_SOURCE_DIR}/cmake/ringspec_add_port.cmake"
              "${PROJECT_BINARY_DIR}/ringspecConfigVersion.cmake" DESTINATION "${package_dir}")

# ---- pkg-config --cflags ringspec, pkg-config --variable=command ringspec ----
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE up)
configure_file("${PROJECT_SOURCE_DIR}/cmake/ringspec.pc.in" "${PROJECT_BINARY_DIR}/ringspec.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/ringspec.pc" DESTINATION "${pkgconfig_dir}")
