// Whether the tests of what is left behind find it, and that no function is missing in them; and
// random bytes and PadLock.
#include <gtest/gtest.h>

#include <cstring>
#include <regex>
#include <set>

#include "capi/residue_calls.h"
#include "cpu/cpu.h"
#include "support/file.h"

namespace incore::test {

ResidueMemory m;

namespace {

using residue = ResidueTest;
using residue_rng = ResidueTest;
using residue_padlock = ResidueTest;

#if defined(__x86_64__)
extern "C" void incore_test_leaves_secret_in_zmm17(const void*);
extern "C" void incore_test_leaves_secret_in_k3(const void*);
extern "C" void incore_test_leaves_secret_in_mm2(const void*);
extern "C" void incore_test_leaves_secret_in_r9(const void*);
asm(R"(
.pushsection .text
incore_test_leaves_secret_in_zmm17:
  vmovdqu64 (%rdi), %zmm17
  ret
incore_test_leaves_secret_in_k3:
  kmovq (%rdi), %k3
  ret
incore_test_leaves_secret_in_mm2:
  movq (%rdi), %mm2
  ret
incore_test_leaves_secret_in_r9:
  mov (%rdi), %r9
  ret
.popsection
)");
#endif

[[gnu::noinline]] void leave_on_stack(const uint8_t* key) {
  volatile uint8_t copy[16];
  for (size_t i = 0; i < 16; ++i) copy[i] = static_cast<uint8_t>(key[15 - i] ^ 0x5C);
  m.out[0] = copy[3];
}

TEST_F(residue, test_finds_what_is_left_on_the_stack) {
  EXPECT_NE(left_behind(fill, [] { leave_on_stack(m.key); }).find("stack"), std::string::npos);
}

TEST_F(residue, test_finds_what_is_left_in_registers) {
  if (!kSeesRegisters) GTEST_SKIP() << "registers are looked at on x86-64 only";
#if defined(__x86_64__)
  const auto left = [](void (*leak)(const void*)) {
    return left_behind(fill, [=] { leak(m.key); });
  };
  EXPECT_EQ(left(incore_test_leaves_secret_in_mm2).find("MMX register 2"), 0u);
  EXPECT_EQ(left(incore_test_leaves_secret_in_r9).find("r9"), 0u);
  if (!detect_features().has(Feature::avx512)) return;
  EXPECT_EQ(left(incore_test_leaves_secret_in_zmm17).find("vector register 17"), 0u);
  EXPECT_EQ(left(incore_test_leaves_secret_in_k3).find("mask register 3"), 0u);
#endif
}

TEST_F(residue, test_finds_nothing_where_nothing_is) {
  EXPECT_EQ(left_behind(fill,
                        [] {
                          m.out[0] = m.in[0];
                          asm volatile("" : : : "memory");
                        })
                .find("stack"),
            std::string::npos);
}

TEST_F(residue_rng, bytes) {
  for (const int conditioned : {0, 1}) {
    static incore_rng_options options;
    options = {};
    options.conditioned = conditioned;
    const auto prepare = [](Secrets& s) {
      fill(s);
      ok(incore_rng_init_custom(&m.rng, give_from_input, nullptr, &options));
    };
    expect_nothing_left(text("rng_init_custom", static_cast<size_t>(conditioned)), fill, [] {
      return incore_rng_init_custom(&m.rng, give_from_input, nullptr, &options);
    });
    for (const size_t len : kLens)
      expect_nothing_left(text("rng_bytes", static_cast<size_t>(conditioned), len), prepare,
                          [=] { return incore_rng_bytes(&m.rng, m.out, len); });
    for (size_t source = 0; source < incore_rng_num_sources(); ++source) {
      if (incore_rng_init(&m.rng, source, &options) != INCORE_OK) continue;
      expect_nothing_left(text("rng_init", source), fill,
                          [=] { return incore_rng_init(&m.rng, source, &options); });
      for (const size_t len : {1, 16, 1000})
        expect_nothing_left(text("rng_bytes of source", source, len), fill,
                            [=] { return incore_rng_bytes(&m.rng, m.out, len); });
    }
  }
}

TEST_F(residue_rng, monitor) {
  const auto prepare = [](Secrets& s) {
    fill(s);
    ok(incore_rng_monitor_init(&m.monitor, 0, 0));
  };
  expect_nothing_left("rng_monitor_update", prepare,
                      [] { return incore_rng_monitor_update(&m.monitor, m.in, 2000); });
}

TEST_F(residue_padlock, instructions) {
  static incore_padlock_registers registers;
  alignas(16) static uint32_t control_word[4];
  const auto execute = [](const char* mnemonic) {
    incore_padlock_trap trap;
    return incore_padlock_execute(&m.padlock, mnemonic, &registers, &trap);
  };
  const auto address = [](void* p) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(p));
  };
  const auto prepare = [=](Secrets& s) {
    fill(s);
    ASSERT_EQ(incore_padlock_init_emulated(&m.padlock, "nano", 1, nullptr, 0), INCORE_OK);
    control_word[0] = 10;
    registers = {.rax = address(m.iv),
                 .rbx = address(m.key),
                 .rcx = 20,
                 .rdx = address(control_word),
                 .rsi = address(m.in),
                 .rdi = address(m.out)};
  };
  for (const char* mnemonic :
       {"xcrypt-ecb", "xcrypt-cbc", "xcrypt-ctr", "xcrypt-cfb", "xcrypt-ofb"})
    expect_nothing_left(mnemonic, prepare, [=] { return execute(mnemonic); });
  const auto hash = [=](Secrets& s) {
    prepare(s);
    registers.rax = 0;
    registers.rcx = 300;
    s.fill(m.out, 64);
  };
  for (const char* mnemonic : {"xsha1", "xsha256"})
    expect_nothing_left(mnemonic, hash, [=] { return execute(mnemonic); });
}

