#include "padlock/program_cpuid.h"

#if defined(__x86_64__) || defined(__i386__)
#include "cpu/cpuid_x86.h"
#endif

namespace incore::padlock {
namespace {

// The bits that announce instructions of user programs.
constexpr uint32_t kLeaf1EcxInsns = 0x7ED83203;     // SSE3, PCLMULQDQ, SSSE3, FMA, ... to RDRAND
constexpr uint32_t kLeaf7EbxInsns = 0x200C0129;     // FSGSBASE, BMI1, AVX2, BMI2, RDSEED, ADX, SHA
constexpr uint32_t kExtendedEcxInsns = 0x00000121;  // LAHF, LZCNT, PREFETCHW
constexpr uint32_t kXsaveLeaf = 0xD;

// |answer| as far as this CPU can keep it. What XSAVE saves and how large that is follows from
// XCR0, which is the host's, so that leaf is the host's too.
CpuidAnswer limit_to_host(CpuidAnswer answer, uint32_t leaf, uint32_t subleaf,
                          bool has_xsave_leaf) {
#if defined(__x86_64__) || defined(__i386__)
  const bool is_xsave_leaf = leaf == kXsaveLeaf && has_xsave_leaf;
  if (leaf != 1 && leaf != 7 && leaf != 0x80000001 && !is_xsave_leaf) return answer;
  const CpuidResult host = native_cpuid(leaf, subleaf);
  if (is_xsave_leaf) return {host.eax, host.ebx, host.ecx, host.edx};
  if (leaf == 1) answer.ecx &= ~kLeaf1EcxInsns | host.ecx;
  if (leaf == 7) answer.ebx &= ~kLeaf7EbxInsns | host.ebx;
  if (leaf == 0x80000001) answer.ecx &= ~kExtendedEcxInsns | host.ecx;
#else
  (void)leaf, (void)subleaf, (void)has_xsave_leaf;
#endif
  return answer;
}

}  // namespace

CpuidAnswer program_cpuid(const Model& model, CodeSize code_size, uint32_t leaf, uint32_t subleaf) {
  Processor processor(model, HostKernels{});
  processor.state.code_size = code_size;
  const CpuidAnswer answer = processor.cpuid(leaf, subleaf);
  if (model.host_cpuid) return answer;
  const bool has_xsave_leaf = processor.cpuid(0, 0).eax >= kXsaveLeaf;
  return limit_to_host(answer, leaf, subleaf, has_xsave_leaf);
}

}  // namespace incore::padlock
