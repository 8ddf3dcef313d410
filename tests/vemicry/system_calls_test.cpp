// System calls, and programs as they are written in courses: for SPIM and MARS.
#include <algorithm>

#include "vemicry/assemble_testing.h"
#include "vemicry/machine.h"

namespace incore::vemicry::test {
namespace {

struct Ran {
  Outcome outcome;
  std::string out;
  State state;
};

// |source| from its entry, with |input|.
Ran run(const std::string& source, std::string input = "", const Config& config = {}) {
  AssembleOptions options;
  options.little_endian = config.little_endian;
  const Assembly assembly = assemble(source, options);
  EXPECT_EQ(errors_of(assembly), std::vector<std::string>());
  Machine machine(config);
  EXPECT_TRUE(machine.load(assembly.image));
  Ran ran;
  machine.on_read = [&](int fd, uint8_t* out_bytes, size_t len) -> int64_t {
    if (fd != 0) return -9;
    len = std::min(len, input.size());
    std::copy_n(input.begin(), len, out_bytes);
    input.erase(0, len);
    return static_cast<int64_t>(len);
  };
  machine.on_write = [&](int fd, const uint8_t* bytes, size_t len) -> int64_t {
    if (fd != 1) return -9;
    len = std::min<size_t>(len, 7);  // less than asked is allowed
    ran.out.append(reinterpret_cast<const char*>(bytes), len);
    return static_cast<int64_t>(len);
  };
  machine.on_time = [] { return uint64_t{0x123456789A}; };
  ran.outcome = machine.run(100'000);
  ran.state = machine.state();
  return ran;
}

// System call |number| with $a0 and $a1, and then exit.
Ran call(uint32_t number, uint32_t a0 = 0, uint32_t a1 = 0, const std::string& input = "") {
  return run(" .data\nd: .asciiz \"text of more than seven\"\n .text\nmain: li $v0," +
                 std::to_string(number) + "\n li $a0," + std::to_string(a0) + "\n li $a1," +
                 std::to_string(a1) +
                 "\n syscall\n move $t0,$v0\n move $t1,$a0\n move $t2,$a1\n"
                 " li $v0,10\n syscall\n",
             input);
}

TEST(vemicry_system_calls, print) {
  EXPECT_EQ(call(1, 0xFFFFFFFE).out, "-2");
  EXPECT_EQ(call(4, kDataAddress).out, "text of more than seven");
  EXPECT_EQ(call(11, 'x').out, "x");
  EXPECT_EQ(call(34, 0xABC).out, "0x00000abc");
  EXPECT_EQ(call(35, 0x80000005).out, "10000000000000000000000000000101");
  EXPECT_EQ(call(36, 0xFFFFFFFE).out, "4294967294");
}

TEST(vemicry_system_calls, read_a_number_or_a_character) {
  EXPECT_EQ(call(5, 0, 0, "  -12 and more\n7").state.gpr[8], 0u - 12);
  EXPECT_EQ(call(5, 0, 0, "+9").state.gpr[8], 9u);
  EXPECT_EQ(call(5, 0, 0, "x\n").state.gpr[8], 0u);
  EXPECT_EQ(call(5).state.gpr[8], 0u);
  EXPECT_EQ(call(12, 0, 0, "\xFF").state.gpr[8], 0xFFu);
  EXPECT_EQ(call(12).state.gpr[8], ~0u);
}

TEST(vemicry_system_calls, read_a_string_as_fgets_does) {
  const auto read = [](const std::string& len, const std::string& input) {
    return run(" .data\nb: .fill 8, 1, '-'\n .byte 0\n .text\nmain: la $a0,b\n li $a1," + len +
                   "\n li $v0,8\n syscall\n li $v0,14\n li $a0,0\n la $a1,b+6\n li $a2,1\n "
                   "syscall\n"
                   " la $a0,b\n li $v0,4\n syscall\n la $a0,b+4\n syscall\n li $v0,10\n syscall\n",
               input)
        .out;
  };
  EXPECT_EQ(read("8", "ab\ncd"), "ab\n--c-");
  EXPECT_EQ(read("4", "abcdef"), "abc--d-");
  EXPECT_EQ(read("1", "abc"), "--a-");
  EXPECT_EQ(read("0", "abc"), "------a---a-");
  EXPECT_EQ(read("8", ""), "----");
}

TEST(vemicry_system_calls, exit_codes) {
  EXPECT_EQ(call(10, 7).outcome.value, 0u);
  EXPECT_EQ(call(17, 0x107).outcome.value, 7u);
  EXPECT_EQ(call(17).outcome.stop, Stop::exited);
}

TEST(vemicry_system_calls, read_and_write_report_errors_as_minus_one) {
  EXPECT_EQ(call(15, 1, kDataAddress).state.gpr[8], 0u);
  EXPECT_EQ(call(15, 9, kDataAddress).state.gpr[8], ~0u);
  EXPECT_EQ(call(14, 9, kDataAddress).state.gpr[8], ~0u);
}

TEST(vemicry_system_calls, time_and_random_numbers) {
  const Ran time = call(30);
  EXPECT_EQ(time.state.gpr[9], 0x3456789Au);
  EXPECT_EQ(time.state.gpr[10], 0x12u);
  EXPECT_EQ(call(41).state.gpr[9], call(41).state.gpr[9]);
  const auto numbers = [](const std::string& seed) {
    return run("main: li $a1," + seed +
               "\n li $v0,40\n syscall\n li $t0,100\nnext: li $v0,42\n li $a1,10\n syscall\n"
               " li $v0,1\n syscall\n addiu $t0,$t0,-1\n bne $t0,$0,next\n nop\n li $v0,10\n"
               " syscall\n")
        .out;
  };
  const std::string one = numbers("1"), two = numbers("2");
  EXPECT_NE(one, two);
  EXPECT_EQ(one.size(), 100u);
  for (char digit = '0'; digit <= '9'; ++digit) EXPECT_NE(one.find(digit), std::string::npos);
}

TEST(vemicry_system_calls, sbrk_gives_memory_up_to_the_stack) {
  const Ran first = call(9, 5);
  EXPECT_EQ(first.state.gpr[8], kDataAddress + Memory::kPageLen);
  EXPECT_EQ(call(9, 0x7F000000).state.gpr[8], ~0u);
  EXPECT_EQ(call(9, 0x0FFFFFFF).state.gpr[8], ~0u);                 // more than all memory
  EXPECT_EQ(call(9, 0xFFFFFFFF).state.gpr[8], first.state.gpr[8]);  // rounded up to 0
  EXPECT_EQ(call(9, 0xFFFFFFFC).state.gpr[8], ~0u);
  const Ran two = run(
      "main: li $a0,10\n li $v0,9\n syscall\n move $t0,$v0\n li $v0,9\n syscall\n sw $v0,8($v0)\n"
      " subu $a0,$v0,$t0\n li $v0,17\n syscall\n");
  EXPECT_EQ(two.outcome.value, 12u);
}

TEST(vemicry_system_calls, what_cannot_be_done_is_a_trap_that_changes_nothing) {
  for (const uint32_t number : {0u, 2u, 13u, 16u, 3999u}) {
    const Ran ran = call(number);
    EXPECT_EQ(ran.outcome.trap.exception, Exception::syscall) << number;
    EXPECT_EQ(ran.outcome.trap.address, number);
    EXPECT_EQ(ran.state.pc, ran.outcome.address);
    EXPECT_EQ(ran.state.gpr[2], number);
  }
  const Ran string = call(4, 16);
  EXPECT_EQ(string.outcome.trap.exception, Exception::bus_error_data);
  EXPECT_EQ(string.outcome.trap.address, 16u);
  EXPECT_EQ(call(8, 16, 10, "abc").outcome.trap.exception, Exception::bus_error_data);
}

// The programs of a first course, in both byte orders.
void expect_output(const std::string& source, const std::string& input, const std::string& output) {
  for (const bool little_endian : {false, true}) {
    Config config;
    config.little_endian = little_endian;
    const Ran ran = run(" .set reorder\n" + source, input, config);
    EXPECT_EQ(ran.outcome.stop, Stop::exited) << exception_name(ran.outcome.trap.exception);
    EXPECT_EQ(ran.out, output);
  }
}

TEST(vemicry_classroom, factorial_by_recursion) {
  expect_output(R"(
        .data
prompt: .asciiz "n? "
        .text
        .globl  main
main:   li      $v0, 4
        la      $a0, prompt
        syscall
        li      $v0, 5
        syscall
        move    $a0, $v0
        jal     fact
        move    $a0, $v0
        li      $v0, 1
        syscall
        li      $v0, 10
        syscall
fact:   subi    $sp, $sp, 8
        sw      $ra, 4($sp)
        sw      $a0, 0($sp)
        li      $v0, 1
        ble     $a0, 1, done
        subi    $a0, $a0, 1
        jal     fact
        lw      $a0, 0($sp)
        mul     $v0, $v0, $a0
done:   lw      $ra, 4($sp)
        addi    $sp, $sp, 8
        jr      $ra
)",
                "10\n", "n? 3628800");
}

TEST(vemicry_classroom, divisors_and_signs) {
  expect_output(R"(
        .eqv    PRINT_INT 1
        .text
main:   li      $s0, -17
        li      $s1, 5
        div     $a0, $s0, $s1
        jal     show
        rem     $a0, $s0, $s1
        jal     show
        rem     $a0, $s0, 4
        jal     show
        divu    $a0, $s1, 2
        jal     show
        remu    $a0, $s0, $s1
        jal     show
        abs     $a0, $s0
        jal     show
        abs     $s1, $s1
        seq     $t0, $s1, 5
        sge     $t1, $s0, -17
        sle     $t2, $s0, -18
        sgt     $t3, $s1, 100000
        sne     $t4, $s1, $s0
        add     $a0, $t0, $t1
        add     $a0, $a0, $t2
        add     $a0, $a0, $t3
        add     $a0, $a0, $t4
        jal     show
        li      $v0, 10
        syscall
show:   li      $v0, PRINT_INT
        syscall
        li      $a0, ' '
        li      $v0, 11
        syscall
        jr      $ra
)",
                "", "-3 -2 -1 2 4 17 3 ");
}

TEST(vemicry_classroom, a_list_on_the_heap_reversed) {
  expect_output(R"(
        .text
main:   li      $s0, 0                  # the list
read:   li      $v0, 5
        syscall
        beqz    $v0, print
        move    $s1, $v0
        li      $a0, 8
        li      $v0, 9
        syscall
        sw      $s1, 0($v0)
        sw      $s0, 4($v0)
        move    $s0, $v0
        b       read
print:  beqz    $s0, end
        lw      $a0, 0($s0)
        li      $v0, 1
        syscall
        li      $a0, '\n'
        li      $v0, 11
        syscall
        lw      $s0, 4($s0)
        b       print
end:    li      $v0, 10
        syscall
)",
                "3\n1\n4\n1\n5\n0\n", "5\n1\n4\n1\n3\n");
}

