// Whether the digests of many messages would overwrite what is still needed.
#pragma once

#include <cstddef>

#include "incore/sha.h"

namespace incore {

// True if a digest of |digest_len| bytes shares a byte with the data of another message, with
// another digest or with |messages|. No pointer is NULL but for data of length 0.
bool sha_digests_overlap(const incore_sha_message* messages, size_t num_messages,
                         size_t digest_len);

}  // namespace incore
