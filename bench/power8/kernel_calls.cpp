// Calls one kernel of the library on one length of data, between two marks that trace_plugin.c
// looks for: what is executed between them is the kernel, as a caller in the library gets it.
//
//   power8_kernel_calls                                     lists: operation, unit, kernel
//   power8_kernel_calls OPERATION KERNEL LENGTH [INPUTS]    calls it INPUTS times (1), each time
//                                                           with another key and other data
//
// A published result comes first, and the outputs of the first passes are compared with the
// portable kernel's: a kernel that is wrong has no figures. IVs and counters, which are public,
// stay the same.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "operations.h"

namespace {

using namespace incore;
using namespace incore::bench;

constexpr uint64_t kComparedPasses = 10;  // the portable kernels can be slow

// Their addresses may not differ between passes.
Call subject, reference;

// Neither instruction changes a register, and no compiler writes them.
[[gnu::noinline]] void call_between_marks(const Operation& operation, Call& c) {
  __asm__ volatile("xori 17,17,0" ::: "memory");
  operation.call(c);
  __asm__ volatile("xori 18,18,0" ::: "memory");
}

[[noreturn]] void fail(const Operation& operation, const KernelInfo* kernel, const char* what) {
  std::fprintf(stderr, "power8_kernel_calls: %s %s: %s\n", operation.name, kernel->name, what);
  std::exit(1);
}

int hex_digit(char c) {
  return c <= '9' ? c - '0' : c - 'a' + 10;
}
size_t put_hex(const char* text, uint8_t* out) {
  size_t len = 0;
  for (; *text != 0; text += 2)
    out[len++] = static_cast<uint8_t>(hex_digit(text[0]) << 4 | hex_digit(text[1]));
  return len;
}

void check_published_result(const Operation& operation, const KernelInfo* kernel) {
  uint8_t expected[128];
  const size_t expected_len = put_hex(operation.answer.out, expected);
  subject.kernel = kernel;
  put_hex(operation.answer.key, subject.key);
  put_hex(operation.answer.iv, subject.iv);
  subject.len = put_hex(operation.answer.in, subject.in.bytes);
  operation.prepare(subject);
  operation.call(subject);
  if (operation.finish(subject) != expected_len ||
      std::memcmp(subject.out.bytes, expected, expected_len) != 0)
    fail(operation, kernel, "the published result is another");
}

// A generator of 64 bits (splitmix64); |state| is its seed.
uint64_t next_random(uint64_t* state) {
  uint64_t x = *state += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}
void put_random(uint8_t* out, size_t len, uint64_t* state) {
  for (size_t i = 0; i < len; ++i) out[i] = static_cast<uint8_t>(next_random(state));
}

void make_input(size_t len, uint64_t seed, Call* out_call) {
  out_call->len = len;
  put_random(out_call->key, sizeof out_call->key, &seed);
  put_random(out_call->in.bytes, len, &seed);
  for (size_t i = 0; i < sizeof out_call->iv; ++i) out_call->iv[i] = static_cast<uint8_t>(i);
}

void pass(const Operation& operation, const KernelInfo* kernel, size_t len, uint64_t seed) {
  subject.kernel = kernel;
  make_input(len, seed, &subject);
  operation.prepare(subject);
  call_between_marks(operation, subject);
  const size_t out_len = operation.finish(subject);
  if (seed > kComparedPasses) return;

  reference.kernel = find_kernel(operation, "portable");
  make_input(len, seed, &reference);
  operation.prepare(reference);
  operation.call(reference);
  if (operation.finish(reference) != out_len ||
      std::memcmp(subject.out.bytes, reference.out.bytes, out_len) != 0)
    fail(operation, kernel, "the portable kernel's result is another");
}

void list() {
  for (size_t i = 0; i < kNumOperations; ++i) {
    const Operation& operation = kOperations[i];
    const auto line = [&](const KernelInfo* kernel) {
      std::printf("%s %zu %s\n", operation.name, operation.unit, kernel->name);
    };
    for (size_t k = 0; k < operation.kernels->num_kernels; ++k) line(operation.kernels->kernels[k]);
    if (operation.assembly != nullptr) line(operation.assembly);
  }
}

const Operation* find_operation(const char* name) {
  for (size_t i = 0; i < kNumOperations; ++i)
    if (std::strcmp(kOperations[i].name, name) == 0) return &kOperations[i];
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    list();
    return 0;
  }
  if (argc != 4 && argc != 5) {
    std::fprintf(stderr, "usage: %s [OPERATION KERNEL LENGTH [INPUTS]]\n", argv[0]);
    return 2;
  }
  const Operation* operation = find_operation(argv[1]);
  const KernelInfo* kernel = operation == nullptr ? nullptr : find_kernel(*operation, argv[2]);
  const size_t len = std::strtoul(argv[3], nullptr, 10);
  const unsigned long inputs = argc == 5 ? std::strtoul(argv[4], nullptr, 10) : 1;
  if (kernel == nullptr || len == 0 || len > kMaxLen || len % operation->unit != 0 || inputs == 0) {
    std::fprintf(stderr, "%s: no such operation or kernel, or a length that it cannot take\n",
                 argv[0]);
    return 2;
  }
  if (!detect_features().has_all(kernel->needs)) fail(*operation, kernel, "this CPU cannot run it");

  // Where the stack begins depends on the length of the environment, and what memset executes on
  // the alignment of what it clears: go on at the same place within a page always.
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  void* room = __builtin_alloca(frame % 4096 + 16);
  __asm__ volatile("" : : "r"(room) : "memory");

  check_published_result(*operation, kernel);
  for (unsigned long i = 0; i < inputs; ++i) pass(*operation, kernel, len, i + 1);
  return 0;
}
