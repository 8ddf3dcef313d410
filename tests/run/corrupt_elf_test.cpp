// Damaged programs: cut short and with bits changed. `incore run` does with them what the kernel
// does, or refuses them with one line; `incore scan` reports or refuses. Neither hangs.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "run/power_guests.h"
#include "support/choices.h"
#include "support/property.h"

namespace incore::test {
namespace {

const char* const kSeconds = "20";

// timeout's own code for a program that hung; one that dies of SIGKILL gives 137.
constexpr int kHung = 124;

class Damaged {
 public:
  Damaged() : path_(directory_.path() + "/damaged") {}

  void write(const std::string& content) {
    std::filesystem::remove(path_);
    directory_.write("damaged", content);
    std::filesystem::permissions(path_, std::filesystem::perms(0755));
  }

  ProcessResult native(const Arguments& emulator = {}) const {
    Arguments argv = {"timeout", kSeconds};
    argv.insert(argv.end(), emulator.begin(), emulator.end());
    argv.insert(argv.end(), {path_, "0"});
    return run(argv);
  }
  ProcessResult incore(const Arguments& command) const {
    Arguments argv = {"timeout", kSeconds, INCORE_BINARY_DIR "/incore"};
    argv.insert(argv.end(), command.begin(), command.end());
    argv.push_back(path_);
    if (command.front() == "run") argv.push_back("0");
    return run(argv);
  }

 private:
  TemporaryDirectory directory_;
  std::string path_;
};

int code_of(const ProcessResult& result) {
  return result.signal != 0 ? 128 + result.signal : result.exit_code;
}

// |emulator|: the command that runs the program where it cannot run by itself.
void check(const Damaged& program, const Arguments& emulator = {}) {
  const ProcessResult scan = program.incore({"scan"});
  EXPECT_TRUE(scan.exit_code == 0 || scan.exit_code == 2) << code_of(scan) << scan.err;
  EXPECT_LE(std::count(scan.err.begin(), scan.err.end(), '\n'), scan.exit_code == 0 ? 0 : 1)
      << scan.err;

  const ProcessResult result = program.incore({"run", "--"});
  if (emulator.empty()) {
    EXPECT_NE(code_of(result), kHung);  // the emulator may hang by itself
  }
  if (result.err.rfind("incore run: ", 0) == 0) {  // refused
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return;
  }
  const ProcessResult native = program.native(emulator);
  EXPECT_EQ(native.err.find("failed to run"), std::string::npos)
      << "executed, code " << code_of(result);
  // Without PadLock the undamaged program dies of SIGILL. What ends before does so here too.
  if (code_of(native) != 128 + SIGILL) {
    EXPECT_EQ(code_of(result), code_of(native)) << result.err << native.err;
  }
}

TEST(run_corrupt_elf, cut_short_anywhere) {
  Damaged program;
  for (const char* name : {"exit_code", "exit_code_static"}) {
    const std::string whole = read_file(guest(name));
    for (size_t len : {size_t{1}, size_t{4}, size_t{16}, size_t{52}, size_t{63}, size_t{64},
                       size_t{100}, size_t{120}, size_t{500}, size_t{1000}, size_t{4096},
                       size_t{5000}, whole.size() / 2, whole.size() - 100, whole.size() - 1}) {
      SCOPED_TRACE(std::string(name) + " cut to " + std::to_string(len));
      program.write(whole.substr(0, len));
      check(program);
    }
  }
}

TEST(run_corrupt_elf, with_changed_bits_in_the_headers) {
  Damaged program;
  const std::string dynamic = read_file(guest("exit_code")),
                    fixed = read_file(guest("exit_code_static"));
  for_each_seed(60, [&](uint64_t seed) {
    SeededChoices choices(seed);
    std::string content = choices.chance(2) ? dynamic : fixed;
    // The ELF header and the program headers, mostly; or anywhere.
    const size_t range = choices.chance(4) ? content.size() : 64 + 13 * 56;
    for (uint64_t flips = 1 + choices.below(4); flips > 0; --flips) {
      char& byte = content[choices.below(range)];
      byte = static_cast<char>(byte ^ 1 << choices.below(8));
    }
    program.write(content);
    check(program);
  });
}

TEST(run_corrupt_elf, with_changed_section_headers_and_unwind_tables) {
  Damaged program;
  const std::string whole = read_file(guest("exit_code"));
  for_each_seed(30, [&](uint64_t seed) {
    SeededChoices choices(seed);
    std::string content = whole;
    for (int flips = 0; flips < 200; ++flips) {  // behind the code
      char& byte = content[content.size() / 2 + choices.below(content.size() / 2)];
      byte = static_cast<char>(choices.below(256));
    }
    program.write(content);
    check(program);
  });
}

TEST(run_corrupt_elf, for_powerpc) {
  Damaged program;
  for (const PowerPort& port : kPowerPorts) {
    if (!port.is_built) continue;
    const std::string emulator = "qemu-" + std::string(port.name);
    const std::string dynamic = read_file(port.guest("exit_code")),
                      fixed = read_file(port.guest("exit_code_static"));
    const auto check_here = [&](const std::string& content) {
      program.write(content);
      check(program, {emulator, "-cpu", "power8", "-L", port.sysroot});
    };
    for (size_t len : {size_t{1}, size_t{16}, size_t{63}, size_t{64}, size_t{100}, size_t{500},
                       size_t{5000}, fixed.size() / 2, fixed.size() - 1}) {
      SCOPED_TRACE(emulator + ", cut to " + std::to_string(len));
      check_here(fixed.substr(0, len));
    }
    for_each_seed(12, [&](uint64_t seed) {
      SeededChoices choices(seed);
      std::string content = choices.chance(2) ? dynamic : fixed;
      for (uint64_t flips = 1 + choices.below(4); flips > 0; --flips) {
        char& byte = content[choices.below(64 + 9 * 56)];
        byte = static_cast<char>(byte ^ 1 << choices.below(8));
      }
      check_here(content);
    });
  }
  if (!kPowerPorts[0].is_built || !kPowerPorts[1].is_built)
    GTEST_SKIP() << "the cross compilers are missing, so there are no programs for PowerPC";
}

}  // namespace
}  // namespace incore::test