TEST(vemicry_classroom, a_string_in_capitals_and_words_at_odd_addresses) {
  expect_output(R"(
        .data
line:   .space  20
odd:    .byte   0
words:  .fill   7
        .text
main:   la      $a0, line
        li      $a1, 20
        li      $v0, 8
        syscall
        move    $t0, $a0
next:   lb      $t1, ($t0)
        beqz    $t1, show
        blt     $t1, 'a', keep
        bgt     $t1, 'z', keep
        sub     $t1, $t1, 32
        sb      $t1, ($t0)
keep:   addi    $t0, $t0, 1
        b       next
show:   li      $v0, 4
        syscall
        li      $t0, 0x1234ABCD
        la      $t1, words
        usw     $t0, 0($t1)
        ush     $t0, 4($t1)
        ulw     $t2, words
        ulh     $t3, 4($t1)
        ulhu    $t4, words + 4
        ulw     $t1, ($t1)
        .irp    reg, $t1, $t2, $t3, $t4
        move    $a0, \reg
        li      $v0, 34
        syscall
        .endr
        li      $v0, 10
        syscall
)",
                "Hello, you\n", "HELLO, YOU\n0x1234abcd0x1234abcd0xffffabcd0x0000abcd");
}

TEST(vemicry_classroom, division_by_zero_is_a_break) {
  for (const char* division : {"div $4,$5,$0", "divu $4,$5,$0", "rem $4,$5,$6", "remu $4,$5,0"}) {
    const Ran ran = run(std::string("main: ") + division);
    EXPECT_EQ(ran.outcome.trap.exception, Exception::breakpoint) << division;
    EXPECT_EQ(ran.outcome.word, 0x0007000Du);
  }
}

