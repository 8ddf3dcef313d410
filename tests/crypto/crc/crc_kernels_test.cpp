// Every CRC kernel against the definition, over lengths and alignments.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "crypto/crc/crc_fold.h"
#include "crypto/crc/crc_kernel.h"
#include "crypto/crc/crc_steps.h"
#include "support/hex.h"
#include "support/known_answers.h"
#include "support/property.h"

namespace incore {
namespace {

struct Subject {
  const char* algorithm;
  const KernelInfo* kernel;
  uint32_t polynomial;
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.algorithm;
}

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (size_t i = 0; i < crc32_kernel_list.num_kernels; ++i)
    all.push_back({"crc32", crc32_kernel_list.kernels[i], crc::kCrc32Polynomial});
  for (size_t i = 0; i < crc32c_kernel_list.num_kernels; ++i)
    all.push_back({"crc32c", crc32c_kernel_list.kernels[i], crc::kCrc32cPolynomial});
  return all;
}

class crc_kernels : public testing::TestWithParam<Subject> {
 protected:
  void SetUp() override {
    if (!detect_features().has_all(GetParam().kernel->needs))
      GTEST_SKIP() << "this CPU cannot run the kernel " << GetParam().kernel->name;
  }
  static void expect_right(uint32_t state, const uint8_t* data, size_t len) {
    EXPECT_EQ(reinterpret_cast<const CrcKernel*>(GetParam().kernel)->update(state, data, len),
              crc::update(GetParam().polynomial, state, data, len))
        << len;
  }
};

// The check values of CRC catalogues, for the nine digits; the examples of RFC 3720, appendix B.4
// (the RFC prints the bytes in the order in which they are sent); CRC-32 values as zlib gives them,
// and those of a million letters, which kernels fold, also as the crc32 package of Go does.
// clause: P8-POLY-009
// clause: P8-POLY-010
// clause: P8-POLY-012
// clause: P8-POLY-015
TEST_P(crc_kernels, published_values) {
  test::Bytes up(32), down(32);
  for (size_t i = 0; i < 32; ++i) {
    up[i] = static_cast<uint8_t>(i);
    down[i] = static_cast<uint8_t>(31 - i);
  }
  const test::Bytes read_command = test::from_hex(
      "01c00000 00000000 00000000 00000000 14000000 00000400 00000014 00000018"
      "28000000 00000000 02000000 00000000");
  const std::string digits = "123456789";
  const struct {
    test::Bytes message;
    uint32_t crc32, crc32c;
  } cases[] = {
      {test::Bytes(digits.begin(), digits.end()), 0xCBF43926, 0xE3069283},
      {test::Bytes(32, 0x00), 0x190A55AD, 0x8A9136AA},
      {test::Bytes(32, 0xFF), 0xFF6CAB0B, 0x62A8AB43},
      {up, 0x91267E8A, 0x46DD794E},
      {down, 0x9AB0EF72, 0x113FDB5C},
      {read_command, 0x51E17412, 0xD9963A56},
      {test::Bytes(1000000, 'a'), 0xDC25BFBC, 0x436FE240},
  };
  const auto* const kernel = reinterpret_cast<const CrcKernel*>(GetParam().kernel);
  for (const auto& c : cases)
    EXPECT_EQ(~kernel->update(0xFFFFFFFF, c.message.data(), c.message.size()),
              GetParam().polynomial == crc::kCrc32Polynomial ? c.crc32 : c.crc32c);
  test::gave_answers(GetParam().algorithm, GetParam().kernel->name, "published CRCs",
                     std::size(cases));
}

TEST_P(crc_kernels, every_length_and_alignment_equals_the_steps) {
  const test::Bytes data = test::random_bytes(3000, 1);
  for (size_t len = 0; len <= 2000; ++len)
    expect_right(static_cast<uint32_t>(len * 0x9E3779B9), data.data() + len % 64, len);
  for (size_t alignment = 0; alignment < 64; ++alignment)
    for (size_t len : {1, 3, 15, 16, 17, 63, 64, 65, 255, 256, 1500, 2900})
      expect_right(0xFFFFFFFF, data.data() + alignment, len);
}

// Kernels cut long messages into blocks and streams: lengths all over their limits.
TEST_P(crc_kernels, long_messages_equal_the_steps) {
  const test::Bytes data = test::random_bytes(150000, 2);
  for (size_t len = 2001; len < data.size() - 64; len += 1 + len / 40)
    expect_right(static_cast<uint32_t>(len), data.data() + len % 64, len);
}

// Bytes around the message do not matter, also where a kernel reads under a mask: the page before
// the message and the one after it cannot be read.
TEST_P(crc_kernels, nothing_beyond_the_message_is_read) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  uint8_t* const middle = static_cast<uint8_t*>(memory) + page;
  ASSERT_EQ(mprotect(middle, page, PROT_READ | PROT_WRITE), 0);
  for (size_t i = 0; i < page; ++i) middle[i] = static_cast<uint8_t>(i * i >> 3);
  for (size_t len = 1; len <= 600; ++len) {
    expect_right(1, middle, len);
    expect_right(2, middle + page - len, len);
  }
  expect_right(3, middle, page);
  EXPECT_EQ(munmap(memory, 3 * page), 0);
}

TEST_P(crc_kernels, pieces_give_the_register_of_the_whole) {
  const auto* const kernel = reinterpret_cast<const CrcKernel*>(GetParam().kernel);
  const test::Bytes data = test::random_bytes(20000, 3);
  test::for_each_seed(200, [&](uint64_t seed) {
    const test::Bytes choices = test::random_bytes(8, seed);
    const size_t first = load_le32(choices.data()) % data.size();
    const size_t second = first + load_le32(&choices[4]) % (data.size() - first);
    uint32_t state = kernel->update(7, data.data(), first);
    state = kernel->update(state, data.data() + first, second - first);
    state = kernel->update(state, data.data() + second, data.size() - second);
    EXPECT_EQ(state, kernel->update(7, data.data(), data.size())) << first << " " << second;
  });
}

// What the constants are made of, against the definition: polynomials as plain numbers.
// clause: P8-POLY-015
TEST(crc_fold, products_and_quotients_are_those_of_long_division) {
  for (uint32_t polynomial : {crc::kCrc32Polynomial, crc::kCrc32cPolynomial}) {
    EXPECT_EQ(crc::power(polynomial, 0), 0x80000000u);
    EXPECT_EQ(crc::power(polynomial, 31), 1u);
    EXPECT_EQ(crc::power(polynomial, 32), polynomial);
    for (size_t n = 0; n < 100; ++n)
      for (size_t m = 0; m < 100; m += 7)
        EXPECT_EQ(crc::multiply(polynomial, crc::power(polynomial, n), crc::power(polynomial, m)),
                  crc::power(polynomial, n + m));
    // quotient * P = x^96 + something below x^65: its product with P, x^64 in bit 0 of quotient.
    const uint64_t quotient = crc::make_barrett(polynomial).quotient;
    const uint64_t p = uint64_t{polynomial} << 1 | 1;  // x^32 in bit 0
    uint64_t product = 0;
    for (unsigned i = 0; i < 33; ++i)
      if ((p >> i & 1) != 0) product ^= quotient << i;
    EXPECT_EQ(product & 0xFFFFFFFF, 1u);
    EXPECT_EQ(product, 1u);
  }
}

INSTANTIATE_TEST_SUITE_P(, crc_kernels, testing::ValuesIn(subjects()), [](const auto& param_info) {
  return std::string(param_info.param.algorithm) + "_" + param_info.param.kernel->name;
});

}  // namespace
}  // namespace incore
