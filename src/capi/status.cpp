// incore/status.h and incore/version.h.
#include "incore/status.h"

#include "incore/version.h"

const char* incore_status_name(incore_status status) {
  switch (status) {
#define NAME_CASE(code, name, value, sentence) \
  case code:                                   \
    return name;
    INCORE_STATUS_TABLE(NAME_CASE)
#undef NAME_CASE
  }
  return "unknown";
}

const char* incore_status_message(incore_status status) {
  switch (status) {
#define MESSAGE_CASE(code, name, value, sentence) \
  case code:                                      \
    return sentence;
    INCORE_STATUS_TABLE(MESSAGE_CASE)
#undef MESSAGE_CASE
  }
  return "a status that this version does not know";
}

const char* incore_version(void) {
  return INCORE_VERSION;
}
