#include "cli/help/describe.h"

#include "cli/help/help_text.h"
#include "tools/base/json.h"

namespace incore::cli {
namespace {

Json describe_option(const Option& option) {
  const bool is_flag = option.value == Option::Value::none;
  return {{"names", option.all_names()},
          {"shown", shown_name(option)},
          {"value", is_flag ? Json() : Json(option.value_name)},
          {"value_required", option.value == Option::Value::one},
          {"number", option.is_number},
          {"positional", option.is_positional()},
          {"required", option.is_required},
          {"repeatable", option.times != Option::Times::once},
          {"group", option.group},
          {"help", option.help},
          {"range", option.range},
          {"default", option.usual},
          {"choices", option.choices},
          {"other_values", option.choices.empty() || option.takes_others}};
}

}  // namespace

Json describe(const Command& command, const std::string& path) {
  Json options = Json::array(), exit_codes = Json::array(), commands = Json::array();
  for (const Option& option : command.options)
    if (!option.is_hidden) options.push_back(describe_option(option));
  for (const ExitCode& each : command.exit_codes)
    exit_codes.push_back({{"code", each.code}, {"meaning", each.meaning}});
  for (const NamedCommand& each : command.commands)
    commands.push_back(describe(each.make(), path + " " + each.name));
  return {{"command", path},
          {"summary", command.summary},
          {"usage", usage_text(command, path)},
          {"about", command.about},
          {"options", options},
          {"examples", command.examples},
          {"exit_codes", exit_codes},
          {"commands", commands}};
}

}  // namespace incore::cli
