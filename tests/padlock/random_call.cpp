// See random_call.h.
#include "padlock/random_call.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/bytes.h"
#include "padlock/xcrypt.h"

namespace incore::padlock::test {
namespace {

constexpr uint64_t kMask32 = 0xFFFFFFFF;

}  // namespace

// ---- Arena ----

Trap Arena::check(uint64_t address, size_t len, bool write) const {
  const auto trap = [&](size_t i) {
    return Trap::pf((address + i) & linear_mask_, 4u | (write ? 2u : 0u));
  };
  size_t accessible = len;
  for (const Fault& fault : faults)
    if (write || !fault.writes_only)
      accessible = std::min(accessible, position(2 * base_ + fault.position - address));
  const uint8_t wanted =
      write ? kCanWrite : static_cast<uint8_t>(restarted ? kCanRead | kCanReadAgain : kCanRead);
  for (size_t i = 0; i < accessible; ++i) {
    const size_t at = position(address + i);
    if (at >= kLen || ((*access_)[at] & wanted) == 0) return trap(i);
  }
  return accessible < len ? trap(accessible) : Trap{};
}

Trap Arena::read(uint64_t address, void* out, size_t len) {
  if (Trap trap = check(address, len, false)) return trap;
  for (size_t i = 0; i < len; ++i) static_cast<uint8_t*>(out)[i] = bytes_[position(address + i)];
  return {};
}

Trap Arena::write(uint64_t address, const void* in, size_t len) {
  if (Trap trap = check(address, len, true)) return trap;
  for (size_t i = 0; i < len; ++i)
    bytes_[position(address + i)] = static_cast<const uint8_t*>(in)[i];
  return {};
}

Trap Arena::probe_write(uint64_t address, size_t len) {
  return check(address, len, true);
}

const uint8_t* Arena::readable(uint64_t address, size_t len) {
  return !direct || check(address, len, false) ? nullptr : &bytes_[position(address)];
}

uint8_t* Arena::writable(uint64_t address, size_t len) {
  return !direct || check(address, len, true) ? nullptr : &bytes_[position(address)];
}

size_t EvenNoise::raw_bits(unsigned which, unsigned bias, uint8_t* out_bits, size_t max_bits) {
  for (size_t i = 0; i < max_bits; ++i) {
    state_[which] = state_[which] * 6364136223846793005u + 1442695040888963407u + bias;
    out_bits[i] = static_cast<uint8_t>(state_[which] >> 63);
  }
  return max_bits;
}

// ---- Calls ----

bool is_xcrypt(const Insn& insn) {
  return insn.unit == Unit::ace || insn.unit == Unit::ace_ctr;
}

bool is_hash(const Insn& insn) {
  return insn.unit == Unit::phe || insn.unit == Unit::phe2 || &insn == &ccs_hash;
}

size_t hash_block_len(const Insn& insn) {
  return insn.unit == Unit::phe2 ? 128 : 64;
}

size_t hash_state_len(const Insn& insn, const Model& model) {
  if (insn.unit == Unit::phe2) return 64;
  return &insn == &xsha1 && !model.xsha1_stores_32 ? 20 : 32;
}

bool hash_counts_blocks(const RandomCall& call) {
  if (call.insn->unit == Unit::phe2) return true;
  const uint64_t all_ones = call.address_bits == 64 ? ~uint64_t{0} : kMask32;
  return (call.insn == &ccs_hash || call.model->xsha_partial) &&
         (call.state.rax & all_ones) == all_ones;
}

const std::vector<const Model*>& all_models() {
  static ModelSpec early_nano, odd_fetch;
  static const std::vector<const Model*> all = [] {
    size_t num_models;
    const Model* const* const list = models(&num_models);
    std::vector<const Model*> result(list, list + num_models);
    char message[256];
    // A Nano of stepping 2 fetches that much.
    if (parse_model_spec("nano,ecb-fetch=8,cbc-fetch=4", &early_nano, message, sizeof message) ||
        parse_model_spec("esther9,ecb-fetch=3,cbc-fetch=2", &odd_fetch, message, sizeof message))
      std::abort();
    result.push_back(&early_nano.model);
    result.push_back(&odd_fetch.model);
    return result;
  }();
  return all;
}

// Makes one call; each unit has a function of its own.
class CallMaker {
 public:
  CallMaker(RandomCall& call, Choices& choices) : call_(call), choices_(choices) {}
  void make();

