#include "cli/help/man_page.h"

#include <algorithm>
#include <sstream>

#include "cli/help/help_text.h"
#include "incore/version.h"

namespace incore::cli {
namespace {

// mandoc complains of longer lines.
constexpr size_t kMaxLine = 80;

// |line| as text, which with a dot or an apostrophe first would be a request.
std::string guarded(const std::string& line) {
  return line.starts_with('.') || line.starts_with('\'') ? "\\&" + line : line;
}

// |text| as troff prints it unchanged.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return result;
}

// |text| in lines, broken at blanks after at most kMaxLine bytes; |joint| ends each that is broken.
std::string broken(const std::string& text, const std::string& joint) {
  std::string rest = guarded(escaped(text)), result;
  while (rest.size() > kMaxLine) {
    size_t blank = rest.rfind(' ', kMaxLine - joint.size());
    if (blank == std::string::npos || blank == 0) blank = rest.find(' ', 1);
    if (blank == std::string::npos) break;
    result += rest.substr(0, blank) + joint + "\n";
    rest = guarded(rest.substr(blank + 1));
  }
  return result + rest + "\n";
}

// Text that flows.
std::string flowing(const std::string& text) {
  return broken(text, "");
}

// A line that stays one: troff joins lines of which the first ends with a backslash.
std::string staying(const std::string& line) {
  return broken(line, " \\");
}

// Lines that begin with a blank stay as they are, the others flow.
std::string prose(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  bool verbatim = false;
  for (std::string line; std::getline(lines, line);) {
    const bool stays = line.starts_with(' ');
    if (stays != verbatim) result += stays ? ".EX\n" : ".EE\n";
    verbatim = stays;
    result += line.empty() ? ".PP\n" : stays ? staying(line) : flowing(line);
  }
  return result + (verbatim ? ".EE\n" : "");
}

std::string item(const std::string& name, const std::string& text) {
  return ".TP\n.B " + escaped(name) + "\n" + flowing(text);
}

std::string dashed(std::string path) {
  std::replace(path.begin(), path.end(), ' ', '-');
  return path;
}

std::string items(const std::vector<const Option*>& options) {
  std::string text;
  for (const Option* option : options) text += item(shown_name(*option), shown_help(*option));
  return text;
}

std::string neighbours(const Command& command, const std::string& path) {
  Texts names;
  if (const size_t blank = path.rfind(' '); blank != std::string::npos)
    names.push_back(path.substr(0, blank));
  for (const NamedCommand& each : command.commands) names.push_back(path + " " + each.name);
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ",\n") + ("\\fB" + escaped(dashed(name)) + "\\fR(1)");
  return text + "\n";
}

}  // namespace

std::string man_page(const Command& command, const std::string& path) {
  std::string title = dashed(path);
  std::transform(title.begin(), title.end(), title.begin(), ::toupper);
  std::string text = ".TH " + title + " 1 \"\" \"incore " + incore_version() + "\" \"Incore\"\n";
  const auto section = [&](std::string heading, const std::string& body) {
    std::transform(heading.begin(), heading.end(), heading.begin(), ::toupper);
    if (!body.empty()) text += ".SH " + heading + "\n" + body;
  };
  section("name", flowing(dashed(path) + " - " + command.summary));
  section("synopsis", ".B " + escaped(usage_text(command, path)) + "\n");
  section("description", prose(command.about));
  std::string commands, examples, exit_codes;
  for (const NamedCommand& each : command.commands)
    commands += item(each.name, each.make().summary);
  section("commands", commands);
  section("arguments", items(arguments_of(command)));
  section("options", items(options_below(command, "")) +
                         (has_list(command) ? item("--list", kListHelp) : "") +
                         item("-h, --help", kHelpHelp));
  for (const std::string& group : groups_of(command))
    section(group, items(options_below(command, group)));
  for (const std::string& example : command.examples) examples += staying(example);
  section("examples", examples.empty() ? "" : ".EX\n" + examples + ".EE\n");
  for (const ExitCode& each : command.exit_codes) exit_codes += item(each.code, each.meaning);
  section("exit status", exit_codes);
  section("see also", neighbours(command, path));
  return text;
}

}  // namespace incore::cli
