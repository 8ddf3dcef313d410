// `--trace` inside the program: a record of each PadLock instruction, in memory that the supervisor
// sees. It takes them when they fill the memory, now and then, and at the end.
#include <cstddef>
#include <cstring>

#include "base/bytes.h"
#include "base/wipe.h"
#include "crypto/sha/sha_stream.h"
#include "padlock/operands.h"
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

using padlock::Kind;
using padlock::Range;

class Digest {
 public:
  explicit Digest(const padlock::HostKernels& kernels)
      : stream_(ShaAlgorithm::sha256, &kernels.sha256->info) {}
  void add(const uint8_t* bytes, size_t len) { stream_.update(bytes, len); }
  // False: not all of it can be read.
  bool add(LiveMemory& memory, const Range& range) {
    const uint8_t* const bytes = memory.readable(range.begin, range.size());
    if (bytes != nullptr) add(bytes, range.size());
    return bytes != nullptr;
  }
  uint64_t value() {
    uint8_t digest[32];
    stream_.final(digest);
    return load_be64(digest);
  }

 private:
  ShaStream stream_;
};

void set_key(const padlock::HostKernels& kernels, TraceRecord* r, LiveMemory& memory,
             const Range& key) {
  uint8_t bytes[sizeof r->key_bytes];
  if (memory.read(key.begin, bytes, key.size())) return;
  Digest digest(kernels);
  digest.add(bytes, key.size());
  r->key = digest.value();
  r->key_len = static_cast<uint8_t>(key.len);
  if (config().trace_keys != 0) std::memcpy(r->key_bytes, bytes, key.size());
  wipe(bytes);
}

// A schedule begins with its key.
uint64_t cipher_key_len(padlock::ControlWord control_word) {
  constexpr uint64_t kLens[] = {16, 24, 32, 32};
  return control_word.keys_in_memory() ? kLens[control_word.key_size()] : padlock::kHardwareKeyLen;
}

void set_input(Digest& digest, TraceRecord* r, LiveMemory& memory, const Range& range) {
  if (!digest.add(memory, range)) return;
  r->input = digest.value();
  r->has |= kHasInput;
}

void look_at_xcrypt(const padlock::Execution& x, LiveMemory& memory, TracedCall* call) {
  TraceRecord& r = call->record;
  const padlock::XcryptOperands o = padlock::xcrypt_operands(x);
  if (o.control_word_known) {
    r.control_word = o.control_word.bits;
    r.has |= kHasControlWord;
    set_key(x.kernels(), &r, memory, {o.key.begin, cipher_key_len(o.control_word)});
  }
  if (o.vector.len != 0 && !memory.read(o.vector.begin, r.vector, sizeof r.vector))
    r.has |= kHasVector;
  Digest digest(x.kernels());
  set_input(digest, &r, memory, o.source);
  call->output = o.destination;
}

void look_at_hash(const padlock::Execution& x, LiveMemory& memory, TracedCall* call) {
  const padlock::HashOperands o = padlock::hash_operands(x);
  Digest digest(x.kernels());
  set_input(digest, &call->record, memory, o.message);
  constexpr uint64_t kSha1Len = 20, kSha512Len = 64, kOthersLen = 32;
  const uint64_t len = x.decoded.insn == &padlock::xsha1 ? kSha1Len
                       : o.unit == padlock::Unit::phe2   ? kSha512Len
                                                         : kOthersLen;
  call->output = {o.state.begin, len};
}

void look_at_montmul(const padlock::Execution& x, LiveMemory& memory, TracedCall* call) {
  padlock::MontmulOperands o;
  if (!padlock::montmul_operands(x, &o) || !o.size_allowed) return;
  Digest digest(x.kernels());
  if (digest.add(memory, o.a) && digest.add(memory, o.b))
    set_input(digest, &call->record, memory, o.m);
  call->output = o.t;
}

// The places of this process that the supervisor has given a number.
constexpr size_t kNumPlaces = 1024;
struct Place {
  std::atomic<uint64_t> address;  // 0: free
  std::atomic<uint32_t> number;
};
INCORE_LARGE constinit Place places[kNumPlaces] = {};

