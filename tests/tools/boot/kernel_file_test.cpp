// What is taken for a kernel, and how QEMU is told of the model.
#include "tools/boot/kernel_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <stdexcept>

#include "tools/boot/cpu_line.h"

namespace incore::tools {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// As a bzImage begins.
std::string linux_image(uint16_t version, uint8_t load_flags) {
  std::string bytes(8192, '\0');
  bytes[0x1FE] = '\x55', bytes[0x1FF] = '\xAA';
  bytes.replace(0x202, 4, "HdrS");
  std::memcpy(&bytes[0x206], &version, sizeof version);
  bytes[0x236] = static_cast<char>(load_flags);
  return bytes;
}

TEST(boot_kernel_file, kernels_are_recognized) {
  KernelFile kernel;
  EXPECT_TRUE(recognize_kernel(linux_image(0x020F, 0x3F), &kernel));
  EXPECT_TRUE(kernel.is_linux);
  EXPECT_TRUE(kernel.long_mode);
  EXPECT_TRUE(recognize_kernel(linux_image(0x020F, 0), &kernel));
  EXPECT_FALSE(kernel.long_mode);
  EXPECT_TRUE(recognize_kernel(linux_image(0x0209, 1), &kernel));  // before there was such a flag
  EXPECT_FALSE(kernel.long_mode);

  std::string multiboot(4096, '\0');
  const uint32_t header[] = {0x1BADB002, 3, 0u - 0x1BADB002 - 3};
  std::memcpy(&multiboot[1024], header, sizeof header);
  EXPECT_TRUE(recognize_kernel(multiboot, &kernel));
  EXPECT_FALSE(kernel.is_linux);
  multiboot[1024 + 4] = 4;  // the sum is wrong
  EXPECT_FALSE(recognize_kernel(multiboot, &kernel));
}

TEST(boot_kernel_file, any_bytes_are_survived) {
  std::mt19937 random(1);
  KernelFile kernel;
  for (unsigned i = 0; i < 2000; ++i) {
    std::string bytes = linux_image(0x020F, 1).substr(0, random() % 700);
    for (unsigned n = 0; n < 3 && !bytes.empty(); ++n)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    (void)recognize_kernel(bytes, &kernel);
  }
  EXPECT_FALSE(recognize_kernel("", &kernel));
}

TEST(boot_cpu_line, the_model_s_identity_and_what_qemu_can_do_of_it) {
  const std::string nano = cpu_line("nano", true);
  EXPECT_TRUE(contains(nano, "vendor=CentaurHauls,family=6,model=15,stepping=8,"));
  EXPECT_TRUE(contains(nano, ",lm=on"));
  EXPECT_TRUE(contains(nano, ",phe-en=on"));
  EXPECT_FALSE(contains(nano, "vmx"));  // which the part has, and TCG has not
  EXPECT_TRUE(contains(cpu_line("nano,stepping=3", true), "stepping=3,"));
  EXPECT_TRUE(contains(cpu_line("zhaoxin", true), "family=7,model=59,"));
  const std::string c5xl = cpu_line("c5xl", false);
  EXPECT_TRUE(contains(c5xl, "family=6,model=9,"));
  EXPECT_TRUE(contains(c5xl, ",xstore-en=on"));
  EXPECT_FALSE(contains(c5xl, "xcrypt"));
  EXPECT_FALSE(contains(c5xl, ",lm=on"));
  EXPECT_TRUE(contains(cpu_line("c5xl", true), ",lm=on"));  // a 64-bit kernel asks for it
  EXPECT_THROW(cpu_line("c8", false), std::invalid_argument);
}

}  // namespace
}  // namespace incore::tools
