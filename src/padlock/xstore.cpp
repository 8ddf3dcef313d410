// One step of XSTORE.
#include "padlock/xstore.h"

#include <cstring>

namespace incore::padlock {
namespace {

constexpr unsigned kStoreLen = 4;

// Every store counts as four bytes for limit, alignment and paging.
Trap check_store(const Execution& x, uint64_t offset, uint64_t* out_address) {
  if (Trap trap = x.linear(offset, kStoreLen, Access::write, out_address)) return trap;
  const bool checks_alignment =
      x.s.cpl == 3 && (x.s.cr0 & kCr0Am) != 0 && (x.s.rflags & kEflagsAc) != 0;
  if (checks_alignment && *out_address % kStoreLen != 0)
    return Trap::ac("a store of XSTORE is not aligned to 4 bytes");
  return x.memory.probe_write(*out_address, kStoreLen);
}

}  // namespace

Trap store_buffer(Execution& x, uint64_t wanted, uint64_t* out_delivered) {
  const unsigned quality = x.s.rdx & 3;
  const unsigned num_random = Rng::kBufferLen >> quality;
  const unsigned num_stored = quality == 0 ? Rng::kBufferLen : kStoreLen;
  const uint64_t edi = x.get(x.s.rdi);
  uint64_t store_at[2] = {0, 0};
  for (unsigned i = 0; i < num_stored / kStoreLen; ++i)
    if (Trap trap = check_store(x, x.get(edi + i * kStoreLen), &store_at[i])) return trap;

  const uint32_t fields = x.cpu.rng.fields();
  uint8_t bytes[Rng::kBufferLen];
  x.cpu.rng.take(bytes);
  std::memset(bytes + num_random, 0, sizeof bytes - num_random);
  for (unsigned i = 0; i < num_stored / kStoreLen; ++i)
    if (Trap trap = x.memory.write(store_at[i], bytes + i * kStoreLen, kStoreLen)) return trap;

  *out_delivered = num_random < wanted ? num_random : wanted;
  x.set(x.s.rdi, x.s.rdi + *out_delivered);
  set_status(x, fields, num_random);
  return {};
}

}  // namespace incore::padlock
