# SPDX-License-Identifier: Apache-2.0
#
#   ringspec_add_port(NAME SOURCES FILE... [LIBRARIES TARGET...] [BUDGET smoke|gate] [ARGS ARGUMENT...]
#                     [OUTPUT_NAME FILE_NAME] [FOLDER FOLDER])
#
# Builds NAME, a shared object that exports ringspec_ports_v1(), and registers a CTest test ringspec.NAME that lets the
# gate judge it. The module is compiled with the flags of the project that calls this, sanitizers included.
#
#   SOURCES      C, C++ or whatever the project can compile
#   LIBRARIES    what the implementation under test needs
#   BUDGET       how long the gate looks: smoke (a second or two, the default) or gate (some ten seconds)
#   ARGS         more arguments for `ringspec verify`, for example --require growth-policy
#   OUTPUT_NAME  name of the file, without .so; default NAME
#   FOLDER       where the file is written; default the current build folder
include_guard(GLOBAL)

# The include root of ringspec/port.h and of the C++ adapter, as a target. An installed package brings its own.
if(NOT TARGET ringspec::port)
  get_filename_component(_ringspec_root "${CMAKE_CURRENT_LIST_DIR}/../src" ABSOLUTE)
  add_library(ringspec_port INTERFACE)
  add_library(ringspec::port ALIAS ringspec_port)
  target_include_directories(ringspec_port INTERFACE "${_ringspec_root}")
endif()

# ringspec_add_module(NAME SOURCES FILE... [LIBRARIES ...] [OUTPUT_NAME ...] [FOLDER ...]): the module without the test.
function(ringspec_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_NAME;FOLDER" "SOURCES;LIBRARIES")
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "ringspec: the module ${name} has no SOURCES.")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringspec: the module ${name} has arguments that mean nothing: ${arg_UNPARSED_ARGUMENTS}.")
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
               POSITION_INDEPENDENT_CODE ON)
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

function(ringspec_add_port name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_NAME;FOLDER;BUDGET" "SOURCES;LIBRARIES;ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringspec_add_port(${name}): these arguments mean nothing: ${arg_UNPARSED_ARGUMENTS}.")
  endif()
  if(NOT arg_BUDGET)
    set(arg_BUDGET smoke)
  elseif(NOT arg_BUDGET MATCHES "^(smoke|gate)$")
    message(FATAL_ERROR "ringspec_add_port(${name}): BUDGET is smoke or gate, not ${arg_BUDGET}.")
  endif()
  ringspec_add_module(${name} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES} OUTPUT_NAME ${arg_OUTPUT_NAME}
                      FOLDER ${arg_FOLDER})
  if(TARGET ringspec::ringspec)
    set(test "${RINGSPEC_TEST_PREFIX}ringspec.${name}")
    add_test(NAME "${test}"
             COMMAND ringspec::ringspec verify --port "$<TARGET_FILE:${name}>" --budget ${arg_BUDGET} --report
                     "${CMAKE_CURRENT_BINARY_DIR}/ringspec-report/${name}" ${arg_ARGS})
    set_tests_properties("${test}" PROPERTIES TIMEOUT 300 LABELS ringspec)
  endif()
endfunction()
