// The first real clients: OpenSSL's own PadLock engine, libgcrypt and GnuTLS, unmodified, as the
// distribution built them.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "run/incore_run.h"
#include "support/hex.h"

namespace incore::test {
namespace {

constexpr int kGuestSkipped = 77;

// Why the engine cannot be tried here; empty if it can.
std::string engine_missing() {
  try {
    const ProcessResult version = run({"openssl", "version"});
    if (version.exit_code != 0) return "openssl does not run: " + version.err;
    const ProcessResult engine = run({"openssl", "engine", "padlock"});
    if (engine.out.find("(padlock)") == std::string::npos)
      return "openssl has no PadLock engine: " + version.out;
  } catch (const std::exception& error) {
    return std::string("openssl is not installed: ") + error.what();
  }
  return "";
}

#define SKIP_WITHOUT_ENGINE()                                                        \
  do {                                                                               \
    if (const std::string why = engine_missing(); !why.empty()) GTEST_SKIP() << why; \
  } while (0)

TEST(run_openssl_engine, is_available_under_incore_run) {
  SKIP_WITHOUT_ENGINE();
  for (const char* model : {"nehemiah", "esther", "esther9", "nano"}) {
    const ProcessResult result =
        incore_run({"--cpu", model}, {"openssl", "engine", "-t", "padlock"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("(padlock) VIA PadLock ("), std::string::npos) << result.out;
    EXPECT_NE(result.out.find(", ACE)"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("[ available ]"), std::string::npos) << result.out;
  }
}

// The engine of later versions leaves the generator aside, whatever the processor has, and says so.
TEST(run_openssl_engine, names_the_units_as_in_the_article) {
  SKIP_WITHOUT_ENGINE();
  const ProcessResult result = incore_run({"--cpu", "nehemiah"}, {"openssl", "engine", "padlock"});
  // clause: LJ-027
  EXPECT_TRUE(result.out == "(padlock) VIA PadLock (no-RNG, ACE)\n" ||
              result.out == "(padlock) VIA PadLock (RNG, ACE)\n")
      << result.out;
}

TEST(run_openssl_engine, is_not_available_where_the_unit_is_absent) {
  SKIP_WITHOUT_ENGINE();
  // clause: LJ-028
  const ProcessResult result =
      incore_run({"--cpu", "c5xl"}, {"openssl", "engine", "-t", "padlock"});
  EXPECT_NE(result.out.find("(padlock) VIA PadLock (no-RNG, no-ACE)"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("[ unavailable ]"), std::string::npos) << result.out;
}

using CipherCase = std::pair<int, std::string>;  // key bits, mode

class run_openssl_enc : public testing::TestWithParam<CipherCase> {};

// The engine's result, there and back, against OpenSSL alone on this CPU; and the instruction
// really did the work.
TEST_P(run_openssl_enc, under_incore_run_equals_openssl_alone) {
  SKIP_WITHOUT_ENGINE();
  const int key_bits = GetParam().first;
  const std::string mode = GetParam().second;
  const TemporaryDirectory directory;
  const auto path = [&](const char* name) { return directory.path() + "/" + name; };
  const Bytes bytes = random_bytes(1000003, static_cast<uint64_t>(key_bits));
  const std::string plain(bytes.begin(), bytes.end());
  const std::string plain_path = directory.write("plain", plain);
  const std::string mnemonic = "xcrypt-" + mode;

  const auto enc = [&](const Arguments& options, const std::string& from, const std::string& to) {
    Arguments argv = {"openssl",
                      "enc",
                      "-aes-" + std::to_string(key_bits) + "-" + mode,
                      "-K",
                      to_hex(random_bytes(static_cast<size_t>(key_bits) / 8, 1)),
                      "-in",
                      from,
                      "-out",
                      to};
    if (mode != "ecb") argv.insert(argv.end(), {"-iv", to_hex(random_bytes(16, 2))});
    argv.insert(argv.end(), options.begin(), options.end());
    return argv;
  };
  const auto with_engine = [&](const Arguments& options, const std::string& from,
                               const std::string& to) {
    Arguments all = {"-engine", "padlock"};
    all.insert(all.end(), options.begin(), options.end());
    const std::string stats_path = path("stats.json");
    const ProcessResult result =
        incore_run({"--stats=" + stats_path, "--require", mnemonic}, enc(all, from, to));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const nlohmann::json stats = nlohmann::json::parse(read_file(stats_path));
    EXPECT_GE(counter(stats, mnemonic, "bytes"), plain.size() / 16 * 16) << stats.dump(2);
  };

  const ProcessResult reference = run(enc({"-e"}, plain_path, path("reference")));
  ASSERT_EQ(reference.exit_code, 0) << reference.err;
  const std::string expected = read_file(path("reference"));
  ASSERT_GE(expected.size(), plain.size());
  with_engine({"-e"}, plain_path, path("encrypted"));
  EXPECT_TRUE(read_file(path("encrypted")) == expected) << "encryption differs";
  with_engine({"-d"}, path("reference"), path("decrypted"));
  EXPECT_TRUE(read_file(path("decrypted")) == plain) << "decryption differs";
}

std::vector<CipherCase> cipher_cases() {
  std::vector<CipherCase> cases;
  for (const int key_bits : {128, 192, 256})
    for (const char* mode : {"ecb", "cbc", "cfb", "ofb", "ctr"}) cases.emplace_back(key_bits, mode);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(all, run_openssl_enc, testing::ValuesIn(cipher_cases()),
                         [](const auto& tested) {
                           return "aes_" + std::to_string(tested.param.first) + "_" +
                                  tested.param.second;
                         });

// SP 800-38A F.2.1 (CBC-AES128), through pipes: the answer is the standard's, not another
// OpenSSL's.
TEST(run_openssl_engine, gives_the_known_answer) {
  SKIP_WITHOUT_ENGINE();
  const Bytes plain = from_hex(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
  const ProcessResult result =
      incore_run({"--cpu", "nehemiah", "--require", "xcrypt-cbc"},
                 {"openssl", "enc", "-engine", "padlock", "-aes-128-cbc", "-nopad", "-K",
                  "2b7e151628aed2a6abf7158809cf4f3c", "-iv", "000102030405060708090a0b0c0d0e0f"},
                 std::string(plain.begin(), plain.end()));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  // clause: PLK-ACE-018
  EXPECT_EQ(to_hex(result.out.data(), result.out.size()),
            "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
            "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7");
}

TEST(run_libgcrypt, encrypts_with_padlock_where_the_model_has_no_aes_ni) {
  if (const ProcessResult native = run({guest("gcrypt_client")}); native.exit_code == kGuestSkipped)
    GTEST_SKIP() << native.err;
  const ProcessResult result = incore_run({"--require", "xcrypt-ecb"}, {guest("gcrypt_client")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(run_gnutls, encrypts_and_probes_with_padlock) {
  if (const ProcessResult native = run({guest("gnutls_client")}); native.exit_code == kGuestSkipped)
    GTEST_SKIP() << native.err;
  for (const char* mnemonic : {"xcrypt-cbc", "xsha1", "xsha512"}) {
    const ProcessResult result = incore_run({"--require", mnemonic}, {guest("gnutls_client")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  // Its probe, XSHA1 with EAX = -1, must not fault on a C7, and must not look like a Nano's answer.
  for (const char* model : {"esther", "esther9"}) {
    const ProcessResult result =
        incore_run({"--cpu", model, "--require", "xsha1"}, {guest("gnutls_client")});
    EXPECT_EQ(result.exit_code, 0) << model << ": " << result.err;
  }
}

}  // namespace
}  // namespace incore::test
