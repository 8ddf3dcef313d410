// XTS over a file: one data unit, or many of the same length.
#include <fmt/core.h>

#include <memory>

#include "incore/xts.h"
#include "tools/aes/aes_job.h"
#include "tools/base/output_file.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/base/require_ok.h"

namespace incore::tools {
namespace {

constexpr size_t kMaxUnitLen = INCORE_XTS_MAX_UNIT_LEN;
constexpr const char* kNumbersExceeded = "the numbers of the data units exceed 2^64 - 1";

void crypt_one_unit(const AesJob& job, const incore_xts_key& key, uint8_t* data, size_t len) {
  if (len > kMaxUnitLen)
    throw std::runtime_error("the input is longer than a data unit of 16 MiB; say --unit-size");
  if (len < INCORE_AES_BLOCK_LEN)
    throw std::runtime_error(
        fmt::format("the input has {} bytes; a data unit of xts has 16 at least", len));
  require_ok((job.encrypts ? incore_xts_encrypt : incore_xts_decrypt)(&key, job.iv.data(), data,
                                                                      len, data));
}

void crypt_units(const AesJob& job, const incore_xts_key& key, uint64_t first_unit, uint8_t* data,
                 size_t len) {
  const size_t last_len = (len - 1) % job.unit_len + 1;
  if (last_len < INCORE_AES_BLOCK_LEN)
    throw std::runtime_error(
        fmt::format("the last data unit has {} bytes; xts takes 16 at least", last_len));
  const incore_status status = (job.encrypts ? incore_xts_encrypt_units : incore_xts_decrypt_units)(
      &key, first_unit, job.unit_len, data, len, data);
  if (status == INCORE_ERROR_RANGE) throw std::runtime_error(kNumbersExceeded);
  require_ok(status);
}

}  // namespace

void crypt_xts(const AesJob& job) {
  incore_xts_key key;
  const incore_status status = incore_xts_key_set(&key, job.key.data(), job.key.size());
  if (status == INCORE_ERROR_RANGE)
    throw std::runtime_error("both halves of the key are equal, which is not safe in xts");
  require_ok(status);
  const std::unique_ptr<incore_xts_key, decltype(&incore_xts_key_wipe)> wiper(&key,
                                                                              incore_xts_key_wipe);
  const InputFile in(job.in);
  OutputFile out;
  require_written(job.out == "-" ? out.open_stdout() : out.open(job.out));
  // Whole units, or one byte more than may be.
  const bool many = job.unit_len != 0;
  const size_t num_units = many ? (kAesReadLen - 1) / job.unit_len + 1 : 0;
  Secret memory(many ? num_units * job.unit_len : kMaxUnitLen + 1);
  Progress progress(quoted_if_needed(job.in), in.size());
  uint64_t done = 0;
  for (uint64_t unit = job.first_unit;; unit += num_units) {
    const size_t len = in.read_full(memory.data(), memory.bytes.size());
    if (many && len == 0 && done != 0) break;
    if (unit < job.first_unit) throw std::runtime_error(kNumbersExceeded);
    if (many && len != 0)
      crypt_units(job, key, unit, memory.data(), len);
    else
      crypt_one_unit(job, key, memory.data(), len);
    require_written(out.write(memory.data(), len));
    progress.update(done += len);
    if (len < memory.bytes.size()) break;
  }
  require_written(out.commit());
}

}  // namespace incore::tools
