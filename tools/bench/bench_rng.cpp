// `incore bench rng`: how fast each generator is through the library, raw and conditioned by
// SHA-256, beside the bare instruction or system call in a loop, which nothing can beat.
#include <fmt/format.h>
#include <sys/random.h>

#include <cstring>
#include <optional>

#include "incore/rng.h"
#include "tools/base/json.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {
namespace {

constexpr uint32_t kConditionBytes = 64;

// ---- Known answers ----

// The start-up test's bytes, and then one message again and again.
struct Messages {
  Bytes startup = test_bytes(1024, 1);
  std::string message;
  uint64_t given = 0;

  static size_t read(void* context, uint8_t* out, size_t len) {
    auto* const self = static_cast<Messages*>(context);
    for (size_t i = 0; i < len; ++i, ++self->given)
      out[i] =
          self->given < self->startup.size()
              ? self->startup[self->given]
              : static_cast<uint8_t>(
                    self->message[(self->given - self->startup.size()) % self->message.size()]);
    return len;
  }
};

// FIPS 180-2, appendix B.2: 56 bytes.
constexpr const char* kMessage = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
constexpr const char* kDigest = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";

bool conditioning_is_right() {
  Messages messages;
  messages.message = kMessage;
  const incore_rng_options options = {
      .quality = 0,
      .conditioned = 1,
      .condition_bytes = static_cast<uint32_t>(messages.message.size()),
      .min_entropy = 0};
  incore_rng rng;
  uint8_t out[64];
  if (incore_rng_init_custom(&rng, Messages::read, &messages, &options) != INCORE_OK ||
      incore_rng_bytes(&rng, out, sizeof out) != INCORE_OK)
    return false;
  std::string hex;
  for (const uint8_t byte : out) hex += fmt::format("{:02x}", byte);
  return hex == std::string(kDigest) + kDigest;
}

size_t stuck(void*, uint8_t* out, size_t len) {
  std::memset(out, 0xFF, len);
  return len;
}

// SP 800-90B, section 4.4.1: 1 bit a byte and alpha = 2^-30 make 31 equal bytes a failure.
bool health_tests_work() {
  incore_rng rng;
  incore_rng_health health;
  return incore_rng_init_custom(&rng, stuck, nullptr, nullptr) == INCORE_ERROR_FAULT &&
         incore_rng_get_health(&rng, &health) == INCORE_OK && health.first_failure == 31;
}

// ---- The hardware's limit ----

#if defined(__x86_64__)
void bare_rdrand(uint8_t* out, size_t len) {
  for (size_t i = 0; i < len; i += 8) {
    unsigned long word;
    bool valid;
    do __asm__ volatile("rdrand %0" : "=r"(word), "=@ccc"(valid));
    while (!valid);
    std::memcpy(out + i, &word, 8);
  }
}
void bare_rdseed(uint8_t* out, size_t len) {
  for (size_t i = 0; i < len; i += 8) {
    unsigned long word;
    bool valid;
    do __asm__ volatile("rdseed %0" : "=r"(word), "=@ccc"(valid));
    while (!valid);
    std::memcpy(out + i, &word, 8);
  }
}
#endif
void bare_getrandom(uint8_t* out, size_t len) {
  for (size_t done = 0; done < len;) {
    const ssize_t n = getrandom(out + done, len - done, 0);
    if (n > 0) done += static_cast<size_t>(n);
  }
}

// Null where there is none here.
void (*bare(const std::string& source))(uint8_t*, size_t) {
#if defined(__x86_64__)
  if (source == "rdrand") return bare_rdrand;
  if (source == "rdseed") return bare_rdseed;
#endif
  return source == "getrandom" ? bare_getrandom : nullptr;
}

// ---- The report ----

struct Report {
  Json rows = Json::array();
  std::string text;

  // |limit|: MB/s of the bare instruction; 0: not known, or this is it.
  double add(const char* source, const std::string& form, size_t bytes, const Measurement& m,
             double limit) {
    const double speed = static_cast<double>(bytes) / m.median_ns * 1000;
    Json row = {{"source", source},
                {"form", form},
                {"bytes", bytes},
                {"mb_per_s", speed},
                {"best_mb_per_s", static_cast<double>(bytes) / m.min_ns * 1000},
                {"spread_percent", m.spread_percent}};
    std::string share = "-";
    if (limit > 0) {
      row["percent_of_bare"] = 100 * speed / limit;
      share = fmt::format("{:.0f} %", 100 * speed / limit);
    }
    rows.push_back(row);
    text += fmt::format("{:<10} {:<17} {:>8} {:>9.1f} {:>9} {:>8.1f} %\n", source, form,
                        size_text(bytes), speed, share, m.spread_percent);
    return speed;
  }
};

void measure_source(size_t index, const char* name, const BenchOptions& options, Report* report) {
  for (const size_t size : options.sizes.empty() ? std::vector<size_t>{32, 4096} : options.sizes) {
    Bytes out((size + 7) / 8 * 8);
    double limit = 0;
    if (const auto loop = bare(name); loop != nullptr)
      limit = report->add(name, "bare", size,
                          measure(
                              [&](size_t calls) {
                                for (size_t i = 0; i < calls; ++i) loop(out.data(), out.size());
                              },
                              options.time),
                          0);
    for (const uint32_t condition : {0u, kConditionBytes}) {
      const incore_rng_options given = {.quality = 0,
                                        .conditioned = condition != 0,
                                        .condition_bytes = condition,
                                        .min_entropy = 0};
      incore_rng rng;
      require_ok(incore_rng_init(&rng, index, &given));
      const Work work = repeat([&] { return incore_rng_bytes(&rng, out.data(), size); });
      report->add(name, condition == 0 ? "tested" : fmt::format("SHA-256 of {}", condition), size,
                  measure(work, options.time), limit);
      incore_rng_wipe(&rng);
    }
  }
}

int run(const BenchOptions& options, Json* out_json, std::string* out_text) {
  if (!conditioning_is_right()) return fail(kDiffers, "rng: SHA-256 conditioning is wrong");
  if (!health_tests_work()) return fail(kDiffers, "rng: the health tests miss a stuck source");
  const PinnedCpu pinned;
  Report report;
  report.text = fmt::format("{:<10} {:<17} {:>8} {:>9} {:>9} {:>10}\n", "source", "form", "call",
                            "MB/s", "of bare", "spread");
  for (size_t i = 0; i < incore_rng_num_sources(); ++i) {
    incore_rng_source about;
    if (incore_rng_get_source(i, &about) != INCORE_OK || about.available == 0) continue;
    try {
      measure_source(i, about.name, options, &report);
    } catch (const std::runtime_error& error) {
      return fail(kDiffers, fmt::format("{}: {}", about.name, error.what()));
    }
  }
  (*out_json)["rows"] = report.rows;
  *out_text += report.text;
  return kDone;
}

}  // namespace

extern const Bench bench_rng = {
    "rng",
    "each generator of this machine, raw and conditioned, beside the bare instruction",
    run,
    nullptr,
    {"--sizes", "--time"}};

}  // namespace incore::tools
