// The document, written from its beginning to its end into memory of fixed size. What has become
// useless can be taken back to a mark.
#pragma once

#include <stddef.h>
#include <stdint.h>

void json_open_object(void);
void json_open_array(void);
void json_close(void);  // the innermost
void json_name(const char* name);

void json_text(const char* text);
void json_bool(int value);
void json_number(uint32_t value);
void json_hex(uint32_t value);  // as text: "0x0000000a"
void json_hex64(uint64_t value);
void json_bytes(const void* bytes, size_t len);  // as text: "0a1b"

// A member of an object.
void json_text_member(const char* name, const char* text);
void json_bool_member(const char* name, int value);
void json_number_member(const char* name, uint32_t value);
void json_hex_member(const char* name, uint32_t value);

struct JsonMark {
  size_t len, depth;
  int needs_comma;
};
struct JsonMark json_mark(void);
void json_rewind(struct JsonMark mark);

// What stands behind |mark|; the length in |*out_len|.
const char* json_since(struct JsonMark mark, size_t* out_len);
const char* json_all(size_t* out_len);
// Not all had room. To be asked before what is written is kept.
int json_is_full(void);
