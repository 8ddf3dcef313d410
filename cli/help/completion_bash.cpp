// For bash: one function, which finds the command among the words and offers what it takes.
#include <fmt/format.h>

#include "cli/help/completion.h"

namespace incore::cli {
namespace {

constexpr char kBegin[] = R"(# Completion of incore for bash.
_incore() {
  local path=incore value i
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  # "--mode=c" comes as three words.
  [ "$cur" = = ] && cur=
  [ "$prev" = = ] && prev=${COMP_WORDS[COMP_CWORD - 2]}
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$path ${COMP_WORDS[i]}" in
)";

constexpr char kMiddle[] = R"() path+=" ${COMP_WORDS[i]}" ;;
    esac
  done
  value=
  case "$path $prev" in
)";

constexpr char kEnd[] = R"(  esac
  case $value in
    FILES) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    DIRS) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    PROGRAMS) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -c -f -- "$cur") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$value" -- "$cur") ;;
  esac
}
complete -F _incore incore
)";

std::string value_of(const Option& option) {
  switch (completed_by(option)) {
    case Completed::files:
      return "FILES";
    case Completed::folders:
      return "DIRS";
    case Completed::choices:
      return fmt::format("{}", fmt::join(option.choices, " "));
    case Completed::anything:
      break;
  }
  return "''";
}

// What stands behind the name of an option.
std::string values(const CompletedCommand& entry) {
  std::string text;
  for (const Option& option : entry.command.options) {
    if (option.is_hidden || option.is_positional() || option.value != Option::Value::one) continue;
    std::string patterns;
    for (const std::string& name : option.all_names())
      patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : "|", entry.path, name);
    text += fmt::format("    {}) value=\"{}\" ;;\n", patterns, value_of(option));
  }
  return text;
}

// What stands where a word begins: options behind a dash, and else commands or arguments.
std::string words(const CompletedCommand& entry) {
  std::string other = entry.command.program != nullptr ? "PROGRAMS" : "";
  for (const NamedCommand& each : entry.command.commands)
    other += (other.empty() ? "" : " ") + each.name;
  for (const Option& option : entry.command.options)
    if (option.is_positional() && other.empty()) other = value_of(option);
  return fmt::format("    '{} -'*) value=\"{}\" ;;\n    '{} '*) value=\"{}\" ;;\n", entry.path,
                     fmt::join(option_names_of(entry.command), " "), entry.path, other);
}

}  // namespace

std::string completion_for_bash(const CompletedCommands& commands) {
  Texts paths;
  std::string by_option, by_word;
  // The longest path first: "incore rng bytes" begins with "incore".
  for (auto entry = commands.rbegin(); entry != commands.rend(); ++entry) {
    if (entry->path != "incore") paths.push_back("'" + entry->path + "'");
    by_option += values(*entry);
    by_word += words(*entry);
  }
  return fmt::format("{}      {}{}{}    *)\n  case \"$path $cur\" in\n{}  esac ;;\n{}", kBegin,
                     fmt::join(paths, "|"), kMiddle, by_option, by_word, kEnd);
}

}  // namespace incore::cli
