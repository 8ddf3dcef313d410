/* Packed structures at odd addresses, bit-fields, jump tables, bytes and halves in memory. */
#include "start.h"

struct __attribute__((packed)) Record {
  uint8_t kind;
  uint32_t word;
  uint16_t half;
  int32_t negative;
  uint64_t wide;
};

struct Fields {
  uint32_t a : 3, b : 11, c : 18;
  int32_t d : 5;
};

static uint8_t storage[8 * sizeof(struct Record) + 8];

static uint32_t choose(uint32_t n, uint32_t x) {
  switch (n) {
    case 0:
      return x + 1;
    case 1:
      return x * 3;
    case 2:
      return ~x;
    case 3:
      return x >> 5;
    case 4:
      return x ^ 0x5555;
    case 5:
      return -x;
    case 6:
      return x << 9;
    case 7:
      return x % 1000;
    default:
      return 0;
  }
}

int main(void) {
  for (uint32_t offset = 0; offset < 4; ++offset) {
    struct Record* const records = (struct Record*)(storage + offset);
    for (uint32_t i = 0; i < 7; ++i) {
      records[i].kind = (uint8_t)(i + 200);
      records[i].word = 0x01020304 * (i + 1);
      records[i].half = (uint16_t)(0xFFF0 + i);
      records[i].negative = -(int32_t)(i * 1000003);
      records[i].wide = 0x1122334455667788ull + i;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 7; ++i)
      sum += records[i].kind + records[i].word + records[i].half + (uint32_t)records[i].negative +
             (uint32_t)(records[i].wide >> 20);
    write_hex(sum, 8);
    write_text("\n");
    for (uint32_t i = 0; i < sizeof storage; ++i) write_hex(storage[i], 2);
    write_text("\n");
  }
  volatile struct Fields fields = {5, 1234, 99999, -7};
  fields.b += 1000;
  fields.d -= 3;
  write_hex(fields.a, 8);
  write_hex(fields.b, 8);
  write_hex(fields.c, 8);
  write_decimal(fields.d);
  write_text("\n");
  write_bytes((const void*)&fields, sizeof fields);  // as they lie in memory
  for (uint32_t n = 0; n < 9; ++n) write_hex(choose(n, 0x89ABCDEF), 8);
  write_text("\n");
  return (int)sizeof(struct Record);
}