// A machine whose memory is this process's.
namespace this_process {
void* pointer(uint64_t address) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(address));
}
int read(void*, uint64_t address, void* out, size_t len, incore_processor_trap*) {
  std::memcpy(out, pointer(address), len);
  return 0;
}
int write(void*, uint64_t address, const void* in, size_t len, incore_processor_trap*) {
  std::memcpy(pointer(address), in, len);
  return 0;
}
int probe_write(void*, uint64_t, size_t, incore_processor_trap*) {
  return 0;
}
const uint8_t* readable(void*, uint64_t address, size_t) {
  return static_cast<const uint8_t*>(pointer(address));
}
uint8_t* writable(void*, uint64_t address, size_t) {
  return static_cast<uint8_t*>(pointer(address));
}
int interrupt(void*, uint64_t) {
  return 0;
}
}  // namespace this_process

TEST_F(residue_padlock, instructions_of_an_embedded_processor) {
  namespace here = this_process;
  static incore_processor_state state;
  static incore_processor_result result;
  static incore_processor_machine machine;
  alignas(16) static uint32_t control_word[4];
  const auto address = [](void* p) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(p));
  };
  const auto prepare = [=](Secrets& s) {
    fill(s);
    s.fill(m.out, 64);
    ASSERT_EQ(incore_processor_init(&m.processor, "nano", 1, nullptr, 0), INCORE_OK);
    incore_processor_checker_init(&m.checker);
    control_word[0] = 10;
    state = {};
    state.rbx = address(m.key), state.rdx = address(control_word);
    state.rsi = address(m.in), state.rdi = address(m.out);
    state.cr4 = 1u << 9, state.cpl = 3;
    state.code_bits = 8 * static_cast<unsigned>(sizeof(void*));
    state.es = {0, ~uint64_t{0}, 0, 1, 1};
  };
  const auto prepare_cipher = [=](Secrets& s) {
    prepare(s);
    state.rax = address(m.iv), state.rcx = 20;
  };
  const auto prepare_hash = [=](Secrets& s) {
    prepare(s);
    state.rcx = 300;
  };
  const auto execute = [](uint8_t group, uint8_t opcode) {
    const uint8_t code[] = {0xF3, 0x0F, group, opcode};
    const incore_status status =
        incore_processor_execute(&m.processor, &state, code, sizeof code, &machine, &result);
    return result.outcome == INCORE_PROCESSOR_DONE ? status : INCORE_ERROR_FAULT;
  };
  for (const bool direct : {true, false}) {
    machine = {nullptr, here::read, here::write, here::probe_write, nullptr, nullptr, nullptr};
    if (direct) machine.readable = here::readable, machine.writable = here::writable;
    if (!direct) machine.interrupt = here::interrupt;
    for (const uint8_t opcode : {0xC8, 0xD0, 0xD8, 0xE0, 0xE8})
      expect_nothing_left(text("xcrypt", opcode, direct), prepare_cipher,
                          [=] { return execute(0xA7, opcode); });
    for (const uint8_t opcode : {0xC8, 0xD0})
      expect_nothing_left(text("xsha", opcode, direct), prepare_hash,
                          [=] { return execute(0xA6, opcode); });
  }
  expect_nothing_left("check", prepare_cipher, [] {
    const uint8_t code[] = {0xF3, 0x0F, 0xA7, 0xD0};
    return incore_processor_check(
        &m.processor, &m.checker, &state, code, sizeof code, &machine,
        [](void*, const incore_processor_finding*) {}, nullptr);
  });
  const auto prepare_loaded = [=](Secrets& s) {
    prepare_cipher(s);
    ASSERT_EQ(execute(0xA7, 0xD0), INCORE_OK);
    ASSERT_EQ(incore_processor_save(&m.processor, m.saved), INCORE_OK);
  };
  expect_nothing_left("save", prepare_loaded,
                      [] { return incore_processor_save(&m.processor, m.saved); });
  expect_nothing_left("load", prepare_loaded,
                      [] { return incore_processor_load(&m.processor, m.saved); });
}

