// See aes_oracle.h.
#include "padlock/aes_oracle.h"

#include <algorithm>

namespace incore::padlock::test {
namespace {

uint8_t multiply(uint8_t a, uint8_t b) {  // in GF(2^8), FIPS 197 section 4.2
  unsigned product = 0;
  for (unsigned x = a; b != 0; b >>= 1, x = x << 1 ^ ((x & 0x80) != 0 ? 0x11B : 0))
    if (b & 1) product ^= x;
  return static_cast<uint8_t>(product);
}

struct Boxes {
  uint8_t sub[256], inv_sub[256];
  Boxes() {
    for (unsigned x = 0; x < 256; ++x) {
      uint8_t inverse = 0;
      for (unsigned y = 1; y < 256; ++y)
        if (multiply(static_cast<uint8_t>(x), static_cast<uint8_t>(y)) == 1)
          inverse = static_cast<uint8_t>(y);
      unsigned s = 0x63;
      for (unsigned i = 0; i < 5; ++i) s ^= (inverse << i | inverse >> (8 - i)) & 0xFF;
      sub[x] = static_cast<uint8_t>(s);
      inv_sub[s] = static_cast<uint8_t>(x);
    }
  }
};
const Boxes kBoxes;

void sub_bytes(uint8_t* state, const uint8_t* box) {
  for (int i = 0; i < 16; ++i) state[i] = box[state[i]];
}

// Row r (bytes r, r + 4, ...) moves left by r columns, or right in the inverse.
void shift_rows(uint8_t* state, bool inverse) {
  uint8_t old[16];
  std::copy(state, state + 16, old);
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r) state[4 * c + r] = old[4 * ((c + (inverse ? 4 - r : r)) % 4) + r];
}

void mix_columns(uint8_t* state, bool inverse) {
  static const uint8_t kForward[4] = {2, 3, 1, 1}, kInverse[4] = {14, 11, 13, 9};
  const uint8_t* factors = inverse ? kInverse : kForward;
  for (int c = 0; c < 4; ++c) {
    uint8_t old[4];
    std::copy(state + 4 * c, state + 4 * c + 4, old);
    for (int r = 0; r < 4; ++r) {
      uint8_t sum = 0;
      for (int i = 0; i < 4; ++i) sum ^= multiply(factors[(i - r + 4) % 4], old[i]);
      state[4 * c + r] = sum;
    }
  }
}

Bytes run_rounds(const Bytes& schedule, const Bytes& block, bool inverse, bool full_last_round) {
  Bytes state = block;
  const size_t rounds = schedule.size() / 16 - 1;
  const auto add_round_key = [&](size_t round) {
    for (size_t i = 0; i < 16; ++i) state[i] ^= schedule[16 * round + i];
  };
  add_round_key(0);
  for (size_t round = 1; round <= rounds; ++round) {
    sub_bytes(state.data(), inverse ? kBoxes.inv_sub : kBoxes.sub);
    shift_rows(state.data(), inverse);
    if (round < rounds || full_last_round) mix_columns(state.data(), inverse);
    add_round_key(round);
  }
  return state;
}

Bytes operator^(const Bytes& a, const Bytes& b) {
  Bytes sum = a;
  for (size_t i = 0; i < sum.size(); ++i) sum[i] ^= b[i];
  return sum;
}

}  // namespace

Bytes expand_key(const Bytes& key, unsigned rounds) {
  const size_t nk = key.size();  // in bytes here
  Bytes w = key;
  uint8_t rcon = 1;
  while (w.size() < 16 * (rounds + 1)) {
    uint8_t temp[4];
    std::copy(w.end() - 4, w.end(), temp);
    if (w.size() % nk == 0) {
      std::rotate(temp, temp + 1, temp + 4);
      for (uint8_t& b : temp) b = kBoxes.sub[b];
      temp[0] ^= rcon;
      rcon = multiply(rcon, 2);
    } else if (nk == 32 && w.size() % nk == 16) {
      for (uint8_t& b : temp) b = kBoxes.sub[b];
    }
    for (uint8_t b : temp) w.push_back(w[w.size() - nk] ^ b);
  }
  w.resize(16 * (rounds + 1));
  return w;
}

Bytes inverse_schedule(const Bytes& forward) {
  Bytes inverse;
  for (size_t at = forward.size(); at != 0; at -= 16) {
    Bytes round_key(forward.begin() + static_cast<ptrdiff_t>(at - 16),
                    forward.begin() + static_cast<ptrdiff_t>(at));
    if (at != forward.size() && at != 16) mix_columns(round_key.data(), true);
    inverse.insert(inverse.end(), round_key.begin(), round_key.end());
  }
  return inverse;
}

Bytes cipher(const Bytes& forward, const Bytes& block, bool full_last_round) {
  return run_rounds(forward, block, false, full_last_round);
}

Bytes inverse_cipher(const Bytes& inverse, const Bytes& block) {
  return run_rounds(inverse, block, true, false);
}

const char* name_of(Mode mode) {
  static const char* const kNames[] = {"ecb", "cbc", "ctr", "cfb", "ofb"};
  return kNames[static_cast<size_t>(mode)];
}

ModeResult apply_mode(Mode mode, bool decrypt, const Bytes& key, unsigned rounds, const Bytes& iv,
                      const Bytes& data) {
  const Bytes forward = expand_key(key, rounds);
  const Bytes inverse = inverse_schedule(forward);
  ModeResult result{{}, iv};
  Bytes& vector = result.next_iv;
  for (size_t at = 0; at < data.size(); at += 16) {
    const Bytes in(data.begin() + static_cast<ptrdiff_t>(at),
                   data.begin() + static_cast<ptrdiff_t>(at + 16));
    Bytes out;
    switch (mode) {
      case Mode::ecb:
        out = decrypt ? inverse_cipher(inverse, in) : cipher(forward, in);
        break;
      case Mode::cbc:
        out = decrypt ? inverse_cipher(inverse, in) ^ vector : cipher(forward, in ^ vector);
        vector = decrypt ? in : out;
        break;
      case Mode::ctr:
        out = cipher(forward, vector) ^ in;
        if (++vector[15] == 0) ++vector[14];
        break;
      case Mode::cfb:
        out = cipher(forward, vector) ^ in;
        vector = decrypt ? in : out;
        break;
      case Mode::ofb:
        vector = cipher(forward, vector);
        out = vector ^ in;
        break;
    }
    result.data.insert(result.data.end(), out.begin(), out.end());
  }
  return result;
}

}  // namespace incore::padlock::test
