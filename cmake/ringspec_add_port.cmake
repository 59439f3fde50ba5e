# SPDX-License-Identifier: Apache-2.0
#
#   ringspec_add_port(NAME SOURCES FILE... [LIBRARIES TARGET...] [BUDGETS smoke|gate...] [ARGS ARGUMENT...]
#                     [OUTPUT_NAME FILE_NAME] [FOLDER FOLDER] [RUST_FLAGS ARGUMENT...])
#
# Builds NAME, a shared object that exports ringspec_ports_v1(), and registers a CTest test for each budget in which the
# gate judges it: ringspec.NAME.smoke and ringspec.NAME.gate, with the labels "ringspec" and the budget's name, so that
# `ctest -L ringspec`, `ctest -L smoke` and `ctest -L gate` choose. The module is compiled with the flags of the project
# that calls this, sanitizers included. The reports are in ringspec-report/NAME.BUDGET of the top build folder.
#
#   SOURCES      C, C++ or whatever the project can compile; or one .rs file, the root of a Rust crate without
#                dependencies, which is built if rustc is found (with dependencies: let cargo build it, and name the
#                file to `ringspec verify --port`)
#   LIBRARIES    what the implementation under test needs; not for Rust
#   RUST_FLAGS   more arguments for rustc
#   BUDGETS      how long the gate looks: smoke (a second or two), gate (some ten seconds); default: both
#   ARGS         more arguments for `ringspec verify`, for example --require growth-policy
#   OUTPUT_NAME  name of the file, without .so; default NAME
#   FOLDER       where the file is written; default the current build folder
include_guard(GLOBAL)

find_program(RINGSPEC_RUSTC rustc)
mark_as_advanced(RINGSPEC_RUSTC)

# Why there is no rustc that would do, or "".
function(_ringspec_rustc_missing out)
  set(oldest 1.82)
  set(why "")
  if(NOT RINGSPEC_RUSTC)
    set(why "rustc was not found")
  else()
    execute_process(COMMAND "${RINGSPEC_RUSTC}" --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(NOT version MATCHES "^rustc ([0-9.]+)")
      set(why "${RINGSPEC_RUSTC} does not run")
    elseif(CMAKE_MATCH_1 VERSION_LESS oldest)
      set(why "rustc ${CMAKE_MATCH_1} is older than ${oldest}")
    endif()
  endif()
  set(${out} "${why}" PARENT_SCOPE)
endfunction()

# A module from a .rs file: the target NAME, whose property RINGSPEC_MODULE is the file that rustc writes. No target if
# there is no rustc that would do.
function(_ringspec_add_rust_module name source output folder)
  _ringspec_rustc_missing(why)
  if(why)
    message(STATUS "ringspec: ${name} is skipped: ${why}.")
    return()
  endif()
  if(NOT output)
    set(output "${name}")
  endif()
  if(NOT folder)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  get_filename_component(source "${source}" ABSOLUTE)
  set(module "${folder}/${output}.so")
  set(dependencies "${CMAKE_CURRENT_BINARY_DIR}/${name}.d")
  # What is given twice counts as it is given last, so that RUST_FLAGS may say otherwise. rustc names both outputs in
  # its list of dependencies, in this order, and ninja expects the same; it names them as they are given here, and does
  # not escape the blanks that a build folder may have, so they are given as seen from there.
  file(RELATIVE_PATH link "${CMAKE_CURRENT_BINARY_DIR}" "${module}")
  add_custom_command(
    OUTPUT "${dependencies}" "${module}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND "${RINGSPEC_RUSTC}" --crate-type=cdylib --edition=2021 -C opt-level=2 -C strip=debuginfo
            -C panic=unwind ${ARGN} "--emit=link,dep-info=${name}.d" -o "${link}" "${source}"
    DEPENDS "${source}"
    DEPFILE "${dependencies}"
    COMMENT "Building the Rust module ${output}.so"
    VERBATIM)
  add_custom_target(${name} ALL DEPENDS "${module}")
  set_target_properties(${name} PROPERTIES RINGSPEC_MODULE "${module}")
endfunction()

# ringspec_add_module(NAME SOURCES FILE... [LIBRARIES ...] [OUTPUT_NAME ...] [FOLDER ...] [RUST_FLAGS ...]): the module
# without the test.
function(ringspec_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_NAME;FOLDER" "SOURCES;LIBRARIES;RUST_FLAGS")
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "ringspec: the module ${name} has no SOURCES.")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringspec: the module ${name} has arguments that mean nothing: ${arg_UNPARSED_ARGUMENTS}.")
  endif()
  if(arg_SOURCES MATCHES "[.]rs(;|$)")
    list(LENGTH arg_SOURCES sources)
    if(sources GREATER 1)
      message(FATAL_ERROR "ringspec: the module ${name} has a .rs file among its SOURCES, which then must be the only "
                          "one: it names the others with `mod`.")
    endif()
    if(arg_LIBRARIES)
      message(FATAL_ERROR "ringspec: the module ${name} is built by rustc, which knows nothing of LIBRARIES. Say "
                          "RUST_FLAGS, or let cargo build it.")
    endif()
    _ringspec_add_rust_module(${name} "${arg_SOURCES}" "${arg_OUTPUT_NAME}" "${arg_FOLDER}" ${arg_RUST_FLAGS})
    return()
  endif()
  add_library(${name} MODULE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ringspec::port ${arg_LIBRARIES})
  set_target_properties(
    ${name}
    PROPERTIES PREFIX ""
               SUFFIX ".so"
               C_VISIBILITY_PRESET hidden
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               POSITION_INDEPENDENT_CODE ON
               RINGSPEC_MODULE "$<TARGET_FILE:${name}>")
  # g++ notes that it once passed values of 64-byte alignment by value in another way.
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-psabi>)
  # clang leaves a sanitizer's runtime to the program, which here is not built with it.
  if("${CMAKE_C_COMPILER_ID}${CMAKE_CXX_COMPILER_ID}" MATCHES "Clang" AND "${CMAKE_C_FLAGS}${CMAKE_CXX_FLAGS}" MATCHES
                                                                       "-fsanitize")
    target_link_options(${name} PRIVATE -shared-libsan)
  endif()
  if(NOT CMAKE_CXX_STANDARD OR CMAKE_CXX_STANDARD LESS 20) # what the C++ adapter needs
    set_target_properties(${name} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
  endif()
  if(arg_OUTPUT_NAME)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME "${arg_OUTPUT_NAME}")
  endif()
  if(arg_FOLDER)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${arg_FOLDER}")
  endif()
