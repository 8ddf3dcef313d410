// What every function of the hosted C interface stands behind. Inside, what is wrong may be thrown;
// outside there are a status and a reason in words, and no exception passes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "incore/status.h"

namespace incore {

// Ends the guarded function that it is called in: its caller gets |status| and |reason|.
[[noreturn]] void refuse(incore_status status, const std::string& reason = "");

// Puts |text|, cut to fit and ended by a zero, into the |reason_len| bytes at |reason|, which may
// be null.
void give_reason(std::string_view text, char* reason, size_t reason_len) noexcept;

// What the exception in flight means: its status, and its reason to |reason|.
incore_status status_in_flight(char* reason, size_t reason_len) noexcept;

// Does |work|, which returns an incore_status, or nothing for INCORE_OK.
template <class Work>
incore_status guarded(char* reason, size_t reason_len, Work&& work) noexcept {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
      work();
      return INCORE_OK;
    } else {
      return work();
    }
  } catch (...) {
    return status_in_flight(reason, reason_len);
  }
}

// The same for functions that tell no reason.
template <class Work>
incore_status guarded(Work&& work) noexcept {
  return guarded(nullptr, 0, work);
}

}  // namespace incore
