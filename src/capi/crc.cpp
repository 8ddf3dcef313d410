// The C interface to CRC-32 and CRC-32C.
#include "incore/crc.h"

#include "crypto/crc/crc_kernel.h"

namespace {

// Both CRCs invert the register before the first byte and after the last; twice in between is not
// at all.
incore_status update(const incore::CrcKernel* (*chosen)(), uint32_t* inout_crc, const void* data,
                     size_t data_len) {
  if (inout_crc == nullptr || (data == nullptr && data_len != 0)) return INCORE_ERROR_NULL;
  const incore::CrcKernel* kernel = chosen();
  if (kernel == nullptr) return INCORE_ERROR_KERNEL;
  if (data_len != 0)
    *inout_crc = ~kernel->update(~*inout_crc, static_cast<const uint8_t*>(data), data_len);
  return INCORE_OK;
}

}  // namespace

incore_status incore_crc32(uint32_t* inout_crc, const void* data, size_t data_len) {
  return update(incore::crc32_kernel, inout_crc, data, data_len);
}

incore_status incore_crc32c(uint32_t* inout_crc, const void* data, size_t data_len) {
  return update(incore::crc32c_kernel, inout_crc, data, data_len);
}
