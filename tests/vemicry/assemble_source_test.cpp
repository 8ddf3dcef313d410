// Assembly as a language: labels, directives, expressions, macros, conditions, and the layout.
#include "vemicry/assemble_testing.h"

namespace incore::vemicry::test {
namespace {

using Words = std::vector<uint32_t>;

// What ".word |expression|" is.
uint32_t value_of(const std::string& expression) {
  return word_of(".word " + expression);
}

Image image_of(const std::string& source, const AssembleOptions& options = {}) {
  const Assembly assembly = assemble(source, options);
  EXPECT_TRUE(assembly.errors.empty()) << testing::PrintToString(errors_of(assembly));
  return assembly.image;
}

TEST(vemicry_assemble_source, numbers_and_operators) {
  EXPECT_EQ(value_of("10"), 10u);
  EXPECT_EQ(value_of("0x1F"), 31u);
  EXPECT_EQ(value_of("0b101"), 5u);
  EXPECT_EQ(value_of("017"), 15u);
  EXPECT_EQ(value_of("'a'"), 97u);
  EXPECT_EQ(value_of("'\\n'"), 10u);
  EXPECT_EQ(value_of("-1"), 0xFFFFFFFFu);
  EXPECT_EQ(value_of("~0xF"), 0xFFFFFFF0u);
  EXPECT_EQ(value_of("!0 + !7"), 1u);
  EXPECT_EQ(value_of("2 + 3 * 4"), 14u);
  EXPECT_EQ(value_of("(2 + 3) * 4"), 20u);
  EXPECT_EQ(value_of("17 % 5 + 17 / 5"), 5u);
  EXPECT_EQ(value_of("-7 / 2"), static_cast<uint32_t>(-3));
  EXPECT_EQ(value_of("1 << 4 | 3"), 19u);
  EXPECT_EQ(value_of("0xFF ^ 0xF0 & 0x1F"), 0x0Fu);  // these two bind alike, from the left
  EXPECT_EQ(value_of("1 << 2 + 1"), 5u);             // as in GNU as, unlike C
  EXPECT_EQ(value_of("(3 > 2) + (2 >= 3) + (1 == 1) + (1 != 1) + (0 < 1 && 0 || 1)"), 3u);
  EXPECT_EQ(value_of("%hi(0x12348000)"), 0x1235u);
  EXPECT_EQ(value_of("%lo(0x12348000)"), 0xFFFF8000u);
  EXPECT_EQ(error_of(".word 1 / 0"), "1:7: division by zero");
  EXPECT_EQ(error_of(".word 09"), "1:7: this is not a number");
  EXPECT_EQ(error_of(".word 1 +"), "1:10: an expression is missing");
  EXPECT_EQ(error_of(".word (1"), "1:9: a bracket ')' is missing");
  EXPECT_EQ(error_of(".word 0x123456789"), "1:7: 4886718345 does not fit into 32 bits");
  EXPECT_EQ(error_of(".byte 256"), "1:7: 256 does not fit into 8 bits");
  EXPECT_EQ(error_of(".half -32769"), "1:7: -32769 does not fit into 16 bits");
}

TEST(vemicry_assemble_source, labels_forward_and_back) {
  EXPECT_EQ(words_of("a: b c\n nop\nc: b a\n nop"), (Words{0x10000001, 0, 0x1000FFFD, 0}));
  EXPECT_EQ(words_of("jal f\n nop\nf: j f\n nop"), (Words{0x0C100002, 0, 0x08100002, 0}));
  EXPECT_EQ(words_of("1: b 1f\n nop\n1: b 1b\n b 1f\n1:"),
            (Words{0x10000001, 0, 0x1000FFFF, 0x10000000}));
  EXPECT_EQ(words_of("a: .word b - a, b + 4, . - a\nb:"), (Words{12, 0x00400010, 0}));
  EXPECT_EQ(words_of("x: y: b x; b y"), (Words{0x1000FFFF, 0x1000FFFE}));
  EXPECT_EQ(error_of("b nowhere"), "1:3: 'nowhere' is not defined");
  EXPECT_EQ(error_of("b 1f"), "1:3: there is no such numeric label behind this");
  EXPECT_EQ(error_of("b 1b"), "1:3: there is no label 1 before this");
  EXPECT_EQ(error_of("x: nop\n nop\nx: nop"), "3:1: 'x' is already defined, in line 1");
  EXPECT_EQ(error_of("b 0x400002"), "1:3: the target is not at a multiple of 4");
  EXPECT_EQ(error_of("j 0x10000000"), "1:3: the target is not in the same 256 MiB as the jump");
}

TEST(vemicry_assemble_source, branches_reach_as_far_as_16_bits) {
  EXPECT_EQ(words_of("b x\n .space 4 * 32767\nx:").front(), 0x10007FFFu);
  EXPECT_EQ(error_of("b x\n .space 4 * 32768\nx:"),
            "1:3: the target is 32768 instructions away; a branch reaches -32768 to 32767");
  EXPECT_EQ(words_of("x: .space 4 * 32767\n b x").back(), 0x10008000u);
  EXPECT_EQ(error_of("x: .space 4 * 32768\n b x"),
            "2:4: the target is -32769 instructions away; a branch reaches -32768 to 32767");
}

TEST(vemicry_assemble_source, data_directives) {
  EXPECT_EQ(words_of(".word 1, -1, x\nx: .half 1, 0xFFFF\n .byte 1, 2, -1, 'a'"),
            (Words{1, 0xFFFFFFFF, 0x0040000C, 0x0001FFFF, 0x0102FF61}));
  EXPECT_EQ(words_of(".ascii \"a,b\", \"\\t#\\061\"\n .asciiz \"\\\"\""),
            (Words{0x612C6209, 0x23312200}));
  EXPECT_EQ(words_of(".byte 1\n .align 2\n .byte 2\n .balign 8\n .byte 3,3,3,3"),
            (Words{0x01000000, 0x02000000, 0x03030303}));
  EXPECT_EQ(words_of(".byte 1\n .word 2"), (Words{0x01000000, 2}));  // aligned without being told
  EXPECT_EQ(words_of(".byte 1\nx: .word x"), (Words{0x01000000, 0x00400004}));
  EXPECT_EQ(words_of(".space 5, 0xAB\n .space 3"), (Words{0xABABABAB, 0xAB000000}));
  EXPECT_EQ(words_of(".org 8\n .word 1"), (Words{0, 0, 1}));
  AssembleOptions little;
  little.little_endian = true;
  EXPECT_EQ(image_of(".word 0x01020304\n .half 0x0506", little).segments[0].bytes,
            (std::vector<uint8_t>{4, 3, 2, 1, 6, 5}));
  EXPECT_EQ(error_of(".space -1"), "1:1: the program becomes larger than 64 MiB");
  EXPECT_EQ(error_of(".align 13"), "1:8: 2 to the power of this is more than 4096 bytes");
  EXPECT_EQ(error_of(".balign 6"), "1:9: an alignment is a power of two, 1 to 4096");
  EXPECT_EQ(error_of(".asciiz \"a"), "1:9: the string does not end");
  EXPECT_EQ(error_of(".include \"x.s\""), "1:10: other files are not read: put the text here");
  EXPECT_EQ(error_of(".nonsense 1"), "1:1: there is no directive '.nonsense'");
  EXPECT_EQ(error_of(".text 1"), "1:7: '1' is too much here");
}

TEST(vemicry_assemble_source, layout_of_sections) {
  const Image image = image_of(
      " .data\nd: .word 1\n .text\nmain: nop\n .rdata\nr: .word 2\n .bss\nb: .space 20\n"
      " .text\nt2: nop\n .section .text.cold,\"ax\",@progbits\ncold: nop\n .comm c, 8, 8");
  ASSERT_EQ(image.segments.size(), 3u);
  EXPECT_EQ(image.segments[0].address, kTextAddress);
  EXPECT_TRUE(image.segments[0].executable && !image.segments[0].writable);
  EXPECT_EQ(image.segments[1].address, kTextAddress + 0x1000);
  EXPECT_TRUE(!image.segments[1].executable && !image.segments[1].writable);
  EXPECT_EQ(image.segments[2].address, kDataAddress);
  EXPECT_TRUE(image.segments[2].writable);
  EXPECT_EQ(image.segments[2].bytes.size(), 4u);
  EXPECT_EQ(image.segments[2].mem_len, 16u + 24 + 8);
  EXPECT_EQ(image.entry, image.find("main")->address);
  EXPECT_EQ(image.find("t2")->address, kTextAddress + 4);
  EXPECT_EQ(image.find("cold")->address, kTextAddress + 16);
  EXPECT_EQ(image.find("r")->address, kTextAddress + 0x1000);
  EXPECT_EQ(image.find("b")->address, kDataAddress + 16);
  EXPECT_EQ(image.find("c")->address, kDataAddress + 16 + 24);
  EXPECT_EQ(error_of(".bss\n .word 1"), "2:2: this section can hold zeros only");
  EXPECT_EQ(error_of(".section mine\n .word 1"),
            "1:10: of section 'mine' the flags are needed: \"a\" it is loaded, \"w\" written, "
            "\"x\" code");
  EXPECT_TRUE(
      image_of(".section .debug_info,\"\",@progbits\n .uleb128 7\n bogus").segments.empty());
}

TEST(vemicry_assemble_source, symbols_of_the_image) {
  const Image image = image_of(
      " .globl f\n .ent f\nf: nop\n nop\n .end f\n$L2: .Lx: nop\n .type g, @function\ng: nop\n"
      " .size g, . - g\nh: K = 4");
  const Symbol* const f = image.find("f");
  ASSERT_NE(f, nullptr);
  EXPECT_TRUE(f->is_function);
  EXPECT_EQ(f->len, 8u);
  EXPECT_TRUE(image.find("g")->is_function);
  EXPECT_EQ(image.find("g")->len, 4u);
  EXPECT_FALSE(image.find("h")->is_function);
  EXPECT_EQ(image.symbols.size(), 3u);  // no private labels, no constants
  EXPECT_EQ(image.at(f->address)->name, "f");
  EXPECT_EQ(image.at(f->address + 4), nullptr);
  EXPECT_EQ(image_of("nop\n__start: nop\nmain: nop").entry, kTextAddress + 4);
}

TEST(vemicry_assemble_source, constants) {
  EXPECT_EQ(words_of("N = 3\n .set M, N * 2\n .equ K, M + 1\n .word N, M, K"), (Words{3, 6, 7}));
  EXPECT_EQ(words_of(".set i, 1\n .word i\n .set i, i + 1\n .word i"), (Words{1, 2}));
  EXPECT_EQ(words_of("i = 1\n .word i + end - end\n i = 2\nend:"), Words{1});
  AssembleOptions options;
  options.symbols = {{"P", 16}};
  EXPECT_EQ(word_of(".word P / 4", options), 4u);
  EXPECT_EQ(error_of("P: nop", options), "1:1: 'P' is already defined, before the first line");
  EXPECT_EQ(error_of("x = y\ny: nop"), "1:5: the value must be known here");
  EXPECT_EQ(error_of(".equiv x, 1\n .equiv x, 2"), "2:9: 'x' is already defined, in line 1");
}

TEST(vemicry_assemble_source, macros) {
  EXPECT_EQ(
      words_of(".macro put a, b=7\n .word \\a, \\b\n .endm\n put 1\n put 2, 3\n put b=4, a=5"),
      (Words{1, 7, 2, 3, 5, 4}));
  EXPECT_EQ(words_of(".macro spin\nl\\@: b l\\@\n .endm\n spin\n spin"),
            (Words{0x1000FFFF, 0x1000FFFF}));
  EXPECT_EQ(words_of(".macro two x\nlab\\x\\()_a: .word lab\\x\\()_a\n .endm\n two 1\n TWO 2"),
            (Words{0x00400000, 0x00400004}));
  EXPECT_EQ(words_of(".macro all x:vararg\n .word \\x\n .endm\n all 1, 2, 3"), (Words{1, 2, 3}));
  EXPECT_EQ(
      words_of(".macro count n\n .if \\n\n .word \\n\n count \\n - 1\n .endif\n .endm\n count 3"),
      (Words{3, 2, 1}));
  EXPECT_EQ(
      words_of(".macro f x\n .ifb \\x\n .word 1\n .exitm\n .endif\n .word 2\n .endm\n f\n f 3"),
      (Words{1, 2}));
  EXPECT_EQ(error_of(".macro m a:req\n .endm\n m"), "3:2: macro 'm' needs its argument 'a'");
  EXPECT_EQ(error_of(".macro m a\n .endm\n m 1, 2"), "3:7: macro 'm' takes 1 arguments");
  EXPECT_EQ(error_of(".macro m a, a\n .endm"), "1:14: the macro has two parameters of this name");
  EXPECT_EQ(error_of(".macro m\n nop"), "1:1: .endm is missing");
  EXPECT_EQ(error_of(".endm"), "1:1: there is no .macro before this");
}

TEST(vemicry_assemble_source, errors_in_macros_tell_the_call) {
  EXPECT_EQ(
      error_of(".macro inner x\n addiu \\x, 1\n .endm\n .macro outer\n inner $4\n .endm\n outer"),
      "2:2: addiu takes 3 operands: addiu rt, rs, simm, in macro 'inner' called in line 5, in "
      "macro 'outer' called in line 7");
  EXPECT_EQ(error_of(".macro far\n b nowhere\n .endm\n nop\n far"),
            "2:4: 'nowhere' is not defined, in macro 'far' called in line 5");
  EXPECT_EQ(error_of(".macro open\n .if 1\n .endm\n open\n nop"),
            "5:2: .endif is missing at the end of the macro, repetition or file before this");
}

TEST(vemicry_assemble_source, lines_tell_where_bytes_come_from) {
  const Assembly assembly =
      assemble(".macro two\n nop\n nop\n .endm\n li $4, 0x12345\n two\n .bss\n .space 4", {});
  std::vector<std::vector<uint32_t>> lines;
  for (const AssembledLine& line : assembly.lines)
    lines.push_back({line.line, line.address - kTextAddress, line.len});
  EXPECT_EQ(lines, (std::vector<std::vector<uint32_t>>{{5, 0, 8}, {6, 8, 4}, {6, 12, 4}}));
}

TEST(vemicry_assemble_source, repetitions_and_conditions) {
  EXPECT_EQ(words_of("i = 0\n .rept 3\n .word i\n .rept 2\n i = i + 1\n .endr\n .endr"),
            (Words{0, 2, 4}));
  EXPECT_TRUE(words_of(".rept 0\n .word 1\n .endr").empty());
  const std::string choice =
      " .if N > 2\n .word 1\n .elseif N == 2\n .word 2\n .else\n .word 3\n .endif";
  for (uint32_t n : {1u, 2u, 3u}) {
    AssembleOptions options;
    options.symbols = {{"N", n}};
    EXPECT_EQ(word_of(choice, options), 4 - n);
  }
  EXPECT_EQ(words_of(".if 0\n .if 1\n .word 1\n .else\n .word 2\n .endif\n bogus $4, \n .else\n"
                     " .word 3\n .endif"),
            Words{3});
  EXPECT_EQ(words_of("x = 1\n .ifdef x\n .word 1\n .endif\n .ifndef y\n .word 2\n .endif"),
            (Words{1, 2}));
  EXPECT_EQ(error_of(".if 1\n nop"), "2:2: .endif is missing");
  EXPECT_EQ(error_of(".else"), "1:1: there is no .if before this");
  EXPECT_EQ(error_of(".if later\n bogus\n .endif\nlater = 1"),
            "1:5: the condition must be known here");
  EXPECT_EQ(error_of(".rept x\n nop\n .endr\nx = 1"),
            "1:7: the number of repetitions must be known here");
}

TEST(vemicry_assemble_source, comments_and_separators) {
  EXPECT_EQ(words_of("nop # a; b\n nop // c\n .word 1 /* d\n e */ ; .word '#', ';' # \"\n"
                     " .ascii \"#//\\\";/*x\""),
            (Words{0, 0, 1, '#', ';', 0x232F2F22, 0x3B2F2A78}));
  EXPECT_EQ(error_of(std::string("nop\n\0nop", 8)), "1:1: this is no text: byte 4 is zero");
  EXPECT_EQ(words_of("\tnop\r\n nop\r\n").size(), 2u);
}

TEST(vemicry_assemble_source, all_errors_are_reported_in_order_up_to_50) {
  EXPECT_EQ(errors_of(" b far\n addiu $4, $4, 40000\n bogus\n lw $4, ($5\n vload v9, ($4), 1"),
            (std::vector<std::string>{
                "1:4: 'far' is not defined", "2:16: 40000 is out of range: -32768 to 32767",
                "3:2: there is no instruction 'bogus'", "4:12: a bracket ')' is missing",
                "5:8: 'v9' does not exist: this machine has v0 to v7"}));
  std::string many;
  for (int i = 0; i < 100; ++i) many += "bogus\n";
  EXPECT_EQ(errors_of(many).size(), 50u);
  EXPECT_TRUE(assemble("nop\n bogus", {}).image.segments.empty());
}

TEST(vemicry_assemble_source, what_would_not_end_is_refused) {
  EXPECT_EQ(error_of(".macro m\n m\n .endm\n m")
                .rfind("2:2: macro calls are nested more than 100 deep: does 'm' call itself "
                       "without end?, in macro 'm' called in line 2",
                       0),
            0u);
  EXPECT_EQ(error_of(".rept 1000000000\n .endr"), "2:2: there are more than 5 million statements");
  EXPECT_EQ(error_of(".rept 1000000000\n .space 1 << 20\n .endr"),
            "2:2: the program becomes larger than 64 MiB");
  EXPECT_EQ(error_of(".macro m x\n m \\x\\x\n .endm\n m aaaaaaaa").substr(0, 4), "2:2:");
  EXPECT_EQ(error_of(".word " + std::string(1000, '(') + "1").substr(0, 4), "1:20");
}

}  // namespace
}  // namespace incore::vemicry::test
