// Three things make it fast. Two real numbers travel as one complex number. A transform of N = N_1
// N_2 is one of N_1 down the columns and one of N_2 along the rows of a table, each short enough
// for the cache (the "four-step" method). And four of these go side by side, one in each lane of a
// vector.
#include "assess/real_transform.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

namespace incore::assess {
namespace {

using Complex = std::complex<double>;

// Without the care for infinities that operator* takes.
inline Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// e^(-2 pi i j / n)
Complex root_of_unity(size_t j, size_t n) {
  const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(j) /
                            static_cast<long double>(n);
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

// Four complex numbers, each in its lane.
constexpr size_t kLanes = 4;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
struct alignas(2 * sizeof(Lanes)) Numbers {
  Lanes re, im;
};
#define INCORE_INLINE [[gnu::always_inline]] inline
INCORE_INLINE Numbers operator+(const Numbers& a, const Numbers& b) {
  return {a.re + b.re, a.im + b.im};
}
INCORE_INLINE Numbers operator-(const Numbers& a, const Numbers& b) {
  return {a.re - b.re, a.im - b.im};
}
INCORE_INLINE Numbers operator*(const Numbers& a, double b) {
  return {a.re * b, a.im * b};
}
INCORE_INLINE Numbers operator*(const Numbers& a, Complex b) {
  return {a.re * b.real() - a.im * b.imag(), a.re * b.imag() + a.im * b.real()};
}
INCORE_INLINE Numbers operator*(const Numbers& a, const Numbers& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
INCORE_INLINE Numbers conj(const Numbers& a) {
  return {a.re, -a.im};
}
INCORE_INLINE Numbers times_minus_i(const Numbers& a) {
  return {a.im, -a.re};
}

// |count| complex numbers, one every |step|, into the first lanes, and back.
INCORE_INLINE Numbers load(const Complex* x, ptrdiff_t step, size_t count) {
  if (count == kLanes) {
    const Complex a = x[0], b = x[step], c = x[2 * step], d = x[3 * step];
    const Lanes re = {a.real(), b.real(), c.real(), d.real()};
    const Lanes im = {a.imag(), b.imag(), c.imag(), d.imag()};
    return {re, im};
  }
  Numbers numbers = {};
  for (size_t lane = 0; lane < count; ++lane, x += step)
    numbers.re[lane] = x->real(), numbers.im[lane] = x->imag();
  return numbers;
}
INCORE_INLINE void store(const Numbers& numbers, Complex* x, ptrdiff_t step, size_t count) {
  const auto put = [&](size_t lane) {
    x[static_cast<ptrdiff_t>(lane) * step] = {numbers.re[lane], numbers.im[lane]};
  };
  if (count == kLanes)
    for (size_t lane = 0; lane < kLanes; ++lane) put(lane);
  else
    for (size_t lane = 0; lane < count; ++lane) put(lane);
}

// Calls |work|, which is inlined, with registers for four numbers where the CPU has them. The
// results are the same.
#ifdef __x86_64__
template <typename Work>
__attribute__((target("avx"))) void call_by_avx(const Work& work) {
  work();
}
#endif
template <typename Work>
void call_vectorized(const Work& work) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx")) return call_by_avx(work);
#endif
  work();
}

// Transforms of 2, 3, 4 and 5 numbers.
INCORE_INLINE void butterfly(Numbers (&a)[2]) {
  const Numbers sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}

INCORE_INLINE void butterfly(Numbers (&a)[4]) {
  const Numbers even = a[0] + a[2], odd = a[1] + a[3];
  const Numbers even_rest = a[0] - a[2], odd_rest = times_minus_i(a[1] - a[3]);
  a[0] = even + odd;
  a[1] = even_rest + odd_rest;
  a[2] = even - odd;
  a[3] = even_rest - odd_rest;
}

INCORE_INLINE void butterfly(Numbers (&a)[3]) {
  constexpr double kSin = 0.86602540378443864676;  // of 2 pi / 3, whose cosine is -1/2
  const Numbers sum = a[1] + a[2], turned = times_minus_i(a[1] - a[2]) * kSin;
  const Numbers middle = a[0] - sum * 0.5;
  a[0] = a[0] + sum;
  a[1] = middle + turned;
  a[2] = middle - turned;
}

INCORE_INLINE void butterfly(Numbers (&a)[5]) {
  constexpr double kCos1 = 0.30901699437494742410, kSin1 = 0.95105651629515357212;   // of 2 pi / 5
  constexpr double kCos2 = -0.80901699437494742410, kSin2 = 0.58778525229247312917;  // of 4 pi / 5
  const Numbers sum1 = a[1] + a[4], sum2 = a[2] + a[3];
  const Numbers rest1 = times_minus_i(a[1] - a[4]), rest2 = times_minus_i(a[2] - a[3]);
  const Numbers even1 = a[0] + sum1 * kCos1 + sum2 * kCos2, odd1 = rest1 * kSin1 + rest2 * kSin2;
  const Numbers even2 = a[0] + sum1 * kCos2 + sum2 * kCos1, odd2 = rest1 * kSin2 - rest2 * kSin1;
  a[0] = a[0] + sum1 + sum2;
  a[1] = even1 + odd1;
  a[2] = even2 + odd2;
  a[3] = even2 - odd2;
  a[4] = even1 - odd1;
}

// One stage of Stockham's method: |stride| interleaved transforms of |length| become kRadix times
// as many of length / kRadix. roots[j] is e^(-2 pi i j / N), where N = stride * length.
template <size_t kRadix>
INCORE_INLINE void stage(const Numbers* x, Numbers* y, size_t length, size_t stride,
                         const Complex* roots) {
  const size_t part = length / kRadix;
  for (size_t q = 0; q < part; ++q) {
    Complex w[kRadix];
    for (size_t i = 0; i < kRadix; ++i) w[i] = roots[q * i * stride];
    for (size_t k = 0; k < stride; ++k) {
      Numbers a[kRadix];
      for (size_t i = 0; i < kRadix; ++i) a[i] = x[k + stride * (q + part * i)];
      butterfly(a);
      y[k + stride * kRadix * q] = a[0];
      for (size_t i = 1; i < kRadix; ++i) y[k + stride * (kRadix * q + i)] = a[i] * w[i];
    }
  }
}

// Transforms of four sequences at a time, which fit into the cache.
class ShortTransform {
 public:
  explicit ShortTransform(std::vector<size_t> radices) : radices_(std::move(radices)) {
    for (const size_t radix : radices_) length_ *= radix;
    for (size_t j = 0; j < length_; ++j) roots_.push_back(root_of_unity(j, length_));
  }

  size_t length() const { return length_; }

  // Returns where the result is: |x| or |y|. Both are overwritten.
  INCORE_INLINE Numbers* operator()(Numbers* x, Numbers* y) const {
    size_t length = length_, stride = 1;
    for (const size_t radix : radices_) {
      switch (radix) {
        case 2:
          stage<2>(x, y, length, stride, roots_.data());
          break;
        case 3:
          stage<3>(x, y, length, stride, roots_.data());
          break;
        case 4:
          stage<4>(x, y, length, stride, roots_.data());
          break;
        default:
          stage<5>(x, y, length, stride, roots_.data());
          break;
      }
      length /= radix;
      stride *= radix;
      std::swap(x, y);
    }
    return x;
  }

 private:
  std::vector<size_t> radices_;
  size_t length_ = 1;
  std::vector<Complex> roots_;
};

// The radices whose product is n; empty if n has other prime factors.
std::vector<size_t> radices_of(size_t n) {
  std::vector<size_t> radices;
  for (const size_t radix : {size_t{5}, size_t{3}, size_t{4}, size_t{2}})
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  return n == 1 ? radices : std::vector<size_t>();
}

}  // namespace

// e^(-2 pi i j / n) for j < n, each the product of two that are kept: so few stay in the cache.
class Roots {
 public:
  explicit Roots(size_t n) : low_bits_(static_cast<unsigned>(std::bit_width(n)) / 2) {
    for (size_t j = 0; j >> low_bits_ == 0; ++j) low_.push_back(root_of_unity(j, n));
    for (size_t j = 0; j < n; j += low_.size()) high_.push_back(root_of_unity(j, n));
  }

