// The operations that kernel_calls.cpp measures: how each is prepared, called and checked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/aes/aes_kernel.h"
#include "crypto/gcm/gcm.h"
#include "crypto/gf2/gf2_kernel.h"

namespace incore::bench {

constexpr size_t kMaxLen = size_t{1} << 16;
constexpr size_t kMaxKeyLen = 32;

struct Data {
  alignas(128) uint8_t bytes[kMaxLen + 64];
};

// What one call works on.
struct Call {
  const KernelInfo* kernel;
  size_t len;
  uint8_t key[kMaxKeyLen], iv[16];
  Data in, out;

  AesRoundKeys round_keys;
  AesKey forward, inverse;
  GhashKey hash_key;
  GcmKey gcm_key;
  Gf2Field field;
  uint32_t state32[8];
  uint64_t state64[8];
};

// A published result, in hexadecimal.
struct Answer {
  const char *key, *iv, *in, *out;
};

struct Operation {
  const char* name;
  const KernelList* kernels;
  size_t unit;  // lengths are multiples of it
  Answer answer;
  void (*prepare)(Call&);
  void (*call)(Call&);  // what is measured
  // Brings the result to |out|, if it is not there yet; returns its length.
  size_t (*finish)(Call&);
  const KernelInfo* assembly = nullptr;  // one more kernel: the assembly of examples/power8
};

extern const Operation kOperations[];
extern const size_t kNumOperations;

// The kernel of that name; null: there is none.
const KernelInfo* find_kernel(const KernelList& list, const char* name);
const KernelInfo* find_kernel(const Operation& operation, const char* name);

}  // namespace incore::bench
