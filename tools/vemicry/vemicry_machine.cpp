#include "tools/vemicry/vemicry_machine.h"

#include <unistd.h>

#include <cerrno>

#include "tools/base/exit.h"

namespace incore::tools {
namespace {

// The numbers of these errors are the same on MIPS.
int64_t read_input(void*, int fd, uint8_t* out_bytes, size_t len) {
  if (fd != STDIN_FILENO) return -EBADF;
  const ssize_t count = read(fd, out_bytes, len);
  return count < 0 ? -errno : count;
}

int64_t write_output(void*, int fd, const uint8_t* bytes, size_t len) {
  if (fd != STDOUT_FILENO && fd != STDERR_FILENO) return -EBADF;
  const ssize_t count = write(fd, bytes, len);
  return count < 0 ? -errno : count;
}

}  // namespace

MachineHandle make_machine(const incore_vemicry_config& config,
                           const incore_vemicry_program& program) {
  char reason[256] = "";
  incore_vemicry_machine* machine = nullptr;
  if (incore_vemicry_machine_new(&config, &program, &machine, reason, sizeof reason) != INCORE_OK)
    fail(kBadInput, reason);
  else
    incore_vemicry_machine_on_io(machine, read_input, write_output, nullptr);
  return {machine, incore_vemicry_machine_free};
}

std::string trap_text(const incore_vemicry_machine& machine,
                      const incore_vemicry_outcome& outcome) {
  char text[512];
  incore_vemicry_machine_explain(&machine, &outcome, text, sizeof text);
  return text;
}

int run_simulated(const std::string& path) {
  const incore_vemicry_config config = {};
  const ProgramHandle program = load_program({path}, config);
  if (program == nullptr) return kBadInput;
  const MachineHandle machine = make_machine(config, *program);
  incore_vemicry_outcome outcome;
  if (machine == nullptr || incore_vemicry_machine_run(machine.get(), 0, &outcome) != INCORE_OK)
    return kBadInput;
  if (outcome.stop == INCORE_VEMICRY_TRAPPED)
    return fail(128 + outcome.signal, trap_text(*machine, outcome));
  return static_cast<int>(outcome.value & 0xFF);
}

}  // namespace incore::tools