std::string read_source(const std::string& path) {
  const std::string text = test::read_file(INCORE_SOURCE_DIR "/" + path);
  EXPECT_NE(text, "") << path;
  return text;
}

// What is told of these is public.
const std::set<std::string> kWithoutSecrets = {
    "aes_init",
    "aes_test_alignment_detection",
    "incore_aes_kernel",
    "incore_ghash_kernel",
    "incore_gf2_kernel",
    "incore_mont_kernel",
    "incore_gf2_field_degree",
    "incore_gf2_field_set_words",
    "incore_mont_num_words",
    "incore_mont_workspace_len",
    "incore_rsa_modulus_len",
    "incore_rsa_private_workspace_len",
    "incore_rsa_public_workspace_len",
    "incore_rng_condition_bytes",
    "incore_rng_find_source",
    "incore_rng_get_health",
    "incore_rng_get_source",
    "incore_rng_monitor_get_health",
    "incore_padlock_clock_mhz",
    "incore_padlock_cpuid",
    "incore_padlock_init_native",
    "incore_padlock_is_native",
    "incore_padlock_mnemonic",
    "incore_padlock_model_name",
    "incore_padlock_name",
    "incore_padlock_num_interrupts",
    "incore_padlock_read_msr",
    "incore_padlock_reload_key",
    "incore_padlock_seconds",
    "incore_padlock_set_interrupts",
    "incore_padlock_wait",
    "incore_padlock_write_msr",
    "incore_processor_check_msr",
    "incore_processor_checker_init",
    "incore_processor_clock_mhz",
    "incore_processor_clocks",
    "incore_processor_cpuid",
    "incore_processor_forget_key",
    "incore_processor_init_signal",
    "incore_processor_name",
    "incore_processor_pass",
    "incore_processor_read_msr",
    "incore_processor_reseed",
    "incore_processor_reset",
    "incore_processor_write_msr",
};

TEST_F(residue, every_function_with_secrets_is_called) {
  std::string here;
  for (const char* part : {"aes", "arithmetic", "contexts", "sha"})
    here += read_source(std::string("tests/capi/residue_") + part + "_test.cpp");
  here += read_source("tests/capi/residue_test.cpp");
  const std::regex comment("/\\*[^]*?\\*/"), function("\\b((?:incore|aes)_\\w+)\\(");
  size_t num_functions = 0;
  for (const char* header :
       {"aes", "ccm", "cmac", "gcm", "gf2", "hmac", "mont", "padlock", "processor", "rng", "rsa",
        "sha", "xts", "compat/aes", "compat/aes_modes"}) {
    const std::string declared = std::regex_replace(
        read_source(std::string("include/incore/") + header + ".h"), comment, "");
    for (std::sregex_iterator i(declared.begin(), declared.end(), function), end; i != end; ++i) {
      const std::string name = (*i)[1];
      ++num_functions;
      if (kWithoutSecrets.count(name) != 0) continue;
      EXPECT_NE(here.find(name + "("), std::string::npos) << name << " of " << header << ".h";
    }
  }
  EXPECT_GE(num_functions, 100u);
}

}  // namespace
}  // namespace incore::test
