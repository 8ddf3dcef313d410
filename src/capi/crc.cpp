// The C interface to CRC-32 and CRC-32C.
#include "incore/crc.h"

#include "crypto/crc/crc_kernel.h"

namespace {

using incore::ChosenKernel, incore::CrcKernel;

incore_status choose_and_update(ChosenKernel<CrcKernel>& chosen, uint32_t* inout_crc,
                                const void* data, size_t data_len);

// Both CRCs invert the register before the first byte and after the last; twice in between is not
// at all. The first call's way is apart, as short messages take a few cycles only.
inline incore_status update(ChosenKernel<CrcKernel>& chosen, uint32_t* inout_crc, const void* data,
                            size_t data_len) {
  if (inout_crc == nullptr || (data == nullptr && data_len != 0)) return INCORE_ERROR_NULL;
  const CrcKernel* kernel = chosen.if_chosen();
  if (kernel == nullptr) return choose_and_update(chosen, inout_crc, data, data_len);
  if (data_len != 0)
    *inout_crc = ~kernel->update(~*inout_crc, static_cast<const uint8_t*>(data), data_len);
  return INCORE_OK;
}

__attribute__((noinline)) incore_status choose_and_update(ChosenKernel<CrcKernel>& chosen,
                                                          uint32_t* inout_crc, const void* data,
                                                          size_t data_len) {
  if (chosen.kernel() == nullptr) return INCORE_ERROR_KERNEL;
  return update(chosen, inout_crc, data, data_len);
}

}  // namespace

incore_status incore_crc32(uint32_t* inout_crc, const void* data, size_t data_len) {
  return update(incore::chosen_crc32_kernel, inout_crc, data, data_len);
}

incore_status incore_crc32c(uint32_t* inout_crc, const void* data, size_t data_len) {
  return update(incore::chosen_crc32c_kernel, inout_crc, data, data_len);
}
