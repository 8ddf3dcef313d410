// What the guide's clauses say of states that user mode can reach, under `incore run`: each row is
// a state and the exception that must come of it; what else becomes of it is compared with the
// processor, of which tests/padlock/ tests the same clauses. Each row runs several times, after one
// that completes, so that sites are patched in between.
#include <map>
#include <set>

#include "base/bytes.h"
#include "padlock/control_word.h"
#include "padlock/insn.h"
#include "run/incore_run.h"
#include "run/replay.h"

namespace incore::test {
namespace {

using padlock::Vector;
using namespace padlock;  // the fields of the control word

constexpr Vector kDone = Vector::none, kUd = Vector::invalid_opcode;
constexpr Vector kGp = Vector::general_protection, kPf = Vector::page_fault;
constexpr Vector kAc = Vector::alignment_check;

// Where the operands lie, as positions in the arena: each at the beginning of a page.
constexpr uint64_t kVector = 0x1000, kKey = 0x2000, kControl = 0x3000, kSource = 0x4000;
constexpr uint64_t kDestination = 0x6000;
constexpr uint64_t kNumberA = 0x8000, kNumberB = 0x9000, kNumberM = 0xA000, kScratch = 0xB000;
constexpr uint64_t kEnd = kReplayArenaLen;

// A record, in the terms of the rows. It begins with sensible operands for each instruction.
class State {
 public:
  State(replay_record& record, const Replay& replay) : r(record), replay_(replay) {
    reg(kRax) = at(kVector), reg(kRbx) = at(kKey), reg(kRcx) = 5, reg(kRdx) = at(kControl);
    reg(kRsi) = at(kSource), reg(kRdi) = at(kDestination);
  }

  replay_record& r;

  uint64_t& reg(replay_register name) { return r.registers[name]; }
  uint64_t at(uint64_t position) const { return replay_.arena_at() + position; }
  bool is_64() const { return replay_.setting().bits == 64; }
  void page(uint64_t position, replay_page kind) {
    r.pages[position / kReplayPageLen] = static_cast<uint8_t>(kind);
  }
  void poke(uint64_t position, const Bytes& bytes) {
    replay_poke& poke = r.pokes[num_pokes_++];
    poke.at = static_cast<uint16_t>(position);
    poke.len = static_cast<uint8_t>(bytes.size());
    std::memcpy(poke.bytes, bytes.data(), bytes.size());
  }
  void control(uint32_t bits) {
    Bytes bytes(kControlWordLen);
    store_le32(bytes.data(), bits);
    poke(kControl, bytes);
  }
  void hash(uint64_t done, uint64_t total) { reg(kRax) = done, reg(kRcx) = total; }
  // Numbers of |bits| bits; A, B, T, M and scratch space where the pointers say.
  void product(uint64_t bits, std::vector<uint64_t> pointers = {kNumberA, kNumberB, kDestination,
                                                                kNumberM, kScratch}) {
    Bytes context(24);
    store_le32(context.data(), 0x12345677);
    for (size_t i = 0; i < 5; ++i)
      store_le32(&context[4 + 4 * i], static_cast<uint32_t>(at(pointers[i])));
    poke(kSource + 1, context);
    reg(kRsi) = at(kSource + 1), reg(kRax) = 0, reg(kRcx) = bits;
  }
  // Moves all operands into a segment that begins |distance| before the arena.
  void segment(uint64_t distance, uint64_t limit) {
    r.es.kind = kSegmentLocal;
    r.es.is_32_bit = 1;
    r.es.base = static_cast<uint32_t>(at(0) - distance);
    r.es.limit = static_cast<uint32_t>(limit);
    for (const replay_register name : {kRax, kRbx, kRdx, kRsi, kRdi})
      reg(name) = (reg(name) - r.es.base) & 0xFFFFFFFF;
  }

