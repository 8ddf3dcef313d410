#include "capi/hosted/guard.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace incore {
namespace {

class Refusal : public std::runtime_error {
 public:
  Refusal(incore_status status, const std::string& reason)
      : std::runtime_error(reason), status_(status) {}
  incore_status status() const { return status_; }

 private:
  incore_status status_;
};

}  // namespace

void refuse(incore_status status, const std::string& reason) {
  throw Refusal(status, reason);
}

void give_reason(std::string_view text, char* reason, size_t reason_len) noexcept {
  if (reason == nullptr || reason_len == 0) return;
  const size_t len = std::min(text.size(), reason_len - 1);
  std::memcpy(reason, text.data(), len);
  reason[len] = '\0';
}

incore_status status_in_flight(char* reason, size_t reason_len) noexcept {
  constexpr char kNoMemory[] = "there is not enough memory";
  try {
    throw;
  } catch (const Refusal& refusal) {
    give_reason(refusal.what(), reason, reason_len);
    return refusal.status();
  } catch (const std::bad_alloc&) {
    give_reason(kNoMemory, reason, reason_len);
    return INCORE_ERROR_MEMORY;
  } catch (const std::length_error&) {  // of a container that no memory could hold
    give_reason(kNoMemory, reason, reason_len);
    return INCORE_ERROR_MEMORY;
  } catch (const std::exception& error) {
    give_reason(error.what(), reason, reason_len);
  } catch (...) {
    give_reason("internal error", reason, reason_len);
  }
  return INCORE_ERROR_UNSUPPORTED;
}

}  // namespace incore
