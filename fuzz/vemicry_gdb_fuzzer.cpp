// Whatever a debugger sends, damaged or not, is answered or refused. A zero byte begins a packet
// whose sum is right; 255 lets the program run.
#include "check.h"
#include "tools/base/hex.h"
#include "tools/vemicry/gdb_target.h"

using namespace incore::tools;

namespace {

constexpr char kProgram[] =
    "main: vload v0, ($29), 0\n addiu $4, $4, 1\n sw $4, 0($29)\n bne $4, $5, main\n nop\n";

incore_vemicry_program* program() {
  incore_vemicry_program* program = nullptr;
  FUZZ_CHECK(incore_vemicry_assemble("f.s", kProgram, sizeof kProgram - 1, nullptr, &program,
                                     nullptr, 0) == INCORE_OK);
  return program;
}

std::string packet(std::string_view text) {
  unsigned sum = 0;
  for (const char c : text) sum += static_cast<unsigned char>(c);
  const auto check = static_cast<uint8_t>(sum);
  return "$" + std::string(text) + "#" + to_hex(&check, 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  static incore_vemicry_program* const assembled = program();
  incore_vemicry_machine* machine = nullptr;
  FUZZ_CHECK(incore_vemicry_machine_new(nullptr, assembled, &machine, nullptr, 0) == INCORE_OK);
  GdbMachine target(machine, {}, false);
  GdbSession session(&target);
  int turns = 0;
  for (std::string_view rest(reinterpret_cast<const char*>(data), len); !rest.empty();) {
    const char first = rest[0];
    rest.remove_prefix(1);
    const std::string_view text = rest.substr(0, rest.find_first_of(std::string_view("\0\377", 2)));
    rest.remove_prefix(text.size());
    session.receive(first == '\0' ? packet(text) : first + std::string(text));
    if (first == '\377' && session.is_running() && ++turns < 4) session.run_some();
    FUZZ_CHECK(session.end() != GdbSession::End::exited || !session.is_running());
    (void)session.take_output();
  }
  incore_vemicry_machine_free(machine);
  return 0;
}
