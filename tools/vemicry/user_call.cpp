#include "tools/vemicry/user_call.h"

#include "tools/base/input_file.h"
#include "tools/base/quote.h"

namespace incore::tools {

std::string UserCall::name() const {
  std::string text = file + ":" + function;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const UserArgument& one = arguments[i];
    text += (i == 0 ? "(" : ", ") + (one.label.empty() ? std::to_string(one.number) : one.label);
  }
  return arguments.empty() ? text : text + ")";
}

std::vector<std::string> UserCall::labels() const {
  std::vector<std::string> list = {function};
  for (const UserArgument& one : arguments)
    if (!one.label.empty()) list.push_back(one.label);
  for (const auto* bytes : {&inputs, &outputs})
    for (const UserBytes& one : *bytes) list.push_back(one.label);
  return list;
}

std::string read_call_files(UserCall* inout_call) {
  for (std::vector<UserBytes>* list : {&inout_call->inputs, &inout_call->outputs})
    for (UserBytes& one : *list)
      if (const std::string error = read_input_file(one.path, &one.bytes); !error.empty())
        return quoted_if_needed(one.path) + ": " + error;
  return "";
}

}  // namespace incore::tools
