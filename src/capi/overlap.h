// The overlaps of arguments that the C interface refuses.
#pragma once

#include "base/bytes.h"

namespace incore {

// |in| and |out|, |len| bytes each, overlap without being the same.
inline bool overlap_wrongly(const void* in, const void* out, size_t len) {
  return in != out && ranges_overlap(in, len, out, len);
}
// |object| overlaps one of them.
inline bool overlap_either(const void* object, size_t object_len, const void* in, const void* out,
                           size_t len) {
  return ranges_overlap(object, object_len, in, len) ||
         ranges_overlap(object, object_len, out, len);
}

}  // namespace incore
