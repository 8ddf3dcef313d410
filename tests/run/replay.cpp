#include "run/replay.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "padlock/insn.h"
#include "padlock/noise.h"
#include "run/incore_run.h"

namespace incore::test {
namespace {

using padlock::CodeSize;
using padlock::Trap;
using padlock::Vector;

constexpr uint64_t kRngSeed = 7;
constexpr uint64_t kUserEnd64 = 0x7FFFFFFFF000;  // of user space with four-level page tables
constexpr uint32_t kPresent = 1, kWrite = 2, kUser = 4;  // of a page fault's error code
constexpr uint64_t kResumeFlag = 1u << 16;

// Signals and codes of Linux (asm-generic/siginfo.h).
constexpr uint32_t kSigill = 4, kSigbus = 7, kSigsegv = 11;
constexpr uint32_t kIllOperand = 2, kBusAlignment = 1, kBusAddress = 2;
constexpr uint32_t kSegvUnmapped = 1, kSegvNoAccess = 2, kByKernel = 0x80;

// The guest's memory; every access goes byte by byte through its pages.
class ReplayMemory final : public padlock::Memory {
 public:
  // |pages|: a byte of replay_page for each.
  ReplayMemory(uint64_t base, const uint8_t* pages, Bytes* arena)
      : base_(base), pages_(pages), arena_(*arena) {}

  Trap read(uint64_t address, void* out, size_t len) override {
    if (const Trap trap = check(address, len, false)) return trap;
    std::memcpy(out, &arena_[address - base_], len);
    return {};
  }
  Trap write(uint64_t address, const void* in, size_t len) override {
    if (const Trap trap = check(address, len, true)) return trap;
    std::memcpy(&arena_[address - base_], in, len);
    return {};
  }
  Trap probe_write(uint64_t address, size_t len) override { return check(address, len, true); }

  unsigned page_kind(uint64_t address) const {
    const uint64_t at = address - base_;
    return at < kReplayArenaLen ? pages_[at / kReplayPageLen] : unsigned{kPageAbsent};
  }

 private:
  Trap check(uint64_t address, size_t len, bool write) const {
    for (uint64_t p = address; p < address + len; p = (p | (kReplayPageLen - 1)) + 1) {
      const unsigned kind = page_kind(p);
      if (kind == kPageWritable || (kind == kPageReadOnly && !write)) continue;
      // Of kernel addresses Linux tells programs no more than that.
      const bool present = kind == kPageReadOnly || p >= kUserEnd64;
      return Trap::pf(p, kUser | (write ? kWrite : 0) | (present ? kPresent : 0));
    }
    return {};
  }

