// Known answers in tests/data: blocks of lines `Name = value`, each a case that begins with its Id.
// A line `[Name = value]` holds for all cases after it, until the next of that name. A line that
// begins with # is a comment; the first ones name the source.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "support/hex.h"

namespace incore::test {

class VectorCase {
 public:
  // Fail the test (throw) if there is no such field.
  const std::string& text(const std::string& name);
  Bytes bytes(const std::string& name) { return from_hex(text(name)); }

 private:
  friend size_t for_each_case(const std::string&, const std::function<void(VectorCase&)>&);
  std::map<std::string, std::string> fields_;
  std::set<std::string> unread_;
};

// Calls |check| for each case of |file|, a path below tests/data, until one fails; returns how many
// there were. A field that |check| has not read is a failure: it would be a demand that nobody
// looks at.
size_t for_each_case(const std::string& file, const std::function<void(VectorCase&)>& check);

}  // namespace incore::test
