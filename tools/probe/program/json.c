#include "tools/probe/program/json.h"

#include "tools/probe/program/sys.h"

enum { kRoom = 6 << 20, kSpare = 1 << 16, kMaxDepth = 32, kIndentedDepth = 3 };

static char all[kRoom + kSpare];
static char brackets[kMaxDepth];  // that close what is open
static struct JsonMark here;
static int is_full;

static void put(const char* text, size_t len) {
  if (here.len + len > sizeof all) {
    is_full = 1;
    return;
  }
  memcpy(all + here.len, text, len);
  here.len += len;
  if (here.len > kRoom) is_full = 1;
}

static void put_text(const char* text) {
  put(text, text_len(text));
}

static void put_line(void) {
  put("\n", 1);
  for (size_t i = 0; i < here.depth; ++i) put(" ", 1);
}

// Before a value or a name.
static void begin(void) {
  if (here.needs_comma) put(",", 1);
  if (here.depth != 0 && here.depth < kIndentedDepth && all[here.len - 1] != ':') put_line();
  here.needs_comma = 1;
}

static void open_bracket(const char* bracket, char closing) {
  begin();
  put(bracket, 1);
  if (here.depth < kMaxDepth) brackets[here.depth++] = closing;
  here.needs_comma = 0;
}

void json_open_object(void) {
  open_bracket("{", '}');
}

void json_open_array(void) {
  open_bracket("[", ']');
}

void json_close(void) {
  if (here.depth == 0) return;
  const char closing = brackets[--here.depth];
  put(&closing, 1);
  here.needs_comma = 1;
  if (here.depth == 0) put("\n", 1);
}

void json_name(const char* name) {
  json_text(name);
  put(":", 1);
  here.needs_comma = 0;
}

void json_text(const char* text) {
  begin();
  put("\"", 1);
  for (; *text != 0; ++text) {
    const uint8_t c = (uint8_t)*text;
    if (c == '"' || c == '\\') put("\\", 1);
    if (c < 0x20 || c >= 0x7F)
      put("?", 1);
    else
      put(text, 1);
  }
  put("\"", 1);
}

void json_bool(int value) {
  begin();
  put_text(value ? "true" : "false");
}

void json_number(uint32_t value) {
  char digits[10];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  begin();
  put(digits + at, sizeof digits - at);
}

static void put_hex(uint32_t value, int digits) {
  while (--digits >= 0) put(&"0123456789abcdef"[value >> 4 * digits & 15], 1);
}

void json_hex(uint32_t value) {
  begin();
  put_text("\"0x");
  put_hex(value, 8);
  put("\"", 1);
}

void json_hex64(uint64_t value) {
  begin();
  put_text("\"0x");
  put_hex((uint32_t)(value >> 32), 8);
  put_hex((uint32_t)value, 8);
  put("\"", 1);
}

void json_bytes(const void* bytes, size_t len) {
  begin();
  put("\"", 1);
  for (size_t i = 0; i < len; ++i) put_hex(((const uint8_t*)bytes)[i], 2);
  put("\"", 1);
}

void json_text_member(const char* name, const char* text) {
  json_name(name);
  json_text(text);
}

void json_bool_member(const char* name, int value) {
  json_name(name);
  json_bool(value);
}

void json_number_member(const char* name, uint32_t value) {
  json_name(name);
  json_number(value);
}

void json_hex_member(const char* name, uint32_t value) {
  json_name(name);
  json_hex(value);
}

struct JsonMark json_mark(void) {
  return here;
}

void json_rewind(struct JsonMark mark) {
  here = mark;
  is_full = here.len > kRoom;
}

const char* json_since(struct JsonMark mark, size_t* out_len) {
  *out_len = here.len - mark.len;
  return all + mark.len;
}

const char* json_all(size_t* out_len) {
  *out_len = here.len;
  return all;
}

int json_is_full(void) {
  return is_full;
}
