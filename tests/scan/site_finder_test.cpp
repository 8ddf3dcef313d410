// The site finder against objdump on real libraries, on a hand-made file whose labels say what is
// what, and on damaged files.
#include "scan/site_finder.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstring>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "padlock/encodings.h"
#include "support/cpu_time.h"
#include "support/file.h"
#include "support/hex.h"
#include "support/process.h"

namespace incore::scan {
namespace {

using test::Bytes;

bool exists(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0;
}

FoundSites find_in(const Bytes& file) {
  return find_sites(file.data(), file.size());
}

bool is_code(const Site& site) {
  return site.proof != Proof::none || site.is_likely;
}

// objdump's word for an instruction, such as "repz xcrypt-cbc", in our spelling; empty if it is
// none of ours.
std::string our_mnemonic(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  bool rep = false;
  while (words >> word) {
    rep |= word == "repz" || word == "rep";
    if (word == "xstore-rng") return rep ? "rep-xstore" : "xstore";
    if (word == "cpuid" || word == "montmul" || word.rfind("xcrypt-", 0) == 0 || word == "xsha1" ||
        word == "xsha256")
      return word;
    if (word != "repz" && word != "rep" && word != "rex.W") break;
  }
  return "";
}

struct Disassembly {
  std::map<uint64_t, std::string> sites;  // by address
  std::set<uint64_t>
      doubtful;  // those within |kNeighbourhood| lines of bytes that objdump cannot decode
};

// What objdump makes of |path| from top to bottom, tables included. That it stumbles nearby is how
// tables show.
Disassembly disassemble(const std::string& path) {
  constexpr long kNeighbourhood = 30;
  const test::ProcessResult result = test::run({"objdump", "-d", "-w", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  Disassembly found;
  std::vector<std::pair<long, uint64_t>> lines_of_sites;
  std::set<long> bad_lines;
  std::istringstream lines(result.out);
  std::string line;
  for (long number = 0; std::getline(lines, line); ++number) {
    const size_t first_tab = line.find('\t');
    const size_t second_tab = line.find('\t', first_tab + 1);
    if (second_tab == std::string::npos) continue;
    const std::string text = line.substr(second_tab + 1);
    // It does not know XSHA512, which is no table.
    const bool is_xsha512 = line.find("\tf3 0f a6") != std::string::npos;
    if (text.find("(bad)") != std::string::npos && !is_xsha512) bad_lines.insert(number);
    if (const std::string mnemonic = our_mnemonic(text); !mnemonic.empty()) {
      const uint64_t address = std::stoull(line, nullptr, 16);
      found.sites[address] = mnemonic;
      lines_of_sites.emplace_back(number, address);
    }
  }
  for (const auto& [number, address] : lines_of_sites) {
    const auto bad = bad_lines.lower_bound(number - kNeighbourhood);
    if (bad != bad_lines.end() && *bad <= number + kNeighbourhood) found.doubtful.insert(address);
  }
  return found;
}

std::map<std::string, int> counts(const std::vector<Site>& sites) {
  std::map<std::string, int> result;
  for (const Site& site : sites)
    if (is_code(site)) ++result[site.mnemonic];
  return result;
}

struct Library {
  const char* name;
  const char* path;
  std::map<std::string, int> expected;  // minimum by mnemonic
};

void PrintTo(const Library& library, std::ostream* out) {
  *out << library.name;
}

#define LIBRARIES "/usr/lib/x86_64-linux-gnu/"
const Library kLibraries[] = {
    {"libcrypto", LIBRARIES "libcrypto.so.3", {{"cpuid", 8}}},
    {"openssl_engine",
     LIBRARIES "engines-3/padlock.so",
     {{"cpuid", 3},
      {"xstore", 1},
      {"xcrypt-ecb", 3},
      {"xcrypt-cbc", 2},
      {"xcrypt-cfb", 2},
      {"xcrypt-ofb", 2},
      {"xcrypt-ctr", 3},
      {"xsha1", 2},
      {"xsha256", 2},
      {"xsha512", 1}}},
    {"libgnutls", LIBRARIES "libgnutls.so.30", {{"cpuid", 3}, {"xcrypt-cbc", 2}, {"xsha1", 2}}},
    {"libgcrypt", LIBRARIES "libgcrypt.so.20", {{"cpuid", 7}, {"xcrypt-ecb", 2}, {"xstore", 1}}},
    {"libcryptopp", LIBRARIES "libcryptopp.so.8", {{"cpuid", 1}, {"xstore", 1}}},
    {"libnettle", LIBRARIES "libnettle.so.8", {{"cpuid", 1}}},
    {"libgcc_s", LIBRARIES "libgcc_s.so.1", {{"cpuid", 1}}},
    {"ld_so", LIBRARIES "ld-linux-x86-64.so.2", {{"cpuid", 19}}},
    {"ld_so_32", "/usr/i686-linux-gnu/lib/ld-linux.so.2", {{"cpuid", 19}}},
};

class scan_site_finder_library : public testing::TestWithParam<Library> {};

TEST_P(scan_site_finder_library, agrees_with_objdump_outside_of_tables) {
  const Library& library = GetParam();
  if (!exists(library.path)) GTEST_SKIP() << library.path << " is not installed";
  const FoundSites found = find_in(test::read_bytes(library.path));
  ASSERT_EQ(found.error, "");
  const Disassembly objdump = disassemble(library.path);

  std::map<uint64_t, const Site*> by_address;
  for (const Site& site : found.sites) by_address[site.address] = &site;
  for (const auto& [address, mnemonic] : objdump.sites) {
    const bool is_table = objdump.doubtful.count(address) != 0;
    if (is_table && by_address.count(address) == 0) continue;
    ASSERT_EQ(by_address.count(address), 1u) << std::hex << address << " " << mnemonic;
    EXPECT_EQ(by_address[address]->mnemonic, mnemonic) << std::hex << address;
    EXPECT_EQ(is_code(*by_address[address]), !is_table) << std::hex << address << " " << mnemonic;
    // Every CPUID outside of tables in these libraries is one that may be patched.
    if (mnemonic == "cpuid" && !is_table) {
      EXPECT_NE(by_address[address]->proof, Proof::none) << std::hex << address;
    }
  }
  for (const Site& site : found.sites) {
    if (!is_code(site) || site.mnemonic == "xsha512" || site.mnemonic == "xsha384") continue;
    EXPECT_EQ(objdump.sites.count(site.address), 1u)
        << std::hex << site.address << " " << site.mnemonic;
  }
  std::map<std::string, int> found_counts = counts(found.sites);
  for (const auto& [mnemonic, count] : library.expected)
    EXPECT_GE(found_counts[mnemonic], count) << mnemonic;
}

INSTANTIATE_TEST_SUITE_P(, scan_site_finder_library, testing::ValuesIn(kLibraries),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(scan_site_finder, tables_of_libcrypto_are_not_proved) {
  const std::string path = LIBRARIES "libcrypto.so.3";
  if (!exists(path)) GTEST_SKIP() << path << " is not installed";
  const FoundSites found = find_in(test::read_bytes(path));
  // OPENSSL_ia32_cpuid is all of the library's use of CPUID.
  int num_proved = 0;
  for (const Site& site : found.sites) {
    if (site.proof == Proof::none) continue;
    ++num_proved;
    EXPECT_EQ(site.mnemonic, "cpuid");
    EXPECT_EQ(site.proof, Proof::unwind_table);
  }
  EXPECT_EQ(num_proved, 8);
  for (const Site& site : found.sites) EXPECT_FALSE(site.is_likely) << std::hex << site.address;
}

TEST(scan_site_finder, is_fast_enough_for_every_program_start) {
  const std::string path = LIBRARIES "libcrypto.so.3";
  if (!exists(path)) GTEST_SKIP() << path << " is not installed";
  const Bytes file = test::read_bytes(path);
  double best_ms = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = test::cpu_time();
    ASSERT_EQ(find_in(file).error, "");
    best_ms = std::min(best_ms,
                       std::chrono::duration<double, std::milli>(test::cpu_time() - start).count());
  }
  RecordProperty("libcrypto_ms", std::to_string(best_ms));
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(best_ms, 50);
#endif
}

// Builds |source| with the system's compiler, or skips the test if it cannot (no 32-bit or static
// libraries).
#define BUILD_OR_SKIP(...)                                                   \
  do {                                                                       \
    const test::ProcessResult built = test::run(__VA_ARGS__);                \
    if (built.exit_code != 0) GTEST_SKIP() << "cannot build: " << built.err; \
  } while (false)

class scan_site_finder_hand_made : public testing::TestWithParam<bool> {
 protected:
  void build() {
    const bool is_64bit = GetParam();
    file_ = directory_.path() + "/fake_cpuid.so";
    std::vector<std::string> command = {
        "cc",  is_64bit ? "-m64" : "-m32",           "-shared", "-nostdlib", "-o",
        file_, INCORE_TEST_DATA "/scan/fake_cpuid.S"};
    if (is_64bit) command.push_back("-DX64");
    const test::ProcessResult built = test::run(command);
    ASSERT_EQ(built.exit_code, 0) << built.err;
    std::istringstream lines(test::run({"nm", file_}).out);
    std::string address, type, name;
    while (lines >> address >> type >> name) labels_[name] = std::stoull(address, nullptr, 16);
  }

  test::TemporaryDirectory directory_;
  std::string file_;
  std::map<std::string, uint64_t> labels_;
};

std::string expected_prefix(const Site& site) {
  switch (site.proof) {
    case Proof::unwind_table:
      return "unwind_";
    case Proof::symbol:
      return "symbol_";
    case Proof::control_flow:
      return "flow_";
    case Proof::none:
      break;
  }
  return site.is_likely ? "likely_" : "data_";
}

TEST_P(scan_site_finder_hand_made, every_site_is_what_its_label_says) {
  build();
  if (HasFatalFailure()) return;
  const FoundSites found = find_in(test::read_bytes(file_));
  ASSERT_EQ(found.error, "");
  EXPECT_EQ(found.machine, GetParam() ? Machine::x86_64 : Machine::i386);
  std::map<uint64_t, std::string>
      names;  // a site begins at its label, or within the two bytes behind it
  size_t num_labels = 0;
  for (const auto& [name, address] : labels_)
    for (const char* prefix : {"unwind_", "symbol_", "flow_", "likely_", "data_"})
      if (name.rfind(prefix, 0) == 0) names[address] = name, ++num_labels;
  ASSERT_EQ(num_labels, GetParam() ? 14u : 13u);

  EXPECT_EQ(found.sites.size(), num_labels);
  for (const Site& site : found.sites) {
    const auto next = names.upper_bound(site.address);
    ASSERT_NE(next, names.begin());
    const auto& [label_address, name] = *std::prev(next);
    EXPECT_LE(site.address - label_address, 2u) << name;
    EXPECT_EQ(name.rfind(expected_prefix(site), 0), 0u) << name << " was " << expected_prefix(site);
    if (name == "unwind_padlock") {
      EXPECT_EQ(site.mnemonic, "xcrypt-cbc");
    }
    if (name == "unwind_prefixed") {
      EXPECT_EQ(site.address, label_address);
      EXPECT_EQ(site.length, 3);
    }
    if (name == "likely_dead") {
      EXPECT_EQ(site.mnemonic, "xsha512");
      EXPECT_EQ(site.length, 4);
    }
    if (name == "symbol_sized") {
      EXPECT_EQ(site.symbol, "with_symbol");
      EXPECT_EQ(site.symbol_offset, site.address - labels_["with_symbol"]);
    }
  }
}

TEST_P(scan_site_finder_hand_made, stripping_section_headers_changes_nothing) {
  build();
  if (HasFatalFailure()) return;
  Bytes file = test::read_bytes(file_);
  const FoundSites before = find_in(file);
  if (GetParam()) {
    reinterpret_cast<Elf64_Ehdr*>(file.data())->e_shoff = 0;
    reinterpret_cast<Elf64_Ehdr*>(file.data())->e_shnum = 0;
  } else {
    reinterpret_cast<Elf32_Ehdr*>(file.data())->e_shoff = 0;
    reinterpret_cast<Elf32_Ehdr*>(file.data())->e_shnum = 0;
  }
  const FoundSites after = find_in(file);
  ASSERT_EQ(after.error, "");
  ASSERT_EQ(after.sites.size(), before.sites.size());
  for (size_t i = 0; i < after.sites.size(); ++i) {
    EXPECT_EQ(after.sites[i].address, before.sites[i].address);
    EXPECT_EQ(after.sites[i].proof, before.sites[i].proof) << std::hex << after.sites[i].address;
  }
}

INSTANTIATE_TEST_SUITE_P(, scan_site_finder_hand_made, testing::Bool(),
                         [](const auto& param) { return param.param ? "x86_64" : "i386"; });

struct Build {
  const char* name;
  std::vector<std::string> command;
};

void PrintTo(const Build& build, std::ostream* out) {
  *out << build.name;
}

class scan_site_finder_program : public testing::TestWithParam<Build> {};

// A program whose every CPUID, those of its C library included, is proved, whatever is stripped
// from it.
TEST_P(scan_site_finder_program, all_cpuid_are_proved_also_when_stripped) {
  test::TemporaryDirectory directory;
  const std::string source =
      directory.write("program.c",
                      "#include <cpuid.h>\n"
                      "int main(void) {\n"
                      "  unsigned a, b, c, d;\n"
                      "  return __get_cpuid(1, &a, &b, &c, &d) ? (int)(d & 1) : 2;\n"
                      "}\n");
  const std::string program = directory.path() + "/program";
  std::vector<std::string> command = GetParam().command;
  command.insert(command.end(), {"-O2", source, "-o", program});
  try {
    BUILD_OR_SKIP(command);
  } catch (const std::exception& error) {
    GTEST_SKIP() << error.what();
  }
  const Disassembly objdump = disassemble(program);
  ASSERT_FALSE(objdump.sites.empty());
  const auto expect_same = [&](const std::string& path) {
    const FoundSites found = find_in(test::read_bytes(path));
    ASSERT_EQ(found.error, "") << path;
    std::map<uint64_t, std::string> proved;
    for (const Site& site : found.sites)
      if (site.proof != Proof::none) proved[site.address] = site.mnemonic;
    EXPECT_EQ(proved, objdump.sites) << path;
  };
  expect_same(program);
  const std::string stripped = directory.path() + "/stripped";
  ASSERT_EQ(test::run({"objcopy", "-S", program, stripped}).exit_code, 0);
  expect_same(stripped);
  if (GetParam().command[0] != "cc")
    return;  // 32-bit start code takes main()'s address from a table
  const std::string bare = directory.path() + "/bare";
  ASSERT_EQ(test::run({"objcopy", "-S", "-R", ".eh_frame", "-R", ".eh_frame_hdr", program, bare})
                .exit_code,
            0);
  expect_same(bare);
}

INSTANTIATE_TEST_SUITE_P(, scan_site_finder_program,
                         testing::Values(Build{"pie", {"cc", "-pie", "-fPIE"}},
                                         Build{"fixed", {"cc", "-no-pie", "-fno-pie"}},
                                         Build{"static", {"cc", "-static"}},
                                         Build{"static_pie", {"cc", "-static-pie", "-fPIE"}},
                                         Build{"i386", {"i686-linux-gnu-gcc"}},
                                         Build{"i386_static", {"i686-linux-gnu-gcc", "-static"}}),
                         [](const auto& param) { return std::string(param.param.name); });

// Damaged files: nothing may crash or hang, and what is found lies in the file.

void expect_sound(const Bytes& file, const std::string& what) {
  const FoundSites found = find_sites(file.data(), file.size(), Wanted::crypto_and_flags);
  if (!found.error.empty()) {
    EXPECT_TRUE(found.sites.empty()) << what;
  }
  for (const Site& site : found.sites) {
    ASSERT_GE(site.length, site.kind == SiteKind::flags ? 1 : 2) << what;
    ASSERT_LE(site.length, 15) << what;
    ASSERT_LE(site.file_offset + site.length, file.size()) << what;
    const uint8_t* end = &file[site.file_offset] + site.length;
    if (site.kind == SiteKind::flags)
      ASSERT_TRUE(end[-1] == 0x9c || end[-1] == 0x9d || end[-1] == 0xcf) << what;
    else if (site.kind == SiteKind::cpuid)
      ASSERT_EQ(std::memcmp(end - 2, "\x0f\xa2", 2), 0) << what;
    else
      ASSERT_EQ(end[-3], 0x0f) << what;
  }
}

// A small real file, with symbols, unwind table and sites of every proof.
class scan_site_finder_damaged : public scan_site_finder_hand_made {
 protected:
  Bytes original() {
    build();
    return test::read_bytes(file_);
  }
};

TEST_P(scan_site_finder_damaged, cut_anywhere) {
  const Bytes file = original();
  const FoundSites whole = find_in(file);
  ASSERT_EQ(whole.error, "");
  const uint64_t end_of_code = whole.sites.back().file_offset + whole.sites.back().length;
  for (size_t len = 0; len < file.size(); len += len < 1024 ? 1 : 17) {
    // An exact allocation, so that AddressSanitizer sees a read past the end.
    const Bytes cut(file.begin(), file.begin() + static_cast<long>(len));
    expect_sound(cut, "cut to " + std::to_string(len));
    const std::string error = find_in(cut).error;
    if (len < 4) {
      EXPECT_EQ(error, "not an ELF file") << len;
    }
    if (len >= 4 && len < end_of_code) {
      EXPECT_EQ(error.rfind("truncated: ", 0), 0u) << len << " " << error;
    }
  }
}

TEST_P(scan_site_finder_damaged, random_changes) {
  const Bytes file = original();
  std::mt19937_64 random(20260101);
  for (int round = 0; round < 4000; ++round) {
    Bytes changed = file;
    const int num_changes = 1 + static_cast<int>(random() % 8);
    for (int i = 0; i < num_changes; ++i) {
      // Half of the changes hit the headers; extreme values find more than random ones.
      const size_t limit = random() % 2 == 0 ? 600 : changed.size();
      const uint8_t extremes[] = {0x00, 0xff, 0x7f, 0x80, 0x01, static_cast<uint8_t>(random())};
      changed[random() % limit] = extremes[random() % std::size(extremes)];
    }
    expect_sound(changed, "round " + std::to_string(round));
  }
}

INSTANTIATE_TEST_SUITE_P(, scan_site_finder_damaged, testing::Bool(),
                         [](const auto& param) { return param.param ? "x86_64" : "i386"; });

// An executable that is one segment with |code| behind the headers.
Bytes make_program(const Bytes& code, uint16_t machine = EM_X86_64, uint16_t num_segments = 1) {
  const size_t headers_len = sizeof(Elf64_Ehdr) + num_segments * sizeof(Elf64_Phdr);
  Bytes file(headers_len + code.size());
  std::copy(code.begin(), code.end(), file.begin() + static_cast<long>(headers_len));
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = machine;
  header.e_entry = 0x10000 + headers_len;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = num_segments;
  std::memcpy(file.data(), &header, sizeof header);
  for (uint16_t i = 0; i < num_segments; ++i) {
    Elf64_Phdr segment = {};
    segment.p_type = PT_LOAD;
    segment.p_flags = PF_R | PF_X;
    segment.p_vaddr = 0x10000 + i * file.size();
    segment.p_filesz = segment.p_memsz = file.size();
    std::memcpy(&file[sizeof header + i * sizeof segment], &segment, sizeof segment);
  }
  return file;
}

TEST(scan_site_finder, entry_point_is_enough_for_a_proof) {
  const FoundSites found = find_in(make_program(test::from_hex("0fa2 eb02 0fa2 f30fa7c8 f4 0fa2")));
  ASSERT_EQ(found.error, "");
  ASSERT_EQ(found.sites.size(), 4u);
  EXPECT_EQ(found.sites[0].proof, Proof::control_flow);
  EXPECT_EQ(found.sites[1].proof, Proof::none);
  EXPECT_EQ(found.sites[2].proof, Proof::control_flow);
  EXPECT_EQ(found.sites[2].mnemonic, "xcrypt-ecb");
  EXPECT_EQ(found.sites[3].proof, Proof::none);  // behind HLT
}

TEST(scan_site_finder, names_every_padlock_instruction) {
  std::vector<test::Encoding> instructions(std::begin(test::kEncodings),
                                           std::end(test::kEncodings));
  // Those that are not emulated, and other forms.
  instructions.insert(instructions.end(), {{"f30fa7f8", "xrng2"},
                                           {"f30fa6f0", "montmul2"},
                                           {"f30fa6f8", "xmodexp"},
                                           {"f20fa6c0", "sm2"},
                                           {"f20fa6d0", "zxpause"},
                                           {"f3670fa6c0", "montmul"},
                                           {"f30fa7df", "xcrypt-ctr"},
                                           {"0fa2", "cpuid"}});
  for (const auto& [bytes, mnemonic] : instructions) {
    const Bytes code = test::from_hex(std::string(bytes) + "c3");
    const FoundSites found = find_in(make_program(code));
    ASSERT_EQ(found.sites.size(), 1u) << bytes;
    EXPECT_EQ(found.sites[0].mnemonic, mnemonic) << bytes;
    EXPECT_EQ(found.sites[0].proof, Proof::control_flow) << bytes;
    EXPECT_EQ(found.sites[0].length, code.size() - 1) << bytes;
  }
}

// "mnemonic@offset ..." of what is found in |code|, which runs from its beginning.
std::string found_with_flags(const std::string& code) {
  const Bytes file = make_program(test::from_hex(code));
  const FoundSites found = find_sites(file.data(), file.size(), Wanted::crypto_and_flags);
  std::string text;
  for (const Site& site : found.sites)
    if (site.proof != Proof::none)
      text += site.mnemonic + "@" + std::to_string(site.address - found.sites[0].address) + " ";
  return text;
}

TEST(scan_site_finder, finds_flags_only_near_padlock_instructions) {
  const std::string xcrypt = "f30fa7c8";
  // XCRYPT; PUSHF; POPF; PUSHFW; MOV with an operand of PUSHF's byte; IRETQ
  EXPECT_EQ(found_with_flags(xcrypt + "9c9d669cb89c9d000048cf"),
            "xcrypt-ecb@0 pushf@4 popf@5 pushf@6 iret@13 ");
  EXPECT_EQ(found_with_flags("0fa29c9dc3"), "cpuid@0 ");
  std::string nops;
  for (int i = 0; i < 0xfff0; ++i) nops += "90";
  EXPECT_EQ(found_with_flags(xcrypt + nops + "9cc3"), "xcrypt-ecb@0 pushf@65524 ");
  EXPECT_EQ(found_with_flags(xcrypt + nops + "90909090909090909090909090909090909cc3"),
            "xcrypt-ecb@0 ");
  const Bytes file = make_program(test::from_hex(xcrypt + "9c9dc3"));
  EXPECT_EQ(find_in(file).sites.size(), 1u);
}

TEST(scan_site_finder, more_than_15_bytes_are_no_instruction) {
  for (size_t prefixes = 0; prefixes < 30; ++prefixes) {
    SCOPED_TRACE(prefixes);
    Bytes code(prefixes, 0x2E);
    const Bytes insn = test::from_hex("f30fa7c8c3");
    code.insert(code.end(), insn.begin(), insn.end());
    const FoundSites found = find_in(make_program(code));
    ASSERT_EQ(found.sites.size(), 1u);
    // clause: PLK-EXC-022
    const bool too_long = prefixes + 4 > 15;
    EXPECT_EQ(found.sites[0].proof, too_long ? Proof::none : Proof::control_flow);
    EXPECT_FALSE(found.sites[0].is_likely);
    if (!too_long) {
      EXPECT_EQ(found.sites[0].length, prefixes + 4);
    }
  }
}

TEST(scan_site_finder, hostile_counts_end_soon) {
  const auto start = test::cpu_time();
  Bytes full_of_candidates;
  for (int i = 0; i < 1 << 19; ++i)
    full_of_candidates.insert(full_of_candidates.end(), {0x0f, 0xa2});
  EXPECT_NE(find_in(make_program(full_of_candidates)).error.find("places look like"),
            std::string::npos);
  EXPECT_NE(find_in(make_program(Bytes(4096, 0x90), EM_X86_64, 10000)).error.find("four times"),
            std::string::npos);
  // Jumps into one another at every byte.
  Bytes jumps;
  for (int i = 0; i < 200000; ++i)
    jumps.insert(jumps.end(), {0x74, static_cast<uint8_t>(i * 7), 0x0f, 0xa2});
  EXPECT_EQ(find_in(make_program(jumps)).error, "");
  EXPECT_LT(test::cpu_time() - start, std::chrono::seconds(20));
}

TEST(scan_site_finder, says_what_is_wrong_with_a_file) {
  const Bytes program = make_program({0xc3});
  const auto error_with = [&](size_t offset, uint8_t value) {
    Bytes changed = program;
    changed[offset] = value;
    return find_in(changed).error;
  };
  EXPECT_EQ(find_in(program).error, "");
  EXPECT_EQ(find_sites(nullptr, 0).error, "not an ELF file");
  EXPECT_EQ(error_with(1, 'X'), "not an ELF file");
  EXPECT_EQ(error_with(EI_CLASS, 3), "the ELF class is 3; it must be 1 (32 bits) or 2 (64 bits)");
  EXPECT_EQ(find_in(make_program({0xc3}, EM_AARCH64)).error,
            "a program for AArch64; only x86-64, i386 and 64-bit PowerPC are searched");
  EXPECT_EQ(find_in(make_program({0xc3}, EM_PPC)).error,
            "a program for PowerPC; only x86-64, i386 and 64-bit PowerPC are searched");
  EXPECT_EQ(error_with(offsetof(Elf64_Ehdr, e_type), ET_REL),
            "an object file that is not linked; only programs and shared objects are searched");
  EXPECT_EQ(error_with(offsetof(Elf64_Ehdr, e_type), ET_CORE),
            "a core dump; only programs and shared objects are searched");
  EXPECT_EQ(error_with(offsetof(Elf64_Ehdr, e_phentsize), 1),
            "program headers are 1 bytes long; they must be 56");
  EXPECT_EQ(error_with(offsetof(Elf64_Ehdr, e_phnum), 0),
            "no program headers, so nothing of the file is loaded");
  EXPECT_EQ(find_in(make_program({0xc3}, EM_X86_64, 3)).error, "");
  Bytes overlapping = make_program({0xc3}, EM_X86_64, 2);
  reinterpret_cast<Elf64_Phdr*>(&overlapping[sizeof(Elf64_Ehdr)])[1].p_vaddr = 0x10001;
  EXPECT_EQ(find_in(overlapping).error, "segments overlap in memory");
}

}  // namespace
}  // namespace incore::scan