 private:
  void choose_code();
  void choose_addresses();
  void xcrypt();
  void sm4();
  void hash();
  void montmul();
  void xstore();
  void make_mistake();

  bool chance(unsigned one_in) { return choices_.chance(one_in); }
  size_t below(size_t limit) { return static_cast<size_t>(choices_.below(limit)); }

  // A free place for |len| bytes, |misalignment| above a linear address that is aligned to 16.
  size_t place(size_t len, size_t misalignment = 0);
  void put(size_t position, const Bytes& bytes) {
    std::copy(bytes.begin(), bytes.end(), call_.memory.begin() + static_cast<ptrdiff_t>(position));
  }
  // Marks the bytes at |offset| in ES as accessible.
  void allow(uint64_t offset, size_t len, uint8_t access, bool fault_point = true);
  // A register: what an address size below the code's leaves alone is noise.
  uint64_t reg(uint64_t value) {
    value &= call_.mask();
    if (call_.address_bits == 64) return value;
    if (call_.address_bits == 32)
      return call_.state.code_size == CodeSize::bits64 ? value | choices_.next() << 32 : value;
    return value | (choices_.next() << 16 & kMask32);
  }
  uint64_t reg_at(size_t position) { return reg(call_.offset(position)); }

  RandomCall& call_;
  Choices& choices_;
  std::vector<std::pair<size_t, size_t>> used_;  // begin, end
};

size_t CallMaker::place(size_t len, size_t misalignment) {
  for (unsigned tries = 0; tries < 1000; ++tries) {
    // Behind the first 16 bytes, where the offset may be negative, and below 64 KiB.
    const size_t at = 16 + 16 * below((0x10000 - 48 - len) / 16) + misalignment;
    const bool free = std::all_of(used_.begin(), used_.end(), [&](const auto& other) {
      return at + len <= other.first || other.second <= at;
    });
    if (!free) continue;
    used_.emplace_back(at, at + len);
    return at;
  }
  std::abort();  // the areas of a call fill half of the arena at most
}

void CallMaker::allow(uint64_t offset, size_t len, uint8_t access, bool fault_point) {
  const size_t at = static_cast<size_t>(offset - call_.first_offset);
  for (size_t i = 0; i < len; ++i)
    if (at + i < Arena::kLen) call_.access[at + i] |= access;
  if (!fault_point || len == 0) return;
  for (size_t point : {at, at + len - 1})
    if (std::find(call_.fault_points.begin(), call_.fault_points.end(), point) ==
        call_.fault_points.end())
      call_.fault_points.push_back(point);
}

void CallMaker::make() {
  call_.model = choices_.pick(all_models());
  call_.kernels = chance(2) ? HostKernels::portable() : HostKernels::choose(detect_features());
  State& s = call_.state;
  s.code_size = static_cast<CodeSize>(below(3));
  s.cpl = 3;
  s.cr0 = kCr0Am;
  s.cr4 = kCr4Osfxsr;
  s.rflags = 2 | (choices_.next() & 0xCD5);  // the arithmetic flags and DF
  choose_code();
  choose_addresses();
  call_.memory.resize(Arena::kLen);
  uint64_t noise = choices_.next();
  for (size_t i = 0; i < Arena::kLen; i += 8) {
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    store_le64(&call_.memory[i], noise ^ noise >> 31);
  }
  call_.access.assign(Arena::kLen, 0);
  for (uint64_t* r : {&s.rax, &s.rbx, &s.rcx, &s.rdx, &s.rsi, &s.rdi}) *r = reg(choices_.next());

  if (is_xcrypt(*call_.insn))
    xcrypt();
  else if (call_.insn == &ccs_encrypt)
    sm4();
  else if (is_hash(*call_.insn))
    hash();
  else if (call_.insn->unit == Unit::pmm)
    montmul();
  else
    xstore();
  if (chance(12)) make_mistake();

  Processor cpu(*call_.model, call_.kernels);
  if (!cpu.unit_exists(call_.insn->unit)) call_.valid = false;
  call_.decoded = decode(call_.code.data(), call_.code.size(), s.code_size);
  // Two instructions may share an opcode and differ in the prefix.
  if (call_.decoded.insn != call_.insn) call_.valid = false;
}

void CallMaker::choose_code() {
  size_t num_insns;
  const Insn* const* const all = insns(&num_insns);
  call_.insn = all[below(num_insns)];
  const Insn& insn = *call_.insn;
  const CodeSize code_size = call_.state.code_size;
  bool address_prefix = chance(3);
  if (insn.unit == Unit::pmm && code_size == CodeSize::bits64) address_prefix = true;
  const unsigned sizes[3][2] = {{16, 32}, {32, 16}, {64, 32}};
  call_.address_bits = sizes[static_cast<size_t>(code_size)][address_prefix];

  if (insn.rep) call_.code.push_back(0xF3);
  if (address_prefix) call_.code.push_back(0x67);
  if ((insn.unit == Unit::pmm || insn.unit == Unit::rng) && chance(4)) call_.code.push_back(0x66);
  const Bytes overrides = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65};
  while (chance(3)) call_.code.push_back(choices_.pick(overrides));
  for (size_t i = call_.code.size(); i > 1; --i) std::swap(call_.code[i - 1], call_.code[below(i)]);
  if (code_size == CodeSize::bits64 && chance(4))
    call_.code.push_back(static_cast<uint8_t>(0x40 + below(16)));
  call_.code.resize(std::min<size_t>(call_.code.size(), 12));
  call_.code.insert(call_.code.end(), insn.opcode, insn.opcode + 3);
  if (chance(4)) call_.code.back() = static_cast<uint8_t>(call_.code.back() + below(8));
  call_.state.rip = choices_.next() & 0xFFFFFF0;
}

