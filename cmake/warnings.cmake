# Warnings are errors for our own code, with GCC and with Clang.
set(INCORE_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wcast-qual -Wformat=2 -Wundef -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND INCORE_WARNINGS -Wno-restrict)  # GCC 12 warns of its own std::string (PR 105651)
endif()
