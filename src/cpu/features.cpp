// Names of the CPU features, from features.def.
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
  const char* source;
} kFeatureTexts[] = {
#define X(architecture, enumerator, name, how) {Architecture::architecture, name, how},
#include "cpu/features.def"
#undef X
};

}  // namespace

const char* feature_name(Feature f) {
  return kFeatureTexts[static_cast<unsigned>(f)].name;
}
const char* feature_source(Feature f) {
  return kFeatureTexts[static_cast<unsigned>(f)].source;
}
bool feature_is_possible(Feature f) {
  return kFeatureTexts[static_cast<unsigned>(f)].architecture == kThis;
}

}  // namespace incore
