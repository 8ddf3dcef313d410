#include "tools/probe/probe_timings.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tools/probe/model_chip.h"
#include "tools/probe/probe_document.h"

namespace incore::tools {
namespace {

constexpr uint64_t kMostInCaches = 16 << 10;  // bytes, of source and destination each

// The model's processor, with the probe's operands below 4 GiB, where MONTMUL finds them.
class TimedChip {
 public:
  explicit TimedChip(const std::string& model) : chip_(model) {
    void* const memory =
        mmap(nullptr, kLen, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (memory != MAP_FAILED) memory_ = static_cast<char*>(memory);
  }
  ~TimedChip() {
    if (memory_ != nullptr) munmap(memory_, kLen);
  }
  TimedChip(const TimedChip&) = delete;
  TimedChip& operator=(const TimedChip&) = delete;

  // The clocks of what |row| of the document has timed; 0: nobody knows.
  double clocks(const Json& row) {
    if (memory_ == nullptr || !prepare(row)) return 0;
    const std::string& insn = row["insn"].text();
    if (!execute(insn)) return 0;  // loads the key
    if (row["reload"].boolean()) incore_padlock_reload_key(chip_.get());
    if (insn == "xstore") incore_padlock_wait(chip_.get(), kWaitClocks);
    const double before = incore_padlock_seconds(chip_.get());
    if (!execute(insn)) return 0;
    return (incore_padlock_seconds(chip_.get()) - before) * incore_padlock_clock_mhz(chip_.get()) *
           1e6;
  }

 private:
  static constexpr size_t kMaxSize = 1 << 20, kWaitClocks = 1 << 20;
  // Of the operands in memory.
  static constexpr size_t kControl = 0, kKey = 0x100, kVector = 0x200, kContext = 0x300,
                          kNumber = 0x1000, kNumberLen = 0x2000, kSource = 0x10000,
                          kDestination = kSource + kMaxSize + 0x1000,
                          kLen = kDestination + kMaxSize + 0x1000;

  uint64_t address(size_t at) const { return reinterpret_cast<uintptr_t>(memory_ + at); }
  void put32(size_t at, uint64_t value) {
    const uint32_t word = static_cast<uint32_t>(value);
    std::memcpy(memory_ + at, &word, sizeof word);
  }

  bool prepare(const Json& row) {
    const std::string& insn = row["insn"].text();
    const bool is_xcrypt = insn.starts_with("xcrypt-");
    const uint64_t offset = row["offset"].natural() & 15;
    const uint64_t bytes = row["bytes"].natural(), bits = row["bits"].natural();
    if (bytes > kMaxSize || bits > kNumberLen * 8 / 2) return false;
    registers_ = {.rax = 0,
                  .rbx = 0,
                  .rcx = bytes,
                  .rdx = row["edx"].natural() & 3,
                  .rsi = address(kSource) + offset,
                  .rdi = address(kDestination) + offset};
    if (is_xcrypt) {
      put32(kControl, hex_number(row["control"]));
      registers_.rax = address(kVector);
      registers_.rbx = address(kKey);
      registers_.rcx = bytes / 16;
      registers_.rdx = address(kControl);
    } else if (insn == "montmul") {
      std::memset(memory_ + kNumber, 0, 4 * kNumberLen);
      std::memset(memory_ + kNumber + 3 * kNumberLen, 0xFF, bits / 8);
      std::memcpy(memory_ + kNumber, memory_ + kNumber + 3 * kNumberLen, bits / 8);
      std::memcpy(memory_ + kNumber + kNumberLen, memory_ + kNumber, bits / 8 - (bits >= 8));
      put32(kContext, 1);
      for (size_t i = 0; i < 4; ++i)  // A, B, T and M
        put32(kContext + 4 + 4 * i, address(kNumber + i * kNumberLen));
      put32(kContext + 20, address(kDestination));
      registers_.rcx = bits;
      registers_.rsi = address(kContext);
    } else if (insn == "xsha384" || insn == "xsha512") {
      registers_.rcx = bytes / 128;
    }
    return true;
  }

  bool execute(const std::string& insn) {
    incore_padlock_registers registers = registers_;
    if (insn == "montmul") std::memset(memory_ + kNumber + 2 * kNumberLen, 0, kNumberLen);
    return incore_padlock_execute(chip_.get(), insn.c_str(), &registers, nullptr) == INCORE_OK;
  }

  ModelChip chip_;
  char* memory_ = nullptr;
  incore_padlock_registers registers_ = {};
};

std::string row_in_words(const Json& row) {
  std::string text = row["insn"].text();
  for (const char* unit : {"bytes", "bits"})
    if (row.contains(unit)) text += fmt::format(", {} {}", row[unit].natural(), unit);
  if (row.contains("edx")) text += fmt::format(", EDX = {}", row["edx"].natural());
  if (row.contains("key_bits"))
    text += fmt::format(", {}-bit key{}{}{}", row["key_bits"].natural(),
                        row["keys"] == "memory" ? " from memory" : "",
                        row["reload"].boolean() ? ", loaded" : "",
                        row["offset"].natural() != 0 ? ", misaligned" : "");
  return text;
}

}  // namespace

std::vector<ProbeTiming> compare_timings(const Json& document, const std::string& model) {
  TimedChip chip(model);
  const double overhead = static_cast<double>(document["timings"]["overhead"]["min"].natural());
  std::vector<ProbeTiming> timings;
  for (const Json& row : document["timings"]["rows"]) {
    if (row["samples"].natural() == 0) continue;
    const double clocks = chip.clocks(row);
    if (clocks <= 0) continue;
    const double silicon = std::max(static_cast<double>(row["min"].natural()) - overhead, 0.0);
    const bool fits =
        std::abs(silicon - clocks) <= std::max(kTimingTolerance * clocks, kTimingToleranceClocks);
    const bool is_judged = row["bytes"].natural() <= kMostInCaches;
    timings.push_back({row_in_words(row), silicon, clocks, is_judged, fits});
  }
  return timings;
}

}  // namespace incore::tools