TEST(vemicry_classroom, repetitions_with_values_and_fillings) {
  EXPECT_EQ(words_of(".irp x, 1, 2+3,7\n .word \\x\n.endr\n"), (std::vector<uint32_t>{1, 5, 7}));
  EXPECT_EQ(words_of(".rept 2\n.irp x,1,2\n.word \\x\n.endr\n.endr"),
            (std::vector<uint32_t>{1, 2, 1, 2}));
  EXPECT_EQ(words_of(".irp x\n.word 1\n.endr\n.fill 2, 4, 3\n.fill 2,2,9\n"),
            (std::vector<uint32_t>{3, 3, 0x90009}));
  EXPECT_EQ(error_of(".irp x, 1\n nop"), "1:1: .endr is missing");
  EXPECT_EQ(words_of(".irp x, 0, 2\n .if \\x\n .word \\x\n .endif\n .endr"),
            std::vector<uint32_t>{2});
  EXPECT_EQ(error_of("\n.irp x, 1\n\n .error \"no\" \\x\n.endr").substr(0, 2), "4:");
  EXPECT_EQ(error_of(".fill 1, 3"), "1:10: the size of a value is 1, 2, 4 or 8 bytes");
  EXPECT_EQ(error_of(" ush $4, x\nx:"),
            "1:10: the address of ush is number($register) with a number of 16 bits");
  EXPECT_EQ(error_of(".set noat\n ulh $4, 1($5)"),
            "2:2: this needs register $at, which '.set noat' keeps from it");
}

}  // namespace
}  // namespace incore::vemicry::test
