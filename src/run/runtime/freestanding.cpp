// The few functions that the compiler expects of a C library; the run-time has none.
#include <stddef.h>
#include <stdint.h>

extern "C" {

void* memcpy(void* __restrict out, const void* __restrict in, size_t len) {
  uint8_t* to = static_cast<uint8_t*>(out);
  const uint8_t* from = static_cast<const uint8_t*>(in);
  if (len <= 64) {  // the string instruction takes longer to start than this loop to end
    for (; len >= 8; len -= 8, to += 8, from += 8) {
      uint64_t word;
      __builtin_memcpy(&word, from, 8);
      __builtin_memcpy(to, &word, 8);
    }
    for (; len > 0; --len) *to++ = *from++;
  } else {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len) : : "memory");
  }
  return out;
}

void* memset(void* out, int value, size_t len) {
  void* result = out;
  __asm__ volatile("rep stosb" : "+D"(out), "+c"(len) : "a"(value) : "memory");
  return result;
}

void* memmove(void* out, const void* in, size_t len) {
  uint8_t* to = static_cast<uint8_t*>(out);
  const uint8_t* from = static_cast<const uint8_t*>(in);
  if (to <= from) {
    for (size_t i = 0; i < len; ++i) to[i] = from[i];
  } else {
    for (size_t i = len; i > 0; --i) to[i - 1] = from[i - 1];
  }
  return out;
}

int memcmp(const void* a, const void* b, size_t len) {
  const uint8_t* x = static_cast<const uint8_t*>(a);
  const uint8_t* y = static_cast<const uint8_t*>(b);
  for (size_t i = 0; i < len; ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

int bcmp(const void* a, const void* b, size_t len) {  // what Clang makes of memcmp() == 0
  return memcmp(a, b, len);
}

size_t strlen(const char* text) {
  size_t len = 0;
  while (text[len] != 0) ++len;
  return len;
}

// A pure virtual call can only be a bug of ours.
void __cxa_pure_virtual() {
  __builtin_trap();
}
}
