#include "tools/bench/core_limits.h"

#include <cstdlib>
#include <fstream>

namespace incore::tools {
namespace {

struct Limit {
  const char* operation;  // or how it begins, before a '*'
  bool many;              // of many messages at a time
  double cycles;          // per byte, or per operation
};

// Zen 4. A VAESENC of four blocks may begin every cycle and takes four: with r rounds r / 64 cycles
// a byte where blocks are independent, 4 r / 16 where each waits for the one before. GHASH adds
// four VPCLMULQDQ for 64 bytes, in the same unit. SHA256RNDS2 takes four cycles for two of 64
// rounds; SHA1RNDS4 takes six for four of 80. CRC-32 takes two VPCLMULQDQ for 64 bytes, one every
// two cycles; for CRC-32C the CRC32 instruction does 8 bytes a cycle beside them.
constexpr Limit kZen4[] = {
    {"aes-128-cbc-encrypt", false, 2.5},
    {"aes-192-cbc-encrypt", false, 3.0},
    {"aes-256-cbc-encrypt", false, 3.5},
    {"aes-128-cfb-encrypt", false, 2.5},
    {"aes-192-cfb-encrypt", false, 3.0},
    {"aes-256-cfb-encrypt", false, 3.5},
    {"aes-128-ofb", false, 2.5},
    {"aes-192-ofb", false, 3.0},
    {"aes-256-ofb", false, 3.5},
    {"aes-128-cmac", false, 2.5},
    {"aes-256-cmac", false, 3.5},
    {"aes-128-ccm-*", false, 2.5},
    {"aes-256-ccm-*", false, 3.5},
    {"aes-128-gcm-*", false, 0.219},
    {"aes-256-gcm-*", false, 0.281},
    {"aes-128-*", true, 10 / 64.0},
    {"aes-256-*", true, 14 / 64.0},
    {"aes-128-*", false, 10 / 64.0},
    {"aes-192-*", false, 12 / 64.0},
    {"aes-256-*", false, 14 / 64.0},
    {"sha1", false, 1.875},
    {"sha256", false, 2.0},
    {"sha512", false, 3.45},
    {"sha1", true, 0.37},
    {"sha256", true, 0.79},
    {"sha512", true, 1.01},
    {"hmac-sha1", false, 1.875},
    {"hmac-sha256", false, 2.0},
    {"hmac-sha512", false, 3.45},
    {"crc32", false, 0.0625},
    {"crc32c", false, 0.042},
    {"rsa-1024-private", false, 1e6 / 12.8},
    {"rsa-2048-private", false, 1e6 / 1.98},
    {"rsa-4096-private", false, 1e6 / 0.25},
};

bool matches(const std::string& pattern, const std::string& operation) {
  if (pattern.back() != '*') return pattern == operation;
  return operation.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) == 0;
}

// A number of /proc/cpuinfo; -1 if it is not there.
long cpuinfo_number(const std::string& name) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || line.compare(0, name.size(), name) != 0) continue;
    if (line.find_first_not_of(" \t", name.size()) == colon)
      return std::strtol(line.c_str() + colon + 1, nullptr, 10);
  }
  return -1;
}

}  // namespace

double CoreLimits::cycles(const std::string& operation, size_t messages) const {
  if (core.empty()) return 0;
  for (const Limit& limit : kZen4)
    if (limit.many == (messages > 1) && matches(limit.operation, operation)) return limit.cycles;
  return 0;
}

CoreLimits core_limits() {
  const long family = cpuinfo_number("cpu family"), model = cpuinfo_number("model");
  const bool zen4 = family == 25 && ((model >= 0x10 && model <= 0x1f) ||
                                     (model >= 0x60 && model <= 0x7f) || (model >= 0xa0));
  return {zen4 ? "Zen 4" : ""};
}

}  // namespace incore::tools
