#include "tools/boot/kernel_file.h"

#include <errno.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>

#include "tools/base/quote.h"

namespace incore::tools {
namespace {

// Of Linux's header: boot.rst, "The Real-Mode Kernel Header".
constexpr size_t kSignatureAt = 0x1FE, kHeaderAt = 0x202, kVersionAt = 0x206, kLoadFlagsAt = 0x236;
constexpr uint16_t kSignature = 0xAA55, kVersionWithFlags = 0x020C;
constexpr uint32_t kHeader = 0x53726448;  // "HdrS"
constexpr uint8_t kHas64BitEntry = 1;

constexpr size_t kMultibootReach = 8192;  // Multiboot specification 0.6.96, section 3.1
constexpr uint32_t kMultibootMagic = 0x1BADB002;

template <class Number>
Number number_at(const std::string& bytes, size_t at) {
  Number number = 0;
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

}  // namespace

bool recognize_kernel(const std::string& bytes, KernelFile* out_kernel) {
  *out_kernel = {};
  if (number_at<uint16_t>(bytes, kSignatureAt) == kSignature &&
      number_at<uint32_t>(bytes, kHeaderAt) == kHeader) {
    out_kernel->is_linux = true;
    out_kernel->long_mode = number_at<uint16_t>(bytes, kVersionAt) >= kVersionWithFlags &&
                            (number_at<uint8_t>(bytes, kLoadFlagsAt) & kHas64BitEntry) != 0;
    return true;
  }
  for (size_t at = 0; at + 12 <= bytes.size() && at < kMultibootReach; at += 4) {
    const auto magic = number_at<uint32_t>(bytes, at), flags = number_at<uint32_t>(bytes, at + 4);
    if (magic == kMultibootMagic && magic + flags + number_at<uint32_t>(bytes, at + 8) == 0)
      return true;
  }
  return false;
}

std::string look_at_kernel(const std::string& path, KernelFile* out_kernel) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0)
    return fmt::format("{}: {}", in_quotes(path), std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return in_quotes(path) + " is no file";
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kMultibootReach, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (file.bad() || !file.is_open())
    return fmt::format("{}: {}", in_quotes(path), std::strerror(errno));
  bytes.resize(static_cast<size_t>(file.gcount()));
  if (!recognize_kernel(bytes, out_kernel))
    return in_quotes(path) +
           " is no kernel: a Linux kernel image (vmlinuz, bzImage) or a multiboot file is needed";
  return "";
}

}  // namespace incore::tools
