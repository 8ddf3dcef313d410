// SHA-512 with VIA's PadLock: REP XSHA512 over whole blocks without padding.
// Padding is always the program's: every part that has the instruction serves.
#if defined(__x86_64__) || defined(__i386__)

#include "crypto/sha/padlock_hash.h"

namespace incore {

constinit const Sha512Kernel sha512_padlock = {{"padlock", FeatureSet(Feature::padlock_phe2)},
                                               xsha<Xsha::sha512, uint64_t, 8>};

}  // namespace incore

#endif
