// Whether names on the command line mean one file: a result must not take the place of what it was
// made from, nor of another result.
#pragma once

#include <string>
#include <vector>

namespace incore::tools {

struct NamedFile {
  std::string option;  // for messages: "--out"
  std::string path;    // "-": standard input or output
};

// What is wrong, in words: an output that is one of |inputs| or another output, by whatever name,
// also where the file does not exist yet. Empty: all differ. Devices, pipes and terminals may be
// named twice: nothing in them is replaced.
std::string shared_file(const std::vector<NamedFile>& inputs,
                        const std::vector<NamedFile>& outputs);

// |path| with the links resolved that its last part is, also if what they lead to is not there.
std::string link_target(const std::string& path);

}  // namespace incore::tools
