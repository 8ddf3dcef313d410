// Any text as a model for --cpu: refused with a message that fits its room, or a model whose fields
// are in range and which answers CPUID.
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "padlock/processor.h"

using namespace incore::padlock;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  if (len == 0) return 0;
  const size_t room = data[0];
  std::string text(reinterpret_cast<const char*>(data + 1), len - 1);
  text.resize(std::strlen(text.c_str()));
  const std::vector<char> exact(text.c_str(), text.c_str() + text.size() + 1);
  std::vector<char> message(room + 1, 'x');

  static ModelSpec spec;
  const char* const error = parse_model_spec(exact.data(), &spec, message.data(), room);
  FUZZ_CHECK(message[room] == 'x');
  if (error != nullptr) {
    FUZZ_CHECK(error[0] != 0 || room < 2);
    FUZZ_CHECK(room == 0 || std::memchr(message.data(), 0, room) != nullptr);
    return 0;
  }
  const Model& model = spec.model;
  FUZZ_CHECK(model.cpuid == spec.rows && model.num_cpuid <= ModelSpec::kMaxRows);
  FUZZ_CHECK(model.ecb_fetch_blocks >= 2 && model.ecb_fetch_blocks <= 8);
  FUZZ_CHECK(model.cbc_fetch_blocks >= 1 && model.cbc_fetch_blocks <= 4);
  FUZZ_CHECK(model.rng_num_sources >= 1 && model.rng_num_sources <= 2);

  Processor cpu(model, HostKernels::portable());
  cpu.reset();
  cpu.enter_user_mode(CodeSize::bits64);
  const uint32_t flags = cpu.cpuid(kPadlockLeaf, 0).edx;
  FUZZ_CHECK(((flags >> 6 & 1) != 0) == model.ace && ((flags >> 10 & 1) != 0) == model.phe);
  const CpuidAnswer a = cpu.cpuid(0, 0), b = cpu.cpuid(0, 0);
  FUZZ_CHECK(a.ebx == b.ebx && a.ecx == b.ecx && a.edx == b.edx);
  return 0;
}
