// A program for VeMICry in a file of the user's.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "incore/vemicry.h"

namespace incore::tools {

using ProgramHandle =
    std::unique_ptr<incore_vemicry_program, decltype(&incore_vemicry_program_free)>;

// Room for all that the assembler reports of one file.
inline constexpr size_t kReasonLen = 1 << 16;

// Reads a program for a machine like |config| from |path|. If that fails, returns null, and in
// |*out_reason| a line "NAME: cause" or "NAME:line:column: cause" for each mistake, with the name
// quoted where it needs it.
ProgramHandle read_program(const std::string& path, const incore_vemicry_config& config,
                           std::string* out_reason);

// The same for sources that are assembled together; |texts| are what is in them, or none: they are
// read.
ProgramHandle assemble_program(const std::vector<std::string>& paths,
                               std::span<const std::string> texts,
                               std::span<const incore_vemicry_define> defines,
                               const incore_vemicry_config& config, std::string* out_reason);

// A program, or several sources that make one. If it fails, prints why.
ProgramHandle load_program(const std::vector<std::string>& paths,
                           const incore_vemicry_config& config);

// Why |program|, which |path| held, has no function |label|; empty: it has, at |*out_address|.
std::string find_function(const incore_vemicry_program& program, const std::string& path,
                          const std::string& label, uint32_t* out_address);

}  // namespace incore::tools
