#include "support/nist_vectors.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace incore::test {
namespace {

const std::filesystem::path kPackage = "/usr/lib/python3/dist-packages/cryptography_vectors";

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

std::vector<NistCase> load_nist(const std::string& file) {
  std::ifstream in(kPackage / file);
  if (!in) throw std::runtime_error("cannot read " + (kPackage / file).string());
  std::vector<NistCase> cases;
  NistCase current;
  std::string section, line;
  const auto finish = [&] {
    if (!current.fields.empty()) cases.push_back(current);
    current = NistCase();
  };
  for (int number = 1; std::getline(in, line); ++number) {
    line = trimmed(line);
    if (line.empty()) {
      finish();
    } else if (line[0] == '#') {
      continue;  // also within a case
    } else if (line[0] == '[') {
      finish();
      section = line.substr(1, line.find(']') - 1);
    } else {
      if (current.fields.empty()) current.line = number;
      current.section = section;
      const size_t equals = line.find('=');
      current.fields[trimmed(line.substr(0, equals))] =
          equals == std::string::npos ? "" : trimmed(line.substr(equals + 1));
    }
  }
  finish();
  if (cases.empty()) throw std::runtime_error("no cases in " + file);
  return cases;
}

std::vector<std::string> nist_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(kPackage / folder, none))
    if (entry.path().extension() == ".rsp")
      files.push_back(folder + "/" + entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string nist_missing() {
  return "the package python3-cryptography-vectors is not installed";
}

}  // namespace incore::test