  Complex operator()(size_t j) const {
    return product(high_[j >> low_bits_], low_[j & (low_.size() - 1)]);
  }

 private:
  unsigned low_bits_;
  std::vector<Complex> low_, high_;
};

class ComplexTransform {
 public:
  virtual ~ComplexTransform() = default;
  // From |x|, which is lost, to |X|.
  virtual void operator()(Complex* x, Complex* X) const = 0;
};

namespace {

// Where N has no prime factors but 2, 3 and 5. With j = N_2 j_1 + j_2 and k = k_1 + N_1 k_2,
//   X[k] = sum over j_2 of ((sum over j_1 of x[j] w^(N_2 j_1 k_1)) w^(j_2 k_1)) w^(N_1 j_2 k_2),
//   where w = e^(-2 pi i / N).
class TableTransform final : public ComplexTransform {
 public:
  explicit TableTransform(const std::vector<size_t>& radices)
      : columns_(half_of(radices, true)),
        rows_(half_of(radices, false)),
        roots_(columns_.length() * rows_.length()) {
    for (size_t k = 0; k < columns_.length(); ++k) {
      Complex turns[kLanes];
      for (size_t lane = 0; lane < kLanes; ++lane)
        turns[lane] = roots_(lane * k % (columns_.length() * rows_.length()));
      turns_.push_back(load(turns, 1, kLanes));
    }
  }

