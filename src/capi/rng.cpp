// The C interface to random bytes: include/incore/rng.h.
#include "incore/rng.h"

#include <cstring>
#include <new>
#include <span>
#include <type_traits>

#include "base/wipe.h"
#include "crypto/clean/clean_call.h"
#include "rng/stream.h"

namespace incore {
namespace {

constexpr size_t kStack = 6144;  // see clean_call.h

// What incore_rng and incore_rng_monitor hold. The marks tell those in use from cleared or
// forgotten ones.
struct Context {
  static constexpr uint64_t kRunning = 0x494e434f52453a72;  // "INCORE:r"
  uint64_t mark;
  RngStream stream;
};
struct Monitor {
  static constexpr uint64_t kRunning = 0x494e434f52453a6d;  // "INCORE:m"
  uint64_t mark;
  HealthTests tests;
};
static_assert(sizeof(Context) <= sizeof(incore_rng) && alignof(Context) <= alignof(incore_rng));
static_assert(sizeof(Monitor) <= sizeof(incore_rng_monitor) &&
              alignof(Monitor) <= alignof(incore_rng_monitor));
static_assert(std::is_trivially_copyable_v<Context> && std::is_trivially_destructible_v<Context>);
static_assert(std::is_trivially_copyable_v<Monitor> && std::is_trivially_destructible_v<Monitor>);

template <class Held, class Opaque>
const Held* held_in(const Opaque* opaque) {
  const Held* const held = std::launder(reinterpret_cast<const Held*>(opaque));
  return held->mark == Held::kRunning ? held : nullptr;
}
template <class Held, class Opaque>
Held* held_in(Opaque* opaque) {
  return const_cast<Held*>(held_in<Held>(static_cast<const Opaque*>(opaque)));
}

constexpr double kDefaultMinEntropy = 1;
constexpr uint32_t kMinConditionBytes = 32, kMaxConditionBytes = 65536;

// False if it is out of range; also if it is no number.
bool take_min_entropy(double given, double max, double* out) {
  *out = given == 0 ? kDefaultMinEntropy : given;
  return *out >= kMinHealthEntropy && *out <= max;
}

incore_status status_of(RngStream::Status status) {
  switch (status) {
    case RngStream::Status::ok:
      return INCORE_OK;
    case RngStream::Status::dead:
      return INCORE_ERROR_IO;
    case RngStream::Status::unhealthy:
      return INCORE_ERROR_FAULT;
  }
  return INCORE_ERROR_IO;
}

incore_status start(incore_rng* out_rng, RngStream::Input input,
                    const incore_rng_options* options) {
  const incore_rng_options given = options != nullptr ? *options : incore_rng_options{};
  double min_entropy;
  if (!take_min_entropy(given.min_entropy, kMaxHealthEntropy, &min_entropy) || given.quality > 3)
    return INCORE_ERROR_RANGE;
  input.quality = given.quality;
  uint32_t condition_bytes = 0;
  const KernelInfo* sha256 = nullptr;
  if (given.conditioned != 0) {
    condition_bytes =
        given.condition_bytes != 0 ? given.condition_bytes : bytes_for_full_entropy(min_entropy);
    if (condition_bytes < kMinConditionBytes || condition_bytes > kMaxConditionBytes)
      return INCORE_ERROR_RANGE;
    sha256 = sha_kernel(ShaAlgorithm::sha256);
    if (sha256 == nullptr) return INCORE_ERROR_KERNEL;
  }
  Context* const context = new (out_rng)
      Context{Context::kRunning, RngStream(input, min_entropy, condition_bytes, sha256)};
  return status_of(context->stream.start());
}

incore_rng_health health_of(const HealthTests& tests) {
  const uint64_t repetition = tests.repetition().first_failure();
  const uint64_t proportion = tests.proportion().first_failure();
  const bool repetition_is_first = proportion == 0 || (repetition != 0 && repetition < proportion);
  return {.bytes = tests.num_samples(),
          .repetition_failures = tests.repetition().failures(),
          .proportion_failures = tests.proportion().failures(),
          .first_failure = repetition_is_first ? repetition : proportion,
          .repetition_cutoff = tests.repetition().cutoff(),
          .proportion_cutoff = tests.proportion().cutoff(),
          .longest_repetition = tests.repetition().longest(),
          .largest_count = tests.proportion().largest(),
          .window = tests.proportion().window()};
}

}  // namespace
}  // namespace incore

using namespace incore;

size_t incore_rng_num_sources(void) {
  return std::size(kRngSources);
}

