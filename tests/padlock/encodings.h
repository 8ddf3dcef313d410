// The bytes of each PadLock instruction that is emulated, as the manuals give them.
#pragma once

namespace incore::test {

struct Encoding {
  const char* bytes;  // with the prefix that it needs
  const char* mnemonic;
};

inline constexpr Encoding kEncodings[] = {
    {"0fa7c0", "xstore"},       {"f30fa7c0", "rep-xstore"},  {"f30fa7c8", "xcrypt-ecb"},
    {"f30fa7d0", "xcrypt-cbc"}, {"f30fa7d8", "xcrypt-ctr"},  {"f30fa7e0", "xcrypt-cfb"},
    {"f30fa7e8", "xcrypt-ofb"}, {"f30fa7f0", "ccs-encrypt"}, {"f30fa6c0", "montmul"},
    {"f30fa6c8", "xsha1"},      {"f30fa6d0", "xsha256"},     {"f30fa6d8", "xsha384"},
    {"f30fa6e0", "xsha512"},    {"f30fa6e8", "ccs-hash"},
};

}  // namespace incore::test
