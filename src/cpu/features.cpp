// Names of the CPU features, from features.def.
#include "cpu/cpu.h"

namespace incore {
namespace {

constexpr struct {
  const char* name;
  const char* source;
} kFeatureTexts[] = {
#define X(enumerator, name, how) {name, how},
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

}  // namespace incore