endfunction()

# ringspec_test_port(NAME [BUDGETS ...] [ARGS ...]): the tests of a module. Of one that is not there, for want of a rustc,
# they are skipped.
function(ringspec_test_port name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "BUDGETS;ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringspec: the tests of ${name} have arguments that mean nothing: ${arg_UNPARSED_ARGUMENTS}.")
  endif()
  if(NOT arg_BUDGETS)
    set(arg_BUDGETS smoke gate)
  endif()
  foreach(budget IN LISTS arg_BUDGETS)
    if(NOT budget MATCHES "^(smoke|gate)$")
      message(FATAL_ERROR "ringspec: BUDGETS of ${name} are smoke and gate, not ${budget}.")
    endif()
    set(test "${RINGSPEC_TEST_PREFIX}ringspec.${name}.${budget}")
    if(TARGET ${name})
      get_target_property(module ${name} RINGSPEC_MODULE)
      add_test(NAME "${test}"
               COMMAND ringspec::ringspec verify --port "${module}" --budget ${budget} --report
                       "${CMAKE_BINARY_DIR}/ringspec-report/${name}.${budget}" ${arg_ARGS})
    else()
      _ringspec_rustc_missing(why)
      add_test(NAME "${test}" COMMAND "${CMAKE_COMMAND}" -E echo "skipped: ${why}")
      set_tests_properties("${test}" PROPERTIES SKIP_REGULAR_EXPRESSION "skipped")
    endif()
    # The command ends a run by itself after ten minutes and still reports.
    set_tests_properties("${test}" PROPERTIES TIMEOUT 900 LABELS "ringspec;${budget}")
  endforeach()
endfunction()

function(ringspec_add_port name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_NAME;FOLDER" "SOURCES;LIBRARIES;RUST_FLAGS;BUDGETS;ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringspec_add_port(${name}): these arguments mean nothing: ${arg_UNPARSED_ARGUMENTS}.")
  endif()
  ringspec_add_module(${name} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES} OUTPUT_NAME ${arg_OUTPUT_NAME}
                      FOLDER ${arg_FOLDER} RUST_FLAGS ${arg_RUST_FLAGS})
  ringspec_test_port(${name} BUDGETS ${arg_BUDGETS} ARGS ${arg_ARGS})

  # A port that is built can be judged: a command that is built with the project comes along.
  get_target_property(installed ringspec::ringspec IMPORTED)
  if(NOT installed AND TARGET ${name})
    add_dependencies(${name} ringspec::ringspec)
  endif()

  # Without enable_testing() add_test() does nothing, silently.
  get_property(asked GLOBAL PROPERTY RINGSPEC_ASKS_FOR_TESTING SET)
  if(NOT asked)
    set_property(GLOBAL PROPERTY RINGSPEC_ASKS_FOR_TESTING ON)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _ringspec_ask_for_testing)
  endif()
endfunction()

function(_ringspec_ask_for_testing)
  if(NOT CMAKE_TESTING_ENABLED)
    message(WARNING "ringspec: ports are built, but nothing will judge them: ${CMAKE_SOURCE_DIR}/CMakeLists.txt does "
                    "not call enable_testing().")
  endif()
endfunction()