uint32_t number_of(uint64_t address) {
  Place& place = places[address * 0x9E3779B97F4A7C15u >> 54];
  if (place.address.load(std::memory_order_acquire) == address) return place.number;
  const long number = call_supervisor(Call::trace_site, address, config().group);
  if (is_error(number)) return 0;
  place.address = 0;  // another place gives way
  place.number = static_cast<uint32_t>(number);
  place.address.store(address, std::memory_order_release);
  return static_cast<uint32_t>(number);
}

// A record of the ring, which the supervisor takes once it has its number; null: there is no room,
// even after asking for it.
TraceRecord* claim(uint64_t* out_number) {
  constexpr int kTries = 100;  // other threads fill what was emptied
  TraceRing& ring = stats().trace;
  for (int tries = 0; tries < kTries;) {
    uint64_t claimed = ring.claimed.load(std::memory_order_relaxed);
    if (claimed - ring.taken.load(std::memory_order_acquire) >= kTraceRecords) {
      if (is_error(call_supervisor(Call::take_trace, config().group))) break;
      ++tries;
    } else if (ring.claimed.compare_exchange_strong(claimed, claimed + 1)) {
      *out_number = claimed + 1;
      return &ring.records[claimed % kTraceRecords];
    }
  }
  ring.lost.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

void put(const TraceRecord& r) {
  uint64_t number;
  TraceRecord* const out = claim(&number);
  if (out == nullptr) return;
  constexpr size_t kBegin = offsetof(TraceRecord, time);
  std::memcpy(reinterpret_cast<uint8_t*>(out) + kBegin,
              reinterpret_cast<const uint8_t*>(&r) + kBegin, sizeof r - kBegin);
  out->number.store(number, std::memory_order_release);
}

}  // namespace

void trace_before(padlock::Processor& processor, const padlock::Decoded& decoded,
                  LiveMemory& memory, TracedCall* out_call) {
  std::memset(static_cast<void*>(out_call), 0, sizeof *out_call);
  out_call->record.insn = decoded.index;
  const padlock::Execution x(processor, decoded, memory, nullptr);
  out_call->kernels = &x.kernels();
  const Kind kind = decoded.insn->kind;
  out_call->kind = kind;
  if (x.require_usable(kind == Kind::montmul || kind == Kind::random)) return;
  if (kind == Kind::random) out_call->output.begin = padlock::linear_address(x, x.s.rdi);
  if (kind == Kind::xcrypt) look_at_xcrypt(x, memory, out_call);
  if (kind == Kind::hash) look_at_hash(x, memory, out_call);
  if (kind == Kind::montmul) look_at_montmul(x, memory, out_call);
}

void trace_after(TracedCall& call, uint64_t site, uint64_t bytes, bool done, LiveMemory& memory) {
  TraceRecord& r = call.record;
  Range output = call.output;
  if (call.kind == Kind::random) output.len = bytes;
  if (call.kind == Kind::xcrypt && bytes < output.len) output.len = bytes;  // to a fault
  if (output.len != 0 && (done || call.kind == Kind::xcrypt)) {
    Digest digest(*call.kernels);
    if (digest.add(memory, output)) {
      r.output = digest.value();
      r.has |= kHasOutput;
    }
    const bool is_result = call.kind == Kind::xcrypt || call.kind == Kind::hash;
    if (is_result && output.len >= sizeof r.result &&
        !memory.read(output.begin, r.result, sizeof r.result))
      r.has |= kHasResult;
  }
  r.bytes = bytes;
  r.done = done;
  r.site = number_of(site);
  r.pid = static_cast<int32_t>(sys(__NR_getpid));
  r.tid = static_cast<int32_t>(sys(__NR_gettid));
  r.time = __builtin_ia32_rdtsc();
  put(r);
  wipe(r.key_bytes);
  wipe(r.result);
}

void clear_stack_below() {
  uint8_t bytes[kUsedByCall];
  wipe(bytes);
}

}  // namespace incore::run
