#include "tools/hash/hash_check.h"

#include <fmt/core.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "tools/base/colour.h"
#include "tools/base/exit.h"
#include "tools/base/json.h"
#include "tools/base/quote.h"

namespace incore::tools {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool is_hex(const std::string& text) {
  for (char c : text)
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return false;
  return !text.empty();
}

// Takes the escapes out of |name|; false if it has one that does not exist.
bool unescape(std::string* name) {
  std::string plain;
  for (size_t i = 0; i < name->size(); ++i) {
    char c = (*name)[i];
    if (c == '\\') {
      if (++i == name->size()) return false;
      switch ((*name)[i]) {
        case '\\':
          break;
        case 'n':
          c = '\n';
          break;
        case 'r':
          c = '\r';
          break;
        default:
          return false;
      }
    }
    plain += c;
  }
  *name = plain;
  return true;
}

// "TAG (name) = digest"; "TAG(name)= digest" is OpenSSL's.
bool parse_tagged(const std::string& line, CheckLine* out_line) {
  const size_t open = line.find('(');
  const size_t close = line.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return false;
  const size_t tag_len = open != 0 && line[open - 1] == ' ' ? open - 1 : open;
  const HashAlgorithm* algorithm = find_hash_by_tag(line.substr(0, tag_len));
  size_t i = close + 1;
  while (i < line.size() && is_blank(line[i])) ++i;
  if (algorithm == nullptr || i == line.size() || line[i] != '=') return false;
  ++i;
  while (i < line.size() && is_blank(line[i])) ++i;
  *out_line = {algorithm, line.substr(i), line.substr(open + 1, close - open - 1)};
  return true;
}

// "digest  name", or "digest *name".
bool parse_untagged(const std::string& line, const HashAlgorithm* wanted, int* inout_single_blank,
                    CheckLine* out_line) {
  const size_t digits = line.find_first_of(" \t");
  if (digits == std::string::npos || digits % 2 != 0) return false;
  const HashAlgorithm* algorithm = wanted != nullptr ? wanted : find_hash_by_len(digits / 2);
  if (algorithm == nullptr) return false;
  size_t i = digits + 1;
  if (i + 1 == line.size() || (i < line.size() && line[i] != ' ' && line[i] != '*')) {
    if (*inout_single_blank == 0) return false;
    *inout_single_blank = 1;
  } else if (*inout_single_blank != 1) {
    *inout_single_blank = 0;
    ++i;
  }
  if (i >= line.size()) return false;
  *out_line = {algorithm, line.substr(0, digits), line.substr(i)};
  return true;
}

std::string list_name(const std::string& list) {
  return list == "-" ? "'standard input'" : quoted_if_needed(list);
}

// What one list came to.
struct Counts {
  size_t right_lines = 0, wrong_lines = 0, matches = 0, mismatches = 0, unreadable = 0;
};

void check_file(const CheckLine& line, const CheckOptions& options, Counts* counts,
                Json* out_report) {
  const auto tell = [&](Verdict verdict, const char* text, const char* key, bool print) {
    if (out_report != nullptr)
      (*out_report)["files"].push_back(
          {{"name", line.name}, {"algorithm", line.algorithm->name}, {"result", key}});
    else if (print)
      fmt::print("{}{}: {}\n", line.name.find('\n') == std::string::npos ? "" : "\\",
                 line.name.find('\n') == std::string::npos ? line.name : escaped_name(line.name),
                 coloured(verdict, text));
  };
  const FileHash hash = hash_file(line.name, *line.algorithm);
  if (hash.error == ENOENT && options.ignore_missing) return;
  if (hash.error != 0) {
    fail(kDiffers, quoted_if_needed(line.name) + ": " + std::strerror(hash.error));
    ++counts->unreadable;
    return tell(Verdict::wrong, "FAILED open or read", "unreadable", !options.silent);
  }
  if (strcasecmp(hash.digest.c_str(), line.digest.c_str()) != 0) {
    ++counts->mismatches;
    return tell(Verdict::wrong, "FAILED", "failed", !options.silent);
  }
  ++counts->matches;
  tell(Verdict::right, "OK", "ok", !options.silent && !options.quiet);
}

// The closing messages of a list; true if all of it is right.
bool conclude(const std::string& list, const CheckOptions& options, const Counts& counts) {
  if (counts.right_lines == 0) {
    fail(kDiffers, list_name(list) + ": no properly formatted checksum lines found");
    return false;
  }
  const auto warn = [&](size_t n, const char* one, const char* many) {
    if (n != 0 && !options.silent)
      fail(kDiffers, fmt::format("WARNING: {} {}", n, n == 1 ? one : many));
  };
  warn(counts.wrong_lines, "line is improperly formatted", "lines are improperly formatted");
  warn(counts.unreadable, "listed file could not be read", "listed files could not be read");
  warn(counts.mismatches, "computed checksum did NOT match", "computed checksums did NOT match");
  if (options.ignore_missing && counts.matches == 0 && !options.silent)
    fail(kDiffers, list_name(list) + ": no file was verified");
  return counts.matches != 0 && counts.mismatches == 0 && counts.unreadable == 0 &&
         (!options.strict || counts.wrong_lines == 0);
}

bool check_list(const std::string& list, const CheckOptions& options, int* inout_single_blank,
                Json* out_report) {
  std::ifstream file;
  if (list != "-") {
    errno = 0;
    file.open(list, std::ios::binary);
    // A directory opens, but cannot be read.
    if (!file || (file.peek() == EOF && file.bad())) {
      fail(kDiffers, quoted_if_needed(list) + ": " + std::strerror(errno));
      return false;
    }
    file.clear();
  }
  std::istream& in = list == "-" ? std::cin : file;

  Counts counts;
  std::string text;
  for (size_t number = 1; std::getline(in, text); ++number) {
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.empty() || text[0] == '#') continue;
    CheckLine line;
    if (parse_check_line(text, options.algorithm, inout_single_blank, &line) &&
        !(list == "-" && line.name == "-")) {
      ++counts.right_lines;
      check_file(line, options, &counts, out_report);
      continue;
    }
    ++counts.wrong_lines;
    if (options.warn)
      fail(kDiffers,
           fmt::format(
               "{}: {}: improperly formatted {}checksum line", list_name(list), number,
               options.algorithm == nullptr ? "" : std::string(options.algorithm->tag) + " "));
  }
  if (out_report != nullptr)
    (*out_report)["lists"].push_back({{"name", list},
                                      {"matches", counts.matches},
                                      {"mismatches", counts.mismatches},
                                      {"unreadable", counts.unreadable},
                                      {"improperly_formatted", counts.wrong_lines}});
  return conclude(list, options, counts);
}

}  // namespace

std::string escaped_name(const std::string& name) {
  std::string text;
  for (char c : name) {
    if (c == '\\')
      text += "\\\\";
    else if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return text;
}

bool parse_check_line(std::string line, const HashAlgorithm* algorithm, int* inout_single_blank,
                      CheckLine* out_line) {
  size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  const bool escaped = begin < line.size() && line[begin] == '\\';
  line.erase(0, begin + (escaped ? 1 : 0));

  if (parse_tagged(line, out_line)) {
    if (algorithm != nullptr && out_line->algorithm != algorithm) return false;
  } else if (!parse_untagged(line, algorithm, inout_single_blank, out_line)) {
    return false;
  }
  return out_line->digest.size() == 2 * out_line->algorithm->digest_len &&
         is_hex(out_line->digest) && (!escaped || unescape(&out_line->name));
}

bool check_lists(const std::vector<std::string>& lists, const CheckOptions& options,
                 Json* out_report) {
  bool all_right = true;
  int single_blank = -1;
  for (const std::string& list : lists)
    all_right = check_list(list, options, &single_blank, out_report) && all_right;
  return all_right;
}

}  // namespace incore::tools
