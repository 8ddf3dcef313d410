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
