# SPDX-License-Identifier: Apache-2.0
# What holds for every target of this project: language level, warnings, visibility, output folders.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# The command looks for modules relative to itself, so the build folder is laid out as an installation is.
# A generator of many configurations has one such folder for each.
get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
set(output "${PROJECT_BINARY_DIR}$<$<BOOL:${multi_config}>:/$<CONFIG>>")
set(RINGSPEC_BIN_DIR "${output}/bin")
set(RINGSPEC_MODULE_DIR "${output}/lib/ringspec")
# Not CMAKE_INSTALL_LIBDIR: the command looks for ../lib/ringspec, on every system.
set(RINGSPEC_INSTALL_MODULE_DIR "lib/ringspec")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL)
  find_program(RINGSPEC_CCACHE ccache)
  mark_as_advanced(RINGSPEC_CCACHE)
  foreach(language IN ITEMS C CXX)
    if(RINGSPEC_CCACHE AND NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER "${RINGSPEC_CCACHE}")
    endif()
  endforeach()
endif()

# clang's runtime as a shared library lies where no loader looks by itself.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_FLAGS MATCHES "-shared-lib[as]+an")
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" "-print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so"
                  OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(runtime "${runtime}" DIRECTORY)
  list(APPEND CMAKE_BUILD_RPATH "${runtime}")
endif()

add_library(ringspec_warnings INTERFACE)
target_compile_options(ringspec_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                                   $<$<BOOL:${RINGSPEC_WERROR}>:-Werror>)
set(RINGSPEC_RUST_WARNINGS "")
if(RINGSPEC_WERROR)
  set(RINGSPEC_RUST_WARNINGS -Dwarnings)
endif()
# clang reports std::stable_sort of libstdc++ 12, which calls a deprecated function of its own.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(ringspec_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
endif()

# As a part of another project, this one keeps what that one may have switched off for all, and its speed.
if(NOT PROJECT_IS_TOP_LEVEL)
  target_compile_options(ringspec_warnings INTERFACE -O2 $<$<COMPILE_LANGUAGE:CXX>:-fexceptions>
                                                     $<$<COMPILE_LANGUAGE:CXX>:-frtti>)
endif()

# ringspec_exports_nothing(TARGET): for every program that loads ports. A weak symbol that the program exported would
# replace the port's own, and the port would be judged by code that is not its own.
function(ringspec_exports_nothing target)
  set(script "${PROJECT_SOURCE_DIR}/cmake/exports_nothing.map")
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS OFF LINK_DEPENDS "${script}")
  target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
endfunction()
