// Several sources: those that are assembled together, and those that .include reads.
#include <map>

#include "vemicry/assemble_testing.h"
#include "vemicry/elf.h"

namespace incore::vemicry::test {
namespace {

using Files = std::map<std::string, std::string>;

// |paths| of |files|, assembled together; the others are there for .include.
Assembly assemble_files(const Files& files, const std::vector<std::string>& paths) {
  AssembleOptions options;
  options.symbols = {{"P", 8}};
  options.read_file = [&](const std::string& path, std::string* out_text) -> std::string {
    const auto found = files.find(path);
    if (found == files.end()) return "No such file";
    *out_text = found->second;
    return "";
  };
  std::vector<Source> sources;
  for (const std::string& path : paths) sources.push_back({path, path, files.at(path)});
  return assemble(sources, options);
}

std::vector<std::string> errors(const Files& files, const std::vector<std::string>& paths) {
  std::vector<std::string> lines;
  for (const Diagnostic& error : assemble_files(files, paths).errors)
    lines.push_back(error.file + ":" + std::to_string(error.line) + ":" +
                    std::to_string(error.column) + ": " + error.text);
  return lines;
}

using Lines = std::vector<std::string>;

std::vector<uint32_t> words(const Files& files, const std::vector<std::string>& paths) {
  const Assembly assembly = assemble_files(files, paths);
  EXPECT_EQ(errors_of(assembly), Lines());
  return assembly.image.segments.empty()
             ? std::vector<uint32_t>()
             : words_of(assembly.image, assembly.image.segments.front());
}

TEST(vemicry_assemble_files, include_reads_a_file_beside_the_including_one) {
  const Files files = {{"d/a.s", ".word 1\n.include \"e/b.s\"\n.word x + 3\n"},
                       {"d/e/b.s", "x = 1\n.word 2\n.include \"c.s\"\n.include \"/f.s\""},
                       {"d/e/c.s", ".word 3"},
                       {"/f.s", ".macro m\n.include \"g.s\"\n.endm\nm\nm"},
                       {"/g.s", ".word 9"}};
  EXPECT_EQ(words(files, {"d/a.s"}), (std::vector<uint32_t>{1, 2, 3, 9, 9, 4}));
}

TEST(vemicry_assemble_files, included_bytes_belong_to_the_line_of_include) {
  const Assembly assembly =
      assemble_files({{"a.s", "\n.include \"b.s\"\n"}, {"b.s", "\n\n\n.word 1\n"}}, {"a.s"});
  ASSERT_EQ(assembly.lines.size(), 1u);
  EXPECT_EQ(assembly.lines[0].line, 2u);
}

TEST(vemicry_assemble_files, errors_tell_file_and_line_of_the_inclusion) {
  EXPECT_EQ(errors({{"a.s", "\n.include \"b.s\"\n nap"},
                    {"b.s", " nap\n.include \"c.s\""},
                    {"c.s", "\n nap"}},
                   {"a.s"}),
            (Lines{"a.s:3:2: there is no instruction 'nap'",
                   "b.s:1:2: there is no instruction 'nap', included in a.s:2",
                   "c.s:2:2: there is no instruction 'nap', included in b.s:2, "
                   "included in a.s:2"}));
  EXPECT_EQ(errors({{"a.s", ".include \"b.s\"\n\n m"}, {"b.s", ".macro m\n nap\n.endm"}}, {"a.s"}),
            (Lines{"b.s:2:2: there is no instruction 'nap', in macro 'm' "
                   "called in a.s:3"}));
  EXPECT_EQ(errors({{"a.s", ".include \"b.s\""}}, {"a.s"}), (Lines{"a.s:1:1: b.s: No such file"}));
  EXPECT_EQ(errors({{"a.s", ".include \"b.s\""}, {"b.s", std::string("x\0", 2)}}, {"a.s"}),
            (Lines{"a.s:1:1: b.s: this is no text: byte 1 is zero"}));
  EXPECT_EQ(errors({{"a.s", ".include b.s"}}, {"a.s"}).size(), 1u);
  EXPECT_EQ(errors({{"a.s", ".include \"\""}}, {"a.s"}).size(), 1u);
  EXPECT_EQ(errors({{"a.s", ".include \"b.s\" x"}, {"b.s", ""}}, {"a.s"}),
            (Lines{"a.s:1:16: 'x' is too much here"}));
  EXPECT_EQ(errors({{"a.s", "x: .include \"b.s\""}, {"b.s", "\nx:"}}, {"a.s"}),
            (Lines{"b.s:2:1: 'x' is already defined, in a.s:1, included in a.s:1"}));
}

TEST(vemicry_assemble_files, blocks_end_in_the_file_where_they_begin) {
  EXPECT_EQ(errors({{"a.s", ".include \"b.s\"\n.endif\n"}, {"b.s", ".if 1"}}, {"a.s"}),
            (Lines{"a.s:2:1: .endif is missing at the end of the macro, repetition or file before "
                   "this"}));
  EXPECT_EQ(errors({{"a.s", ".include \"b.s\"\n.endr\n"}, {"b.s", ".rept 2"}}, {"a.s"}),
            (Lines{"a.s:2:1: there is no .rept or .irp before this",
                   "b.s:1:1: .endr is missing, included in a.s:1"}));
  EXPECT_EQ(errors({{"a.s", ".macro m\n.include \"b.s\"\n.endm\nm"}, {"b.s", ".exitm"}}, {"a.s"})[0]
                .substr(0, 18),
            "b.s:1:7: .exitm le");
}

TEST(vemicry_assemble_files, inclusions_without_end_are_refused) {
  EXPECT_EQ(errors({{"a.s", ".include \"b.s\""}, {"b.s", "\n.include \"a.s\""}}, {"a.s"}),
            (Lines{"b.s:2:1: 'a.s' would include itself, included in a.s:1"}));
  Files chain;  // the path is another each time
  for (std::string path = "a.s"; chain.size() < 30; path = "./" + path)
    chain[path] = ".include \"./a.s\"";
  const Lines deep = errors(chain, {"a.s"});
  ASSERT_EQ(deep.size(), 1u);
  EXPECT_NE(deep[0].find("files include each other more than 20 deep"), std::string::npos);
}

TEST(vemicry_assemble_files, sources_share_global_symbols_only) {
  const Files files = {{"a.s",
                        ".globl main\nmain: jal f\n nop\nx: .word x, "
                        "y\n.macro m\n.word 1\n.endm\n.set reorder\n"},
                       {"b.s",
                        ".globl f, y\n.macro m\n.word 2\n.endm\nx: f: j "
                        "x\n1: m\ny = 7\n.data\n.word P"}};
  const Assembly assembly = assemble_files(files, {"a.s", "b.s"});
  EXPECT_EQ(errors_of(assembly), Lines());
  EXPECT_EQ(words_of(assembly.image, assembly.image.segments[0]),
            (std::vector<uint32_t>{0x0C100004, 0, 0x00400008, 7, 0x08100004, 2}));
  EXPECT_EQ(assembly.image.entry, kTextAddress);
  EXPECT_EQ(assembly.image.symbols.size(), 4u);
  Image read;
  EXPECT_EQ(read_elf(write_elf(assembly.image), &read), "");
  EXPECT_EQ(read.symbols.size(), 4u);
  EXPECT_EQ(read.find("f")->address, kTextAddress + 16);
}

TEST(vemicry_assemble_files, the_global_one_of_equal_names_is_found) {
  const Assembly assembly =
      assemble_files({{"a.s", "main: nop\n"}, {"b.s", ".globl main\nmain: nop\n"}}, {"a.s", "b.s"});
  EXPECT_EQ(assembly.image.entry, kTextAddress + 4);
  EXPECT_EQ(assembly.image.find("main")->address, kTextAddress + 4);
}

TEST(vemicry_assemble_files, mistakes_between_sources) {
  EXPECT_EQ(errors({{"a.s", " j f"}, {"b.s", "f: nop"}}, {"a.s", "b.s"}).size(), 1u);
  EXPECT_EQ(errors({{"a.s", ".globl f\nf: nop"}, {"b.s", "\n.globl f\nf: nop"}}, {"a.s", "b.s"}),
            (Lines{"b.s:3:1: 'f' is already defined, in a.s:2"}));
  EXPECT_EQ(errors({{"a.s", ".comm c, 4"}, {"b.s", " lw $4, c\n"}}, {"a.s", "b.s"}), Lines());
  EXPECT_EQ(errors({{"a.s", ".if 1\n"}, {"b.s", ".endif\n nap"}}, {"a.s", "b.s"}).size(), 3u);
}

}  // namespace
}  // namespace incore::vemicry::test
