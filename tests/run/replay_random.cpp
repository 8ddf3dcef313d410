#include "run/replay_random.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "padlock/control_word.h"
#include "padlock/insn.h"

namespace incore::test {
namespace {

using padlock::Insn;
using padlock::Kind;

constexpr uint64_t kMask32 = 0xFFFFFFFF;
constexpr unsigned kBlockLen = 16;

class Maker {
 public:
  Maker(Replay& replay, Choices& choices)
      : replay_(replay), choices_(choices), is_64_(replay.setting().bits == 64) {}

  void add_site();
  void add_record();

 private:
  struct Site {
    uint32_t number;
    const Insn* insn;
    bool address_prefix;
  };

  bool chance(unsigned one_in) { return choices_.chance(one_in); }
  uint64_t below(uint64_t limit) { return choices_.below(limit); }

  Bytes prefixes(const Insn& insn, bool address_prefix);
  Bytes behind(size_t room);
  void choose_es(const Site& site, replay_record* r);
  void choose_pages(replay_record* r);
  void choose_registers(const Insn& insn);
  uint64_t address();
  uint64_t wild_address();
  uint64_t count(uint64_t limit);
  // What a register holds to mean |value|: what the address size leaves alone is noise.
  uint64_t reg(uint64_t value) { return (value & mask_) | (choices_.next() & width_ & ~mask_); }
  uint64_t reg32(uint64_t value) {
    return (value & kMask32) | (choices_.next() & width_ & ~kMask32);
  }
  uint64_t& at(replay_register name) { return record_->registers[name]; }
  void point(replay_register name, uint64_t address) { at(name) = reg(address - es_base_); }
  void poke(uint64_t address, const Bytes& bytes);

  void xcrypt(const Insn& insn);
  void sm4();
  void hash(const Insn& insn);
  void montmul();
  void xstore();

  Replay& replay_;
  Choices& choices_;
  const bool is_64_;
  Bytes last_control_;  // of REP XCRYPT
  uint64_t last_control_at_ = 0, last_key_at_ = 0;
  std::vector<Site> sites_;

