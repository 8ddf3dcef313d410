/* What a program without a C library needs: the entry, three system calls of Linux (o32), and what
 * compilers call by themselves. Include it once. */
#ifndef START_H
#define START_H

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned int size_t;

int main(void);

__asm__(
    ".text\n"
    ".set push\n"
    ".set noreorder\n"
    ".globl __start\n"
    ".ent __start\n"
    "__start:\n"
    "  jal main\n"
    "  addiu $29, $29, -32\n"
    "  move $4, $2\n"
    "  li $2, 4001\n"
    "  syscall\n"
    "  break\n"
    ".end __start\n"
    ".set pop\n");

static int system_call(uint32_t number, uint32_t a, uint32_t b, uint32_t c) {
  register uint32_t v0 __asm__("$2") = number;
  register uint32_t a0 __asm__("$4") = a;
  register uint32_t a1 __asm__("$5") = b;
  register uint32_t a2 __asm__("$6") = c;
  register uint32_t a3 __asm__("$7");
  __asm__ volatile("syscall"
                   : "+r"(v0), "=r"(a3)
                   : "r"(a0), "r"(a1), "r"(a2)
                   : "$1", "$3", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25",
                     "hi", "lo", "memory");
  return a3 != 0 ? -(int)v0 : (int)v0;
}

void* memcpy(void* to, const void* from, size_t len) {
  for (size_t i = 0; i < len; ++i) ((volatile uint8_t*)to)[i] = ((const uint8_t*)from)[i];
  return to;
}
void* memset(void* to, int byte, size_t len) {
  for (size_t i = 0; i < len; ++i) ((volatile uint8_t*)to)[i] = (uint8_t)byte;
  return to;
}

static inline void write_bytes(const void* bytes, size_t len) {
  system_call(4004, 1, (uint32_t)bytes, len);
}
static inline void write_text(const char* text) {
  size_t len = 0;
  while (text[len] != 0) ++len;
  write_bytes(text, len);
}
static inline void write_hex(uint32_t value, uint32_t num_digits) {
  char text[8];
  for (uint32_t i = 0; i < num_digits; ++i)
    text[i] = "0123456789abcdef"[value >> (4 * (num_digits - 1 - i)) & 15];
  write_bytes(text, num_digits);
}
static inline void write_hex64(uint64_t value) {
  write_hex((uint32_t)(value >> 32), 8);
  write_hex((uint32_t)value, 8);
}
static inline void write_decimal(int32_t value) {
  char text[12];
  uint32_t i = sizeof text, rest = value < 0 ? -(uint32_t)value : (uint32_t)value;
  do text[--i] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (value < 0) text[--i] = '-';
  write_bytes(text + i, sizeof text - i);
}

#endif
