// The common frame of REP XCRYPT.
#include "padlock/xcrypt.h"

#include <cstring>

#include "base/wipe.h"
#include "crypto/aes/aes_steps.h"

namespace incore::padlock {
namespace {

constexpr unsigned kMaxFetchBlocks = 8;

// One issue of an instruction, from its checks to its end.
class Xcrypt {
 public:
  Xcrypt(Execution& execution, const XcryptMode& xcrypt_mode) : x(execution), mode(xcrypt_mode) {}

  Trap run() {
    if (Trap trap = check()) return trap;
    if (x.get(x.s.rcx) == 0) return fetch();  // the first load comes before the count is tested
    if (Trap trap = load()) return trap;
    Trap trap = {};
    if (!run_at_once()) trap = run_blocks();
    if (done_ != 0 && mode.end_stretch != nullptr) end_stretch();
    if (done_ != 0 && writes_next_vector()) store_vector(vector_);
    return trap;
  }

 private:
  Trap check();
  Trap load();
  Trap load_key();
  Trap source_block(unsigned i, uint64_t* out_address) const;
  Trap fetch();
  Trap run_blocks();
  Trap one_block();
  bool run_at_once();
  bool writes_next_vector() const { return moves_eax_ && x.cpu.model().vector_written; }
  void store_vector(const Block& vector);
  void end_stretch();
  void process(const uint8_t* in, uint8_t* out, size_t blocks, Block& vector);
  void advance(Offset blocks, Offset last_offset);

  Execution& x;
  const XcryptMode& mode;