  // Of the record being made.
  replay_record* record_ = nullptr;
  unsigned num_pokes_ = 0;
  uint64_t width_ = 0, mask_ = 0;  // of registers, of addresses
  uint64_t es_base_ = 0;
};

// ---- sites ----

Bytes Maker::prefixes(const Insn& insn, bool address_prefix) {
  static const Bytes kOverrides = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65};
  Bytes bytes;
  if (insn.rep != chance(32)) bytes.push_back(0xF3);
  if (address_prefix) bytes.push_back(0x67);
  if (chance(insn.kind == Kind::random || insn.kind == Kind::montmul ? 3 : 16))
    bytes.push_back(0x66);
  if (chance(24)) bytes.push_back(0xF2);
  if (chance(40)) bytes.push_back(0xF0);
  while (chance(4)) bytes.push_back(choices_.pick(kOverrides));
  if (chance(60)) bytes.insert(bytes.end(), 12 + below(4), 0x2E);
  for (size_t i = bytes.size(); i > 1; --i) std::swap(bytes[i - 1], bytes[below(i)]);
  if (is_64_ && chance(4)) bytes.push_back(static_cast<uint8_t>(0x40 + below(16)));
  if (bytes.size() > 15) bytes.resize(15);
  return bytes;
}

// Their first bytes say where a patch puts its trampoline.
Bytes Maker::behind(size_t room) {
  static const std::vector<Bytes> kNops = {
      {0x90},       {0x66, 0x90}, {0x0F, 0x1F, 0x00}, {0xEB, 0x00}, {0x2E, 0x90},
      {0x3E, 0x90}, {0x26, 0x90}, {0x64, 0x90},       {0xD9, 0xD0}, {0x0F, 0x1F, 0x40, 0x00}};
  Bytes bytes;
  while (!chance(3)) {
    const Bytes& nop = choices_.pick(kNops);
    if (bytes.size() + nop.size() > room) break;
    bytes.insert(bytes.end(), nop.begin(), nop.end());
  }
  return bytes;
}

void Maker::add_site() {
  size_t num_insns;
  const Insn* const* const all = padlock::insns(&num_insns);
  const padlock::Processor processor(replay_.model(), padlock::HostKernels::portable());
  size_t index = below(num_insns);
  while (!processor.unit_exists(all[index]->unit) && !chance(16)) index = below(num_insns);
  const Insn& insn = *all[index];
  const bool address_prefix = is_64_ && insn.kind == Kind::montmul ? !chance(12) : chance(3);
  Bytes bytes = prefixes(insn, address_prefix);
  bytes.insert(bytes.end(), insn.opcode, insn.opcode + sizeof insn.opcode);
  if (chance(4)) bytes.back() = static_cast<uint8_t>(bytes.back() + below(8));
  if (chance(60)) bytes.back() = static_cast<uint8_t>(choices_.next());
  const uint32_t number = replay_.add_site(bytes, behind(kReplayBytesLen - bytes.size()));
  sites_.push_back({number, &insn, address_prefix});
}

// ---- what all instructions share ----

// Where no page of the guest is.
uint64_t Maker::wild_address() {
  switch (below(is_64_ ? 4 : 2)) {
    case 0:
      return below(0x10000);
    case 1:
      return 0xFFFFF000 + below(0x1000);
    case 2:
      return 0xFFFF800000000000 + below(uint64_t{1} << 46);
    default:
      return 0x800000000000 - below(64) + (chance(2) ? below(uint64_t{1} << 60) : 0);
  }
}

uint64_t Maker::address() {
  if (chance(64)) return wild_address();
  uint64_t at = below(kReplayArenaLen);
  if (chance(6)) at = below(kReplayPages + 1) * kReplayPageLen - 64 + below(8) * kBlockLen;
  if (!chance(32)) at &= ~uint64_t{kBlockLen - 1};
  return replay_.arena_at() + at;
}

uint64_t Maker::count(uint64_t limit) {
  if (chance(64) && mask_ > 0xFFFF) return choices_.next() >> below(64);
  return chance(6) ? below(limit * 16) : below(limit);
}

void Maker::poke(uint64_t address, const Bytes& bytes) {
  const uint64_t at = address - replay_.arena_at();
  if (num_pokes_ == kReplayPokes || at >= kReplayArenaLen || at + bytes.size() > kReplayArenaLen)
    return;
  replay_poke& poke = record_->pokes[num_pokes_++];
  poke.at = static_cast<uint16_t>(at);
  poke.len = static_cast<uint8_t>(bytes.size());
  std::memcpy(poke.bytes, bytes.data(), bytes.size());
}

void Maker::choose_pages(replay_record* r) {
  if (chance(2)) return;
  for (uint64_t i = 1 + below(3); i > 0; --i)
    r->pages[below(kReplayPages)] = static_cast<uint8_t>(1 + below(kNumReplayPageKinds - 1));
}

void Maker::choose_es(const Site& site, replay_record* r) {
  es_base_ = 0;
  const bool short_addresses = !is_64_ && site.address_prefix;
  if (chance(2) && !(short_addresses && !chance(4))) return;
  replay_es& es = r->es;
  es.kind = chance(2) ? kSegmentLocal : kSegmentThread;
  if (is_64_) es.kind = chance(2) ? kSegmentLocal : kSegmentNull;  // which mean nothing there
  if (chance(24)) es.kind = chance(2) ? kSegmentNull : kSegmentKernelCode;
  const uint64_t before_arena = short_addresses ? below(64) : below(0x20000);
  es.base = static_cast<uint32_t>(replay_.arena_at() - before_arena);
  if (chance(4) && !short_addresses) es.base = static_cast<uint32_t>(choices_.next());
  es.is_32_bit = 1;
  es.in_pages = 1;
  es.limit = 0xFFFFF;
  const uint64_t end = before_arena + below(kReplayArenaLen);
  if (chance(3)) {
    es.in_pages = chance(2);
    es.limit = static_cast<uint32_t>(es.in_pages != 0 ? end >> 12 : end) & 0xFFFFF;
  }
  es.read_only = chance(16);
  if (chance(6)) {
    es.contents = 1;  // expands down: what is below is forbidden
    if (chance(2))
      es.limit = es.in_pages != 0 ? 0 : static_cast<uint32_t>(before_arena + below(64));
  } else if (chance(16)) {
    es.contents = 2;  // code, which must be readable
    es.read_only = 0;
  }
  if (es.kind == kSegmentThread && es.contents == 2) es.contents = 0;  // which Linux refuses
  if (es.kind == kSegmentLocal && chance(8)) es.is_32_bit = 0;
  const bool has_base = es.kind == kSegmentLocal || es.kind == kSegmentThread;
  if (!is_64_ && has_base) es_base_ = es.base;
}

void Maker::add_record() {
  const Site& site = choices_.pick(sites_);
  record_ = &replay_.add_record(site.number);
  num_pokes_ = 0;
  width_ = is_64_ ? ~uint64_t{0} : kMask32;
  mask_ = site.address_prefix ? width_ >> (is_64_ ? 32 : 16) : width_;
  const unsigned num_registers = is_64_ ? 16 : 8;
  for (unsigned i = 0; i < num_registers; ++i) record_->registers[i] = choices_.next() & width_;
  at(kRsp) = chance(8) ? below(kReplayStackLen) : 16 * below(kReplayStackLen / 16);
  record_->flags |= choices_.next() & 0x8D5;                       // the arithmetic flags
  record_->flags |= choices_.next() & choices_.next() & 0x244400;  // DF, NT, AC, ID
  record_->other_ds = !is_64_ && chance(16);
  record_->mends = chance(3);
  choose_es(site, record_);
  choose_pages(record_);
  choose_registers(*site.insn);
}

void Maker::choose_registers(const Insn& insn) {
  switch (insn.kind) {
    case Kind::xcrypt:
      return xcrypt(insn);
    case Kind::ccs_encrypt:
      return sm4();
    case Kind::hash:
      return hash(insn);
    case Kind::montmul:
      return montmul();
    case Kind::random:
      return xstore();
  }
}

// ---- each kind ----

void Maker::xcrypt(const Insn& insn) {
  using namespace padlock;
  static const std::vector<uint32_t> kRounds = {10, 12, 14};
  uint32_t word = chance(4) ? static_cast<uint32_t>(below(16)) : choices_.pick(kRounds);
  word |= static_cast<uint32_t>(choices_.next()) & (kCwKeygn | kCwCrypt);
  const bool align = chance(3);
  if (align) word |= kCwAlign;
  if (chance(6)) word |= kCwDgest;
  if (chance(6)) word |= kCwInter;
  if (chance(6)) word |= static_cast<uint32_t>(choices_.next()) & ~kCwRoundMask;
  Bytes control = choices_.bytes(kControlWordLen);
  store_le32(control.data(), word);
  uint64_t control_at = address(), key_at = address();
  if (chance(2) && !last_control_.empty()) {  // the key that a processor of the pool may still hold
    control = last_control_;
    control_at = last_control_at_;
    key_at = last_key_at_;
  }
  last_control_ = control;
  last_control_at_ = control_at;
  last_key_at_ = key_at;

  const uint64_t source = address() + (align ? below(kBlockLen) : 0);
  uint64_t destination = address() + (align ? below(kBlockLen) : 0);
  const uint64_t vector_at = address();
  if (chance(5)) destination = source;
  if (chance(10)) destination = source + kBlockLen * below(5) - 2 * kBlockLen;
  if (chance(10)) {  // over another operand, or a little before it
    const uint64_t others[] = {control_at, key_at, vector_at};
    destination = choices_.pick(others) - kBlockLen * below(4);
  }
  point(kRax, vector_at);
  point(kRbx, key_at);
  at(kRcx) = reg(chance(3) ? 1 : count(8));
  point(kRdx, control_at);
  point(kRsi, source);
  point(kRdi, destination);
  poke(control_at, control);
  if (insn.unit == Unit::ace_ctr && chance(3))  // the counter wraps soon
    poke(vector_at + 14, {0xFF, static_cast<uint8_t>(0xFF - below(4))});
}

void Maker::sm4() {
  const uint64_t mode = uint64_t{1} << (6 + below(5));
  at(kRax) = reg32(0x20 | mode | below(2) | (chance(4) ? 1u << 11 : 0));
  if (chance(24)) at(kRax) = choices_.next() & width_;
  point(kRbx, address());
  at(kRcx) = reg(count(8));
  point(kRdx, address());
  point(kRsi, address() + below(kBlockLen));
  point(kRdi, address() + below(kBlockLen));
  if (chance(4)) at(kRdi) = at(kRsi);
}

void Maker::hash(const Insn& insn) {
  const uint64_t count_mask = mask_ == 0xFFFF ? kMask32 : mask_;
  const uint64_t len = count(300);
  const uint64_t noise = choices_.next() & width_ & ~count_mask;
  at(kRax) = noise | (chance(4) ? 64 * below(100) : 0);
  at(kRcx) = noise | (((at(kRax) & count_mask) + len) & count_mask);
  if (insn.unit == padlock::Unit::phe2 || chance(3)) {  // whole blocks
    at(kRcx) = noise | (len / 64 & count_mask);
    if (insn.unit != padlock::Unit::phe2) at(kRax) = noise | count_mask;
  }
  if (chance(24)) at(kRax) = choices_.next() & width_;
  if (insn.unit == padlock::Unit::ccs && !chance(24)) at(kRbx) = reg32(0x20);
  point(kRsi, address() + below(64));
  point(kRdi, address());
  if (chance(16)) at(kRsi) = at(kRdi) + below(64) - 32;
  at(kRsi) &= width_;
  // Where offsets wrap at 64 KiB no fault ends what is too long.
  if (mask_ == 0xFFFF && at(kRcx) - at(kRax) > 0x10000 && at(kRcx) > 0x1000) at(kRcx) &= 0xFFF;
}

void Maker::montmul() {
  uint64_t bits = 256 + 128 * (chance(40) ? below(255) : below(5));
  if (chance(12)) bits = chance(2) ? choices_.next() : below(512);
  at(kRax) = reg32(chance(8) ? below(20) : 0);
  at(kRcx) = reg32(bits);
  const uint64_t context_at = address() + below(kBlockLen);
  Bytes context(24);
  store_le32(context.data(), static_cast<uint32_t>(choices_.next()));
  for (size_t i = 4; i < context.size(); i += 4)
    store_le32(&context[i], static_cast<uint32_t>(address() - es_base_));
  point(kRsi, context_at);
  poke(context_at, context);
}

void Maker::xstore() {
  point(kRdi, address() + (chance(2) ? below(kBlockLen) : 0));
  at(kRcx) = reg(chance(8) ? below(300) : below(40));  // noise takes long to make
}

}  // namespace

void add_random_records(Replay& replay, Choices& choices, size_t num_sites, size_t num_records) {
  Maker maker(replay, choices);
  for (size_t i = 0; i < num_sites; ++i) maker.add_site();
  for (size_t i = 0; i < num_records; ++i) maker.add_record();
}

}  // namespace incore::test