void CallMaker::choose_addresses() {
  RandomCall& c = call_;
  Segment& es = c.state.es;
  c.linear_mask = c.state.code_size == CodeSize::bits64 ? ~uint64_t{0} : kMask32;
  c.base = choices_.next() & 0x7FFFFFFEFFF0;
  if (c.state.code_size == CodeSize::bits64) {
    if (chance(2)) c.base |= 0xFFFF800000000000;
    if (c.address_bits == 32) c.base &= 0xFFFEFFF0;
    c.first_offset = c.base;
    es.base = choices_.next();  // flat whatever it holds
    es.limit = chance(2) ? 0 : ~uint64_t{0};
    return;
  }
  c.base &= kMask32;
  c.first_offset = c.address_bits == 16 ? -below(16) : choices_.next() & 0xFFFEFFFF;
  es.base = (c.base - c.first_offset) & kMask32;
  es.limit = chance(2) ? kMask32 : ~uint64_t{0};
}

// ---- REP XCRYPT ----

void CallMaker::xcrypt() {
  State& s = call_.state;
  const Model& model = *call_.model;
  const std::string name = call_.insn->mnemonic;
  const bool ecb = name == "xcrypt-ecb", cbc = name == "xcrypt-cbc", cfb = name == "xcrypt-cfb";

  Bytes word = choices_.bytes(kControlWordLen);
  if (chance(2)) word[0] &= static_cast<uint8_t>(~(kCwAlign | kCwDgest));
  if (chance(2)) word[1] &= static_cast<uint8_t>(~(kCwInter >> 8));
  const size_t word_at = place(kControlWordLen + kScratchLen);
  const size_t key_at = place(kMemoryKeyLen), vector_at = place(kAesBlockLen);
  const Bytes key = choices_.bytes(kMemoryKeyLen);
  put(word_at, word);
  put(key_at, key);
  if (chance(4)) {
    call_.loaded_keys = LoadedKeys{word, key};
    if (chance(2)) {  // the keys of before
      call_.loaded_keys =
          LoadedKeys{choices_.bytes(kControlWordLen), choices_.bytes(kMemoryKeyLen)};
      // Which bits say where data lie and what is accessed is not what this is about.
      const uint8_t same = kCwAlign | kCwDgest;
      uint8_t& low = call_.loaded_keys->control_word[0];
      low = static_cast<uint8_t>((low & ~same) | (word[0] & same));
      uint8_t& high = call_.loaded_keys->control_word[1];
      high = static_cast<uint8_t>((high & ~(kCwCrypt >> 8)) | (word[1] & kCwCrypt >> 8));
      call_.restartable = false;
    }
  }

  const ControlWord cw = ControlWord::from_bytes(word.data());
  const bool realigns = !ecb && cw.align() && model.ace2;
  const bool holds = (cbc || cfb) && cw.digest() && model.ace2;
  const bool moves_eax = (cbc || cfb) && !cw.decrypt();
  const size_t fetch_blocks = ecb ? model.ecb_fetch_blocks : model.cbc_fetch_blocks;
  const size_t blocks = chance(4) ? below(41) : below(7);
  const size_t len = blocks * kAesBlockLen, room = len + 8 * kAesBlockLen;

  size_t source_at = place(room, realigns ? below(16) : 0);
  size_t destination_at = place(room, realigns ? below(16) : 0);
  const size_t unit = realigns ? 1 : 16;
  if (chance(4)) {
    destination_at = source_at;
  } else if (chance(3)) {  // overlap a little, forwards or backwards
    const size_t distance = unit * below(96 / unit);
    destination_at =
        chance(2) ? source_at + distance : source_at - std::min(distance, source_at - 16);
  } else if (chance(6)) {  // on one of the other operands
    const size_t others[] = {word_at, key_at, vector_at};
    size_t& moved = chance(2) ? destination_at : source_at;
    moved = others[below(3)];
    moved -= std::min(unit * below(64 / unit), moved - 16);
  }
  if (call_.address_bits == 16 && chance(6) && destination_at != source_at)  // wraps at 64 KiB
    (chance(2) ? source_at : destination_at) = 0x10000 - unit * below(1 + len / unit);

  s.rax = ecb ? s.rax : reg_at(vector_at);
  s.rbx = reg_at(key_at);
  s.rcx = (s.rcx & ~call_.mask()) | blocks;
  s.rdx = reg_at(word_at);
  s.rsi = reg_at(source_at);
  s.rdi = reg_at(destination_at);

  const bool reads_keys = blocks != 0;
  allow(s.rdx & call_.mask(), kControlWordLen, kCanRead);
  if (realigns) allow((s.rdx & call_.mask()) + kControlWordLen, kScratchLen, kCanWrite);
  if (realigns && moves_eax)
    allow((s.rdx & call_.mask()) + kControlWordLen, kAesBlockLen, kCanReadAgain);
  if (reads_keys) allow(s.rbx & call_.mask(), cw.key_bytes(), kCanRead);
  if (!ecb && reads_keys)
    allow(s.rax & call_.mask(), kAesBlockLen, moves_eax ? kCanRead : kCanRead | kCanWrite);

  const auto at_block = [&](uint64_t start, size_t i) {
    return (start + i * kAesBlockLen) & call_.mask();
  };
  const size_t fetched =
      (std::max<size_t>(blocks, 1) + fetch_blocks - 1) / fetch_blocks * fetch_blocks;
  for (size_t i = 0; i < fetched; ++i) allow(at_block(s.rsi, i), kAesBlockLen, kCanRead);
  for (size_t i = fetched; i < blocks + fetch_blocks; ++i)
    allow(at_block(s.rsi, i), kAesBlockLen, kCanReadAgain, false);
  for (size_t i = 0; i < blocks; ++i) {
    const uint8_t access = moves_eax ? kCanWrite | kCanReadAgain : kCanWrite;
    allow(at_block(s.rdi, holds ? 0 : i), kAesBlockLen, access);
  }

  // What is written may be read again: keys, control word, and source blocks fetched ahead.
  struct Written {
    uint64_t offset;
    size_t block;  // written with this block or later ones
  };
  std::vector<Written> written;
  for (size_t i = 0; i < blocks; ++i) written.push_back({at_block(s.rdi, holds ? 0 : i), i});
  if (realigns && moves_eax) written.push_back({(s.rdx & call_.mask()) + kControlWordLen, 0});
  if (!ecb && !moves_eax) written.push_back({s.rax & call_.mask(), 0});
  const auto overlaps = [](uint64_t a, size_t a_len, uint64_t b, size_t b_len) {
    return a < b + b_len && b < a + a_len;
  };
  for (const Written& w : written) {
    if (overlaps(w.offset, kAesBlockLen, s.rdx & call_.mask(), kControlWordLen) ||
        overlaps(w.offset, kAesBlockLen, s.rbx & call_.mask(), cw.key_bytes()))
      call_.restartable = false;
    for (size_t i = w.block + 1; i < blocks && fetch_blocks > 1; ++i)
      if (overlaps(w.offset, kAesBlockLen, at_block(s.rsi, i), kAesBlockLen))
        call_.restartable = false;
  }
  if (model.ctr_erratum && name == "xcrypt-ctr") call_.restartable = false;
}

