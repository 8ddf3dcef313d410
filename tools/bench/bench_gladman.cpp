// `incore bench gladman`: the compatible AES (incore/compat) measured in the form of the tables in
// Gladman's note, and beside it the note's own figures with the timing model's.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "incore/compat/aes.h"
#include "incore/padlock_model.h"
#include "tools/base/json.h"
#include "tools/bench/bench.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {
namespace {

constexpr std::array<size_t, 4> kBlocks = {1, 10, 100, 1000};
constexpr size_t kBlockLen = AES_BLOCK_SIZE;

struct Contexts {
  aes_encrypt_ctx encrypt;
  aes_decrypt_ctx decrypt;
  unsigned char iv[kBlockLen];
};

struct Mode {
  const char* name;
  AES_RETURN (*run)(Contexts& c, const uint8_t* in, uint8_t* out, int len);
  const char* cipher;  // of the first block of SP 800-38A, appendix F, for AES-128; null: decrypts
};

#define RUN(call) \
  [](Contexts& c, const uint8_t* in, uint8_t* out, int len) -> AES_RETURN { return call; }
const Mode kModes[] = {
    {"ecb encrypt", RUN(aes_ecb_encrypt(in, out, len, &c.encrypt)),
     "3ad77bb40d7a3660a89ecaf32466ef97"},
    {"ecb decrypt", RUN(aes_ecb_decrypt(in, out, len, &c.decrypt)), nullptr},
    {"cbc encrypt", RUN(aes_cbc_encrypt(in, out, len, c.iv, &c.encrypt)),
     "7649abac8119b246cee98e9b12e9197d"},
    {"cbc decrypt", RUN(aes_cbc_decrypt(in, out, len, c.iv, &c.decrypt)), nullptr},
    {"cfb encrypt", RUN(aes_cfb_encrypt(in, out, len, c.iv, &c.encrypt)),
     "3b3fd92eb72dad20333449f8e83cfb4a"},
    {"cfb decrypt", RUN(aes_cfb_decrypt(in, out, len, c.iv, &c.encrypt)), nullptr},
    {"ofb encrypt", RUN(aes_ofb_encrypt(in, out, len, c.iv, &c.encrypt)),
     "3b3fd92eb72dad20333449f8e83cfb4a"},
    {"ofb decrypt", RUN(aes_ofb_decrypt(in, out, len, c.iv, &c.encrypt)), nullptr},
    {"ctr encrypt", RUN(aes_ctr_encrypt(in, out, len, c.iv, nullptr, &c.encrypt)),
     "3b3fd92eb72dad20333449f8e83cfb4a"},  // from the vector of OFB, whose first block is the same
    {"ctr decrypt", RUN(aes_ctr_decrypt(in, out, len, c.iv, nullptr, &c.encrypt)), nullptr},
};
#undef RUN

// The rows of the note: hardware that knows no CTR has none where its data are aligned.
bool is_ctr(const Mode& mode) {
  return mode.name[1] == 't';
}

struct Configuration {
  const char* name;
  const char* table;  // of the timing model
  size_t offset;      // of both buffers
  bool copies;        // through aligned memory, by the caller
  bool has_ctr;
};
constexpr Configuration kConfigurations[] = {
    {"aligned", "gladman-aligned", 0, false, false},
    {"unaligned", "gladman-unaligned", 1, false, true},
    {"unaligned, copied by the caller", "gladman-assembler", 1, true, true},
};

struct alignas(64) Buffers {
  uint8_t in[kBlockLen * 1000 + 64], out[kBlockLen * 1000 + 64], copy[4096];
};

void set_key(Contexts& c, unsigned key_bits) {
  static constexpr unsigned char kKey[32] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                             0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  if (aes_encrypt_key(kKey, static_cast<int>(key_bits), &c.encrypt) != EXIT_SUCCESS ||
      aes_decrypt_key(kKey, static_cast<int>(key_bits), &c.decrypt) != EXIT_SUCCESS)
    throw std::runtime_error("the key is refused");
  for (size_t i = 0; i < kBlockLen; ++i) c.iv[i] = static_cast<unsigned char>(i);
}

AES_RETURN run_copying(const Mode& mode, Contexts& c, Buffers& b, const uint8_t* in, uint8_t* out,
                       size_t len) {
  AES_RETURN status = EXIT_SUCCESS;
  for (size_t done = 0; done < len; done += sizeof b.copy) {
    const size_t n = std::min(sizeof b.copy, len - done);
    std::memcpy(b.copy, in + done, n);
    status |= mode.run(c, b.copy, b.copy, static_cast<int>(n));
    std::memcpy(out + done, b.copy, n);
  }
  return status;
}

// One call in |configuration|.
AES_RETURN run(const Mode& mode, const Configuration& configuration, Contexts& c, Buffers& b,
               size_t len) {
  const uint8_t* const in = b.in + configuration.offset;
  uint8_t* const out = b.out + configuration.offset;
  return configuration.copies ? run_copying(mode, c, b, in, out, len)
                              : mode.run(c, in, out, static_cast<int>(len));
}

// Each mode on the first block of SP 800-38A, and back. Empty if all is right.
std::string first_wrong_answer() {
  const Bytes plain = from_hex("6bc1bee22e409f96e93d7e117393172a");
  for (const Configuration& configuration : kConfigurations) {
    Bytes cipher;
    for (const Mode& mode : kModes) {
      Contexts c;
      set_key(c, 128);
      Buffers b;
      if (mode.cipher != nullptr) cipher = from_hex(mode.cipher);
      const Bytes& in = mode.cipher != nullptr ? plain : cipher;
      const Bytes& expected = mode.cipher != nullptr ? cipher : plain;
      std::memcpy(b.in + configuration.offset, in.data(), kBlockLen);
      if (run(mode, configuration, c, b, kBlockLen) != EXIT_SUCCESS ||
          std::memcmp(b.out + configuration.offset, expected.data(), kBlockLen) != 0)
        return fmt::format("{}, {}", mode.name, configuration.name);
    }
  }
  return "";
}

Measurement measure_calls(const Mode& mode, const Configuration& configuration, Contexts& c,
                          Buffers& b, size_t blocks, std::chrono::milliseconds time) {
  return measure(
      [&](size_t calls) {
        AES_RETURN status = EXIT_SUCCESS;
        for (size_t i = 0; i < calls; ++i)
          status |= run(mode, configuration, c, b, blocks * kBlockLen);
        if (status != EXIT_SUCCESS) throw std::runtime_error(mode.name);
      },
      time);
}

constexpr char kHeader[] = "  {:<12} {:>9} {:>9} {:>9} {:>9}   {}\n";

std::string bytes_per_second(double rate) {
  return rate >= 1e9 ? fmt::format("{:.1f} Gbytes/second", rate / 1e9)
                     : fmt::format("{:.0f} Mbytes/second", rate / 1e6);
}

void measure_table(const Configuration& configuration, unsigned key_bits,
                   std::chrono::milliseconds time, Json* out_rows, std::string* out_text) {
  *out_text += fmt::format("AES timing (cycles/byte) here, {}; {}-bit key, kernel {}\n",
                           configuration.name, key_bits, kernel_of("aes"));
  *out_text += fmt::format(kHeader, "Mode  Blocks:", 1, 10, 100, 1000, "Peak throughput");
  Contexts c;
  Buffers b = {};
  for (const Mode& mode : kModes) {
    if (is_ctr(mode) && !configuration.has_ctr) continue;
    set_key(c, key_bits);
    std::array<double, kBlocks.size()> cycles;
    double peak = 0;
    for (size_t i = 0; i < kBlocks.size(); ++i) {
      const Measurement m = measure_calls(mode, configuration, c, b, kBlocks[i], time);
      const double bytes = static_cast<double>(kBlocks[i] * kBlockLen);
      cycles[i] = m.median_cycles() / bytes;
      peak = std::max(peak, bytes / m.median_ns * 1e9);
      out_rows->push_back({{"configuration", configuration.name},
                           {"mode", mode.name},
                           {"key_bits", key_bits},
                           {"blocks", kBlocks[i]},
                           {"cycles_per_byte", cycles[i]},
                           {"min_cycles_per_byte", m.min_cycles() / bytes},
                           {"spread_percent", m.spread_percent},
                           {"bytes_per_second", bytes / m.median_ns * 1e9}});
    }
    *out_text += fmt::format("  {:<12}  {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f}   {}\n", mode.name,
                             cycles[0], cycles[1], cycles[2], cycles[3], bytes_per_second(peak));
  }
  *out_text += "\n";
}

struct NoteFigure {
  double printed, model;
};

// The note's row of |mode| in the model's table |index|. False if it has none.
bool note_row(size_t index, const Mode& mode, std::array<NoteFigure, kBlocks.size()>* out_row) {
  size_t found = 0;
  incore_padlock_figure figure;
  for (size_t f = 0; incore_padlock_get_figure(index, f, &figure) == INCORE_OK; ++f) {
    const bool same_mode =
        (figure.column[0] | 0x20) == mode.name[0] && (figure.column[1] | 0x20) == mode.name[1];
    if (!same_mode || std::strcmp(mode.name + 4, figure.label) != 0) continue;
    for (size_t i = 0; i < kBlocks.size(); ++i)
      if (figure.size == kBlocks[i]) (*out_row)[i] = {figure.printed, figure.model}, ++found;
  }
  return found == kBlocks.size();
}

void note_table(const Configuration& configuration, Json* out_rows, std::string* out_text) {
  size_t index = 0;
  incore_padlock_table table;
  while (incore_padlock_get_table(index, &table) == INCORE_OK &&
         std::strcmp(table.key, configuration.table) != 0)
    ++index;
  *out_text +=
      fmt::format("{}, {} MHz: printed, and the model's error\n", table.title, table.clock_mhz);
  *out_text += fmt::format("  {:<12} {:>14} {:>14} {:>14} {:>14}   {}\n", "Mode  Blocks:", 1, 10,
                           100, 1000, "Peak throughput of the model");
  for (const Mode& mode : kModes) {
    std::array<NoteFigure, kBlocks.size()> row;
    if (!note_row(index, mode, &row)) continue;
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const double error = 100 * (row[i].model / row[i].printed - 1);
      line += fmt::format(" {:>6.2f} {:>+6.1f}%", row[i].printed, error);
      out_rows->push_back({{"table", table.key},
                           {"mode", mode.name},
                           {"blocks", kBlocks[i]},
                           {"printed", row[i].printed},
                           {"model", row[i].model},
                           {"error_percent", error}});
    }
    *out_text += fmt::format("  {:<12} {}   {}\n", mode.name, line,
                             bytes_per_second(table.clock_mhz * 1e6 / row.back().model));
  }
  *out_text += "\n";
}

int run(const BenchOptions& options, Json* out_json, std::string* out_text) {
  const std::string wrong = first_wrong_answer();
  if (!wrong.empty())
    return fail(kDiffers,
                fmt::format("gladman: {} gives a wrong result; nothing is measured", wrong));
  const PinnedCpu pinned;
  // There are many figures, so each gets a fifth of the time of others.
  const auto time = std::max(options.time / 5, std::chrono::milliseconds(1));
  Json measured = Json::array(), note = Json::array();
  for (const Configuration& configuration : kConfigurations) {
    for (const unsigned key_bits : {128u, 192u, 256u})
      measure_table(configuration, key_bits, time, &measured, out_text);
    note_table(configuration, &note, out_text);
  }
  (*out_json)["kernel"] = kernel_of("aes");
  (*out_json)["measured"] = measured;
  (*out_json)["note"] = note;
  return kDone;
}

}  // namespace

extern const Bench bench_gladman = {
    "gladman",
    "Gladman's functions in the tables of his note, which are shown beside it",
    run,
    nullptr,
    {"--time"}};

}  // namespace incore::tools