  void operator()(Complex* x, Complex* X) const override {
    const size_t longest = std::max(columns_.length(), rows_.length());
    std::vector<Numbers> a(longest), b(longest);
    call_vectorized([&]() __attribute__((always_inline)) { transform(x, X, a.data(), b.data()); });
  }

 private:
  // Those radices whose product is N_1, at most the root of N, or the others.
  static std::vector<size_t> half_of(const std::vector<size_t>& radices, bool first) {
    size_t N = 1, N_1 = 1;
    for (const size_t radix : radices) N *= radix;
    std::vector<size_t> half;
    for (const size_t radix : radices) {
      const bool fits = N_1 * radix * N_1 * radix <= N;
      if (fits) N_1 *= radix;
      if (fits == first) half.push_back(radix);
    }
    return half;
  }

  INCORE_INLINE void transform(Complex* x, Complex* X, Numbers* a, Numbers* b) const {
    const size_t N_1 = columns_.length(), N_2 = rows_.length();
    for (size_t j_2 = 0; j_2 < N_2; j_2 += kLanes) {
      const size_t lanes = std::min(kLanes, N_2 - j_2);
      for (size_t j_1 = 0; j_1 < N_1; ++j_1) a[j_1] = load(x + N_2 * j_1 + j_2, 1, lanes);
      const Numbers* const column = columns_(a, b);
      for (size_t k_1 = 0; k_1 < N_1; ++k_1)
        store(column[k_1] * (turns_[k_1] * roots_(j_2 * k_1)), x + N_2 * k_1 + j_2, 1, lanes);
    }
    for (size_t k_1 = 0; k_1 < N_1; k_1 += kLanes) {
      const size_t lanes = std::min(kLanes, N_1 - k_1);
      for (size_t j_2 = 0; j_2 < N_2; ++j_2)
        a[j_2] = load(x + N_2 * k_1 + j_2, static_cast<ptrdiff_t>(N_2), lanes);
      const Numbers* const row = rows_(a, b);
      for (size_t k_2 = 0; k_2 < N_2; ++k_2) store(row[k_2], X + N_1 * k_2 + k_1, 1, lanes);
    }
  }