  const uint64_t base_;
  const uint8_t* const pages_;
  Bytes& arena_;
};

// The signal that Linux makes of |trap| at |rip|.
void deliver(const Trap& trap, const ReplayMemory& memory, uint64_t rip, replay_result* out) {
  ++out->num_signals;
  out->rip = rip;
  out->signal_address = out->cr2 = 0;
  out->trapno = static_cast<uint32_t>(trap.vector);
  out->error_code = trap.error_code;
  out->signal = kSigsegv;
  out->code = kByKernel;
  switch (trap.vector) {
    case Vector::invalid_opcode:
      out->signal = kSigill;
      out->code = kIllOperand;
      out->signal_address = rip;
      break;
    case Vector::alignment_check:
      out->signal = kSigbus;
      out->code = kBusAlignment;
      break;
    case Vector::page_fault: {
      const unsigned kind = memory.page_kind(trap.address());
      out->signal_address = out->cr2 = trap.address();
      out->code = kind == kPageAbsent ? kSegvUnmapped : kSegvNoAccess;
      if (kind == kPageBeyondFile) {
        out->signal = kSigbus;
        out->code = kBusAddress;
      }
      break;
    }
    default:
      break;
  }
}

const char* const kRegisterNames[kNumReplayRegisters] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp",
                                                         "rsi", "rdi", "r8",  "r9",  "r10", "r11",
                                                         "r12", "r13", "r14", "r15"};

std::string text_of(const replay_result& r) {
  std::ostringstream out;
  out << std::hex;
  for (unsigned i = 0; i < kNumReplayRegisters; ++i)
    out << kRegisterNames[i] << " " << r.registers[i] << " ";
  out << "flags " << r.flags << "\n  ";
  if (r.num_signals == 0) return out.str() + "no signal";
  out << "signals " << r.num_signals << ", the last " << std::dec << r.signal << " code " << r.code
      << std::hex << " address " << r.signal_address << " rip " << r.rip << " trapno " << r.trapno
      << " error " << r.error_code << " cr2 " << r.cr2;
  return out.str();
}

bool same(replay_result a, replay_result b) {
  a.num_changes = b.num_changes = 0;
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// The first place where they differ, and eight bytes of both.
std::string difference_of(const Bytes& actual, const Bytes& expected) {
  for (size_t at = 0; at < expected.size(); at += 8)
    if (std::memcmp(&actual[at], &expected[at], 8) != 0) {
      std::ostringstream out;
      out << "at " << std::hex << at << ": " << to_hex(&actual[at], 8) << ", expected "
          << to_hex(&expected[at], 8);
      return out.str();
    }
  return "none";
}

template <class T>
void append(std::string* out, const T* values, size_t count) {
  if (count != 0) out->append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

}  // namespace

padlock::Segment segment_of(const replay_es& es) {
  if (es.kind == kSegmentFlat) return {};
  if (es.kind == kSegmentNull) return padlock::Segment::none();
  padlock::Segment segment;
  segment.limit = 0xFFFFFFFF;
  segment.writable = false;
  if (es.kind == kSegmentKernelCode) return segment;  // flat, readable

  // Intel SDM volume 3, 3.4.5 (Segment Descriptors); bits 1:0 of contents are code, and E or C.
  const bool is_code = (es.contents & 2) != 0, expands_down = es.contents == 1;
  segment.base = es.base;
  segment.limit = es.in_pages != 0 ? uint64_t{es.limit} << 12 | 0xFFF : es.limit;
  segment.writable = !is_code && es.read_only == 0;
  if (!expands_down) return segment;
  if (segment.limit == 0xFFFFFFFF) return padlock::Segment::none();
  segment.first = static_cast<uint32_t>(segment.limit) + 1;
  segment.limit = es.is_32_bit != 0 ? 0xFFFFFFFF : 0xFFFF;
  return segment;
}

const char* Replay::name_of(Path path) {
  switch (path) {
    case Path::trapped:
      return "trapped";
    case Path::patched:
      return "patched";
    case Path::checked:
      return "checked";
    case Path::traced:
      return "traced";
    case Path::stale_keys:
      break;
  }
  return "stale keys";  // which there are none of: the guest loads EFLAGS before each instruction
}

Replay::Replay(const Setting& setting, uint64_t seed) : setting_(setting) {
  char message[256];
  if (padlock::parse_model_spec(setting.model.c_str(), &spec_, message, sizeof message) != nullptr)
    throw std::invalid_argument(message);
  batch_.seed = seed;
  // Where 32-bit addresses reach; now and then where they are negative numbers, or at the end of
  // user space.
  const bool is_far = seed % 4 == 3;
  batch_.arena_at =
      is_far ? setting.bits == 64 ? kUserEnd64 - kReplayArenaLen : 0xA0000000u : 0x60000000u;
  batch_.code_at = setting.bits == 64 ? 0x100000000000 : 0x50000000;
  batch_.code_is_file = setting.path == Path::patched || setting.path == Path::traced;
  pristine_.resize(kReplayArenaLen);
  for (uint64_t i = 0; i < kReplayArenaLen / 8; ++i) {
    const uint64_t word = replay_word(seed, i);
    std::memcpy(&pristine_[i * 8], &word, 8);
  }
}

CodeSize Replay::code_size() const {
  return setting_.bits == 64 ? CodeSize::bits64 : CodeSize::bits32;
}

uint32_t Replay::add_site(const Bytes& instruction, const Bytes& behind) {
  Bytes bytes = instruction;
  bytes.insert(bytes.end(), behind.begin(), behind.end());
  if (bytes.size() > kReplayBytesLen) throw std::length_error("too many bytes for a site");
  replay_site site = {};
  site.len = static_cast<uint8_t>(bytes.size());
  std::memcpy(site.bytes, bytes.data(), bytes.size());
  sites_.push_back(site);
  instructions_.push_back(instruction);
  return static_cast<uint32_t>(sites_.size() - 1);
}

replay_record& Replay::add_record(uint32_t site) {
  replay_record record = {};
  record.site = site;
  record.flags = 0x202;
  records_.push_back(record);
  return records_.back();
}

// A page that was taken away has lost its pokes.
Bytes Replay::arena_before(const replay_record& record) const {
  Bytes arena = pristine_;
  for (const replay_poke& poke : record.pokes) std::memcpy(&arena[poke.at], poke.bytes, poke.len);
  for (size_t page = 0; page < kReplayPages; ++page) {
    const size_t at = page * kReplayPageLen;
    if (record.pages[page] == kPageAbsent || record.pages[page] == kPageBeyondFile)
      std::memcpy(&arena[at], &pristine_[at], kReplayPageLen);
  }
  return arena;
}

ReplayOutcome Replay::outcome_of(const replay_record& record) {
  padlock::Processor processor(model(), padlock::HostKernels::portable());
  processor.enter_user_mode(code_size());
  const auto fill = [](void* context, uint8_t out[padlock::Rng::kBufferLen]) {
    auto* const self = static_cast<Replay*>(context);
    make_seeded_buffer(self->model(), kRngSeed, 0, self->num_random_buffers_++, out);
  };
  processor.rng.use_bytes(fill, this);
  const replay_site& site = sites_[record.site];
  const padlock::Decoded decoded = padlock::decode(site.bytes, site.len, code_size());
  padlock::State& s = processor.state;
  s.rip = batch_.code_at + record.site * uint64_t{kReplaySiteLen};
  s.rflags = record.flags;
  s.es = segment_of(record.es);

  ReplayOutcome outcome = {};
  outcome.arena = arena_before(record);
  replay_result& result = outcome.result;
  std::memcpy(result.registers, record.registers, sizeof result.registers);
  const std::pair<uint64_t&, replay_register> operands[] = {
      {s.rax, kRax}, {s.rbx, kRbx}, {s.rcx, kRcx}, {s.rdx, kRdx}, {s.rsi, kRsi}, {s.rdi, kRdi}};
  for (const auto& [reg, number] : operands) reg = record.registers[number];
  const auto step = [&](const uint8_t* pages) {
    ReplayMemory memory(batch_.arena_at, pages, &outcome.arena);
    outcome.trap = {};
    processor.step(decoded, memory, &outcome.trap);
    if (outcome.trap) deliver(outcome.trap, memory, s.rip, &result);
  };
  step(record.pages);
  const uint8_t mended[kReplayPages] = {};
  if (outcome.trap.vector == Vector::page_fault && record.mends != 0) step(mended);
  for (const auto& [reg, number] : operands) result.registers[number] = reg;
  result.flags = record.flags | (outcome.trap ? kResumeFlag : 0);
  return outcome;
}

void Replay::run(const Look& look) {
  batch_.num_sites = static_cast<uint32_t>(sites_.size());
  batch_.num_records = static_cast<uint32_t>(records_.size());
  std::string input;
  append(&input, &batch_, 1);
  append(&input, sites_.data(), sites_.size());
  append(&input, records_.data(), records_.size());

  const TemporaryDirectory directory;
  const std::string statistics = directory.path() + "/stats";
  Arguments options = {"--cpu", setting_.model, "--rng-seed", std::to_string(kRngSeed),
                       "--stats=" + statistics};
  if (setting_.path == Path::checked) options.push_back("--check=" + directory.path() + "/check");
  if (setting_.path == Path::traced) options.push_back("--trace=" + directory.path() + "/trace");
  if (setting_.path == Path::stale_keys) options.push_back("--stale-key=emulate");
  const std::string name = batch_.seed % 2 == 0 ? "replay" : "replay_static";
  const std::string program = setting_.bits == 64 ? guest(name) : guest32(name);
  const ProcessResult ran = incore_run(options, {program}, input);

  SCOPED_TRACE("--cpu " + setting_.model + ", " + std::to_string(setting_.bits) + " bits, " +
               name_of(setting_.path));
  compare(ran.out, look);
  const bool by_check = setting_.path == Path::checked && ran.exit_code == 1;
  EXPECT_EQ(ran.exit_code, by_check ? 1 : 0) << ran.err;
  if (!::testing::Test::HasFailure()) check_counts(read_file(statistics));
}

void Replay::compare(const std::string& answer, const Look& look) {
  size_t at = 0;
  for (size_t i = 0; i < records_.size(); ++i) {
    const ReplayOutcome wanted = outcome_of(records_[i]);
    num_done_ += !wanted.trap;
    replay_result result;
    ASSERT_LE(at + sizeof result, answer.size()) << "no answer to record " << i << "\n"
                                                 << description(records_[i]);
    std::memcpy(&result, answer.data() + at, sizeof result);
    at += sizeof result;
    Bytes arena = pristine_;
    for (uint32_t j = 0; j < result.num_changes; ++j, at += sizeof(replay_change)) {
      replay_change change;
      ASSERT_LE(at + sizeof change, answer.size());
      std::memcpy(&change, answer.data() + at, sizeof change);
      ASSERT_LE(change.at, kReplayArenaLen - 8u);
      std::memcpy(&arena[change.at], &change.word, 8);
    }
    ASSERT_TRUE(same(result, wanted.result) && arena == wanted.arena)
        << "record " << i << "\n"
        << description(records_[i]) << "\nbecame\n  " << text_of(result)
        << (result.red_zone_changed != 0 ? ", red zone changed" : "")
        << (result.vectors_changed != 0 ? ", XMM registers changed" : "") << "\nexpected\n  "
        << text_of(wanted.result) << (wanted.trap ? std::string(": ") + wanted.trap.reason() : "")
        << "\nmemory differs " << difference_of(arena, wanted.arena);
    if (look) look(i, wanted);
  }
}

// All that completed was counted, and came the way that this is about.
void Replay::check_counts(const std::string& statistics) {
  uint64_t num_calls = 0, num_patched = 0;
  const nlohmann::json tree = nlohmann::json::parse(statistics);
  size_t num_insns;
  const padlock::Insn* const* const all = padlock::insns(&num_insns);
  for (size_t i = 0; i < num_insns; ++i) {
    num_calls += counter(tree, all[i]->mnemonic, "calls");
    num_patched += counter(tree, all[i]->mnemonic, "patched_calls");
  }
  EXPECT_EQ(num_calls, num_done_);
  constexpr uint64_t kMany = 500;  // of models with few units less completes
  if (batch_.code_is_file == 0) {
    EXPECT_EQ(num_patched, 0u);
  } else if (num_done_ > kMany) {
    EXPECT_GT(num_patched, num_done_ / 4);
  }
}

std::string Replay::description(const replay_record& record) const {
  std::ostringstream out;
  out << "code " << to_hex(instructions_[record.site]) << " | "
      << to_hex(&sites_[record.site].bytes[instructions_[record.site].size()],
                sites_[record.site].len - instructions_[record.site].size())
      << std::hex << " arena " << batch_.arena_at << "\n  ";
  for (unsigned i = 0; i < kNumReplayRegisters; ++i)
    out << kRegisterNames[i] << " " << record.registers[i] << " ";
  out << "flags " << record.flags << "\n  es kind " << record.es.kind << " base " << record.es.base
      << " limit " << record.es.limit << (record.es.in_pages != 0 ? " pages" : "")
      << (record.es.is_32_bit != 0 ? "" : " 16 bits")
      << (record.es.read_only != 0 ? " read-only" : "") << " contents "
      << unsigned{record.es.contents} << (record.other_ds != 0 ? ", other ds" : "")
      << (record.mends != 0 ? ", mends" : "") << ", pages ";
  for (const uint8_t page : record.pages) out << "wrna-"[page < 4 ? page : 4];
  for (const replay_poke& poke : record.pokes)
    if (poke.len != 0) out << "\n  at " << poke.at << ": " << to_hex(poke.bytes, poke.len);
  return out.str();
}

}  // namespace incore::test
