// What the tests of the assembler share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vemicry/assemble.h"

namespace incore::vemicry::test {

inline std::vector<std::string> errors_of(const Assembly& assembly) {
  std::vector<std::string> lines;
  for (const Diagnostic& error : assembly.errors)
    lines.push_back(std::to_string(error.line) + ":" + std::to_string(error.column) + ": " +
                    error.text);
  return lines;
}
inline std::vector<std::string> errors_of(const std::string& source,
                                          const AssembleOptions& options = {}) {
  return errors_of(assemble(source, options));
}

// The only error that |source| has; others are a failure.
inline std::string error_of(const std::string& source, const AssembleOptions& options = {}) {
  const std::vector<std::string> errors = errors_of(source, options);
  EXPECT_EQ(errors.size(), 1u) << source << "\n" << testing::PrintToString(errors);
  return errors.empty() ? "" : errors.front();
}

inline std::vector<uint32_t> words_of(const Image& image, const Segment& segment) {
  std::vector<uint32_t> words;
  for (size_t i = 0; i + 4 <= segment.bytes.size(); i += 4)
    words.push_back(image.word(segment.bytes.data() + i));
  return words;
}

// The words of the first segment: the code, if there is any.
inline std::vector<uint32_t> words_of(const std::string& source,
                                      const AssembleOptions& options = {}) {
  const Assembly assembly = assemble(source, options);
  EXPECT_TRUE(assembly.errors.empty()) << source << "\n"
                                       << testing::PrintToString(errors_of(assembly));
  if (assembly.image.segments.empty()) return {};
  return words_of(assembly.image, assembly.image.segments.front());
}

// The one word of a statement.
inline uint32_t word_of(const std::string& statement, const AssembleOptions& options = {}) {
  const std::vector<uint32_t> words = words_of(statement, options);
  EXPECT_EQ(words.size(), 1u) << statement;
  return words.empty() ? 0 : words.front();
}

}  // namespace incore::vemicry::test