  ShortTransform columns_, rows_;
  Roots roots_;
  std::vector<Numbers> turns_;  // w^(lane k_1)
};

// Any N: Bluestein's method. Since jk = (j^2 + k^2 - (k - j)^2) / 2, X[k] = c[k] sum of x[j] c[j] /
// c[k - j] with the chirp c[j] = e^(-pi i j^2 / N): a convolution, which goes by transforms of a
// power of 2.
class ChirpTransform final : public ComplexTransform {
 public:
  explicit ChirpTransform(size_t N)
      : N_(N), padded_(std::bit_ceil(2 * N - 1)), roots_(2 * N), transform_(radices_of(padded_)) {
    std::vector<Complex> inverse(padded_);
    for (size_t j = 0; j < N; ++j)
      inverse[j] = inverse[(padded_ - j) % padded_] = std::conj(chirp(j));
    filter_.resize(padded_);
    transform_(inverse.data(), filter_.data());
  }

  void operator()(Complex* x, Complex* X) const override {
    std::vector<Complex> a(padded_), b(padded_);
    for (size_t j = 0; j < N_; ++j) a[j] = product(x[j], chirp(j));
    transform_(a.data(), b.data());
    // A transform of the conjugates is the inverse one, but for the factor.
    for (size_t j = 0; j < padded_; ++j) b[j] = std::conj(product(b[j], filter_[j]));
    transform_(b.data(), a.data());
    for (size_t k = 0; k < N_; ++k)
      X[k] = product(std::conj(a[k]), chirp(k)) / static_cast<double>(padded_);
  }

 private:
  Complex chirp(size_t j) const { return roots_(j * j % (2 * N_)); }

  size_t N_, padded_;
  Roots roots_;
  TableTransform transform_;
  std::vector<Complex> filter_;
};

// Of z[j] = x[2j] + i x[2j + 1], N in number, |X| has the transform, which contains those of the
// even and of the odd numbers, E and O. They differ in symmetry. X[k] = E[k] + e^(-pi i k / N)
// O[k].
INCORE_INLINE void tell_apart(Complex* X, size_t N, const Roots& roots) {
  const Complex first[kLanes] = {roots(0), roots(1 % (2 * N)), roots(2 % (2 * N)),
                                 roots(3 % (2 * N))};
  const Numbers turns = load(first, 1, kLanes);
  X[N] = X[0];
  for (size_t k = 0; k <= N / 2; k += kLanes) {
    const size_t lanes = std::min(kLanes, N / 2 + 1 - k);
    const Numbers Z = load(X + k, 1, lanes), mirrored = conj(load(X + N - k, -1, lanes));
    const Numbers E = (Z + mirrored) * 0.5, O = times_minus_i(Z - mirrored) * 0.5;
    const Numbers turned = O * (turns * roots(k));
    store(E + turned, X + k, 1, lanes);
    store(conj(E - turned), X + N - k, -1, lanes);
  }
}

std::unique_ptr<const ComplexTransform> complex_transform(size_t n) {
  if (const auto radices = radices_of(n); !radices.empty() || n == 1)
    return std::make_unique<TableTransform>(radices);
  return std::make_unique<ChirpTransform>(n);
}

}  // namespace

RealTransform::RealTransform(size_t n)
    : n_(n),
      roots_(std::make_unique<Roots>(n)),
      complex_(complex_transform(n % 2 == 0 ? n / 2 : n)) {}
RealTransform::~RealTransform() = default;

void RealTransform::operator()(std::span<double> x, std::span<Complex> X) const {
  assert(x.size() == n_ && X.size() == n_ / 2 + 1);
  if (n_ % 2 != 0) {
    std::vector<Complex> z(x.begin(), x.end()), all(n_);
    (*complex_)(z.data(), all.data());
    std::copy_n(all.begin(), X.size(), X.begin());
    return;
  }
  (*complex_)(reinterpret_cast<Complex*>(x.data()), X.data());
  call_vectorized([&]() __attribute__((always_inline)) { tell_apart(X.data(), n_ / 2, *roots_); });
}

}  // namespace incore::assess
