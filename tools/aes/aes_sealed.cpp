// GCM and CCM over a file: the ciphertext, and behind it the tag. The whole file is in memory: a
// tag is checked before a byte of the text is written.
#include <memory>

#include "incore/ccm.h"
#include "incore/gcm.h"
#include "tools/aes/aes_job.h"
#include "tools/base/output_file.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/base/require_ok.h"

namespace incore::tools {
namespace {

constexpr size_t kMaxTagLen = 16;

// The file in |out|, with room for a tag behind it; returns its length.
size_t read_all(const AesJob& job, Secret& out) {
  const InputFile in(job.in);
  Progress progress(quoted_if_needed(job.in), in.size());
  out.grow(static_cast<size_t>(in.size()) + kAesReadLen + kMaxTagLen);
  size_t len = 0;
  while (const size_t got = in.read(out.data() + len, kAesReadLen)) {
    progress.update(len += got);
    if (out.bytes.size() - len < kAesReadLen + kMaxTagLen) out.grow(2 * out.bytes.size());
  }
  return len;
}

// |seal|(text, len, out_tag) and |open|(text, len, tag) work in place.
template <class Seal, class Open>
void crypt(const AesJob& job, Seal seal, Open open) {
  OutputFile out;
  Secret file(0);
  const size_t len = read_all(job, file);
  require_written(job.out == "-" ? out.open_stdout() : out.open(job.out));
  size_t out_len = len + job.tag_len;
  if (job.encrypts) {
    require_ok(seal(file.data(), len, file.data() + len));
  } else {
    if (len < job.tag_len) throw CannotDecrypt("the input is shorter than its tag");
    out_len = len - job.tag_len;
    const incore_status status = open(file.data(), out_len, file.data() + out_len);
    if (status == INCORE_ERROR_TAG)
      throw CannotDecrypt(
          "the tag does not match: not the right key, IV, AAD or tag length, or damaged");
    require_ok(status);
  }
  for (size_t done = 0; done < out_len; done += kAesReadLen)
    require_written(out.write(file.data() + done, std::min(kAesReadLen, out_len - done)));
  require_written(out.commit());
}

}  // namespace

void crypt_ccm(const AesJob& job) {
  incore_aes_key key;
  require_ok(incore_aes_key_set(&key, job.key.data(), job.key.size()));
  const std::unique_ptr<incore_aes_key, decltype(&incore_aes_key_wipe)> wiper(&key,
                                                                              incore_aes_key_wipe);
  crypt(
      job,
      [&](uint8_t* text, size_t len, uint8_t* out_tag) {
        const incore_status status =
            incore_ccm_encrypt(&key, job.iv.data(), job.iv.size(), job.aad.data(), job.aad.size(),
                               text, len, text, out_tag, job.tag_len);
        if (status == INCORE_ERROR_LENGTH)
          throw std::runtime_error("the input is too long for ccm with an --iv of this length");
        return status;
      },
      [&](uint8_t* text, size_t len, const uint8_t* tag) {
        const incore_status status =
            incore_ccm_decrypt(&key, job.iv.data(), job.iv.size(), job.aad.data(), job.aad.size(),
                               text, len, tag, job.tag_len, text);
        if (status == INCORE_ERROR_LENGTH)
          throw CannotDecrypt("the input is too long for ccm with an --iv of this length");
        return status;
      });
}

void crypt_gcm(const AesJob& job) {
  incore_gcm_key key;
  require_ok(incore_gcm_key_set(&key, job.key.data(), job.key.size()));
  const std::unique_ptr<incore_gcm_key, decltype(&incore_gcm_key_wipe)> wiper(&key,
                                                                              incore_gcm_key_wipe);
  crypt(
      job,
      [&](uint8_t* text, size_t len, uint8_t* out_tag) {
        return incore_gcm_encrypt(&key, job.iv.data(), job.iv.size(), job.aad.data(),
                                  job.aad.size(), text, len, text, out_tag, job.tag_len);
      },
      [&](uint8_t* text, size_t len, const uint8_t* tag) {
        return incore_gcm_decrypt(&key, job.iv.data(), job.iv.size(), job.aad.data(),
                                  job.aad.size(), text, len, tag, job.tag_len, text);
      });
}

}  // namespace incore::tools
