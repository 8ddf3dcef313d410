// A workload: a function of one of the programs in programs/vemicry, with input for it and a check
// of what it leaves. Results, traces and sweeps run workloads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vemicry/machine.h"

namespace incore::vemicry {

// A workload being run: the machine, and where its data lie.
struct Run {
  Machine& machine;
  const Image& image;
  uint64_t seed;                    // of random input
  std::vector<uint32_t> arguments;  // of the function, to be filled by prepare()
  std::vector<uint8_t> expected;    // for prepare() to leave to check()
  // The first label that the program lacks, or address beyond memory, that was asked for: the
  // workload and its program do not go together.
  mutable std::string mistake = {};

  uint32_t p() const { return machine.state().config.p; }
  // The address of a label; 0, and a mistake, if the program has none.
  uint32_t address(const char* label) const;
  // Words are in the machine's byte order.
  void write_bytes(uint32_t address, const void* bytes, size_t len);
  void write_words(uint32_t address, const std::vector<uint32_t>& words);
  std::vector<uint8_t> read_bytes(uint32_t address, size_t len) const;
  std::vector<uint32_t> read_words(uint32_t address, size_t num_words) const;

 private:
  void note(const std::string& text) const;
};

// What a workload has to do with the round keys of a cipher, which lie at kKeysAddress
// (workloads/input.h).
enum class RoundKeys : uint8_t { none, makes, takes };

struct Workload {
  const char* name;      // as users write it: "aes128-encrypt-16"
  const char* summary;   // one line, without a full stop
  const char* program;   // files in programs/vemicry, assembled one behind the other
  const char* function;  // label
  // Why it cannot run on a machine of this kind, without a full stop; empty if it can.
  std::string (*refusal)(const Config& config);
  // Bytes of data that one call works on; 0: not a matter of bytes.
  uint64_t (*num_bytes)(const Config& config);
  void (*prepare)(Run& run);
  // What is wrong with what the function left; empty if nothing is.
  std::string (*check)(const Run& run);
  RoundKeys round_keys = RoundKeys::none;
};

#define X(name) extern const Workload name##_workload;
#include "vemicry/workloads.def"
#undef X

// All workloads, in the order of workloads.def.
std::span<const Workload* const> workloads();
// The one called |name|, or null.
const Workload* find_workload(std::string_view name);

// The text of a file of programs/vemicry; null if there is none of that name. Programs that C
// compilers made are ELF files.
struct ProgramFile {
  const char* name;
  const uint8_t* bytes;
  size_t len;
};
const ProgramFile* find_program(std::string_view name);
// The text of files whose names have blanks between them; empty if one is missing.
std::string program_text(std::string_view names);

// Prepares |workload| on a machine of |config|, which it does not refuse, has it run by |execute|,
// and checks what it left.
// Returns what went wrong, as |execute| does, in words; empty if all is right.
std::string run_workload(const Workload& workload, const Config& config, uint64_t seed,
                         const std::function<std::string(Run& run)>& execute);

struct Figures {
  uint64_t instructions = 0;       // from the function's first one to the delay slot of its return
  uint64_t call_instructions = 0;  // that a caller executed beside that (caller.h)
  uint64_t cycles = 0;             // of the function, by the pipeline model
  uint64_t num_bytes = 0;
};

// Sees every executed instruction of a measured program.
using Observer = std::function<void(const Image&, const Step&)>;

// Runs |workload| once on a machine of |config| and checks what it left. Returns what went wrong,
// in words; empty if all is right.
std::string measure(const Workload& workload, const Config& config, uint64_t seed,
                    Figures* out_figures, const Observer& observe = {});

// The same for |block| with the round keys that |keys| makes, each measured. They go together if
// nothing is wrong.
std::string measure_with_keys(const Workload& keys, const Workload& block, const Config& config,
                              uint64_t seed, Figures* out_keys, Figures* out_block);

// Has the function at |address| called in |machine|, and counts; it and its caller execute |limit|
// instructions at most (0: no limit). Returns what went wrong, in words.
std::string measure_call(Machine& machine, uint32_t address, std::span<const uint32_t> arguments,
                         uint64_t limit, Figures* out_figures,
                         const std::function<void(const Step&)>& observe = {});

}  // namespace incore::vemicry