 private:
  const Replay& replay_;
  unsigned num_pokes_ = 0;
};

enum class Bits : uint8_t { both, only_32, only_64 };

struct Row {
  const char* what;
  Bytes code;
  Vector wanted;
  void (*change)(State& s);
  const char* model = "nano";
  Bits bits = Bits::both;
};
using Rows = std::vector<Row>;

const Bytes kEcb = {0xF3, 0x0F, 0xA7, 0xC8}, kCbc = {0xF3, 0x0F, 0xA7, 0xD0};
const Bytes kCtr = {0xF3, 0x0F, 0xA7, 0xD8}, kCfb = {0xF3, 0x0F, 0xA7, 0xE0};
const Bytes kOfb = {0xF3, 0x0F, 0xA7, 0xE8};
const Bytes kXsha1 = {0xF3, 0x0F, 0xA6, 0xC8}, kXsha256 = {0xF3, 0x0F, 0xA6, 0xD0};
const Bytes kXsha384 = {0xF3, 0x0F, 0xA6, 0xD8}, kXsha512 = {0xF3, 0x0F, 0xA6, 0xE0};
const Bytes kCcsHash = {0xF3, 0x0F, 0xA6, 0xE8}, kCcsEncrypt = {0xF3, 0x0F, 0xA7, 0xF0};
const Bytes kXstore = {0x0F, 0xA7, 0xC0}, kRepXstore = {0xF3, 0x0F, 0xA7, 0xC0};
const Bytes kMontmul = {0xF3, 0x67, 0x0F, 0xA6, 0xC0};  // of 64-bit code

Bytes with(const Bytes& prefixes, Bytes code) {
  code.insert(code.begin(), prefixes.begin(), prefixes.end());
  return code;
}

void encrypt(State& s) {
  s.control(10);
}
void decrypt(State& s) {
  s.control(10 | kCwCrypt);
}

void sm3(State& s) {
  s.hash(0, 150), s.reg(kRbx) = 0x20;
}
void sm4_cbc(State& s) {
  s.reg(kRax) = 0x20 | 1u << 7, s.reg(kRsi) += 5;
}

// A state in which an instruction completes, if the processor has it.
void make_sensible(State& s, const Insn& insn) {
  switch (insn.kind) {
    case Kind::xcrypt:
      return encrypt(s);
    case Kind::ccs_encrypt:
      return sm4_cbc(s);
    case Kind::hash:
      return sm3(s);
    case Kind::montmul:
      return s.product(256);
    case Kind::random:
      s.reg(kRdx) = 0;
  }
}

// All rows of one model and width by one path. In 32-bit code the address-size prefix, which makes
// addresses of 16 bits, is left away from MONTMUL.
void replay_rows(const Rows& rows, const Replay::Setting& setting) {
  constexpr unsigned kTimes = 3;
  Replay replay(setting, 1);
  std::vector<const Row*> row_of_record;
  for (const Row& row : rows) {
    if (row.model != setting.model) continue;
    if (row.bits == (setting.bits == 64 ? Bits::only_32 : Bits::only_64)) continue;
    const bool bare = setting.bits == 32 && row.code == kMontmul;
    const uint32_t site = replay.add_site(bare ? Bytes{0xF3, 0x0F, 0xA6, 0xC0} : row.code,
                                          {0x0F, 0x1F, 0x00});  // what a patch can borrow
    const Bytes& code = replay.instruction(site);
    const Decoded decoded = decode(code.data(), code.size(), replay.code_size());
    if (decoded.insn != nullptr) {
      State state(replay.add_record(site), replay);
      make_sensible(state, *decoded.insn);
      row_of_record.push_back(nullptr);
    }
    for (unsigned i = 0; i < kTimes; ++i) {
      State state(replay.add_record(site), replay);
      row.change(state);
      row_of_record.push_back(&row);
    }
  }
  if (row_of_record.empty()) return;
  size_t num_seen = 0;
  replay.run([&](size_t record, const ReplayOutcome& outcome) {
    ++num_seen;
    const Row* const row = row_of_record[record];
    if (row == nullptr) return;
    EXPECT_EQ(int{static_cast<uint8_t>(outcome.trap.vector)},
              int{static_cast<uint8_t>(row->wanted)})
        << row->what;
  });
  EXPECT_EQ(num_seen, row_of_record.size());
}

void replay_everywhere(const Rows& rows) {
  std::set<std::string> models;
  for (const Row& row : rows) models.insert(row.model);
  for (const std::string& model : models)
    for (const unsigned bits : {32u, 64u})
      for (const Replay::Path path : Replay::kPaths)
        if (bits == 64 || kHaveI386Guests) replay_rows(rows, {bits, model, path});
}

TEST(run_replay_clauses, ace_modes) {
  replay_everywhere({
      // clause: PLK-ACE-001
      // clause: PLK-ACE-006
      // clause: PLK-ACE-007
      // clause: PLK-ACE-008
      // clause: PLK-ACE-009
      // clause: PLK-ACE-010
      // clause: PLK-ACE-011
      // clause: PLK-ACE-016
      // clause: PLK-ACE-033
      // clause: PLK-ACE-065
      // clause: PLK-ACE-081
      // clause: PLK-ACE-083
      // clause: PLK-ACE-094
      // clause: PLK-ACE-101
      {"ECB", kEcb, kDone, encrypt},
      // clause: PLK-ACE-066
      {"ECB decrypts", kEcb, kDone, decrypt},
      // clause: PLK-ACE-013
      {"ECB does not use EAX", kEcb, kDone, [](State& s) { encrypt(s), s.reg(kRax) = 1; }},
      // clause: PLK-ACE-002
      // clause: PLK-ACE-012
      // clause: PLK-ACE-018
      // clause: PLK-ACE-049
      // clause: PLK-ACE-057
      {"CBC", kCbc, kDone, encrypt},
      // clause: PLK-ACE-019
      // clause: PLK-ACE-051
      {"CBC decrypts", kCbc, kDone, decrypt},
      // clause: PLK-ACE-003
      // clause: PLK-ACE-014
      // clause: PLK-ACE-020
      // clause: PLK-ACE-054
      {"CTR", kCtr, kDone, encrypt},
      {"CTR decrypts", kCtr, kDone, decrypt},
      // clause: PLK-ACE-021
      // clause: PLK-ACE-022
      // clause: PLK-ACE-023
      {"the counter wraps in 16 bits", kCtr, kDone,
       [](State& s) {
         encrypt(s), s.poke(kVector + 14, {0xFF, 0xFE});
       }},
      // clause: PLK-ACE-004
      // clause: PLK-ACE-026
      // clause: PLK-ACE-050
      {"CFB", kCfb, kDone, encrypt},
      // clause: PLK-ACE-027
      // clause: PLK-ACE-052
      {"CFB decrypts", kCfb, kDone, decrypt},
      // clause: PLK-ACE-005
      // clause: PLK-ACE-028
      // clause: PLK-ACE-053
      {"OFB", kOfb, kDone, encrypt},
      // clause: PLK-ACE-030
      {"OFB decrypts", kOfb, kDone, decrypt},
      // clause: PLK-ACE-039
      {"in place", kCbc, kDone, [](State& s) { decrypt(s), s.reg(kRdi) = s.reg(kRsi); }},
      // clause: PLK-ACE-106
      {"CBC writes the next vector", kCbc, kDone, encrypt, "nano,vector-written=on"},
      {"CFB writes the next vector", kCfb, kDone, encrypt, "nano,vector-written=on"},
  });
}

TEST(run_replay_clauses, ace_control_word) {
  replay_everywhere({
      // clause: PLK-ACE-042
      // clause: PLK-ACE-087
      {"CBC-MAC", kCbc, kDone, [](State& s) { s.control(10 | kCwDgest); }},
      // clause: PLK-ACE-088
      {"CFB-MAC", kCfb, kDone, [](State& s) { s.control(10 | kCwDgest); }},
      // clause: PLK-ACE-089
      {"DGEST decrypts", kCbc, kDone, [](State& s) { s.control(10 | kCwDgest | kCwCrypt); }},
      // clause: PLK-ACE-064
      {"DGEST in ECB", kEcb, kDone, [](State& s) { s.control(10 | kCwDgest); }},
      {"DGEST in OFB", kOfb, kDone, [](State& s) { s.control(10 | kCwDgest); }},
      // clause: PLK-ACE-044
      // clause: PLK-ACE-096
      {"KEYGN=0 reads 16 bytes", kEcb, kDone,
       [](State& s) { encrypt(s), s.reg(kRbx) = s.at(kKey - 16), s.page(kKey, kPageAbsent); }},
      // clause: PLK-ACE-045
      // clause: PLK-ACE-068
      // clause: PLK-ACE-074
      {"KEYGN=1 reads 256 bytes", kEcb, kPf,
       [](State& s) {
         s.control(12 | kCwKeygn | 1u << kCwKsizeShift);
         s.reg(kRbx) = s.at(kKey - 240), s.page(kKey, kPageAbsent);
       }},
      // clause: PLK-ACE-069
      // clause: PLK-ACE-076
      // clause: PLK-ACE-071
      // clause: PLK-ACE-075
      // clause: PLK-ACE-085
      {"the same, all there", kEcb, kDone,
       [](State& s) {
         s.control(14 | kCwKeygn | 2u << kCwKsizeShift);
         s.reg(kRbx) = s.at(kKey - 256), s.page(kKey, kPageAbsent);
       }},
      // clause: PLK-ACE-082
      {"ROUND=0", kCbc, kDone, [](State& s) { s.control(0); }},
      // clause: PLK-ACE-086
      {"ROUND=0, keys of memory", kCbc, kDone, [](State& s) { s.control(kCwKeygn); }},
      // clause: PLK-ACE-100
      // clause: PLK-ACE-067
      {"one round", kOfb, kDone, [](State& s) { s.control(1); }},
      // clause: PLK-ACE-098
      // clause: PLK-ACE-099
      {"INTER", kEcb, kDone, [](State& s) { s.control(3 | kCwInter); }},
      // clause: PLK-ACE-077
      {"INTER decrypts", kCbc, kDone,
       [](State& s) { s.control(3 | kCwInter | kCwCrypt | kCwKeygn); }},
      // clause: PLK-ACE-095
      {"CIPHR=1", kEcb, kDone, [](State& s) { s.control(10 | kCwCiphr); }},
      // clause: PLK-ACE-097
      // clause: PLK-ACE-102
      {"key size 3", kEcb, kDone, [](State& s) { s.control(10 | 3u << kCwKsizeShift); }},
      // clause: PLK-ACE-103
      {"reserved bits", kEcb, kDone, [](State& s) { s.control(10 | ~kCwDefined); }},
      // clause: PLK-ACE-090
      {"DGEST on Nehemiah", kCbc, kDone, [](State& s) { s.control(10 | kCwDgest); }, "nehemiah"},
      // clause: PLK-ACE-093
      {"ALIGN on Nehemiah", kCbc, kGp, [](State& s) { s.control(10 | kCwAlign), ++s.reg(kRsi); },
       "nehemiah"},
  });
}

TEST(run_replay_clauses, ace_alignment) {
  replay_everywhere({
      // clause: PLK-ACE-034
      // clause: PLK-ACE-037
      {"source", kCbc, kGp, [](State& s) { encrypt(s), s.reg(kRsi) += 8; }},
      {"destination", kCbc, kGp, [](State& s) { encrypt(s), s.reg(kRdi) += 1; }},
      // clause: PLK-ACE-043
      // clause: PLK-ACE-070
      {"key", kCbc, kGp, [](State& s) { encrypt(s), s.reg(kRbx) += 4; }},
      // clause: PLK-ACE-048
      {"vector", kCbc, kGp, [](State& s) { encrypt(s), s.reg(kRax) += 15; }},
      // clause: PLK-ACE-078
      {"control word", kCbc, kGp, [](State& s) { encrypt(s), s.reg(kRdx) += 2; }},
      // clause: PLK-ACE-035
      // clause: PLK-ACE-080
      // clause: PLK-ACE-091
      {"ALIGN=1", kOfb, kDone,
       [](State& s) { s.control(10 | kCwAlign), s.reg(kRsi) += 3, s.reg(kRdi) += 5; }},
      // clause: PLK-ACE-058
      {"ALIGN=1, EAX moves to the scratch space", kCbc, kDone,
       [](State& s) { s.control(10 | kCwAlign), s.reg(kRdi) += 5; }},
      // clause: PLK-ACE-036
      {"ALIGN=1, aligned", kCbc, kDone, [](State& s) { s.control(10 | kCwAlign); }},
      // clause: PLK-ACE-079
      {"ALIGN=1, scratch space read-only", kCbc, kPf,
       [](State& s) {
         s.poke(kKey - 16, {10 | kCwAlign, 0, 0, 0});
         s.reg(kRdx) = s.at(kKey - 16), s.page(kKey, kPageReadOnly);
       }},
      // clause: PLK-ACE-092
      {"ALIGN=1 in ECB", kEcb, kGp, [](State& s) { s.control(10 | kCwAlign), ++s.reg(kRsi); }},
      // clause: PLK-ACE-038
      {"linear addresses count", kEcb, kDone, [](State& s) { encrypt(s), s.segment(8, 0xFFFFF); },
       "nano", Bits::only_32},
      {"not offsets", kEcb, kGp,
       [](State& s) { encrypt(s), s.segment(8, 0xFFFFF), s.reg(kRsi) -= 8; }, "nano",
       Bits::only_32},
  });
}

TEST(run_replay_clauses, ace_registers_and_prefixes) {
  replay_everywhere({
      // clause: PLK-ACE-041
      // clause: PLK-ACE-046
      // clause: PLK-ACE-015
      {"the registers at a fault", kCbc, kPf,
       [](State& s) {
         encrypt(s), s.reg(kRdi) = s.at(kDestination - 48), s.page(kDestination, kPageReadOnly);
       }},
      // clause: PLK-ACE-047
      // clause: PLK-ACE-059
      {"addresses of 32 bits", with({0x67}, kCbc), kDone,
       [](State& s) {
         encrypt(s);
         for (const replay_register r : {kRax, kRbx, kRcx, kRdx, kRsi, kRdi})
           s.reg(r) |= 0xA5A5A5A500000000;
       },
       "nano", Bits::only_64},
      {"addresses of 16 bits", with({0x67}, kCbc), kDone,
       [](State& s) {
         encrypt(s), s.segment(0, 0xFFFF);
         for (const replay_register r : {kRax, kRbx, kRcx, kRdx, kRsi, kRdi})
           s.reg(r) |= 0xA5A50000;
       },
       "nano", Bits::only_32},
      // clause: PLK-ACE-060
      {"66", with({0x66}, kEcb), kUd, encrypt},
      // clause: PLK-ACE-061
      {"REPNE beside REP", with({0xF2}, kEcb), kDone, encrypt},
      // clause: PLK-ACE-062
      // clause: PLK-ACE-063
      // clause: PLK-ACE-017
      {"ECB reads one block more", kEcb, kPf,
       [](State& s) {
         encrypt(s), s.reg(kRsi) = s.at(kSource - 80), s.page(kSource, kPageAbsent);
       }},
      {"CBC does not", kCbc, kDone,
       [](State& s) {
         encrypt(s), s.reg(kRsi) = s.at(kSource - 80), s.page(kSource, kPageAbsent);
       }},
      // clause: PLK-ACE-032
      {"CTR on Nehemiah", kCtr, kUd, encrypt, "nehemiah"},
      {"ECB on Nehemiah", kEcb, kDone, encrypt, "nehemiah"},
  });
}

TEST(run_replay_clauses, the_ctr_erratum) {
  replay_everywhere({
      // clause: PLK-ERR-001
      // clause: PLK-ERR-002
      {"even", kCtr, kDone, [](State& s) { encrypt(s), s.reg(kRcx) = 6; }, "esther"},
      // clause: PLK-ERR-004
      {"odd", kCtr, kDone, [](State& s) { encrypt(s), s.reg(kRcx) = 7; }, "esther"},
      // clause: PLK-ERR-010
      {"one", kCtr, kDone, [](State& s) { encrypt(s), s.reg(kRcx) = 1; }, "esther"},
      // clause: PLK-ERR-016
      {"a fault after two", kCtr, kPf,
       [](State& s) {
         encrypt(s), s.reg(kRdi) = s.at(kDestination - 32), s.page(kDestination, kPageAbsent);
       },
       "esther"},
      // clause: PLK-ERR-008
      {"which goes on", kCtr, kDone,
       [](State& s) {
         encrypt(s), s.reg(kRdi) = s.at(kDestination - 32), s.page(kDestination, kPageAbsent);
         s.r.mends = 1;
       },
       "esther"},
      // clause: PLK-ERR-018
      {"with ALIGN", kCtr, kDone,
       [](State& s) { s.control(10 | kCwAlign), s.reg(kRcx) = 4, ++s.reg(kRsi); }, "esther"},
  });
}

TEST(run_replay_clauses, exceptions) {
  replay_everywhere({
      // clause: PLK-EXC-003
      // clause: PLK-EXC-005
      // clause: PLK-EXC-006
      {"a source block", kOfb, kPf,
       [](State& s) {
         encrypt(s), s.reg(kRsi) = s.at(kSource - 32), s.page(kSource, kPageNoAccess);
       }},
      // Issued again, it would load a pair whose second block is not there.
      {"the second store of a pair", kEcb, kPf,
       [](State& s) {
         encrypt(s), s.reg(kRcx) = 4;
         s.reg(kRsi) = s.at(kSource - 64), s.page(kSource, kPageAbsent);
         s.reg(kRdi) = s.at(kDestination - 48), s.page(kDestination, kPageReadOnly);
       }},
      {"with AC and a misaligned stack", kOfb, kPf,
       [](State& s) {
         encrypt(s), s.reg(kRsp) = 1, s.r.flags |= 0x40000, s.page(kSource, kPageAbsent);
       }},
      {"beyond the end of a file", kOfb, kPf,
       [](State& s) {
         encrypt(s), s.reg(kRsi) = s.at(kSource - 32), s.page(kSource, kPageBeyondFile);
       }},
      // clause: PLK-EXC-004
      {"goes on when the page is there", kOfb, kDone,
       [](State& s) {
         encrypt(s), s.r.mends = 1;
         s.reg(kRsi) = s.at(kSource - 32), s.page(kSource, kPageAbsent);
       }},
      {"a hash goes on", kXsha1, kDone,
       [](State& s) {
         s.hash(0, 300), s.r.mends = 1;
         s.reg(kRsi) = s.at(kSource - 100), s.page(kSource, kPageBeyondFile);
       }},
      {"REP XSTORE goes on", kRepXstore, kDone,
       [](State& s) {
         s.reg(kRdx) = 2, s.reg(kRcx) = 40, s.r.mends = 1;
         s.reg(kRdi) = s.at(kDestination - 10), s.page(kDestination, kPageReadOnly);
       }},
      // clause: PLK-EXC-007
      // clause: PLK-EXC-008
      {"T read-only", kMontmul, kPf,
       [](State& s) { s.product(256), s.page(kDestination, kPageReadOnly); }},
      {"scratch space absent", kMontmul, kPf,
       [](State& s) { s.product(256), s.page(kScratch, kPageAbsent); }},
      {"M absent", kMontmul, kPf, [](State& s) { s.product(256), s.page(kNumberM, kPageAbsent); }},
      // clause: PLK-EXC-009
      // clause: PLK-EXC-020
      {"ECB of no blocks loads two", kEcb, kPf,
       [](State& s) {
         encrypt(s), s.reg(kRcx) = 0;
         s.reg(kRsi) = s.at(kSource - 16), s.page(kSource, kPageAbsent);
       }},
      // clause: PLK-EXC-010
      {"CBC of no blocks loads one", kCbc, kPf,
       [](State& s) { encrypt(s), s.reg(kRcx) = 0, s.page(kSource, kPageAbsent); }},
      // clause: PLK-EXC-011
      // clause: PLK-EXC-012
      {"CBC of no blocks", kCbc, kDone,
       [](State& s) {
         encrypt(s), s.reg(kRcx) = 0;
         s.page(kDestination, kPageAbsent);
       }},
      // clause: PLK-EXC-013
      {"#UD before #GP", with({0x66}, kEcb), kUd, [](State& s) { encrypt(s), ++s.reg(kRbx); }},
      {"#GP before #PF", kEcb, kGp,
       [](State& s) { encrypt(s), ++s.reg(kRdi), s.page(kSource, kPageAbsent); }},
      {"no ACE", kEcb, kUd, encrypt, "c5xl"},
      {"no PHE", kXsha1, kUd, [](State& s) { s.hash(0, 3); }, "nehemiah"},
      {"no PMM", kMontmul, kUd, [](State& s) { s.product(256); }, "nehemiah"},
      {"no PHE2", kXsha512, kUd, [](State& s) { s.hash(0, 1); }, "esther9"},
      // clause: PLK-EXC-014
      // clause: PLK-EXC-015
      {"XCRYPT without REP", {0x0F, 0xA7, 0xC8}, kUd, encrypt},
      {"XSHA without REP", {0x0F, 0xA6, 0xC8}, kUd, [](State& s) { s.hash(0, 3); }},
      {"MONTMUL without REP", {0x67, 0x0F, 0xA6, 0xC0}, kUd, [](State& s) { s.product(256); }},
      {"LOCK", with({0xF0}, kEcb), kUd, encrypt},
      // clause: PLK-EXC-016
      {"DF in CBC", kCbc, kDone, [](State& s) { encrypt(s), s.r.flags |= 0x400; }},
      {"DF in XSHA", kXsha256, kDone, [](State& s) { s.hash(0, 200), s.r.flags |= 0x400; }},
      {"DF in MONTMUL", kMontmul, kDone, [](State& s) { s.product(384), s.r.flags |= 0x400; }},
      {"the arithmetic flags", kCfb, kDone, [](State& s) { encrypt(s), s.r.flags |= 0x8D5; }},
      {"all other flags", kCfb, kDone, [](State& s) { encrypt(s), s.r.flags |= 0x244CD5; }},
      // clause: PLK-EXC-017
      {"FS in place of ES", with({0x64}, kCbc), kDone, encrypt},
      {"CS in place of ES", with({0x2E}, kXsha1), kDone, [](State& s) { s.hash(0, 77); }},
      // clause: PLK-EXC-022
      {"15 bytes", with(Bytes(11, 0x2E), kEcb), kDone, encrypt},
      {"16 bytes", with(Bytes(12, 0x2E), kEcb), kGp, encrypt},
      {"16 bytes with a wrong prefix", with(Bytes(12, 0xF0), kEcb), kGp, encrypt},
      {"not canonical", kEcb, kGp, [](State& s) { encrypt(s), s.reg(kRsi) = 0x7FFFFFFFFFF0; },
       "nano", Bits::only_64},
      {"of the kernel", kEcb, kPf, [](State& s) { encrypt(s), s.reg(kRdi) = 0xFFFF800000000000; },
       "nano", Bits::only_64},
  });
}

TEST(run_replay_clauses, segments) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  const Bits only = Bits::only_32;
  replay_everywhere({
      // clause: PLK-EXC-018
      {"the limit, two blocks done", kCbc, kGp,
       [](State& s) { encrypt(s), s.segment(0x100, 0x100 + kDestination + 32 + 14); }, "nano",
       only},
      {"the limit, all done", kCbc, kDone,
       [](State& s) { encrypt(s), s.segment(0x100, 0x100 + kDestination + 79); }, "nano", only},
      {"the limit of a message", kXsha1, kGp,
       [](State& s) { s.reg(kRdi) = s.at(kVector), s.segment(0, kSource + 150), s.hash(0, 200); },
       "nano", only},
      {"the limit in pages", kOfb, kGp,
       [](State& s) {
         encrypt(s), s.reg(kRdi) -= 32, s.segment(0, (kDestination >> 12) - 1), s.r.es.in_pages = 1;
       },
       "nano", only},
      {"read-only", kEcb, kGp,
       [](State& s) { encrypt(s), s.segment(0x40, 0xFFFFF), s.r.es.read_only = 1; }, "nano", only},
      {"expands down, below", kEcb, kGp,
       [](State& s) { encrypt(s), s.segment(0x40, kKey + 0x40), s.r.es.contents = 1; }, "nano",
       only},
      {"expands down, above", kEcb, kDone,
       [](State& s) { encrypt(s), s.segment(0x40, kKey + 0x3F), s.r.es.contents = 1; }, "nano",
       only},
      {"expands down, 16 bits", kEcb, kGp,
       [](State& s) {
         encrypt(s), s.segment(0x10000, 0), s.r.es.contents = 1, s.r.es.is_32_bit = 0;
       },
       "nano", only},
      {"of the thread", kEcb, kDone,
       [](State& s) { encrypt(s), s.segment(0x40, 0xFFFFF), s.r.es.kind = kSegmentThread; }, "nano",
       only},
      {"code", kEcb, kGp,
       [](State& s) { encrypt(s), s.segment(0x40, 0xFFFFF), s.r.es.contents = 2; }, "nano", only},
      {"null", kEcb, kGp, [](State& s) { encrypt(s), s.r.es.kind = kSegmentNull; }, "nano", only},
      {"DS does not count", kEcb, kDone, [](State& s) { encrypt(s), s.r.other_ds = 1; }, "nano",
       only},
      {"a base that wraps", kEcb, kDone,
       [](State& s) { encrypt(s), s.segment(s.at(0) + 0x10000, 0xFFFFF), s.r.es.in_pages = 1; },
       "nano", only},
      // clause: PLK-EXC-021
      {"the next block wraps at 64 KiB", with({0x67}, kOfb), kDone,
       [](State& s) { encrypt(s), s.reg(kRdi) = s.at(kEnd - 32), s.segment(0, 0xFFFF); }, "nano",
       only},
      {"one operand does not", with({0x67}, kXsha1), kGp,
       [](State& s) { s.reg(kRsi) = s.at(kEnd - 100), s.segment(0, 0xFFFF), s.hash(0, 300); },
       "nano", only},
      // clause: PLK-RNG-027
      {"each store of XSTORE has four bytes", kXstore, kGp,
       [](State& s) { s.segment(0, kDestination + 2), s.reg(kRdx) = 3; }, "nano", only},
      {"which the limit allows", kXstore, kDone,
       [](State& s) { s.segment(0, kDestination + 3), s.reg(kRdx) = 3; }, "nano", only},
      // clause: PLK-PMM-022
      {"the context and its pointers are offsets", kMontmul, kGp,
       [](State& s) { s.product(256), s.segment(0, 0xFFFF); }, "nano", only},
  });
}

TEST(run_replay_clauses, rng) {
  replay_everywhere({
      // clause: PLK-RNG-001
      // clause: PLK-RNG-003
      // clause: PLK-RNG-005
      // clause: PLK-RNG-006
      // clause: PLK-RNG-010
      // clause: PLK-RNG-009
      {"XSTORE, 8 bytes", kXstore, kDone, [](State& s) { s.reg(kRdx) = 0; }},
      // clause: PLK-RNG-007
      // clause: PLK-RNG-011
      {"4 bytes", kXstore, kDone, [](State& s) { s.reg(kRdx) = 0xFFFFFFFD; }},
      // clause: PLK-RNG-012
      // clause: PLK-RNG-014
      {"2 bytes", kXstore, kDone, [](State& s) { s.reg(kRdx) = 2; }},
      // clause: PLK-RNG-013
      // clause: PLK-RNG-015
      {"1 byte", kXstore, kDone, [](State& s) { s.reg(kRdx) = 3; }},
      // clause: PLK-RNG-002
      // clause: PLK-RNG-016
      // clause: PLK-RNG-017
      // clause: PLK-RNG-019
      // clause: PLK-RNG-040
      // clause: PLK-RNG-032
      {"REP XSTORE", kRepXstore, kDone, [](State& s) { s.reg(kRdx) = 0, s.reg(kRcx) = 64; }},
      // clause: PLK-RNG-039
      {"the last step counts what was wanted", kRepXstore, kDone,
       [](State& s) { s.reg(kRdx) = 0, s.reg(kRcx) = 21; }},
      // clause: PLK-RNG-020
      {"two bytes a step", kRepXstore, kDone,
       [](State& s) { s.reg(kRdx) = 2, s.reg(kRcx) = 21, s.reg(kRdi) += 1; }},
      // clause: PLK-RNG-021
      {"an unaligned store with AC", kRepXstore, kAc,
       [](State& s) { s.reg(kRdx) = 2, s.reg(kRcx) = 21, s.r.flags |= 0x40000; }},
      {"an aligned one", kRepXstore, kDone,
       [](State& s) { s.reg(kRdx) = 1, s.reg(kRcx) = 21, s.r.flags |= 0x40000; }},
      {"XSTORE with AC", kXstore, kAc,
       [](State& s) { s.reg(kRdx) = 0, s.reg(kRdi) += 2, s.r.flags |= 0x40000; }},
      // clause: PLK-RNG-022
      // clause: PLK-RNG-023
      // clause: PLK-RNG-024
      {"the last step writes more", kRepXstore, kPf,
       [](State& s) {
         s.reg(kRdx) = 0, s.reg(kRcx) = 1;
         s.reg(kRdi) = s.at(kDestination - 7), s.page(kDestination, kPageReadOnly);
       }},
      {"three bytes more at quality 3", kRepXstore, kPf,
       [](State& s) {
         s.reg(kRdx) = 3, s.reg(kRcx) = 5;
         s.reg(kRdi) = s.at(kDestination - 7), s.page(kDestination, kPageAbsent);
       }},
      {"which fit", kRepXstore, kDone,
       [](State& s) {
         s.reg(kRdx) = 3, s.reg(kRcx) = 5;
         s.reg(kRdi) = s.at(kDestination - 8), s.page(kDestination, kPageAbsent);
       }},
      // clause: PLK-RNG-025
      {"DF", kRepXstore, kDone,
       [](State& s) { s.reg(kRdx) = 1, s.reg(kRcx) = 30, s.r.flags |= 0x400; }},
      // clause: PLK-RNG-004
      {"FS in place of ES", with({0x64}, kXstore), kDone, [](State& s) { s.reg(kRdx) = 0; }},
      // clause: PLK-RNG-028
      {"REPNE", with({0xF2}, kXstore), kDone, [](State& s) { s.reg(kRdx) = 0; }},
      // clause: PLK-RNG-037
      {"66", with({0x66}, kXstore), kDone, [](State& s) { s.reg(kRdx) = 0; }},
      // clause: PLK-RNG-035
      {"66 with REP", with({0x66}, kRepXstore), kDone, [](State& s) { s.reg(kRdx) = 0; }},
      // clause: PLK-RNG-038
      {"no bytes", kRepXstore, kDone, [](State& s) { s.reg(kRcx) = 0; }},
      // clause: PLK-RNG-026
      // clause: PLK-RNG-042
      {"DI and CX", with({0x67}, kRepXstore), kDone,
       [](State& s) {
         s.segment(0, 0xFFFF), s.reg(kRdx) = 0, s.reg(kRdi) |= 0xA5A50000;
         s.reg(kRcx) = 0xA5A50013;
       },
       "nano", Bits::only_32},
      {"EDI and ECX", with({0x67}, kRepXstore), kDone,
       [](State& s) {
         s.reg(kRdx) = 0, s.reg(kRdi) |= 0xA5A5A5A500000000, s.reg(kRcx) = 0xA5A5A5A500000013;
       },
       "nano", Bits::only_64},
      {"XSTORE of a C3", kXstore, kDone, [](State& s) { s.reg(kRdx) = 0; }, "c5xl"},
      {"REP XSTORE of a C7", kRepXstore, kDone, [](State& s) { s.reg(kRdx) = 1; }, "esther9"},
  });
}

TEST(run_replay_clauses, phe) {
  replay_everywhere({
      // clause: PLK-PHE-001
      // clause: PLK-PHE-005
      // clause: PLK-PHE-007
      // clause: PLK-PHE-008
      // clause: PLK-PHE-009
      // clause: PLK-PHE-013
      // clause: PLK-PHE-014
      // clause: PLK-PHE-019
      // clause: PLK-PHE-020
      // clause: PLK-PHE-003
      // clause: PLK-PHE-016
      {"XSHA1", kXsha1, kDone, [](State& s) { s.hash(0, 150); }},
      // clause: PLK-PHE-002
      // clause: PLK-PHE-023
      // clause: PLK-PHE-004
      {"XSHA256", kXsha256, kDone, [](State& s) { s.hash(0, 119); }},
      {"padding in one block", kXsha256, kDone, [](State& s) { s.hash(0, 55); }},
      {"in two", kXsha256, kDone, [](State& s) { s.hash(0, 56); }},
      // clause: PLK-PHE-006
      {"a message anywhere", kXsha1, kDone, [](State& s) { s.hash(0, 150), s.reg(kRsi) += 13; }},
      // clause: PLK-PHE-010
      {"a state that is not aligned", kXsha1, kGp,
       [](State& s) { s.hash(0, 150), s.reg(kRdi) += 4; }},
      // clause: PLK-PHE-015
      {"an empty message", kXsha256, kDone, [](State& s) { s.hash(0, 0); }},
      // clause: PLK-PHE-017
      {"EAX not 0", kXsha1, kDone, [](State& s) { s.hash(64, 100); }},
      {"EAX above ECX", kXsha1, kDone, [](State& s) { s.hash(200, 100); }},
      // clause: PLK-PHE-018
      // clause: PLK-PHE-021
      // clause: PLK-PHE-022
      {"a fault between blocks", kXsha256, kPf,
       [](State& s) {
         s.hash(0, 300), s.reg(kRsi) = s.at(kSource - 130), s.page(kSource, kPageAbsent);
       }},
      // clause: PLK-PHE-035
      {"a fault in the padding", kXsha1, kPf,
       [](State& s) {
         s.hash(0, 100), s.reg(kRsi) = s.at(kSource - 70), s.page(kSource, kPageAbsent);
       }},
      // clause: PLK-PHE-012
      {"only the digest is stored", kXsha1, kDone,
       [](State& s) {
         s.hash(0, 100), s.reg(kRdi) = s.at(kDestination - 32);
         s.page(kDestination, kPageAbsent);
       }},
      // clause: PLK-PHE-031
      // clause: PLK-PHE-032
      {"SI, DI, EAX and ECX", with({0x67}, kXsha1), kDone,
       [](State& s) {
         s.segment(0, 0xFFFF), s.hash(0x10000, 0x10050);
         s.reg(kRsi) |= 0xA5A50000, s.reg(kRdi) |= 0x5A5A0000;
       },
       "nano", Bits::only_32},
      // clause: PLK-PHE-033
      {"REPNE beside REP", with({0xF2}, kXsha1), kDone, [](State& s) { s.hash(0, 3); }},
      // clause: PLK-PHE-034
      {"66", with({0x66}, kXsha1), kUd, [](State& s) { s.hash(0, 3); }},
      // clause: PLK-PHE-036
      // clause: PLK-PHE-037
      {"whole blocks", kXsha256, kDone,
       [](State& s) { s.hash(s.is_64() ? ~uint64_t{0} : 0xFFFFFFFF, 5); }},
      // clause: PLK-PHE-038
      {"all ones of 32 bits", with({0x67}, kXsha256), kDone,
       [](State& s) { s.hash(0x12345678FFFFFFFF, 0x9ABCDEF000000005); }, "nano", Bits::only_64},
      {"all ones on a C7", kXsha1, kDone,
       [](State& s) { s.hash(s.is_64() ? ~uint64_t{0} : 0xFFFFFFFF, 5); }, "esther9"},
      // clause: PLK-PHE-039
      // clause: PLK-PHE-040
      // clause: PLK-PHE-041
      // clause: PLK-PHE-043
      // clause: PLK-PHE-044
      {"XSHA384", kXsha384, kDone, [](State& s) { s.hash(0x1234, 5); }},
      {"XSHA512", kXsha512, kDone, [](State& s) { s.hash(0x1234, 3); }},
      // clause: PLK-PHE-042
      {"XSHA512 of nothing", kXsha512, kDone, [](State& s) { s.hash(0, 0); }},
      // clause: PLK-PHE-045
      {"XSHA512, not aligned", kXsha512, kGp, [](State& s) { s.hash(0, 1), s.reg(kRdi) += 8; }},
      // clause: PLK-PHE-046
      {"XSHA512 with 66", with({0x66}, kXsha512), kUd, [](State& s) { s.hash(0, 1); }},
      {"XSHA512 with LOCK", with({0xF0}, kXsha512), kUd, [](State& s) { s.hash(0, 1); }},
      {"XSHA384 without REP", {0x0F, 0xA6, 0xD8}, kUd, [](State& s) { s.hash(0, 1); }},
      // clause: PLK-PHE-047
      {"XSHA384 with REPNE", with({0xF2}, kXsha384), kDone, [](State& s) { s.hash(0, 1); }},
  });
}

TEST(run_replay_clauses, ccs) {
  replay_everywhere({
      // clause: PLK-ZX-020
      // clause: PLK-ZX-021
      // clause: PLK-ZX-024
      {"SM3", kCcsHash, kDone, sm3, "zhaoxin"},
      // clause: PLK-ZX-022
      {"another hash", kCcsHash, kGp, [](State& s) { s.hash(0, 150); }, "zhaoxin"},
      // clause: PLK-ZX-025
      {"whole blocks", kCcsHash, kDone,
       [](State& s) {
         s.hash(s.is_64() ? ~uint64_t{0} : 0xFFFFFFFF, 3), s.reg(kRbx) = 0x20, ++s.reg(kRsi);
       },
       "zhaoxin"},
      // clause: PLK-ZX-027
      {"a state that is not aligned", kCcsHash, kGp,
       [](State& s) { s.hash(0, 3), s.reg(kRbx) = 0x20, s.reg(kRdi) += 8; }, "zhaoxin"},
      // clause: PLK-ZX-028
      {"an empty message", kCcsHash, kDone, [](State& s) { s.hash(0, 0), s.reg(kRbx) = 0x20; },
       "zhaoxin"},
      // clause: PLK-ZX-029
      {"a fault that is mended", kCcsHash, kDone,
       [](State& s) {
         s.hash(0, 300), s.reg(kRbx) = 0x20, s.r.mends = 1;
         s.reg(kRsi) = s.at(kSource - 70), s.page(kSource, kPageNoAccess);
       },
       "zhaoxin"},
      // clause: PLK-ZX-040
      // clause: PLK-ZX-043
      // clause: PLK-ZX-044
      // clause: PLK-ZX-045
      // clause: PLK-ZX-051
      {"SM4, CBC", kCcsEncrypt, kDone, sm4_cbc, "zhaoxin"},
      // clause: PLK-ZX-041
      {"decrypts CFB", kCcsEncrypt, kDone, [](State& s) { s.reg(kRax) = 0x21 | 1u << 8; },
       "zhaoxin"},
      // clause: PLK-ZX-046
      {"CTR wraps", kCcsEncrypt, kDone,
       [](State& s) {
         s.reg(kRax) = 0x20 | 1u << 10, s.poke(kControl + 14, {0xFF, 0xFE});
       },
       "zhaoxin"},
      // clause: PLK-ZX-047
      // clause: PLK-ZX-048
      {"MAC", kCcsEncrypt, kDone, [](State& s) { s.reg(kRax) = 0x20 | 1u << 7 | 1u << 11; },
       "zhaoxin"},
      // clause: PLK-ZX-049
      {"two modes", kCcsEncrypt, kGp, [](State& s) { s.reg(kRax) = 0x20 | 3u << 7; }, "zhaoxin"},
      // clause: PLK-ZX-050
      {"bits without meaning", kCcsEncrypt, kDone,
       [](State& s) { s.reg(kRax) = 0xFFFFF021 | 1u << 9; }, "zhaoxin"},
      // clause: PLK-ZX-053
      {"no blocks", kCcsEncrypt, kDone,
       [](State& s) { sm4_cbc(s), s.reg(kRcx) = 0, s.page(kKey, kPageAbsent); }, "zhaoxin"},
      // clause: PLK-ZX-054
      {"a fault after two blocks", kCcsEncrypt, kPf,
       [](State& s) {
         s.reg(kRax) = 0x20 | 1u << 7;
         s.reg(kRdi) = s.at(kDestination - 40), s.page(kDestination, kPageReadOnly);
       },
       "zhaoxin"},
      // clause: PLK-ZX-055
      {"66", with({0x66}, kCcsEncrypt), kUd, sm4_cbc, "zhaoxin"},
      {"LOCK", with({0xF0}, kCcsHash), kUd, sm3, "zhaoxin"},
      {"no REP", {0x0F, 0xA7, 0xF0}, kUd, sm4_cbc, "zhaoxin"},
      // clause: PLK-ZX-056
      {"REPNE beside REP", with({0xF2}, kCcsHash), kDone, sm3, "zhaoxin"},
      // clause: PLK-ZX-004
      {"no CCS", kCcsHash, kUd, sm3},
      // clause: PLK-ZX-005
      // clause: PLK-ZX-013
      {"XRNG2", {0xF3, 0x0F, 0xA7, 0xF8}, kUd, encrypt, "zhaoxin"},
      {"MONTMUL2", {0xF3, 0x0F, 0xA6, 0xF0}, kUd, encrypt, "zhaoxin"},
      // clause: PLK-ZX-009
      // clause: PLK-ZX-010
      {"XSHA1", kXsha1, kDone, [](State& s) { s.hash(0, 70); }, "zhaoxin"},
      // clause: PLK-ZX-011
      {"XSHA256 of nothing", kXsha256, kDone, [](State& s) { s.hash(0, 0); }, "zhaoxin"},
  });
}

TEST(run_replay_clauses, pmm) {
  replay_everywhere({
      // clause: PLK-PMM-001
      // clause: PLK-PMM-006
      // clause: PLK-PMM-014
      // clause: PLK-PMM-020
      // clause: PLK-PMM-021
      // clause: PLK-PMM-023
      // clause: PLK-PMM-024
      // clause: PLK-PMM-025
      // clause: PLK-PMM-026
      // clause: PLK-PMM-027
      // clause: PLK-PMM-041
      // clause: PLK-PMM-002
      // clause: PLK-PMM-003
      // clause: PLK-PMM-008
      {"MONTMUL", kMontmul, kDone, [](State& s) { s.product(384); }},
      {"4224 bits, more than a patched site does", kMontmul, kDone,
       [](State& s) { s.product(4224); }},
      // clause: PLK-PMM-004
      // clause: PLK-PMM-007
      {"A is not aligned", kMontmul, kGp,
       [](State& s) {
         s.product(256, {kNumberA + 8, kNumberB, kDestination, kNumberM, kScratch});
       }},
      {"T is not aligned", kMontmul, kGp,
       [](State& s) {
         s.product(256, {kNumberA, kNumberB, kDestination + 4, kNumberM, kScratch});
       }},
      // clause: PLK-PMM-005
      // clause: PLK-PMM-028
      {"scratch space is not aligned", kMontmul, kGp,
       [](State& s) {
         s.product(256, {kNumberA, kNumberB, kDestination, kNumberM, kScratch + 8});
       }},
      // clause: PLK-PMM-009
      // clause: PLK-PMM-012
      {"128 bits", kMontmul, kGp, [](State& s) { s.product(128); }},
      // clause: PLK-PMM-010
      {"32896 bits", kMontmul, kGp, [](State& s) { s.product(32896); }},
      // clause: PLK-PMM-011
      {"300 bits", kMontmul, kGp, [](State& s) { s.product(300); }},
      // clause: PLK-PMM-013
      {"no bits", kMontmul, kDone, [](State& s) { s.product(0), s.reg(kRsi) = 1; }},
      // clause: PLK-PMM-015
      {"a fault", kMontmul, kPf, [](State& s) { s.product(256), s.page(kNumberB, kPageNoAccess); }},
      // clause: PLK-PMM-017
      {"EAX not 0", kMontmul, kDone, [](State& s) { s.product(256), s.reg(kRax) = 3; }},
      // clause: PLK-PMM-043
      {"T over A", kMontmul, kDone,
       [](State& s) {
         s.product(256, {kNumberA, kNumberB, kNumberA, kNumberM, kScratch});
       }},
      // clause: PLK-PMM-032
      {"T ends in the next page", kMontmul, kPf,
       [](State& s) {
         s.product(256, {kNumberA, kNumberB, kDestination - 32, kNumberM, kScratch});
         s.page(kDestination, kPageReadOnly);
       }},
      // clause: PLK-PMM-040
      {"66", with({0x66}, kMontmul), kDone, [](State& s) { s.product(256); }, "nano",
       Bits::only_64},
      // clause: PLK-PMM-042
      {"REPNE beside REP", with({0xF2}, kMontmul), kDone, [](State& s) { s.product(256); }, "nano",
       Bits::only_64},
      // clause: PLK-PMM-046
      {"without 67",
       {0xF3, 0x0F, 0xA6, 0xC0},
       kUd,
       [](State& s) { s.product(256); },
       "nano",
       Bits::only_64},
      // clause: PLK-PMM-039
      // clause: PLK-PMM-047
      {"registers of 32 bits", kMontmul, kDone,
       [](State& s) {
         s.product(256);
         for (const replay_register r : {kRax, kRcx, kRsi}) s.reg(r) |= 0xA5A5A5A500000000;
       },
       "nano", Bits::only_64},
      // clause: PLK-PMM-038
      {"SI", with({0x67}, {0xF3, 0x0F, 0xA6, 0xC0}), kPf,
       [](State& s) { s.product(256), s.reg(kRsi) = 0xA5A50100; }, "nano", Bits::only_32},
  });
}

}  // namespace
}  // namespace incore::test
