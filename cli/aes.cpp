// `incore aes`: files are encrypted and decrypted with AES (FIPS 197) in the modes of SP 800-38A,
// C, D and E.
#include <csignal>
#include <memory>

#include "cli/command.h"
#include "incore/xts.h"
#include "tools/aes/aes_request.h"

namespace incore::cli {
namespace {

int run(const AesRequest& request) {
  const std::string wrong = contradiction(request);
  if (!wrong.empty()) return fail(kBadInput, wrong + " (see 'incore aes --help')");
  try {
    const StopSignals stop_signals;
    AesJob job;
    fill_job(request, job);
    job.mode->crypt(job);
  } catch (const CannotDecrypt& error) {
    return fail(kDiffers, error.what());
  } catch (const Interrupted&) {
    std::raise(stop_signal);
  }
  return kDone;
}

std::vector<Option> options_of(AesRequest* o) {
  return {
      text("DIRECTION", "", &o->direction, "what to do").one_of({"encrypt", "decrypt"}),
      text("-m,--mode", "MODE", &o->mode, "the mode").one_of(aes_mode_names()),
      text("--key-file", "FILE", &o->key_file,
           "file with the key: 16, 24 or 32 raw bytes; xts: 32 or 64, which are two keys"),
      text("--key", "HEX", &o->key,
           "the key in hex digits; other users can see it in the list of processes"),
      text(
          "--iv", "HEX", &o->iv,
          "initialization vector, nonce or first counter: 32 hex digits, gcm any even number (24 "
          "is "
          "best), ccm 14 to 26; xts: a tweak or the number of the first data unit; ecb takes none"),
      text("--aad", "HEX", &o->aad, "gcm, ccm: data in hex digits that the tag covers as well"),
      number("--tag-len", "N", &o->tag_len, 4, 16,
             "bytes of the tag; gcm: 4, 8 or 12 to 16; ccm: an even number")
          .usually("16"),
      number("--unit-size", "N", &o->unit_len, INCORE_AES_BLOCK_LEN, INCORE_XTS_MAX_UNIT_LEN,
             "xts: bytes of a data unit")
          .usually("the file is one, of 16 MiB at most"),
      text("-i,--in", "FILE", &o->in, "input file").usually("standard input"),
      text("-o,--out", "FILE", &o->out, "output file, complete or not there; may be the input")
          .usually("standard output"),
      flag("--no-padding", &o->no_padding,
           "ecb, cbc: no PKCS#7 padding; the length must be a multiple of 16"),
  };
}

}  // namespace

Command aes_command() {
  auto o = std::make_shared<AesRequest>();
  return {
      .name = "aes",
      .summary = "AES encryption and decryption of files, like openssl enc",
      .options = options_of(o.get()),
      .about =
          "gcm and ccm append a tag and write nothing if it does not match; the whole file is "
          "in memory. No other mode detects changes to the data. Decryption to standard output "
          "writes bytes as they are ready, before the padding of ecb and cbc is checked.",
      .examples = {"head -c 32 /dev/urandom > key",
                   "iv=$(od -An -v -tx1 -N12 /dev/urandom | tr -d ' ')",
                   "incore aes encrypt --mode gcm --key-file key --iv $iv --in plain --out secret",
                   "incore aes decrypt --mode gcm --key-file key --iv $iv --in secret --out plain"},
      .exit_codes = {{"0", "done"},
                     {"1", "cannot be decrypted: wrong tag or padding"},
                     {"2", "bad usage, cannot read or write"}},
      .run = [o] { return run(*o); },
  };
}

}  // namespace incore::cli