// ---- REP CCS_ENCRYPT ----

void CallMaker::sm4() {
  State& s = call_.state;
  constexpr size_t kBlockLen = 16;
  const uint32_t mode = 1u << (6 + below(5));
  const bool ecb = mode == 1u << 6, holds = chance(4);
  const bool moves_edi = !holds || (mode != 1u << 7 && mode != 1u << 8);
  const uint64_t noise = s.code_size == CodeSize::bits64 ? choices_.next() & ~kMask32 : 0;
  s.rax = noise | 0x20 | mode | (holds ? 1u << 11 : 0) | below(2);

  const size_t blocks = chance(4) ? below(41) : below(7), len = blocks * kBlockLen;
  const size_t key_at = place(kBlockLen, below(16)), vector_at = place(kBlockLen, below(16));
  const size_t source_at = place(len, below(16));
  size_t destination_at = place(len, below(16));
  if (chance(4)) destination_at = source_at;
  if (chance(6)) destination_at = source_at + below(40);
  if (chance(8)) destination_at = chance(2) ? key_at : vector_at;
  put(key_at, choices_.bytes(kBlockLen));
  s.rbx = reg_at(key_at);
  s.rcx = (s.rcx & ~call_.mask()) | blocks;
  s.rdx = ecb ? s.rdx : reg_at(vector_at);
  s.rsi = reg_at(source_at);
  s.rdi = reg_at(destination_at);
  if (blocks == 0) return;

  allow(s.rbx & call_.mask(), kBlockLen, kCanRead);
  if (!ecb) allow(s.rdx & call_.mask(), kBlockLen, kCanRead | kCanWrite);
  for (size_t i = 0; i < blocks; ++i) {
    const size_t written_at = destination_at + (moves_edi ? i * kBlockLen : 0);
    allow((s.rsi + i * kBlockLen) & call_.mask(), kBlockLen, kCanRead);
    allow(call_.offset(written_at), kBlockLen, kCanWrite);
    if (written_at < key_at + kBlockLen && key_at < written_at + kBlockLen)
      call_.restartable = false;  // the key is read again
  }
}

