#include "tools/vemicry/vemicry_program.h"

#include <fmt/format.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "tools/base/exit.h"
#include "tools/base/quote.h"

namespace incore::tools {

ProgramHandle assemble_program(const std::vector<std::string>& paths,
                               std::span<const std::string> texts,
                               std::span<const incore_vemicry_define> defines,
                               const incore_vemicry_config& config, std::string* out_reason) {
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    names.push_back(quoted_if_needed(path));
    if (path.size() < PATH_MAX) continue;
    *out_reason = names.back() + ": " + std::strerror(ENAMETOOLONG);
    return {nullptr, incore_vemicry_program_free};
  }
  std::vector<incore_vemicry_source> sources;
  for (size_t i = 0; i < paths.size(); ++i)
    sources.push_back({paths[i].c_str(), names[i].c_str(),
                       texts.empty() ? nullptr : texts[i].data(),
                       texts.empty() ? 0 : texts[i].size()});
  std::string reason(kReasonLen, '\0');
  incore_vemicry_program* program = nullptr;
  if (incore_vemicry_assemble_files(defines.data(), defines.size(), sources.data(), sources.size(),
                                    &config, &program, reason.data(), reason.size()) != INCORE_OK)
    *out_reason = reason.c_str();
  return {program, incore_vemicry_program_free};
}

ProgramHandle read_program(const std::string& path, const incore_vemicry_config& config,
                           std::string* out_reason) {
  const std::string name = quoted_if_needed(path);
  ProgramHandle none = {nullptr, incore_vemicry_program_free};
  if (path.size() >= PATH_MAX) {
    *out_reason = name + ": " + std::strerror(ENAMETOOLONG);
    return none;
  }
  std::string reason(kReasonLen, '\0');
  incore_vemicry_program* program = nullptr;
  if (incore_vemicry_load_file(path.c_str(), name.c_str(), &config, &program, reason.data(),
                               reason.size()) != INCORE_OK) {
    *out_reason = reason.c_str();
    return none;
  }
  ProgramHandle loaded = {program, incore_vemicry_program_free};
  if (config.little_endian == 0 || incore_vemicry_program_is_little_endian(program) != 0)
    return loaded;
  *out_reason = name + ": is a big-endian program, and --little-endian is given";
  return none;
}

ProgramHandle load_program(const std::vector<std::string>& paths,
                           const incore_vemicry_config& config) {
  std::string reason;
  ProgramHandle program = paths.size() == 1 ? read_program(paths[0], config, &reason)
                                            : assemble_program(paths, {}, {}, config, &reason);
  if (program == nullptr) fail_with_lines(kBadInput, reason);
  return program;
}

std::string find_function(const incore_vemicry_program& program, const std::string& path,
                          const std::string& label, uint32_t* out_address) {
  return incore_vemicry_program_symbol(&program, label.c_str(), out_address) == INCORE_OK
             ? ""
             : fmt::format("{} has no label {}", quoted_if_needed(path), in_quotes(label));
}

}  // namespace incore::tools
