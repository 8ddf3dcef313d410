// See machine.h.
#include "padlock/machine.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace incore::padlock::test {
namespace {

const Model& model_called(const char* name) {
  const Model* model = find_model(name);
  if (model == nullptr) throw std::invalid_argument(std::string("no model called ") + name);
  return *model;
}

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::done:
      return "done";
    case Outcome::trapped:
      return "trapped";
    case Outcome::interrupted:
      return "interrupted";
  }
  return "?";
}

::testing::AssertionResult unexpected(const Step& step) {
  auto result = ::testing::AssertionFailure() << name_of(step.outcome);
  if (step.outcome != Outcome::trapped) return result;
  return result << ", vector " << unsigned{static_cast<uint8_t>(step.trap.vector)}
                << ", error code " << step.trap.error_code << ", address 0x" << std::hex
                << step.trap.address() << ": " << (step.trap.reason() ? step.trap.reason() : "");
}

}  // namespace

// ---- TestMemory ----

uint8_t* TestMemory::host(uint64_t address) {
  const uint64_t number = address / kWindowLen;
  auto it = windows_.find(number);
  if (it == windows_.end())
    it = windows_
             .emplace(number, Window(static_cast<uint8_t*>(std::calloc(1, kWindowLen)), std::free))
             .first;
  return it->second.get() + address % kWindowLen;
}

void TestMemory::map(uint64_t address, uint64_t len, Access access) {
  if (len == 0) return;
  for (uint64_t page = address / kPageLen; page <= (address + (len - 1)) / kPageLen; ++page) {
    pages_[page] = access;
    host(page * kPageLen);
  }
}

void TestMemory::put(uint64_t address, const Bytes& bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    const uint64_t at = address + i;
    if (pages_.find(at / kPageLen) == pages_.end()) map(at, 1);
    *host(at) = bytes[i];
  }
}

Bytes TestMemory::get(uint64_t address, size_t len) const {
  Bytes bytes(len);
  for (size_t i = 0; i < len; ++i) {
    const uint64_t at = address + i;
    if (pages_.find(at / kPageLen) == pages_.end())
      throw std::out_of_range("the test looks at memory that it never mapped");
    bytes[i] = windows_.at(at / kWindowLen)[at % kWindowLen];
  }
  return bytes;
}

void TestMemory::take_snapshot() {
  snapshot_.clear();
  for (const auto& [page, access] : pages_) snapshot_[page] = get(page * kPageLen, kPageLen);
}

std::vector<uint64_t> TestMemory::changes_outside(const std::vector<Range>& allowed) const {
  std::vector<uint64_t> changes;
  for (const auto& [page, before] : snapshot_) {
    const Bytes now = get(page * kPageLen, kPageLen);
    if (now == before) continue;
    for (uint64_t i = 0; i < kPageLen && changes.size() < 16; ++i) {
      const uint64_t at = page * kPageLen + i;
      if (now[i] != before[i] && std::none_of(allowed.begin(), allowed.end(), [at](const Range& r) {
            return at - r.address < r.len;
          }))
        changes.push_back(at);
    }
  }
  return changes;
}

Trap TestMemory::check(uint64_t address, size_t len, bool write) const {
  const std::set<uint64_t>& bad = write ? bad_writes_ : bad_reads_;
  for (size_t i = 0; i < len; ++i) {
    const uint64_t at = address + i;
    const auto page = pages_.find(at / kPageLen);
    const Access access = page == pages_.end() ? Access::absent : page->second;
    const bool forbidden = write ? access != Access::read_write : access == Access::absent;
    if (forbidden || bad.count(at) != 0)
      return Trap::pf(at, (access != Access::absent ? 1u : 0u) | (write ? 2u : 0u) | 4u);
    // The rest of the page is like this byte unless a fault was injected.
    if (bad.empty()) i += std::min<uint64_t>(len - i, kPageLen - at % kPageLen) - 1;
  }
  return {};
}

Trap TestMemory::read(uint64_t address, void* out, size_t len) {
  if (Trap trap = check(address, len, false)) return trap;
  for (size_t i = 0; i < len; ++i) static_cast<uint8_t*>(out)[i] = *host(address + i);
  return {};
}

Trap TestMemory::write(uint64_t address, const void* in, size_t len) {
  if (Trap trap = check(address, len, true)) return trap;
  for (size_t i = 0; i < len; ++i) *host(address + i) = static_cast<const uint8_t*>(in)[i];
  return {};
}

Trap TestMemory::probe_write(uint64_t address, size_t len) {
  return check(address, len, true);
}

const uint8_t* TestMemory::readable(uint64_t address, size_t len) {
  if (!direct_ || len > kWindowLen - address % kWindowLen || check(address, len, false))
    return nullptr;
  return host(address);
}

uint8_t* TestMemory::writable(uint64_t address, size_t len) {
  if (!direct_ || len > kWindowLen - address % kWindowLen || check(address, len, true))
    return nullptr;
  return host(address);
}

// ---- Steps ----

::testing::AssertionResult is_done(const Step& step) {
  if (step.outcome != Outcome::done) return unexpected(step);
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult is_interrupted(const Step& step) {
  if (step.outcome != Outcome::interrupted) return unexpected(step);
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult is_trap(const Step& step, Vector vector) {
  if (step.outcome != Outcome::trapped || step.trap.vector != vector) return unexpected(step);
  if (step.trap.error_code != 0 && vector != Vector::page_fault) return unexpected(step);
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult is_page_fault(const Step& step, uint64_t address, bool write) {
  if (!is_trap(step, Vector::page_fault) || step.trap.address() != address ||
      ((step.trap.error_code & 2) != 0) != write)
    return unexpected(step);
  return ::testing::AssertionSuccess();
}

// ---- Machine ----

Machine::Machine(const char* model_name, CodeSize code_size)
    : Machine(model_called(model_name), code_size, HostKernels::portable()) {}

Machine::Machine(const Model& model, CodeSize code_size, const HostKernels& kernels)
    : processor(model, kernels) {
  processor.reset();
  processor.enter_user_mode(code_size);
}

Step Machine::issue(const Bytes& code, Interrupts* interrupts) {
  Bytes page(32, 0x90);  // NOPs behind it
  std::copy(code.begin(), code.end(), page.begin());
  put(kCode, page);
  state().rip = kCode;
  return issue_again(interrupts);
}

Step Machine::issue_again(Interrupts* interrupts) {
  const Bytes code = get(state().rip, 15);
  const Decoded decoded = decode(code.data(), code.size(), state().code_size);
  Trap trap;
  const Outcome outcome = processor.step(decoded, memory, &trap, interrupts);
  return {outcome, trap, decoded.insn != nullptr};
}

Bytes with_prefix(uint8_t prefix, const Bytes& code) {
  return concat({prefix}, code);
}

Bytes concat(const Bytes& a, const Bytes& b) {
  Bytes joined(a.size() + b.size());
  std::copy(a.begin(), a.end(), joined.begin());
  std::copy(b.begin(), b.end(), joined.begin() + static_cast<ptrdiff_t>(a.size()));
  return joined;
}

}  // namespace incore::padlock::test