  ControlWord control_word_;  // the one in force
  bool load_keys_ = false;
  bool hold_edi_ = false;
  bool moves_eax_ = false;  // chaining leaves the vector in place and moves EAX
  // EAX cannot point into a misaligned destination: it points behind the control word.
  bool copy_vector_ = false;
  unsigned fetch_blocks_ = 1;
  uint64_t control_word_at_ = 0, key_at_ = 0, vector_at_ = 0, scratch_at_ = 0;  // linear addresses
  Block vector_ = {};
  uint8_t fetched_[kMaxFetchBlocks * kAesBlockLen];
  unsigned num_fetched_ = 0, num_used_ = 0;  // blocks in fetched_
  uint64_t done_ = 0;
};

// #UD, then #GP, as far as it can be known without touching memory but the control word.
Trap Xcrypt::check() {
  if (Trap trap = x.require_usable(false)) return trap;
  const Offset edx = x.get(x.s.rdx);
  if (Trap trap = x.aligned(edx, kControlWordLen, Access::read, &control_word_at_)) return trap;
  if (Trap trap = x.aligned(x.get(x.s.rbx), kHardwareKeyLen, Access::read, &key_at_)) return trap;
  if (mode.has_vector)
    if (Trap trap = x.aligned(x.get(x.s.rax), kAesBlockLen, Access::read, &vector_at_)) return trap;

  const Model& model = x.cpu.model();
  fetch_blocks_ = fetch_blocks(model, mode.has_vector);

  // The loaded control word is in force for every field while EFLAGS bit 30 is set.
  load_keys_ = (x.s.rflags & kEflagsKeyLoaded) == 0 || !x.key_ram().loaded();
  control_word_ = x.key_ram().control_word();
  if (load_keys_) {
    uint8_t bytes[kControlWordLen];
    if (Trap trap = x.memory.read(control_word_at_, bytes, sizeof bytes)) return trap;
    control_word_ = ControlWord::from_bytes(bytes);
    if (Trap trap = x.linear(x.get(x.s.rbx), control_word_.key_bytes(), Access::read, &key_at_))
      return trap;
  }
  hold_edi_ = mode.may_hold_edi && control_word_.digest() && model.ace2;
  moves_eax_ = mode.has_vector && !mode.vector_in_memory && !control_word_.decrypt();

  uint64_t source_at = 0, destination_at = 0;
  for (unsigned i = fetch_blocks_; i-- > 0;)
    if (Trap trap = source_block(i, &source_at)) return trap;
  const bool stores = x.get(x.s.rcx) != 0;
  // Vector and scratch space lie in ES too, so that they need not ask for the right to write again.
  Trap beyond = x.linear(x.get(x.s.rdi), kAesBlockLen, Access::write, &destination_at);
  if (beyond && stores) return beyond;
  if (mode.may_realign && control_word_.align() && model.ace2) {
    if (Trap trap = x.linear(x.get(edx + kControlWordLen), kScratchLen, Access::read, &scratch_at_))
      return trap;
    copy_vector_ = moves_eax_ && destination_at % kAesBlockLen != 0;
    return stores ? x.memory.probe_write(scratch_at_, kScratchLen) : Trap{};
  }
  if ((source_at | destination_at) % kAesBlockLen != 0)
    return Trap::gp("the source or destination is not aligned to 16 bytes");
  return {};
}

Trap Xcrypt::load_key() {
  const size_t len = control_word_.key_bytes();
  if (const uint8_t* const in_place = x.memory.readable(key_at_, len)) {
    x.key_ram().load(control_word_, in_place, *x.kernels().aes);
    return {};
  }
  uint8_t key[kMemoryKeyLen];
  if (Trap trap = x.memory.read(key_at_, key, len)) return trap;
  x.key_ram().load(control_word_, key, *x.kernels().aes);
  wipe(key, len);
  return {};
}

Trap Xcrypt::load() {
  if (load_keys_) {
    if (Trap trap = load_key()) return trap;
    x.count_key_load();
    x.s.rflags |= kEflagsKeyLoaded;
  }
  if (!mode.has_vector) return {};
  if (Trap trap = x.memory.read(vector_at_, vector_.bytes, sizeof vector_.bytes)) return trap;
  const bool rewritten = !moves_eax_ || writes_next_vector();
  return rewritten ? x.memory.probe_write(vector_at_, sizeof vector_.bytes) : Trap{};
}

// The linear address of the |i|th source block from ESI on. Each wraps as ESI does, so that a
// resumed instruction finds the same blocks.
Trap Xcrypt::source_block(unsigned i, uint64_t* out_address) const {
  return x.linear(x.get(x.s.rsi + i * kAesBlockLen), kAesBlockLen, Access::read, out_address);
}

// Loads as many source blocks as the hardware does at a time, also beyond the count.
Trap Xcrypt::fetch() {
  for (unsigned i = 0; i < fetch_blocks_; ++i) {
    uint64_t source_at;
    if (Trap trap = source_block(i, &source_at)) return trap;
    if (Trap trap = x.memory.read(source_at, fetched_ + i * kAesBlockLen, kAesBlockLen))
      return trap;
  }
  num_fetched_ = fetch_blocks_;
  num_used_ = 0;
  return {};
}

Trap Xcrypt::run_blocks() {
  for (;;) {
    if (Trap trap = one_block()) return trap;
    const Offset left = x.get(x.s.rcx);
    if (left == 0) return {};
    const bool boundary = !mode.in_pairs || done_ % 2 == 0;
    if (boundary && left > mode.last_blocks_uninterrupted && x.interrupt(done_)) return {};
  }
}

// Nothing changes until the store of the block has succeeded.
Trap Xcrypt::one_block() {
  if (num_used_ == num_fetched_)
    if (Trap trap = fetch()) return trap;
  uint8_t out[kAesBlockLen];
  Block vector = vector_;
  process(fetched_ + num_used_ * kAesBlockLen, out, 1, vector);

  const Offset edi = x.get(x.s.rdi);
  uint64_t destination_at;
  if (Trap trap = x.linear(edi, kAesBlockLen, Access::write, &destination_at)) return trap;
  if (Trap trap = x.memory.write(destination_at, out, sizeof out)) return trap;
  if (copy_vector_ || (mode.has_vector && !moves_eax_)) {
    // The page has been probed, so that this cannot fail halfway.
    const uint64_t to = copy_vector_ ? scratch_at_ : vector_at_;
    if (Trap trap = x.memory.write(to, vector.bytes, sizeof vector.bytes)) return trap;
  }
  vector_ = vector;
  ++num_used_;
  advance(1, edi);
  return {};
}

// All blocks with one call of the kernel, if nothing can stop it midway. The result is that of
// run_blocks.
bool Xcrypt::run_at_once() {
  if (x.interrupts != nullptr || hold_edi_ || control_word_.intermediate()) return false;
  const Offset blocks = x.get(x.s.rcx);
  constexpr Offset kMaxBlocks = SIZE_MAX / kAesBlockLen - kMaxFetchBlocks;
  if (blocks > kMaxBlocks) return false;
  const size_t len = static_cast<size_t>(blocks) * kAesBlockLen;
  const size_t fetch_len = fetch_blocks_ * kAesBlockLen;
  const size_t source_len =
      len <= fetch_len ? fetch_len : (len + fetch_len - 1) / fetch_len * fetch_len;

  const Offset esi = x.get(x.s.rsi), edi = x.get(x.s.rdi);
  uint64_t source_at, destination_at;
  if (source_len - 1 > x.address_mask - esi || len - 1 > x.address_mask - edi) return false;
  if (x.linear(esi, source_len, Access::read, &source_at) ||
      x.linear(edi, len, Access::write, &destination_at))
    return false;
  const uint8_t* const in = x.memory.readable(source_at, source_len);
  uint8_t* const out = in == nullptr ? nullptr : x.memory.writable(destination_at, len);
  if (out == nullptr || (out > in && ranges_overlap(in, len, out, len))) return false;

  uint8_t* vector = nullptr;  // where it goes afterwards
  if (copy_vector_ || (mode.has_vector && !moves_eax_)) {
    vector = x.memory.writable(copy_vector_ ? scratch_at_ : vector_at_, kAesBlockLen);
    if (vector == nullptr || ranges_overlap(vector, kAesBlockLen, in, len) ||
        ranges_overlap(vector, kAesBlockLen, out, len))
      return false;
  }
  process(in, out, len / kAesBlockLen, vector_);
  if (vector != nullptr) std::memcpy(vector, vector_.bytes, kAesBlockLen);
  advance(blocks, edi + len - kAesBlockLen);
  return true;
}

void Xcrypt::process(const uint8_t* in, uint8_t* out, size_t blocks, Block& vector) {
  const bool decrypt = control_word_.decrypt();
  const bool inverse = decrypt && mode.inverse_cipher;
  if (!control_word_.intermediate())
    return mode.many_blocks(x.key_ram().key(inverse), decrypt, vector.bytes, in, out, blocks);
  Block block;
  std::memcpy(block.bytes, in, kAesBlockLen);
  block = mode.one_block(BlockCipher(x.key_ram(), inverse), decrypt, vector, block);
  std::memcpy(out, block.bytes, kAesBlockLen);
}

// |last_offset| is the offset of the last ciphertext block stored.
void Xcrypt::advance(Offset blocks, Offset last_offset) {
  x.set(x.s.rsi, x.s.rsi + blocks * kAesBlockLen);
  if (!hold_edi_) x.set(x.s.rdi, x.s.rdi + blocks * kAesBlockLen);
  x.set(x.s.rcx, x.s.rcx - blocks);
  if (moves_eax_) x.set(x.s.rax, copy_vector_ ? x.get(x.s.rdx) + kControlWordLen : last_offset);
  done_ += blocks;
}

// Probed or written before, so it cannot fail.
void Xcrypt::store_vector(const Block& vector) {
  (void)x.memory.write(vector_at_, vector.bytes, sizeof vector.bytes);
}

void Xcrypt::end_stretch() {
  Block vector = vector_;
  mode.end_stretch(x.cpu.model(), done_, vector.bytes);
  if (std::memcmp(vector.bytes, vector_.bytes, sizeof vector.bytes) != 0) store_vector(vector);
}

}  // namespace

Block BlockCipher::operator()(const Block& in) const {
  Block out;
  if (decrypt_)
    aes_steps::eq_inv_cipher(keys_, in.bytes, out.bytes, intermediate_);
  else
    aes_steps::cipher(keys_, in.bytes, out.bytes, intermediate_);
  return out;
}

unsigned fetch_blocks(const Model& model, bool has_vector) {
  const unsigned blocks = has_vector ? model.cbc_fetch_blocks : model.ecb_fetch_blocks;
  return blocks < 1 ? 1 : blocks < kMaxFetchBlocks ? blocks : kMaxFetchBlocks;
}

Trap xcrypt(Execution& x, const XcryptMode& mode) {
  return Xcrypt(x, mode).run();
}

}  // namespace incore::padlock
