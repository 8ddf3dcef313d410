#include "run/control_word_text.h"

#include <cstdio>

#include "padlock/control_word.h"

namespace incore::run {
namespace {

// All 128 bits, where those above 31 are not 0 as they should be.
std::string value(const uint8_t bytes[16]) {
  const uint32_t words[] = {load_le32(bytes), load_le32(bytes + 4), load_le32(bytes + 8),
                            load_le32(bytes + 12)};
  char text[40];
  if ((words[1] | words[2] | words[3]) == 0)
    std::snprintf(text, sizeof text, "0x%x", words[0]);
  else
    std::snprintf(text, sizeof text, "0x%08x'%08x'%08x'%08x", words[3], words[2], words[1],
                  words[0]);
  return text;
}

}  // namespace

std::string control_word_text(const uint8_t bytes[16]) {
  static const char* const kKeySizes[] = {"128", "192", "256", "undefined"};
  const padlock::ControlWord w = padlock::ControlWord::from_bytes(bytes);
  const bool has_reserved = (w.bits & ~padlock::kCwDefined) != 0 || load_le32(bytes + 4) != 0 ||
                            load_le64(bytes + 8) != 0;
  std::string text = value(bytes) + ": " + std::to_string(w.rounds()) + " rounds, ";
  text += w.keys_in_memory() ? "key schedule from memory, size "
                             : "key that the hardware expands, size ";
  text += std::string(kKeySizes[w.key_size()]) + (w.decrypt() ? ", decrypt" : ", encrypt");
  if (w.digest()) text += ", DGEST";
  if (w.align()) text += ", ALIGN";
  if ((w.bits & padlock::kCwCiphr) != 0) text += ", CIPHR";
  if (w.intermediate()) text += ", INTER";
  return text + (has_reserved ? ", reserved bits set" : "");
}

}  // namespace incore::run
