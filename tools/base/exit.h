// How a command ends: its exit code, and the line on standard error that says why.
#pragma once

#include <string>
#include <string_view>

namespace incore::tools {

// Exit codes of every command but `run`, which returns the program's own.
inline constexpr int kDone = 0;      // done
inline constexpr int kDiffers = 1;   // the job found a difference or a failure
inline constexpr int kBadInput = 2;  // bad usage or input

// From now on lines begin with "incore |command|: ".
void set_command(const std::string& command);

// Prints "incore COMMAND: message" on stderr and returns |code|.
int fail(int code, const std::string& message);

// The same for each line of |lines|.
int fail_with_lines(int code, std::string_view lines);

}  // namespace incore::tools
