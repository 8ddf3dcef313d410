#include "tools/random/emulated_padlock_rng.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>

namespace incore::tools {
namespace {

constexpr uint32_t kMsrRng = 0x110B, kEnable = 1 << 6;
constexpr unsigned kSourceShift = 8, kBiasShift = 10, kRawShift = 13;
constexpr uint32_t kExtendedLeaf = 0xC0000001, kRngFlags = 0x0C;

// REP XSTORE may write up to seven bytes beyond what it was asked for (PadLock guide 2.1).
constexpr size_t kRoom = 4096, kOverrun = 8;

}  // namespace

std::string EmulatedRng::open(const EmulatedRngOptions& options, unsigned quality) {
  quality_ = quality;
  uint64_t seed = 0;
  if (options.seed)
    seed = *options.seed;
  else if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
    return "the kernel gives no random seed";
  char reason[512] = "";
  if (incore_padlock_init_emulated(&chip_, options.model.c_str(), seed, reason, sizeof reason) !=
      INCORE_OK)
    return std::string("--cpu: ") + reason;
  uint32_t registers[4] = {};
  if (incore_padlock_cpuid(&chip_, kExtendedLeaf, 0, registers) != INCORE_OK ||
      (registers[3] & kRngFlags) != kRngFlags)
    return std::string("--cpu: ") + model() + " has no generator, or it is not enabled";
  if (!options.sets_msr()) return "";
  const uint32_t fields = kEnable | options.noise_source.value_or(0) << kSourceShift |
                          options.bias.value_or(0) << kBiasShift |
                          static_cast<uint32_t>(options.raw) << kRawShift;
  if (incore_padlock_write_msr(&chip_, kMsrRng, fields) != INCORE_OK)
    return std::string("--cpu: ") + model() +
           " has no MSR 0x110B, which --raw, --bias and --noise-source set";
  return "";
}

size_t EmulatedRng::read(void* context, uint8_t* out, size_t len) {
  auto* const self = static_cast<EmulatedRng*>(context);
  uint8_t room[kRoom + kOverrun];
  for (size_t done = 0; done < len;) {
    const size_t n = std::min(len - done, kRoom);
    incore_padlock_registers registers = {};
    registers.rcx = n;
    registers.rdx = self->quality_;
    registers.rdi = reinterpret_cast<uintptr_t>(room);
    if (incore_padlock_execute(&self->chip_, "rep-xstore", &registers, nullptr) != INCORE_OK)
      return done;
    std::memcpy(out + done, room, n);
    done += n;
  }
  return len;
}

}  // namespace incore::tools
