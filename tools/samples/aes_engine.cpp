#include "tools/samples/aes_engine.h"

#include <chrono>
#include <cstring>

#include "incore/aes.h"
#include "tools/samples/execute_padlock.h"

namespace incore::tools {
namespace {

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class LibraryEngine final : public AesEngine {
 public:
  ~LibraryEngine() override { incore_aes_key_wipe(&key_); }

  std::string name() const override {
    const char* const kernel = incore_aes_kernel();
    return std::string("the library, kernel ") + (kernel != nullptr ? kernel : "unknown");
  }

  void load_key(const AesJob& job) override { status_ = incore_aes_key_set(&key_, job.key, 16); }

  std::string run(const AesJob& job, size_t times) override {
    for (size_t i = 0; i < times && status_ == INCORE_OK; ++i) status_ = once(job);
    return status_ == INCORE_OK ? "" : incore_status_message(status_);
  }

  double seconds() const override { return wall_seconds(); }

 private:
  incore_status once(const AesJob& job) const {
    const bool decrypt = (job.control & kControlDecrypt) == kControlDecrypt;
    const size_t len = job.blocks * INCORE_AES_BLOCK_LEN;
    uint8_t vector[INCORE_AES_BLOCK_LEN];  // the caller's is the same for each time
    std::memcpy(vector, job.vector, sizeof vector);
    switch (job.mode) {
      case AesMode::ecb:
        return (decrypt ? incore_aes_ecb_decrypt : incore_aes_ecb_encrypt)(&key_, job.in, len,
                                                                           job.out);
      case AesMode::cbc:
        return (decrypt ? incore_aes_cbc_decrypt : incore_aes_cbc_encrypt)(&key_, vector, job.in,
                                                                           len, job.out);
      case AesMode::cfb:
        return incore_aes_crypt(&key_,
                                decrypt ? INCORE_AES_CFB128_DECRYPT : INCORE_AES_CFB128_ENCRYPT,
                                vector, job.in, len, job.out);
      case AesMode::ofb:
        return incore_aes_crypt(&key_, INCORE_AES_OFB, vector, job.in, len, job.out);
      case AesMode::ctr:  // PadLock's counter has 16 bits, too few for the largest buffers
        return incore_aes_crypt(&key_, INCORE_AES_CTR32, vector, job.in, len, job.out);
    }
    return INCORE_ERROR_RANGE;
  }

  incore_aes_key key_ = {};
  incore_status status_ = INCORE_ERROR_STATE;
};

class PadlockEngine final : public AesEngine {
 public:
  explicit PadlockEngine(incore_padlock* padlock) : padlock_(padlock) {}

  std::string name() const override {
    return is_native() ? "PadLock of this CPU"
                       : std::string(incore_padlock_name(padlock_)) + ", emulated";
  }

  void load_key(const AesJob& job) override {
    for (size_t i = 0; i < 4; ++i) control_.bytes[i] = static_cast<uint8_t>(job.control >> 8 * i);
    incore_padlock_reload_key(padlock_);
  }

  std::string run(const AesJob& job, size_t times) override {
    constexpr const char* kMnemonics[] = {"xcrypt-ecb", "xcrypt-cbc", "xcrypt-cfb", "xcrypt-ofb",
                                          "xcrypt-ctr"};
    const char* const mnemonic = kMnemonics[static_cast<size_t>(job.mode)];
    if ((job.control & kControlMac) != 0 && !has_ace2()) return "CBC-MAC came with ACE2";
    for (size_t i = 0; i < times; ++i) {
      incore_padlock_registers registers = {.rax = address_of(job.vector),
                                            .rbx = address_of(job.key),
                                            .rcx = job.blocks,
                                            .rdx = address_of(control_.bytes),
                                            .rsi = address_of(job.in),
                                            .rdi = address_of(job.out)};
      std::string wrong = execute_padlock(padlock_, mnemonic, &registers);
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

  double seconds() const override {
    return is_native() ? wall_seconds() : incore_padlock_seconds(padlock_);
  }

 private:
  // Without it the field of a control word that asks for a MAC does not exist.
  bool has_ace2() const {
    uint32_t flags[4] = {};
    return incore_padlock_cpuid(padlock_, 0xC0000001, 0, flags) == INCORE_OK &&
           (flags[3] & 1u << 8) != 0;
  }
  bool is_native() const { return incore_padlock_is_native(padlock_) != 0; }

  incore_padlock* const padlock_;
  ControlBlock control_;
};

}  // namespace

std::unique_ptr<AesEngine> library_aes_engine() {
  return std::make_unique<LibraryEngine>();
}

std::unique_ptr<AesEngine> padlock_aes_engine(incore_padlock* padlock) {
  return std::make_unique<PadlockEngine>(padlock);
}

}  // namespace incore::tools