incore_status incore_rng_get_source(size_t source, incore_rng_source* out_source) {
  if (out_source == nullptr) return INCORE_ERROR_NULL;
  if (source >= std::size(kRngSources)) return INCORE_ERROR_RANGE;
  const RngSource& s = *kRngSources[source];
  const bool available = is_available(s);
  *out_source = {s.name, s.summary, available, available ? nullptr : s.missing};
  return INCORE_OK;
}

incore_status incore_rng_find_source(const char* name, size_t* out_source) {
  if (out_source == nullptr) return INCORE_ERROR_NULL;
  for (size_t i = 0; i < std::size(kRngSources); ++i) {
    const RngSource& s = *kRngSources[i];
    if (name != nullptr ? std::strcmp(name, s.name) == 0 : is_available(s)) {
      *out_source = i;
      return INCORE_OK;
    }
  }
  return name != nullptr ? INCORE_ERROR_ALGORITHM : INCORE_ERROR_UNSUPPORTED;
}

incore_status incore_rng_init(incore_rng* out_rng, size_t source,
                              const incore_rng_options* options) {
  return clean_call(kStack, [=] {
    if (out_rng == nullptr) return INCORE_ERROR_NULL;
    if (source >= std::size(kRngSources)) return INCORE_ERROR_RANGE;
    if (!is_available(*kRngSources[source])) return INCORE_ERROR_UNSUPPORTED;
    return start(out_rng, {.source = kRngSources[source], .quality = 0, .read = {}, .context = {}},
                 options);
  });
}

incore_status incore_rng_init_custom(incore_rng* out_rng, incore_rng_read read, void* context,
                                     const incore_rng_options* options) {
  return clean_call(kStack, [=] {
    if (out_rng == nullptr || read == nullptr) return INCORE_ERROR_NULL;
    return start(out_rng, {.source = nullptr, .quality = 0, .read = read, .context = context},
                 options);
  });
}

incore_status incore_rng_bytes(incore_rng* rng, uint8_t* out, size_t out_len) {
  return clean_call(kStack, [=] {
    if (rng == nullptr || (out == nullptr && out_len != 0)) return INCORE_ERROR_NULL;
    Context* const context = held_in<Context>(rng);
    return context != nullptr ? status_of(context->stream.bytes(out, out_len)) : INCORE_ERROR_STATE;
  });
}

incore_status incore_rng_get_health(const incore_rng* rng, incore_rng_health* out_health) {
  if (rng == nullptr || out_health == nullptr) return INCORE_ERROR_NULL;
  const Context* const context = held_in<Context>(rng);
  if (context == nullptr) return INCORE_ERROR_STATE;
  *out_health = health_of(context->stream.health());
  return INCORE_OK;
}

uint32_t incore_rng_condition_bytes(const incore_rng* rng) {
  const Context* const context = rng != nullptr ? held_in<Context>(rng) : nullptr;
  return context != nullptr ? context->stream.condition_bytes() : 0;
}

void incore_rng_wipe(incore_rng* rng) {
  if (rng != nullptr) wipe(*rng);
}

incore_status incore_rng_monitor_init(incore_rng_monitor* out_monitor, double min_entropy,
                                      int binary) {
  if (out_monitor == nullptr) return INCORE_ERROR_NULL;
  double h;
  if (!take_min_entropy(min_entropy, binary != 0 ? 1 : kMaxHealthEntropy, &h))
    return INCORE_ERROR_RANGE;
  new (out_monitor)
      Monitor{Monitor::kRunning, HealthTests(h, binary != 0 ? kHealthWindowBinary : kHealthWindow)};
  return INCORE_OK;
}

incore_status incore_rng_monitor_update(incore_rng_monitor* monitor, const uint8_t* samples,
                                        size_t num_samples) {
  return clean_call(kStack, [=] {
    if (monitor == nullptr || (samples == nullptr && num_samples != 0)) return INCORE_ERROR_NULL;
    Monitor* const held = held_in<Monitor>(monitor);
    if (held == nullptr) return INCORE_ERROR_STATE;
    return held->tests.update(samples, num_samples) ? INCORE_OK : INCORE_ERROR_FAULT;
  });
}

incore_status incore_rng_monitor_get_health(const incore_rng_monitor* monitor,
                                            incore_rng_health* out_health) {
  if (monitor == nullptr || out_health == nullptr) return INCORE_ERROR_NULL;
  const Monitor* const held = held_in<Monitor>(monitor);
  if (held == nullptr) return INCORE_ERROR_STATE;
  *out_health = health_of(held->tests);
  return INCORE_OK;
}

void incore_rng_monitor_wipe(incore_rng_monitor* monitor) {
  if (monitor != nullptr) wipe(*monitor);
}
