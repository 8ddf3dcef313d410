// Text in pieces. Streams would do, but keep it to themselves that memory ran out: a text would
// seem to end there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace incore::run {

// The parts of |text| between separators; one part if there is none.
std::vector<std::string_view> split(std::string_view text, char separator);

// What a small file such as /proc/1/maps holds, as far as it can be read.
std::string read_text(const std::string& path);

// The paths at which a program called |name| may be, by the environment's PATH.
std::vector<std::string> along_path(const std::string& name);

}  // namespace incore::run
