// ELF: what is written is read back, and by the GNU tools; what cannot be run is refused.
#include "vemicry/elf.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/process.h"
#include "vemicry/assemble_testing.h"

namespace incore::vemicry::test {
namespace {

constexpr const char* kSource =
    " .globl __start\n .ent __start\n__start: lw $4, value\n li $2, 4001\n syscall\n .end __start\n"
    " .rdata\ntext: .asciiz \"hello\"\n .data\nvalue: .word 42\n .bss\nzeros: .space 5000\n";

std::vector<uint8_t> elf_of(const std::string& source, bool little_endian = false) {
  AssembleOptions options;
  options.little_endian = little_endian;
  const Assembly assembly = assemble(source, options);
  EXPECT_TRUE(assembly.errors.empty()) << testing::PrintToString(errors_of(assembly));
  return write_elf(assembly.image);
}

std::string mistake_of(const std::vector<uint8_t>& elf) {
  Image image;
  const std::string mistake = read_elf(elf, &image);
  EXPECT_TRUE(mistake.empty() || image.segments.empty());
  return mistake;
}

// The mistake that is found when |size| bytes at |offset| are |value|.
std::string mistake_with(size_t offset, uint32_t value, size_t size) {
  std::vector<uint8_t> elf = elf_of(kSource);
  for (size_t i = 0; i < size; ++i)
    elf[offset + i] = static_cast<uint8_t>(value >> 8 * (size - 1 - i));
  return mistake_of(elf);
}

TEST(vemicry_elf, what_is_written_is_read_back) {
  for (const bool little_endian : {false, true}) {
    AssembleOptions options;
    options.little_endian = little_endian;
    const Image written = assemble(kSource, options).image;
    Image read;
    ASSERT_EQ(read_elf(write_elf(written), &read), "");
    EXPECT_EQ(read.little_endian, little_endian);
    EXPECT_EQ(read.entry, written.entry);
    ASSERT_EQ(read.segments.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(read.segments[i].address, written.segments[i].address);
      EXPECT_EQ(read.segments[i].bytes, written.segments[i].bytes);
      EXPECT_EQ(read.segments[i].mem_len, written.segments[i].mem_len);
      EXPECT_EQ(read.segments[i].executable, written.segments[i].executable);
      EXPECT_EQ(read.segments[i].writable, written.segments[i].writable);
    }
    ASSERT_EQ(read.symbols.size(), 4u);
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(read.symbols[i].name, written.symbols[i].name);
      EXPECT_EQ(read.symbols[i].address, written.symbols[i].address);
      EXPECT_EQ(read.symbols[i].len, written.symbols[i].len);
      EXPECT_EQ(read.symbols[i].is_function, written.symbols[i].is_function);
    }
    ASSERT_EQ(read.code.size(), 1u);
    EXPECT_EQ(read.code[0].address, kTextAddress);
  }
}

TEST(vemicry_elf, what_cannot_be_run_is_refused_by_name) {
  EXPECT_EQ(mistake_of({}), "it is no ELF file");
  EXPECT_EQ(mistake_of({0x7F, 'E', 'L', 'F', 1, 2}), "the ELF header is cut off");
  EXPECT_EQ(mistake_with(18, 62, 2),
            "it is for another processor; accepted: MIPS-I (ELF machine 8)");
  EXPECT_EQ(mistake_with(4, 2, 1), "it is a 64-bit program; accepted: 32 bits (-mabi=32)");
  EXPECT_EQ(mistake_with(5, 3, 1), "the ELF header is damaged");
  EXPECT_EQ(mistake_with(5, 0, 1), "the ELF header is damaged");
  EXPECT_EQ(mistake_with(4, 3, 1), "the ELF header is damaged");
  EXPECT_EQ(mistake_with(16, 1, 2), "it is an object file that still has to be linked");
  EXPECT_EQ(mistake_with(16, 3, 2),
            "it is position-independent or a shared library; link it with -static -no-pie");
  EXPECT_EQ(mistake_with(36, 0x50001001, 4), "it is for MIPS32; accepted: MIPS-I (-march=mips1)");
  EXPECT_EQ(mistake_with(36, 0x70001001, 4),
            "it is for MIPS32 R2; accepted: MIPS-I (-march=mips1)");
  EXPECT_EQ(mistake_with(36, 0x04001001, 4), "it is for MIPS16; accepted: MIPS-I (-march=mips1)");
  EXPECT_EQ(mistake_with(36, 0x00000020, 4), "it is for another ABI; accepted: o32 (-mabi=32)");
  EXPECT_EQ(mistake_with(36, 0x00000000, 4), "");
  constexpr size_t kFirstSegment = 52;
  EXPECT_EQ(mistake_with(kFirstSegment, 3, 4), "it is dynamically linked; link it with -static");
  EXPECT_EQ(mistake_with(kFirstSegment + 4, 0xFFFFFFFF, 4),
            "segment 0 reaches beyond the end of the file");
  EXPECT_EQ(mistake_with(kFirstSegment + 20, 1, 4),
            "segment 0 is longer in the file than in memory");
  EXPECT_EQ(mistake_with(kFirstSegment + 8, 0xFFFFFFFF, 4), "segment 0 reaches beyond 4 GiB");
  EXPECT_EQ(mistake_with(kFirstSegment + 20, 0x20000000, 4),
            "it needs more than 256 MiB of memory");
  EXPECT_EQ(mistake_with(28, 0xFFFFFFF0, 4),
            "the program headers reach beyond the end of the file");
  EXPECT_EQ(mistake_with(32, 0xFFFFFFF0, 4),
            "the section headers reach beyond the end of the file");
  EXPECT_EQ(mistake_with(44, 0, 2), "it has nothing to load");
}

TEST(vemicry_elf, every_cut_is_noticed) {
  const std::vector<uint8_t> elf = elf_of(kSource);
  for (size_t len = 0; len < elf.size(); len += len < 200 ? 1 : 37)
    EXPECT_NE(mistake_of({elf.begin(), elf.begin() + static_cast<ptrdiff_t>(len)}), "") << len;
  EXPECT_NE(mistake_of({elf.begin(), elf.end() - 1}), "");  // the end of the section headers
}

#define SKIP_WITHOUT(program)                                              \
  if (access("/usr/bin/" program, X_OK) != 0 || ::incore::test::kEmulated) \
  GTEST_SKIP() << program " is not installed, or cannot be started from here"

std::string write_file(const ::incore::test::TemporaryDirectory& directory, const std::string& name,
                       const std::vector<uint8_t>& elf) {
  const std::string path = directory.write(name, std::string(elf.begin(), elf.end()));
  EXPECT_EQ(chmod(path.c_str(), 0755), 0);
  return path;
}

TEST(vemicry_elf, linux_runs_what_is_written) {
  SKIP_WITHOUT("qemu-mips");
  const ::incore::test::TemporaryDirectory directory;
  EXPECT_EQ(
      ::incore::test::run({"qemu-mips", write_file(directory, "be", elf_of(kSource))}).exit_code,
      42);
  EXPECT_EQ(::incore::test::run({"qemu-mipsel", write_file(directory, "le", elf_of(kSource, true))})
                .exit_code,
            42);
}

TEST(vemicry_elf, objdump_reads_code_and_symbols) {
  SKIP_WITHOUT("mips-linux-gnu-objdump");
  const ::incore::test::TemporaryDirectory directory;
  const std::string path =
      write_file(directory, "x", elf_of(" .ent f\nf: vload v1, ($4), 8\n jr $31\n .end f"));
  const ::incore::test::ProcessResult result =
      ::incore::test::run({"mips-linux-gnu-objdump", "-d", "-t", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("00400000 <f>:"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("4a410220 \tc2\t0x410220"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("03e00008 \tjr\tra"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("F .text\t00000008 f"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace incore::vemicry::test
