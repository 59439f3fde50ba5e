# SPDX-License-Identifier: Apache-2.0
#
#   ringspec_embed(OUTPUT FOLDER PATTERN...)
#
# OUTPUT becomes a C++ source that defines ringspec::embedded_files() with the files of FOLDER that match a pattern. It
# is generated anew when one of them changes, appears or vanishes.
function(ringspec_embed output folder)
  list(TRANSFORM ARGN PREPEND "${folder}/" OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS LIST_DIRECTORIES false RELATIVE "${folder}" ${patterns})
  list(REMOVE_DUPLICATES files)
  list(SORT files COMPARE STRING)

  # The list is a file that changes only when the list does: a vanished file, too, starts the generator.
  set(list_file "${output}.list")
  list(JOIN files "\n" lines)
  file(CONFIGURE OUTPUT "${list_file}" CONTENT "${lines}\n" @ONLY)

  list(TRANSFORM files PREPEND "${folder}/" OUTPUT_VARIABLE paths)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DFOLDER=${folder}" "-DLIST=${list_file}" -P
            "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
    DEPENDS ${paths} "${list_file}" "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
    COMMENT "Embedding the specification"
    VERBATIM)
endfunction()
