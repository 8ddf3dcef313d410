#include "vemicry/rtl_bench.h"

#include <cstring>
#include <filesystem>
#include <sstream>

#include "support/file.h"

namespace incore::vemicry {
namespace {

const std::string kSources = INCORE_SOURCE_DIR "/rtl/vemicry";

bool is_control(Word word) {
  return word.opcode() == 0x12 && (word.bits >> 25 & 1) == 0;
}

}  // namespace

Config machine_of(uint32_t q, uint32_t p, uint32_t r, uint32_t l) {
  Config config;
  config.q = q;
  config.p = p;
  config.r = r;
  config.l = l;
  return config;
}

std::string name_of(const Config& config) {
  return "q = " + std::to_string(config.q) + ", p = " + std::to_string(config.p) +
         ", r = " + std::to_string(config.r) + ", l = " + std::to_string(config.length());
}

std::string no_simulator(const std::string& simulator, const std::string& version) {
  try {
    return test::run({simulator, version}).exit_code == 0 ? "" : simulator + " does not run";
  } catch (const std::exception&) {
    return simulator + " is not installed";
  }
}

std::vector<std::string> verilog_files(const std::string& folder, const std::string& bench) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".v") files.push_back(entry.path());
  files.push_back(INCORE_SOURCE_DIR "/tests/vemicry/" + bench + ".v");
  return files;
}

void append(std::string* out, uint64_t value, char end) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%llx", static_cast<unsigned long long>(value));
  *out += digits;
  *out += end;
}

void append_words(std::string* out, const std::map<uint32_t, uint32_t>& words) {
  append(out, words.size(), '\n');
  for (const auto& [address, word] : words) {
    append(out, address);
    append(out, word);
  }
  *out += '\n';
}

std::string compile_verilog(const std::string& folder, const std::string& bench,
                            const std::map<std::string, uint32_t>& parameters,
                            const std::string& program) {
  std::vector<std::string> command = {"iverilog", "-g2005", "-Wall", "-I",   folder,
                                      "-s",       bench,    "-o",    program};
  for (const auto& [name, value] : parameters)
    command.push_back("-P" + bench + "." + name + "=" + std::to_string(value));
  for (const std::string& file : verilog_files(folder, bench)) command.push_back(file);
  const test::ProcessResult result = test::run(command);
  const std::string said = result.out + result.err;
  return result.exit_code == 0 && said.empty() ? "" : "iverilog: " + said;
}

std::string no_bench() {
  return no_simulator("iverilog", "-V");
}

bool copy_model(const Mutation& mutation, const test::TemporaryDirectory& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(kSources))
    std::filesystem::copy(entry.path(), folder.path());
  std::string text = test::read_file(folder.path() + "/" + mutation.file);
  const size_t at = text.find(mutation.old_text);
  if (at == std::string::npos) return false;
  folder.write(mutation.file, text.replace(at, std::strlen(mutation.old_text), mutation.new_text));
  return true;
}

void Stimulus::add(Word word, uint32_t scalar, uint32_t gap) {
  State& s = machine_.state();
  const uint32_t reg = is_control(word) ? word.rt() : word.r();
  s.set_gpr(reg, scalar);
  scalar = s.gpr[reg];
  const Insn* const insn = decode(word);
  Trap trap = {Exception::reserved_instruction};
  if (insn != nullptr) trap = insn->execute(s, machine_.memory(), word);
  words_.push_back(word);
  num_traps_ += trap ? 1 : 0;

  const bool has_result = !trap && (insn->writes & (kR | kRt)) != 0;
  const bool stores = !trap && (insn->writes & kMemory) != 0;
  append(&records_, word.bits);
  append(&records_, scalar);
  append(&records_, !trap ? 0 : trap.exception == Exception::reserved_instruction ? 1 : 2);
  append(&records_, gap);
  append(&records_, static_cast<uint32_t>(pokes_.size()));
  append(&records_, has_result ? 1 : stores ? 2 : 0);
  append(&records_, has_result ? reg : scalar);
  append(&records_, has_result ? s.gpr[reg] : 0);
  append(&records_, s.vcr);
  append(&records_, s.car);
  append(&records_, s.l, '\n');
  for (const auto& [address, value] : pokes_) {
    append(&records_, address);
    append(&records_, value);
  }
  pokes_.clear();
  for (uint32_t q = 0; q < s.config.q; ++q)
    for (uint32_t i = 0; i < s.config.p; ++i) append(&records_, s.v[q][i]);
  for (uint32_t i = 0; stores && i <= s.config.p; ++i) {
    uint32_t value = 0;
    (void)machine_.memory().load<uint32_t>(scalar + 4 * i, &value);
    append(&records_, value);
  }
  records_ += '\n';
}

std::string Stimulus::text() const {
  std::string text;
  append(&text, static_cast<uint32_t>(words_.size()), '\n');
  return text + records_;
}

Bench::Bench(const Config& config, const std::string& folder)
    : program_(directory_.path() + "/bench"),
      mistake_(compile_verilog(folder.empty() ? kSources : folder, "rtl_bench",
                               {{"Q", config.q}, {"P", config.p}, {"R", config.r}}, program_)) {}

BenchResult Bench::run(const Stimulus& stimulus) const {
  const std::string file = directory_.write("stimulus", stimulus.text());
  const test::ProcessResult result = test::run({"vvp", "-n", program_, "+stimulus=" + file});
  BenchResult ran;
  std::istringstream out(result.out);
  std::string verdict;
  size_t number = 0;
  out >> verdict >> number;
  if (verdict == "AGREE" && number == stimulus.size()) {
    out >> ran.num_ended >> ran.num_cycles;
    return ran;
  }
  ran.difference = result.out + result.err;
  if (verdict == "MISMATCH" && number < stimulus.size()) {
    std::string what;
    std::getline(out, what);
    char word[16];
    std::snprintf(word, sizeof word, "0x%08x", stimulus.word(number).bits);
    const Insn* const insn = decode(stimulus.word(number));
    ran.difference = "instruction " + std::to_string(number) + ", " +
                     (insn == nullptr ? "reserved" : insn->mnemonic) + " (" + word + "):" + what +
                     " (what, where, got, expected)";
  }
  return ran;
}

}  // namespace incore::vemicry
