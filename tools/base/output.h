// Standard output, whose failures must not go unseen: main() calls the first of these at its
// beginning and the last at its end.
#pragma once

#include <system_error>

namespace incore::tools {

// A standard descriptor that is closed is held, so that no file which is opened gets its number:
// reading or writing it fails as before, and a program that is executed finds it closed. A file
// that may not grow (ulimit -f) is an error of the write, not a signal that ends us.
void prepare_output();

// Writes what stdio holds back. False if that failed, or anything that was written before.
bool flush_output();

// True if |error|, which came out of printing, is standard output's; finish_output() tells it then.
bool is_of_output(const std::system_error& error);

// |code|; or, if standard output could not be written, kBadInput, and a line on stderr says so. A
// reader that has closed the pipe is no error: SIGPIPE ends the program as it would have.
int finish_output(int code);

}  // namespace incore::tools
