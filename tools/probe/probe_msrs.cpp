#include "tools/probe/probe_msrs.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "tools/probe/model_chip.h"
#include "tools/probe/probe_document.h"

namespace incore::tools {
namespace {

// The instructions that such experiments try.
constexpr std::pair<const char*, const char*> kCodes[] = {{"0fa7c0", "xstore"},
                                                          {"f30fa7c8", "xcrypt-ecb"},
                                                          {"f30fa6c8", "xsha1"},
                                                          {"f30fa6c0", "montmul"}};
constexpr uint64_t kWaitClocks = 1 << 24;  // until the generator has filled its buffers
constexpr int kEio = 5, kSigill = 4, kInvalidOpcode = 6;

class MsrChip {
 public:
  explicit MsrChip(const std::string& model) : chip_(model) {}

  // What the probe records of |step|.
  Json outcome(const Json& step) {
    if (step.contains("read_msr")) return read_msr(step);
    if (step.contains("write_msr")) return write_msr(step);
    if (step.contains("cpuid")) return cpuid(step);
    if (is_missing(step["try"].text())) return {{"signal", kSigill}, {"vector", kInvalidOpcode}};
    return Json::object();
  }

 private:
  static Json value(uint64_t number) { return {{"value", fmt::format("{:#018x}", number)}}; }
  static Json refused() { return {{"errno", kEio}}; }
  static uint32_t number(const Json& text) { return static_cast<uint32_t>(hex_number(text)); }

  Json read_msr(const Json& step) {
    incore_padlock_wait(chip_.get(), kWaitClocks);
    uint64_t held = 0;
    if (incore_padlock_read_msr(chip_.get(), number(step["read_msr"]), &held) != INCORE_OK)
      return refused();
    return value(held & number(step["bits"]));
  }

  Json write_msr(const Json& step) {
    uint64_t held = 0;
    const uint32_t msr = number(step["write_msr"]);
    if (incore_padlock_read_msr(chip_.get(), msr, &held) != INCORE_OK) return refused();
    held = (held & ~uint64_t{number(step["clear"])}) | number(step["set"]);
    if (incore_padlock_write_msr(chip_.get(), msr, held) != INCORE_OK) return refused();
    return Json::object();
  }

  Json cpuid(const Json& step) {
    static constexpr const char* kNames[4] = {"eax", "ebx", "ecx", "edx"};
    uint32_t registers[4] = {};
    Json result = Json::object();
    if (incore_padlock_cpuid(chip_.get(), number(step["cpuid"]), 0, registers) != INCORE_OK)
      return result;
    for (size_t i = 0; i < 4; ++i)
      if (const uint32_t bits = number(step["bits"][kNames[i]]); bits != 0)
        result[kNames[i]] = fmt::format("{:#010x}", registers[i] & bits);
    return result;
  }

  // Whether the instruction is an invalid opcode now. With no work to do it needs no memory.
  bool is_missing(const std::string& code) {
    alignas(16) static std::array<unsigned char, 512> memory;
    for (const auto& [bytes, mnemonic] : kCodes) {
      if (code != bytes) continue;
      const uint64_t at = reinterpret_cast<uintptr_t>(memory.data());
      incore_padlock_registers registers = {at, at, 0, at, at, at};
      incore_padlock_trap trap = {};
      const incore_status status = incore_padlock_execute(chip_.get(), mnemonic, &registers, &trap);
      return status == INCORE_ERROR_FAULT && trap.vector == kInvalidOpcode;
    }
    return false;
  }

  ModelChip chip_;
};

struct Uses {
  bool msrs = false, writes = false;
};

Uses uses_of(const Json& steps) {
  Uses uses;
  for (const Json& step : steps) {
    uses.writes |= step.contains("write_msr");
    uses.msrs |= step.contains("write_msr") || step.contains("read_msr");
  }
  return uses;
}

}  // namespace

void add_msr_outcomes(const std::string& model, bool writes, Json* document) {
  Json experiments = Json::array();
  for (Json experiment : (*document)["experiments"]) {
    const Uses uses = uses_of(experiment["steps"]);
    if (uses.msrs && (writes || !uses.writes)) {
      MsrChip chip(model);
      Json outcome = Json::array();
      for (const Json& step : experiment["steps"]) outcome.push_back(chip.outcome(step));
      experiment.erase("not_run");
      Json outcomes = Json::array();
      outcomes.push_back(outcome);
      experiment["outcomes"] = outcomes;
      Json times = Json::array();
      times.push_back(1);
      experiment["times"] = times;
    }
    experiments.push_back(std::move(experiment));
  }
  (*document)["experiments"] = std::move(experiments);
}

}  // namespace incore::tools
