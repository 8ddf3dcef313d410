// SHA-1 with VIA's PadLock: REP XSHA1 over whole blocks without padding.
// Not on the C7: it hashes whole messages only and adds the padding itself (docs/quirks.md).
#if defined(__x86_64__) || defined(__i386__)

#include "crypto/sha/padlock_hash.h"

namespace incore {

constinit const Sha1Kernel sha1_padlock = {{"padlock", FeatureSet(Feature::padlock_xsha)},
                                           xsha<Xsha::sha1, uint32_t, 5>};

}  // namespace incore

#endif
