// `incore aes` in the modes that openssl enc has not: GCM, CCM, XTS, and counters of fewer bits,
// with the answers of the standards; nothing is written for a wrong tag.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/own_folder.h"
#include "support/hex.h"
#include "support/process.h"
#include "support/vector_file.h"

namespace incore {
namespace {

namespace fs = std::filesystem;
using test::ProcessResult;
using test::read_file;
using Args = std::vector<std::string>;

const std::string kIncore = INCORE_PROGRAM;
const std::string kKey = "404142434445464748494a4b4c4d4e4f";
const std::string kTwoKeys = kKey + "00112233445566778899aabbccddeeff";

std::string as_text(const test::Bytes& bytes) {
  return std::string(bytes.begin(), bytes.end());
}
std::string from_hex(const std::string& hex) {
  return as_text(test::from_hex(hex));
}

class cli_aes_sealed : public test::OwnFolderTest {
 protected:
  static ProcessResult aes(Args args, const std::string& input = "") {
    args.insert(args.begin(), {kIncore, "aes"});
    return test::run(args, input, {"INCORE_KERNEL="});
  }
};

// SP 800-38D's test case 4 in McGrew and Viega's numbering, SP 800-38C's example 3.
const struct {
  const char *mode, *key, *iv, *aad, *tag_len, *text, *sealed;
} kExamples[] = {
    {"gcm", "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
     "feedfacedeadbeeffeedfacedeadbeefabaddad2", "16",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
     "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
     "5bc94fbc3221a5db94fae95ae7121a47"},
    {"ccm", "404142434445464748494a4b4c4d4e4f", "101112131415161718191a1b",
     "000102030405060708090a0b0c0d0e0f10111213", "8",
     "202122232425262728292a2b2c2d2e2f3031323334353637",
     "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951"},
};

TEST_F(cli_aes_sealed, examples_of_the_standards_both_ways) {
  for (const auto& e : kExamples) {
    const Args common = {"--mode", e.mode,  "--key", e.key,       "--iv",
                         e.iv,     "--aad", e.aad,   "--tag-len", e.tag_len};
    for (const bool encrypts : {true, false}) {
      const std::string in = from_hex(encrypts ? e.text : e.sealed);
      Args args = common;
      args.insert(args.begin(), encrypts ? "encrypt" : "decrypt");
      const ProcessResult by_pipe = aes(args, in);
      EXPECT_EQ(by_pipe.exit_code, 0) << by_pipe.err;
      EXPECT_EQ(test::to_hex(by_pipe.out.data(), by_pipe.out.size()), encrypts ? e.sealed : e.text);
      directory_.write("file", in);
      args.insert(args.end(), {"--in", "file", "--out", "file"});
      EXPECT_EQ(aes(args).exit_code, 0);
      EXPECT_EQ(read_file("file"), by_pipe.out);
    }
  }
  EXPECT_EQ(files(), (std::set<std::string>{"file"}));
}

TEST_F(cli_aes_sealed, a_wrong_tag_is_exit_code_1_and_writes_nothing) {
  directory_.write("old", "old");
  for (const std::string mode : {"gcm", "ccm"}) {
    const Args common = {"--mode", mode, "--key", kKey, "--iv", "101112131415161718191a1b"};
    for (const size_t len : {0, 1, 700000}) {
      Args args = common;
      args.insert(args.begin(), "encrypt");
      std::string sealed = aes(args, as_text(test::random_bytes(len, 1))).out;
      ASSERT_EQ(sealed.size(), len + 16);
      args[0] = "decrypt";
      EXPECT_EQ(aes(args, sealed).out, as_text(test::random_bytes(len, 1)));
      sealed[len / 2] = static_cast<char>(sealed[len / 2] ^ 1);
      for (const std::string name : {"new", "old", "-"}) {
        Args named = args;
        named.insert(named.end(), {"--out", name});
        const ProcessResult result = aes(named, sealed);
        EXPECT_EQ(result.exit_code, 1);
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(result.err,
                  "incore aes: the tag does not match: not the right key, IV, AAD or tag length, "
                  "or damaged\n");
      }
      const ProcessResult cut = aes(args, sealed.substr(0, 15));
      EXPECT_EQ(cut.exit_code, 1);
      EXPECT_EQ(cut.err, "incore aes: the input is shorter than its tag\n");
    }
  }
  EXPECT_EQ(files(), (std::set<std::string>{"old"}));
  EXPECT_EQ(read_file("old"), "old");
}

TEST_F(cli_aes_sealed, xts_gives_the_ciphertexts_of_ieee_1619) {
  size_t num_refused = 0;
  test::for_each_case("aes/ieee1619.txt", [&](test::VectorCase& c) {
    const Args args = {"encrypt", "--mode", "xts", "--key", c.text("Key"), "--iv", c.text("Iv")};
    const ProcessResult result = aes(args, from_hex(c.text("Msg")));
    if (result.exit_code == 0) {
      EXPECT_EQ(result.out, from_hex(c.text("Ct")));
      return;
    }
    ++num_refused;
    EXPECT_EQ(c.text("Ct").substr(0, 8), "917cf69e");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err,
              "incore aes: both halves of the key are equal, which is not safe in xts\n");
  });
  EXPECT_EQ(num_refused, 1u);
}

TEST_F(cli_aes_sealed, a_file_of_many_data_units_is_each_unit_alone) {
  // Longer than one piece of the work, and the last unit is shorter.
  for (const size_t unit_len : {512, 4096, 300000}) {
    const size_t len = 700 * 1024 + 17;
    const std::string plain = as_text(test::random_bytes(len, unit_len));
    const Args args = {"encrypt",    "--mode",      "xts",
                       "--key",      kTwoKeys,      "--iv",
                       "4294967290", "--unit-size", std::to_string(unit_len)};
    const std::string secret = aes(args, plain).out;
    ASSERT_EQ(secret.size(), len);
    const size_t last = (len - 1) / unit_len;
    for (const size_t unit : {size_t{0}, size_t{1}, last - 1, last}) {
      const std::string part = plain.substr(unit * unit_len, unit_len);
      const ProcessResult alone = aes({"encrypt", "--mode", "xts", "--key", kTwoKeys, "--iv",
                                       std::to_string(4294967290 + unit)},
                                      part);
      EXPECT_TRUE(alone.out == secret.substr(unit * unit_len, unit_len)) << unit << alone.err;
    }
    Args back = args;
    back[0] = "decrypt";
    EXPECT_TRUE(aes(back, secret).out == plain);
  }
}

TEST_F(cli_aes_sealed, counters_wrap_within_their_bits) {
  const std::string iv = "f0f1f2f3f4f5f6f7ffffffffffffffff";
  const std::string zeros(32, '\0');
  const auto keystream = [&](const std::string& mode, const std::string& first) {
    return aes({"encrypt", "--mode", mode, "--key", kKey, "--iv", first}, zeros).out;
  };
  const struct {
    const char *mode, *second;
  } cases[] = {{"ctr16", "f0f1f2f3f4f5f6f7ffffffffffff0000"},
               {"ctr32", "f0f1f2f3f4f5f6f7ffffffff00000000"},
               {"ctr64", "f0f1f2f3f4f5f6f70000000000000000"},
               {"ctr", "f0f1f2f3f4f5f6f80000000000000000"}};
  for (const auto& c : cases)
    EXPECT_EQ(keystream(c.mode, iv).substr(16), keystream("ctr", c.second).substr(0, 16)) << c.mode;
  // A keystream that would repeat.
  const ProcessResult too_long = aes({"encrypt", "--mode", "ctr16", "--key", kKey, "--iv", iv},
                                     std::string((1 << 20) + 1, 'x'));
  EXPECT_EQ(too_long.exit_code, 2);
  EXPECT_EQ(too_long.err,
            "incore aes: the input has more blocks than the counter of ctr16 has values\n");
}

TEST_F(cli_aes_sealed, each_mistake_is_one_line_and_exit_code_2) {
  const auto gcm = [](Args args) {
    args.insert(args.begin(), {"encrypt", "--mode", "gcm", "--key", kKey});
    return args;
  };
  const auto ccm = [](Args args) {
    args.insert(args.begin(), {"encrypt", "--mode", "ccm", "--key", kKey});
    return args;
  };
  const auto xts = [](Args args) {
    args.insert(args.begin(), {"encrypt", "--mode", "xts", "--key", kTwoKeys});
    return args;
  };
  const std::string tweak(32, '0');
  const struct {
    Args args;
    size_t input_len;
    std::string message;
  } cases[] = {
      {gcm({}), 20, "mode gcm needs --iv, an even number of hex digits (24 is best)"},
      {gcm({"--iv", ""}), 20, "--iv takes an even number of hex digits (24 is best), not 0"},
      {gcm({"--iv", "012"}), 20, "--iv takes an even number of hex digits (24 is best), not 3"},
      {gcm({"--iv", "00", "--tag-len", "5"}), 20, "--tag-len of gcm is 4, 8 or 12 to 16, not 5"},
      {gcm({"--iv", "00", "--tag-len", "17"}), 20,
       "--tag-len: '17' is no whole number from 4 to 16"},
      {gcm({"--iv", "00", "--aad", "0"}), 20, "--aad takes an even number of hex digits, not 1"},
      {gcm({"--iv", "00", "--aad", "0g"}), 20, "--aad: character 2 is not a hex digit"},
      {gcm({"--iv", "00", "--unit-size", "512"}), 20, "mode gcm takes no --unit-size; xts does"},
      {gcm({"--iv", "00", "--no-padding"}), 20, "mode gcm never pads"},
      {ccm({"--iv", std::string(12, '0')}), 20, "--iv takes 14, 16, ... 26 hex digits, not 12"},
      {ccm({"--iv", std::string(28, '0')}), 20, "--iv takes 14, 16, ... 26 hex digits, not 28"},
      {ccm({"--iv", std::string(14, '0'), "--tag-len", "7"}), 20,
       "--tag-len of ccm is 4, 6, ... 16, not 7"},
      {ccm({"--iv", std::string(26, '0')}), 65536,
       "the input is too long for ccm with an --iv of this length"},
      {xts({"--iv", "0012"}), 15, "the input has 15 bytes; a data unit of xts has 16 at least"},
      {xts({"--iv", "0x12"}), 20, "--iv: character 2 is not a hex digit"},
      {xts({"--iv", tweak + "0"}), 20,
       "--iv takes 32 hex digits or the number of the first data unit, not 33"},
      {xts({"--iv", "18446744073709551616"}), 20, "a data unit's number is 2^64 - 1 at most"},
      {xts({"--iv", tweak, "--unit-size", "512"}), 512,
       "--iv takes the number of the first data unit with --unit-size"},
      {xts({"--iv", "0", "--unit-size", "15"}), 20,
       "--unit-size: '15' is no whole number from 16 to"},
      {xts({"--iv", "0", "--unit-size", "-1"}), 20,
       "--unit-size: '-1' is no whole number from 16 to"},
      {xts({"--iv", "0", "--unit-size", "16"}), 47,
       "the last data unit has 15 bytes; xts takes 16 at least"},
      {xts({"--iv", "0", "--unit-size", "16"}), 0, "the input has 0 bytes"},
      {xts({"--iv", "18446744073709551615", "--unit-size", "16"}), 32,
       "the numbers of the data units exceed 2^64 - 1"},
      {xts({"--iv", "18446744073709551615", "--unit-size", "262144"}), 262160,
       "the numbers of the data units exceed 2^64 - 1"},
      {xts({"--iv", "0"}), (16 << 20) + 1, "longer than a data unit of 16 MiB; say --unit-size"},
      {xts({"--iv", "0", "--tag-len", "16"}), 20, "mode xts takes no --tag-len; gcm and ccm do"},
      {{"encrypt", "--mode", "xts", "--key", kKey, "--iv", "0"},
       20,
       "--key takes 64 or 128 hex digits, not 32"},
      {{"encrypt", "--mode", "ctr", "--key", kKey, "--iv", tweak, "--aad", "00"},
       20,
       "mode ctr takes no --aad; gcm and ccm do"},
  };
  for (const auto& c : cases) {
    Args args = c.args;
    args.insert(args.end(), {"--out", "new"});
    const ProcessResult result = aes(args, std::string(c.input_len, 'x'));
    EXPECT_EQ(result.exit_code, 2) << c.message;
    EXPECT_EQ(result.err.rfind("incore aes: ", 0), 0U) << result.err;
    EXPECT_NE(result.err.find(c.message), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(files(), std::set<std::string>()) << c.message;
  }
}

}  // namespace
}  // namespace incore
