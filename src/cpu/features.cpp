// Names of the CPU features and what they carry, from features.def.
#include "cpu/cpu.h"

namespace incore {
namespace {

enum class Architecture { x86, power, other };
#if defined(__x86_64__) || defined(__i386__)
constexpr Architecture kThis = Architecture::x86;
#elif defined(__powerpc64__) || defined(_AIX)
constexpr Architecture kThis = Architecture::power;
#else
constexpr Architecture kThis = Architecture::other;
#endif

constexpr struct {
  Architecture architecture;
  const char* name;
  const char* kernel;
  const char* source;
} kFeatureTexts[] = {
#define X(architecture, feature, kernel, how) {Architecture::architecture, #feature, #kernel, how},
#include "cpu/features.def"
#undef X
};

}  // namespace

const char* feature_name(Feature f) {
  return kFeatureTexts[static_cast<unsigned>(f)].name;
}
const char* feature_kernel(Feature f) {
  return kFeatureTexts[static_cast<unsigned>(f)].kernel;
}
const char* feature_source(Feature f) {
  return kFeatureTexts[static_cast<unsigned>(f)].source;
}
bool feature_is_possible(Feature f) {
  return kFeatureTexts[static_cast<unsigned>(f)].architecture == kThis;
}

}  // namespace incore