// ---- The hash instructions ----

void CallMaker::hash() {
  State& s = call_.state;
  const size_t state_len = hash_state_len(*call_.insn, *call_.model);
  const size_t block_len = hash_block_len(*call_.insn);
  const uint64_t count_mask = call_.address_bits == 64 ? ~uint64_t{0} : kMask32;
  const bool may_ask_for_blocks = call_.insn == &ccs_hash || call_.model->xsha_partial;
  const bool whole_blocks = call_.insn->unit == Unit::phe2 || (may_ask_for_blocks && chance(4));
  const size_t blocks = chance(4) ? below(41) : below(5);
  const size_t len = block_len * blocks + (whole_blocks ? 0 : below(block_len));
  const size_t state_at = place(state_len);
  size_t message_at = place(len, below(16));
  if (chance(12)) message_at = state_at + below(64);
  if (call_.address_bits == 16 && chance(6)) message_at = 0x10000 - below(1 + len);

  s.rdi = reg_at(state_at);
  s.rsi = reg_at(message_at);
  const uint64_t done = whole_blocks ? count_mask : chance(4) ? 64 * below(1000) : 0;
  const uint64_t total = whole_blocks ? blocks : done + len;
  const uint64_t noise = s.code_size == CodeSize::bits64 ? choices_.next() & ~count_mask : 0;
  if (call_.insn->unit != Unit::phe2) s.rax = done | noise;  // there it is no operand
  if (call_.insn == &ccs_hash) s.rbx = 0x20 | (s.rbx & ~kMask32);
  s.rcx = total | noise;

  allow(s.rdi & call_.mask(), state_len, kCanRead | kCanWrite);
  for (size_t i = 0; i < len; i += block_len)
    allow((s.rsi + i) & call_.mask(), std::min(block_len, len - i), kCanRead);
}

