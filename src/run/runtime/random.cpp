// What XSTORE delivers: random bytes of the kernel, or with `--rng-seed` repeatable noise.
#include "base/wipe.h"
#include "padlock/noise.h"
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

using padlock::Rng;

void ask_kernel(uint8_t* out, size_t len) {
  while (sys(__NR_getrandom, out, len, 0) != static_cast<long>(len)) {
  }
}

// A system call for each XSTORE would take most of its time.
void fill_random(void* context, uint8_t out[Rng::kBufferLen]) {
  auto* const stock = static_cast<RandomStock*>(context);
  if (stock == nullptr) return ask_kernel(out, Rng::kBufferLen);
  if (stock->len == 0) {
    ask_kernel(stock->bytes, sizeof stock->bytes);
    stock->len = sizeof stock->bytes;
  }
  stock->len -= Rng::kBufferLen;
  std::memcpy(out, stock->bytes + stock->len, Rng::kBufferLen);
  wipe(stock->bytes + stock->len, Rng::kBufferLen);  // delivered once
}

// A process takes the next free stream at its first XSTORE: after an exec, or in the child of a
// fork, the page is zero again.
uint64_t seeded_stream() {
  uint64_t stream = wiped().rng_stream.load(std::memory_order_relaxed);
  if (stream != 0) return stream - 1;
  const uint64_t next = stats().rng_streams.fetch_add(1, std::memory_order_relaxed) + 1;
  return wiped().rng_stream.compare_exchange_strong(stream, next) ? next - 1 : stream - 1;
}

void fill_seeded(void*, uint8_t out[Rng::kBufferLen]) {
  const uint64_t stream = seeded_stream();
  const uint64_t index = wiped().rng_buffers.fetch_add(1, std::memory_order_relaxed);
  padlock::make_seeded_buffer(config().model, config().rng_seed, stream, index, out);
}

}  // namespace

void use_random_bytes(Rng& rng, RandomStock* stock) {
  rng.use_bytes(config().rng_seeded != 0 ? fill_seeded : fill_random, stock);
}

}  // namespace incore::run
