#include "support/vector_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

namespace incore::test {

const std::string& VectorCase::text(const std::string& name) {
  const auto field = fields_.find(name);
  if (field == fields_.end()) throw std::invalid_argument("the case has no field " + name);
  unread_.erase(name);
  return field->second;
}

size_t for_each_case(const std::string& file, const std::function<void(VectorCase&)>& check) {
  std::ifstream in(INCORE_TEST_DATA "/" + file);
  if (!in) throw std::runtime_error("cannot read " + file);
  std::map<std::string, std::string> standing, own;
  size_t num_cases = 0;
  const auto finish = [&] {
    if (own.empty()) return;
    VectorCase c;
    c.fields_ = own;
    c.fields_.insert(standing.begin(), standing.end());
    if (c.fields_.size() != own.size() + standing.size())
      throw std::runtime_error(file + ": a field is both of a case and of all");
    for (const auto& field : c.fields_) c.unread_.insert(field.first);
    SCOPED_TRACE(file + ", Id " + c.text("Id"));
    check(c);
    for (const std::string& name : c.unread_) ADD_FAILURE() << "nobody has read the field " << name;
    own.clear();
    ++num_cases;
  };
  std::string line;
  while (std::getline(in, line)) {
    if (testing::Test::HasFailure()) return num_cases;
    if (line.empty()) finish();
    if (line.empty() || line[0] == '#') continue;
    const bool stands = line[0] == '[';
    if (stands) line = line.substr(1, line.size() - 2);
    const size_t equals = line.find(" =");
    if (equals == std::string::npos) throw std::runtime_error(file + ": no field: " + line);
    const std::string name = line.substr(0, equals);
    const std::string value = line.size() > equals + 3 ? line.substr(equals + 3) : "";
    if (stands)
      standing[name] = value;
    else if (!own.emplace(name, value).second)
      throw std::runtime_error(file + ": a case has two fields " + name);
  }
  finish();
  return num_cases;
}

}  // namespace incore::test
