# Warnings are errors for our own code, with GCC and with Clang.
set(INCORE_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wcast-qual -Wformat=2 -Wundef -Werror)
