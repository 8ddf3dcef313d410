// The modes of SP 800-38A over a file: the same bytes as `openssl enc -K -iv`.
#include <fmt/core.h>
#include <string.h>

#include "tools/aes/aes_job.h"
#include "tools/base/output_file.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/base/require_ok.h"

namespace incore::tools {
namespace {

constexpr size_t kBlockLen = INCORE_AES_BLOCK_LEN;

// AES with a key, a direction and a mode, at some place of a message.
class Cipher {
 public:
  explicit Cipher(const AesJob& job) : job_(job), iv_(job.iv) {
    const AesMode& mode = *job.mode;
    if (!mode.pads)
      require_ok(incore_aes_stream_start(&stream_, job.encrypts ? mode.encrypt : mode.decrypt,
                                         iv_.data()));
    require_ok(incore_aes_key_set(&key_, job.key.data(), job.key.size()));
  }
  ~Cipher() {
    incore_aes_key_wipe(&key_);
    incore_aes_stream_wipe(&stream_);
  }
  Cipher(const Cipher&) = delete;

  // |len| is a multiple of 16 if the mode pads.
  void process(uint8_t* data, size_t len) {
    if (!job_.mode->pads) {
      const incore_status status = incore_aes_stream_update(&stream_, &key_, data, len, data);
      if (status == INCORE_ERROR_LENGTH)
        throw std::runtime_error(fmt::format(
            "the input has more blocks than the counter of {} has values", job_.mode->name));
      require_ok(status);
    } else if (job_.mode->iv != nullptr)
      require_ok((job_.encrypts ? incore_aes_cbc_encrypt : incore_aes_cbc_decrypt)(
          &key_, iv_.data(), data, len, data));
    else
      require_ok((job_.encrypts ? incore_aes_ecb_encrypt : incore_aes_ecb_decrypt)(&key_, data, len,
                                                                                   data));
  }

 private:
  const AesJob& job_;
  std::vector<uint8_t> iv_;
  incore_aes_key key_ = {};
  incore_aes_stream stream_ = {};
};

// The length of the message in a last block padded as PKCS#7 wants it: n bytes of value n, 1 to 16.
// Looks at the whole block always, so that the time tells no more than the result.
size_t unpadded_len(const uint8_t* block) {
  const uint32_t pad_len = block[kBlockLen - 1];
  uint32_t wrong = pad_len - 1 >= kBlockLen;
  for (uint32_t i = 0; i < kBlockLen; ++i) {
    // The i-th byte from the end is padding if the subtraction borrows.
    const uint32_t is_pad = 0U - ((i - pad_len) >> 31);
    wrong |= (block[kBlockLen - 1 - i] ^ pad_len) & is_pad;
  }
  if (wrong != 0) throw CannotDecrypt("wrong padding: not the right key, IV or mode, or damaged");
  return kBlockLen - pad_len;
}

}  // namespace

// The whole message, in constant memory. |buffer| begins with the |held| bytes that wait for more:
// of a block that is not full, or the last block so far if its padding is to be removed.
void crypt_message(const AesJob& job) {
  const bool pads = job.mode->pads, encrypts = job.encrypts;
  const bool padded = pads && !job.no_padding;
  Cipher cipher(job);
  const InputFile in(job.in);
  OutputFile out;
  require_written(job.out == "-" ? out.open_stdout() : out.open(job.out));

  Secret memory(kAesReadLen + kBlockLen);
  uint8_t* const buffer = memory.bytes.data();
  size_t held = 0;
  uint64_t done = 0;
  {
    Progress progress(quoted_if_needed(job.in), in.size());
    while (const size_t got = in.read(buffer + held, kAesReadLen)) {
      const size_t len = held + got;
      held = pads ? len % kBlockLen : 0;
      if (padded && !encrypts && held == 0) held = kBlockLen;
      cipher.process(buffer, len - held);
      require_written(out.write(buffer, len - held));
      memmove(buffer, buffer + len - held, held);
      progress.update(done += got);
    }
  }

  const std::string length_mistake = fmt::format("the input has {} bytes, no multiple of 16", done);
  if (padded && encrypts) {
    const size_t pad_len = kBlockLen - held;
    memset(buffer + held, static_cast<int>(pad_len), pad_len);
    cipher.process(buffer, kBlockLen);
    require_written(out.write(buffer, kBlockLen));
  } else if (padded) {
    if (done == 0) throw CannotDecrypt("the input is empty: there is no padding in it");
    if (held != kBlockLen) throw CannotDecrypt(length_mistake);
    cipher.process(buffer, kBlockLen);
    require_written(out.write(buffer, unpadded_len(buffer)));
  } else if (held != 0) {
    throw std::runtime_error(length_mistake + "; --no-padding needs one");
  }
  require_written(out.commit());
}

}  // namespace incore::tools
