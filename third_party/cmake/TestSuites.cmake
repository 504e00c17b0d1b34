# tessera_add_suites(name FOLDER folder TIMEOUT seconds): each of googletest's suites in a program as one ctest test, "folder/Suite",
# whose tests share a process and come in an order that changes. Found when the program is built, as gtest_discover_tests() finds
# single tests; of those there are seven times as many, and to start a process takes longer than most of them.
set(TESSERA_SUITES_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/test_suites_script.cmake")

function(tessera_add_suites name)
  cmake_parse_arguments(arg "" "FOLDER;TIMEOUT" "" ${ARGN})
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake")
  add_custom_command(
    TARGET ${name} POST_BUILD
    BYPRODUCTS "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${name}>" "-DFOLDER=${arg_FOLDER}" "-DSECONDS=${arg_TIMEOUT}"
            "-DOUTPUT=${output}" -P "${TESSERA_SUITES_SCRIPT}"
    VERBATIM)
  # Relinked, and thereby looked through again, when how that is done changed.
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${TESSERA_SUITES_SCRIPT}")
  # What is not built fails by its name.
  set(include "${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake")
  file(WRITE "${include}" "if(EXISTS \"${output}\")\n  include(\"${output}\")\nelse()\n  add_test(${name}_NOT_BUILT ${name}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include}")
endfunction()