// ---- REP MONTMUL ----

void CallMaker::montmul() {
  State& s = call_.state;
  const size_t bits = 256 + 128 * (chance(40) ? below(255) : below(5));
  const size_t len = bits / 8;
  const size_t context_at = place(24, below(16)), scratch_at = place(32);
  const size_t t_at = place(len + 16);
  const size_t m_at = place(len), a_at = chance(8) ? m_at : place(len);
  const size_t b_at = chance(4) ? a_at : place(len);
  call_.memory[m_at] |= 1;
  std::fill_n(call_.memory.begin() + static_cast<ptrdiff_t>(t_at), len + 16, uint8_t{0});

  Bytes context(24);
  uint32_t inverse = 1;  // of the low word of M, by Newton's iteration
  for (int i = 0; i < 5; ++i) inverse *= 2 - load_le32(&call_.memory[m_at]) * inverse;
  store_le32(context.data(), -inverse);
  const size_t pointers[] = {a_at, b_at, t_at, m_at, scratch_at};
  for (size_t i = 0; i < 5; ++i)
    store_le32(&context[4 + 4 * i], static_cast<uint32_t>(call_.first_offset + pointers[i]));
  put(context_at, context);

  const uint64_t noise = s.code_size == CodeSize::bits64 ? choices_.next() & ~kMask32 : 0;
  s.rax = noise;
  s.rcx = bits | noise;
  s.rsi = reg_at(context_at);
  const auto allow_at = [this](size_t position, size_t size, uint8_t access) {
    allow(call_.first_offset + position, size, access);
  };
  allow(s.rsi & call_.mask(), 24, kCanRead);
  allow_at(a_at, len, kCanRead);
  allow_at(b_at, len, kCanRead);
  allow_at(m_at, len, kCanRead);
  allow_at(t_at, len + 16, kCanRead | kCanWrite);
  allow_at(scratch_at, 32, kCanWrite);
}

// ---- XSTORE ----

void CallMaker::xstore() {
  State& s = call_.state;
  const bool rep = call_.insn->rep;
  const unsigned step = 8u >> (s.rdx & 3);
  const size_t count = below(70);
  const bool checks_alignment = chance(6);
  const size_t at = place(count + 16, checks_alignment ? 0 : below(16));
  s.rdi = reg_at(at);
  if (rep) s.rcx = (s.rcx & ~call_.mask()) | count;
  if (checks_alignment) {
    s.rflags |= kEflagsAc;
    if (step < 4) call_.valid = false;
  }
  if (chance(2)) call_.rng_msr = (choices_.next() & 0xFFFFFFFF) | kRngEnable;
  call_.rng_msr &= ~uint64_t{kRngFilter};  // which may never end

  if (!rep) {
    allow(s.rdi & call_.mask(), step == 8 ? 8 : 4, kCanWrite);
    return;
  }
  for (size_t i = 0; i < count; i += step)
    for (size_t part = 0; part < (step == 8 ? 2u : 1u); ++part)
      allow((s.rdi + i + 4 * part) & call_.mask(), 4, kCanWrite);
}

// ---- Mistakes ----

