# Run after a test program is linked: writes OUTPUT, in which each suite that PROGRAM lists is a test FOLDER/suite of at most SECONDS.
execute_process(COMMAND "${PROGRAM}" --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE result TIMEOUT 60)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests: ${result}\n${listed}")
endif()
# "Suite.", "Instance/Suite." or "Suite/0.  # TypeParam = ...", each before its tests, which are indented.
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${listed}")
if(NOT suites)
  message(FATAL_ERROR "${PROGRAM} lists no tests")
endif()
set(text "")
foreach(line IN LISTS suites)
  string(REGEX REPLACE "[\n.]" "" suite "${line}")
  string(APPEND text "add_test([[${FOLDER}/${suite}]] [[${PROGRAM}]] [[--gtest_filter=${suite}.*]] --gtest_shuffle)\n"
                     "set_tests_properties([[${FOLDER}/${suite}]] PROPERTIES TIMEOUT ${SECONDS} LABELS [[${FOLDER}]])\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
