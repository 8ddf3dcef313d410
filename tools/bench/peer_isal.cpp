// Intel's ISA-L: the two CRCs. It does not tell its version but in the name of its file.
#include "tools/bench/peer.h"

namespace incore::tools {
namespace {

uint32_t (*crc32_gzip)(uint32_t, const uint8_t*, uint64_t);
unsigned (*crc32_iscsi)(const uint8_t*, int, unsigned);

std::string open() {
  static SharedLibrary library;
  library.open({"libisal.so.2"});
  library.find("crc32_gzip_refl", &crc32_gzip);
  library.find("crc32_iscsi", &crc32_iscsi);
  return "2";
}

template <class Crc>
Work crc(Task& task, Crc function) {
  return [&task, function](size_t calls) {
    for (size_t c = 0; c < calls; ++c) {
      const uint32_t value = function(task.in.data(), task.in.size());
      for (size_t i = 0; i < 4; ++i) task.out[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
    }
  };
}

Work prepare(Task& task) {
  if (task.operation == "crc32")
    return crc(task, [](const uint8_t* data, size_t len) { return crc32_gzip(0, data, len); });
  if (task.operation == "crc32c")
    return crc(task, [](const uint8_t* data, size_t len) {
      return ~crc32_iscsi(data, static_cast<int>(len), ~0u);
    });
  return nullptr;
}

}  // namespace

extern const Peer peer_isal = {"isal", open, prepare};

}  // namespace incore::tools