void CallMaker::make_mistake() {
  State& s = call_.state;
  call_.valid = false;
  uint64_t* const registers[] = {&s.rax, &s.rbx, &s.rcx, &s.rdx, &s.rsi, &s.rdi};
  switch (below(6)) {
    case 0:
      *choices_.pick(registers) += 1 + below(15);
      break;
    case 1:
      *choices_.pick(registers) = choices_.next();
      break;
    case 2:
      call_.code.insert(call_.code.begin(), 0xF0);
      break;
    case 3:
      call_.code.erase(call_.code.begin());
      break;
    case 4:
      s.es.limit = (call_.first_offset + below(Arena::kLen)) & kMask32;
      break;
    default:
      s.cr4 = 0;
  }
  // What registers hold must fit the code.
  if (s.code_size != CodeSize::bits64)
    for (uint64_t* r : registers) *r &= kMask32;
  const bool counts_down = is_xcrypt(*call_.insn) || call_.insn == &ccs_encrypt;
  if (counts_down && (s.rcx & call_.mask()) > 64) s.rcx &= ~call_.mask();
  if (!is_hash(*call_.insn)) return;
  if (s.rcx - s.rax > 4096) s.rcx = s.rax;
  if (call_.insn->unit == Unit::phe2 || (s.rax & kMask32) == kMask32) s.rcx &= 0x3F;  // blocks
}

// ---- What others see ----

RandomCall::RandomCall(Choices& choices) {
  CallMaker(*this, choices).make();
}

ControlWord RandomCall::control_word() const {
  return ControlWord::from_bytes(&memory[(state.rdx & mask()) - first_offset]);
}

std::string RandomCall::description() const {
  char text[400];
  std::snprintf(
      text, sizeof text,
      "%s, kernel %s, %u-bit addresses, code %s, rax %llx rbx %llx rcx %llx rdx %llx "
      "rsi %llx rdi %llx flags %llx, es %llx limit %llx, arena %llx offset %llx%s%s%s",
      model->name, kernels.aes->info.name, address_bits, incore::test::to_hex(code).c_str(),
      static_cast<unsigned long long>(state.rax), static_cast<unsigned long long>(state.rbx),
      static_cast<unsigned long long>(state.rcx), static_cast<unsigned long long>(state.rdx),
      static_cast<unsigned long long>(state.rsi), static_cast<unsigned long long>(state.rdi),
      static_cast<unsigned long long>(state.rflags), static_cast<unsigned long long>(state.es.base),
      static_cast<unsigned long long>(state.es.limit), static_cast<unsigned long long>(base),
      static_cast<unsigned long long>(first_offset), loaded_keys ? ", keys loaded" : "",
      valid ? "" : ", not valid", restartable ? "" : ", not restartable");
  return text;
}

Run::Run(const RandomCall& random_call)
    : call(random_call),
      cpu(*random_call.model, random_call.kernels),
      arena(random_call.base, random_call.linear_mask, random_call.memory, random_call.access) {
  cpu.rng.use_noise(&noise);
  if (cpu.model().rng && cpu.model().rng_msr)
    cpu.rng.write_msr(static_cast<uint32_t>(call.rng_msr));
  if (call.loaded_keys && cpu.unit_exists(Unit::ace)) load(*call.loaded_keys);
  cpu.state = call.state;
  if (call.loaded_keys && cpu.unit_exists(Unit::ace)) cpu.state.rflags |= kEflagsKeyLoaded;
}

// By an instruction of its own: the key RAM cannot be reached otherwise.
void Run::load(const LoadedKeys& keys) {
  constexpr size_t kKeyAt = 16, kDataAt = kKeyAt + kMemoryKeyLen, kDataLen = 8 * kAesBlockLen;
  Bytes bytes = keys.control_word;
  bytes.insert(bytes.end(), keys.key.begin(), keys.key.end());
  bytes.resize(kDataAt + kDataLen);
  bytes.resize(Arena::kLen);
  const Bytes access(Arena::kLen, kCanRead | kCanWrite);
  Arena memory(0, kMask32, bytes, access);
  cpu.enter_user_mode(CodeSize::bits32);
  cpu.state.rdx = 0;
  cpu.state.rbx = kKeyAt;
  cpu.state.rsi = cpu.state.rdi = kDataAt;
  cpu.state.rcx = 1;
  const uint8_t code[] = {0xF3, 0x0F, 0xA7, 0xC8};
  Trap unused;
  if (cpu.step(decode(code, sizeof code, CodeSize::bits32), memory, &unused) != Outcome::done)
    std::abort();
}

Outcome Run::issue(Interrupts* interrupts) {
  trap = {};
  const Outcome outcome = cpu.step(call.decoded, arena, &trap, interrupts);
  arena.restarted = true;
  return outcome;
}

}  // namespace incore::padlock::test
