// VIA C7 Esther, core C5J, stepping 9: as stepping 8 without the CTR erratum.
#include "padlock/c7_esther.h"

namespace incore::padlock {

constinit const Model model_esther9 =
    esther("esther9", "VIA C7 Esther C5J, stepping 9: RNG, ACE2, PHE, PMM",
           "CPUID dump 0x6A9 of InstLatx64; PadLock guide 1.66, chapter 1", kCpuid<9>, false);

}  // namespace incore::padlock
