// Any bytes are read as an executable or refused with a reason; what was read can be disassembled.
#include "check.h"
#include "vemicry/disassemble.h"
#include "vemicry/elf.h"

using namespace incore::vemicry;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  Image image;
  const std::string mistake = read_elf({data, len}, &image);
  FUZZ_CHECK(mistake.empty() == !image.segments.empty());
  for (const Segment& segment : image.segments) {
    FUZZ_CHECK(segment.bytes.size() <= segment.mem_len);
    FUZZ_CHECK(segment.address + segment.mem_len <= uint64_t{1} << 32);
    for (size_t i = 0; segment.executable && i + 4 <= segment.bytes.size() && i < 4096; i += 4)
      FUZZ_CHECK(!disassemble({image.word(segment.bytes.data() + i)},
                              segment.address + static_cast<uint32_t>(i), Config{}, &image)
                      .empty());
  }
  return 0;
}
