// VIA C7 Esther, core C5J, stepping 8: ACE2, PHE, PMM, and the CTR erratum (PadLock guide 1.66,
// section 6.6).
#include "padlock/c7_esther.h"

namespace incore::padlock {

constinit const Model model_esther = esther(
    "esther", "VIA C7 Esther C5J, stepping 8: RNG, ACE2, PHE, PMM, with the CTR erratum",
    "CPUID dump 0x6A9 of InstLatx64 with the stepping set to 8; PadLock guide 1.66, chapter 1",
    kCpuid<8>, true);

}  // namespace incore::padlock
