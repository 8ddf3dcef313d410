// Loads, stores and small helpers on bytes. Everything here is free of the host's byte order and
// alignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace incore {

// XLC on AIX has __BIG_ENDIAN__ and none of the other names, GCC on x86 only those.
#if defined(__BIG_ENDIAN__) || (defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
inline constexpr bool kBigEndianHost = true;
#else
inline constexpr bool kBigEndianHost = false;
#endif

inline uint16_t load_be16(const uint8_t* p) {
  return static_cast<uint16_t>(p[0] << 8 | p[1]);
}
inline void store_be16(uint8_t* p, uint16_t v) {
  p[0] = static_cast<uint8_t>(v >> 8);
  p[1] = static_cast<uint8_t>(v);
}

template <class T>
inline T load_le(const uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  if constexpr (kBigEndianHost && sizeof(T) == 2) v = __builtin_bswap16(v);
  if constexpr (kBigEndianHost && sizeof(T) == 4) v = __builtin_bswap32(v);
  if constexpr (kBigEndianHost && sizeof(T) == 8) v = __builtin_bswap64(v);
  return v;
}

template <class T>
inline void store_le(uint8_t* p, T v) {
  if constexpr (kBigEndianHost && sizeof(T) == 2) v = __builtin_bswap16(v);
  if constexpr (kBigEndianHost && sizeof(T) == 4) v = __builtin_bswap32(v);
  if constexpr (kBigEndianHost && sizeof(T) == 8) v = __builtin_bswap64(v);
  std::memcpy(p, &v, sizeof v);
}

inline uint32_t load_le32(const uint8_t* p) {
  return load_le<uint32_t>(p);
}
inline uint64_t load_le64(const uint8_t* p) {
  return load_le<uint64_t>(p);
}
inline void store_le32(uint8_t* p, uint32_t v) {
  store_le(p, v);
}
inline void store_le64(uint8_t* p, uint64_t v) {
  store_le(p, v);
}

inline uint32_t load_be32(const uint8_t* p) {
  return __builtin_bswap32(load_le32(p));
}
inline uint64_t load_be64(const uint8_t* p) {
  return __builtin_bswap64(load_le64(p));
}
inline void store_be32(uint8_t* p, uint32_t v) {
  store_le32(p, __builtin_bswap32(v));
}
inline void store_be64(uint8_t* p, uint64_t v) {
  store_le64(p, __builtin_bswap64(v));
}

// True if [a, a + a_len) and [b, b + b_len) share a byte.
inline bool ranges_overlap(const void* a, size_t a_len, const void* b, size_t b_len) {
  const uintptr_t x = reinterpret_cast<uintptr_t>(a);
  const uintptr_t y = reinterpret_cast<uintptr_t>(b);
  return a_len != 0 && b_len != 0 && (x < y ? y - x < a_len : x - y < b_len);
}

}  // namespace incore
