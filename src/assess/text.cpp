#include "assess/text.h"

#include <cstdarg>
#include <cstdio>

namespace incore::assess {

std::string print(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

}  // namespace incore::assess
