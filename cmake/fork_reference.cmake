# SPDX-License-Identifier: Apache-2.0
#
# ringspec_fork_reference(SOURCE file OUTPUT file FIND text REPLACE text)
#
# Writes a copy of the reference queue with one fault, at configure time. The copy keeps namespace and names: a gate
# whose own templates replaced those of a loaded port would report the reference's results for it. OUTPUT ends in
# ringspec/queue/inline_ring_queue.hpp; the folder above that comes first on the include path of the port that uses it.
#
# The fault has to end up in a function that compilers keep out of line, or there would be no symbol to replace.
# FIND has to occur exactly once, so that a change of the reference cannot leave a fork without its fault.
function(ringspec_fork_reference)
  cmake_parse_arguments(PARSE_ARGV 0 fork "" "SOURCE;OUTPUT;FIND;REPLACE" "")
  foreach(argument IN ITEMS SOURCE OUTPUT FIND REPLACE)
    if("${fork_${argument}}" STREQUAL "")
      message(FATAL_ERROR "ringspec_fork_reference: ${argument} is missing")
    endif()
  endforeach()

  file(READ "${fork_SOURCE}" text)
  string(FIND "${text}" "${fork_FIND}" first)
  string(FIND "${text}" "${fork_FIND}" last REVERSE)
  if(first EQUAL -1)
    message(FATAL_ERROR "${fork_SOURCE} no longer contains the text that the fork replaces. Choose FIND and REPLACE "
                        "anew. The text was:\n  ${fork_FIND}")
  elseif(NOT first EQUAL last)
    message(FATAL_ERROR "${fork_SOURCE} contains the text that the fork replaces more than once. Make FIND longer. "
                        "The text is:\n  ${fork_FIND}")
  endif()
  string(REPLACE "${fork_FIND}" "${fork_REPLACE}" forked "${text}")

  # A fork that would not change keeps its time, so that configuring again builds nothing again.
  set(present "")
  if(EXISTS "${fork_OUTPUT}")
    file(READ "${fork_OUTPUT}" present)
  endif()
  if(NOT present STREQUAL forked)
    file(WRITE "${fork_OUTPUT}" "${forked}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${fork_SOURCE}")
endfunction()
