# Writes the tests of one GoogleTest program for CTest, a suite each: to start the program costs as much as dozens of its
# tests, above all under an emulator. Called when the program has been built, with PROGRAM, EMULATOR (or empty), FOLDER
# where the tests run, and OUT, the file to write.
execute_process(COMMAND ${EMULATOR} ${PROGRAM} --gtest_list_tests
  OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY TIMEOUT 120)
if(listed MATCHES "DISABLED_[A-Za-z0-9_]*")
  message(FATAL_ERROR "${CMAKE_MATCH_0}: a test that does not run here says why by GTEST_SKIP")
endif()
set(tests "")
set(command ${EMULATOR} ${PROGRAM})
list(TRANSFORM command REPLACE "^.+$" "[==[\\0]==]")
list(JOIN command " " command)
string(REGEX MATCHALL "\n[A-Za-z0-9_/]+\\." suites "\n${listed}")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[\n.]" "" suite "${suite}")
  string(APPEND tests "add_test(${suite} ${command} --gtest_filter=${suite}.*)\n"
    "set_tests_properties(${suite} PROPERTIES TIMEOUT 1800 WORKING_DIRECTORY [==[${FOLDER}]==])\n")
endforeach()
file(WRITE "${OUT}" "${tests}")
