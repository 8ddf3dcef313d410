// The compatible AES as its users build with it: headers that stand alone, his build options, and a
// program in his style.
#include <gtest/gtest.h>

#include "support/process.h"

namespace incore::test {
namespace {

constexpr char kHeaders[] = "-I" INCORE_SOURCE_DIR "/include/incore/compat";

// The exit code of compiling |source|, as C.
int compile(const std::string& source, std::vector<std::string> options = {}) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("program.c", source);
  options.insert(options.begin(), {INCORE_C_COMPILER, "-std=c11", "-Wall", "-Wextra", "-Werror",
                                   "-fsyntax-only", kHeaders});
  options.push_back(path);
  return run(options).exit_code;
}

// clause: BG-API-009
// clause: BG-RULE-025
TEST(gladman_headers, compile_alone_and_declare_the_functions_of_the_note) {
  EXPECT_EQ(compile("#include \"aes_modes.h\"\n"
                    "AES_RETURN (*functions[])() = {\n"
                    "    (AES_RETURN(*)())aes_mode_reset,  (AES_RETURN(*)())aes_ecb_encrypt,\n"
                    "    (AES_RETURN(*)())aes_ecb_decrypt, (AES_RETURN(*)())aes_cbc_encrypt,\n"
                    "    (AES_RETURN(*)())aes_cbc_decrypt, (AES_RETURN(*)())aes_cfb_encrypt,\n"
                    "    (AES_RETURN(*)())aes_cfb_decrypt, (AES_RETURN(*)())aes_ofb_crypt,\n"
                    "    (AES_RETURN(*)())aes_ctr_crypt};\n"
                    "cbuf_inc *increment; aes_encrypt_ctx e; aes_decrypt_ctx d;\n",
                    {"-Wno-cast-function-type"}),
            0);
  EXPECT_EQ(compile("#include \"aes.h\"\nAES_RETURN (*f)(const unsigned char*, unsigned char*,\n"
                    "    const aes_encrypt_ctx*) = aes_encrypt;\n"),
            0);
  EXPECT_EQ(compile("#include \"aesopt.h\"\nint x;\n"), 0);
  EXPECT_NE(compile("#include \"aes_modes.h\"\nint x = aes_no_such_function(1);\n"), 0);
}

// What his own programs take for granted, each in a program of ours.
TEST(gladman_headers, bring_what_his_programs_use) {
  // A test of modes includes aesopt.h alone, and looks at a context.
  EXPECT_EQ(compile("#include \"aesopt.h\"\n"
                    "aes_encrypt_ctx e; aes_crypt_ctx* p = &e; aes_decrypt_ctx* d = &e;\n"
                    "int begun(void) { return e.inf.b[3] | (e.inf.l != 0); }\n"
                    "int align(void) { return aes_test_alignment_detection(16); }\n"
                    "int order[PLATFORM_BYTE_ORDER == IS_LITTLE_ENDIAN ||\n"
                    "          PLATFORM_BYTE_ORDER == IS_BIG_ENDIAN ? 1 : -1];\n"),
            0);
  // Headers of modes include aes.h alone, and declare units, buffers and functions.
  EXPECT_EQ(
      compile("#include \"aes.h\"\n"
              "UNIT_TYPEDEF(unit_t, 32);\n"
              "BUFR_TYPEDEF(buffer_t, 64, AES_BLOCK_SIZE);\n"
              "int four[sizeof(unit_t) == 4 ? 1 : -1], two[sizeof(buffer_t) == 16 ? 1 : -1];\n"
              "INT_RETURN f(uint32_t x, uint8_t* p);\n"
              "VOID_RETURN g(aes_encrypt_ctx cx[1]);\n"
              "uint64_t c = li_64(0123456789abcdef) + li_32(01234567);\n"),
      0);
  // Their sources include brg_endian.h and brg_types.h themselves, before or behind it.
  EXPECT_EQ(compile("#include \"brg_endian.h\"\n#include \"brg_types.h\"\n#include \"aes.h\"\n"
                    "uint32_t h(uint8_t* p) {\n"
                    "  return ALIGN_OFFSET(p, 8) == 0 ? UPTR_CAST(p, 32)[1] : UNIT_CAST(*p, 32);\n"
                    "}\n"
                    "int k(uint8_t* p) { return ALIGN_FLOOR(p, 16) + 16 >= ALIGN_CEIL(p, 16); }\n"),
            0);
  // His own files of these names may lie there too: the first one counts.
  EXPECT_EQ(compile("#define _BRG_TYPES_H\n#define _BRG_ENDIAN_H\n#include <stdint.h>\n"
                    "#define INT_RETURN int\n#include \"aesopt.h\"\nint x;\n"),
            0);
}

// Programs compile his 32-bit assembler code for the unit where the name is defined.
TEST(gladman_options, the_engine_is_named_for_32_bit_x86_only) {
  const std::string program =
      "#include \"aesopt.h\"\n"
      "#if defined(USE_VIA_ACE_IF_PRESENT) != defined(__i386__)\n#error\n#endif\nint x;\n";
  EXPECT_EQ(compile(program), 0);
  EXPECT_EQ(compile(program, {"-D__i386__"}), 0);
  EXPECT_NE(compile(program, {"-DUSE_VIA_ACE_IF_PRESENT", "-U__i386__"}), 0);
}

// clause: BG-API-007
// clause: BG-API-008
TEST(gladman_options, allow_the_engine_with_the_builds_of_the_note) {
  const std::string program = "#include \"aesopt.h\"\nint x;\n";
  for (const char* engine : {"-DUSE_VIA_ACE_IF_PRESENT", "-DASSUME_VIA_ACE_PRESENT"}) {
    EXPECT_EQ(compile(program, {engine}), 0) << engine;
    for (const char* accepted : {"-DASM_X86_V1C", "-DASM_X86_V2C"})
      EXPECT_EQ(compile(program, {engine, accepted}), 0) << engine << accepted;
    for (const char* refused : {"-DASM_X86_V2", "-DASM_AMD64_C", "-DNO_VIA_ACE"})
      EXPECT_NE(compile(program, {engine, refused}), 0) << engine << refused;
  }
  for (const char* without : {"-DASM_X86_V2", "-DASM_AMD64_C", "-DNO_VIA_ACE"})
    EXPECT_EQ(compile(program, {without}), 0) << without;
}

}  // namespace
}  // namespace incore::test
