// Text that is not ours (file names, arguments, what a file or a library says) as a message shows
// it. It may hold anything, and must neither steer the terminal nor fill it. Characters that cannot
// be printed are escaped: control characters, those that turn the direction of writing, and bytes
// that are no UTF-8. What is long is cut in its middle.
#pragma once

#include <string>

namespace incore::tools {

// In quotes, as a shell would take it: 'a b', 'esc'$'\033''[31m'.
std::string in_quotes(const std::string& text);

// As it is, or quoted where blanks or the like are in it: the habit of GNU's tools.
std::string quoted_if_needed(const std::string& name);

// A message that may hold such text anywhere, as one line of some hundred characters at most: '\n'
// and '\033' stand for what cannot be printed; long words, and the message, are cut. Our own
// messages are short enough to stay as they are.
std::string one_line(const std::string& message);

}  // namespace incore::tools
