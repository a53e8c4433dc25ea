// From random words to standard variates: what the distributions are made of.
#pragma once
#include "random_fused.hpp"
#include "random_philox.hpp"

// Rejection methods are long; inlining all of one into all others would make nothing faster.
#if defined(__CUDACC__)
#define GPARRAY_RANDOM_FN __host__ __device__ inline
#define GPARRAY_RANDOM_CALL __host__ __device__ __noinline__
#else
#define GPARRAY_RANDOM_FN inline
#define GPARRAY_RANDOM_CALL __attribute__((noinline))
#endif

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

inline constexpr double pi = 3.141592653589793238462643383279502884;

// Words are shifted into signed integers before they are converted, since not every processor converts
// unsigned ones.

/// The upper 24 bits over 2^24, in [0, 1).
GPARRAY_KERNEL_FN float to_unit(unsigned word) {
  return static_cast<float>(static_cast<int>(word >> 8)) * 0x1p-24f;
}

/// The upper 27 bits of one word and 26 of the other over 2^53, in [0, 1).
GPARRAY_KERNEL_FN double to_unit(unsigned high, unsigned low) {
  const double upper = static_cast<double>(static_cast<int>(high >> 5)) * 0x1p26;
  return (upper + static_cast<double>(static_cast<int>(low >> 6))) * 0x1p-53;
}

/// The upper 52 of 64 bits as the fraction of a number in [1, 2).
GPARRAY_KERNEL_FN double to_binade(unsigned high, unsigned low) {
  const unsigned long word = static_cast<unsigned long>(high) << 32 | low;
  return from_bits<double>(0x3fful << 52 | word >> 12);
}

/// 52 bits and a half over 2^52: in (0, 1) and symmetric about 1/2.
GPARRAY_KERNEL_FN double to_open(unsigned high, unsigned low) {
  return to_binade(high, low) - (1.0 - 0x1p-53);
}

/// 31 bits and a half over 2^31, rounded: in (0, 1], and fine near 0, where logarithms look.
GPARRAY_KERNEL_FN float to_positive(unsigned word) {
  return (static_cast<float>(static_cast<int>(word >> 1)) + 0.5f) * 0x1p-31f;
}

/// The lower 31 bits and a half over 2^31, rounded: in (0, 1), and fine near 0.
GPARRAY_KERNEL_FN float to_inner(unsigned word) {
  // The factor is the float below 2^-31, as the largest would become 1.
  return ::fmaf(static_cast<float>(static_cast<int>(word & 0x7fffffff)), 0x1.fffffep-32f, 0x1p-32f);
}

/// The square root of a number that is neither zero nor near a type's limits, rounded as IEEE 754 asks: the
/// steps that the GPU's own takes, without its test for numbers that need more care.
GPARRAY_KERNEL_FN float ordinary_sqrt(float x) {
#if defined(__CUDA_ARCH__)
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  const float root = x * y;
  return ::fmaf(::fmaf(-root, root, x), 0.5f * y, root);
#else
  return ::sqrtf(x);
#endif
}

GPARRAY_KERNEL_FN double ordinary_sqrt(double x) {
#if defined(__CUDA_ARCH__)
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double error = ::fma(x, -(y * y), 1.0);
  y = ::fma(::fma(error, 0.375, 0.5), y * error, y);
  const double root = x * y;
  return ::fma(::fma(-root, root, x), 0.5 * y, root);
#else
  return ::sqrt(x);
#endif
}

/// The Box-Muller transform: the sine and the cosine of a random angle, each times sqrt(-2 log(u)). The angle
/// is within a right angle of 0; the bit of the radius that u leaves chooses between it and its mirror image.
GPARRAY_KERNEL_FN portable::rotation<float> normal_pair(unsigned radius, unsigned angle) {
  const float r = ordinary_sqrt(-portable::fused_log(to_inner(radius)));
  const auto turn = portable::diagonal(static_cast<float>(static_cast<int>(angle)) * 0x1p-31f);
  const float mirrored = from_bits<float>(to_bits(r) | (radius & 0x80000000));
  return {r * turn.sine, mirrored * turn.cosine};
}

GPARRAY_KERNEL_FN portable::rotation<double> normal_pair(const unsigned* words) {
  const double r = ordinary_sqrt(-portable::fused_log(to_open(words[0], words[1])));
  const auto turn = portable::diagonal(::fma(2.0, to_binade(words[2], words[3]), -3.0));
  const double mirrored = from_bits<double>(to_bits(r) | static_cast<unsigned long>(words[1]) << 63);
  return {r * turn.sine, mirrored * turn.cosine};
}

/// An exponential variate from half of a block of words.
GPARRAY_KERNEL_FN double exponential_of(const unsigned* w) { return -portable::log(to_open(w[0], w[1])); }

/// How a block of four words becomes the variates of as many elements as `lanes` says.
template<class Real>
struct block_source {
  using value = Real;
  static constexpr int lanes = sizeof(Real) == 4 ? 4 : 2;
  static constexpr counter_kind kind = lanes == 4 ? counter_kind::words32 : counter_kind::words64;
};

template<class Real>
struct unit_source : block_source<Real> {
  static GPARRAY_KERNEL_FN void make(const unsigned* w, Real* z) {
    if constexpr (sizeof(Real) == 4)
      for (int k = 0; k < 4; ++k) z[k] = to_unit(w[k]);
    else
      for (int k = 0; k < 2; ++k) z[k] = to_unit(w[2 * k], w[2 * k + 1]);
  }
};

template<class Real>
struct open_source : block_source<Real> {
  static GPARRAY_KERNEL_FN void make(const unsigned* w, Real* z) {
    for (int k = 0; k < 2; ++k) z[k] = to_open(w[2 * k], w[2 * k + 1]);
  }
};

template<class Real>
struct exponential_source : block_source<Real> {
  static GPARRAY_KERNEL_FN void make(const unsigned* w, Real* z) {
    if constexpr (sizeof(Real) == 4)
      for (int k = 0; k < 4; ++k) z[k] = -portable::fused_log(to_positive(w[k]));
    else
      for (int k = 0; k < 2; ++k) z[k] = exponential_of(w + 2 * k);
  }
};

template<class Real>
struct normal_source : block_source<Real> {
  static GPARRAY_KERNEL_FN void make(const unsigned* w, Real* z) {
    if constexpr (sizeof(Real) == 4) {
      const auto first = normal_pair(w[0], w[1]), second = normal_pair(w[2], w[3]);
      z[0] = first.cosine;
      z[1] = first.sine;
      z[2] = second.cosine;
      z[3] = second.sine;
    } else {
      const auto pair = normal_pair(w);
      z[0] = pair.cosine;
      z[1] = pair.sine;
    }
  }
};

/// The words themselves.
template<class Real>
struct word32_source : block_source<float> {
  using value = unsigned;
  static GPARRAY_KERNEL_FN void make(const unsigned* w, unsigned* z) {
    for (int k = 0; k < 4; ++k) z[k] = w[k];
  }
};
template<class Real>
struct word64_source : block_source<double> {
  using value = unsigned long;
  static GPARRAY_KERNEL_FN void make(const unsigned* w, unsigned long* z) {
    for (int k = 0; k < 2; ++k) z[k] = static_cast<unsigned long>(w[2 * k]) << 32 | w[2 * k + 1];
  }
};

/// A normal variate from a block of words.
GPARRAY_KERNEL_FN double normal_of_block(const unsigned* w) {
  const double r = ::sqrt(-2.0 * portable::log(to_open(w[0], w[1])));
  const auto x = static_cast<double>(static_cast<int>(w[2] << 2)) * (0x1p-33 * pi) +
                 static_cast<double>(static_cast<int>(w[3] >> 1)) * (0x1p-62 * pi);
  return r * portable::rotate(x, static_cast<unsigned long>(w[2] >> 30)).cosine;
}

#if !defined(__CUDACC__)
struct known_methods;

/// The first draws of elements side by side, which a CPU makes of several at once: block k of element i is at
/// words[k][4 * i]. normals[k][i] is what normal() makes of it, if bit k of has_normals is set, and
/// exponentials[h][i] what exponential() makes of half h of the blocks, if bit h of has_exponentials is.
struct ready_draws {
  static constexpr unsigned most_blocks = 8, elements = 64;
  unsigned blocks = 0, has_normals = 0, has_exponentials = 0;
  unsigned words[most_blocks][4 * elements];
  double normals[most_blocks][elements], exponentials[2 * most_blocks][elements];
  known_methods* methods = nullptr;
};
#endif

/// The endless stream of one element, two draws from each block.
class element_draws {
 public:
  GPARRAY_RANDOM_FN element_draws(philox_key key, unsigned long position,
                                  counter_kind kind = counter_kind::element)
      : key_(key), position_(position), kind_(kind) {}

  GPARRAY_RANDOM_FN unsigned long word() {
    const unsigned* const w = next_pair();
    return static_cast<unsigned long>(w[0]) << 32 | w[1];
  }
  GPARRAY_RANDOM_FN double unit() {
    const unsigned* const w = next_pair();
    return to_unit(w[0], w[1]);
  }
  GPARRAY_RANDOM_FN double open() {
    const unsigned* const w = next_pair();
    return to_open(w[0], w[1]);
  }

#if defined(__CUDACC__)
  GPARRAY_RANDOM_FN double exponential() { return exponential_of(next_pair()); }
  /// One of the pair: keeping the other would cost registers and a branch.
  GPARRAY_RANDOM_FN double normal() {
    if (used_ % 2 != 0) ++used_;
    next_pair();
    ++used_;
    return normal_of_block(words_.w);
  }
  /// The most variates of open() whose product is above `limit`, of which one more is taken. Both of a block
  /// in one step, from registers.
  GPARRAY_RANDOM_FN double count_factors(double limit) {
    double product = 1.0, count = 0.0;
    if (used_ % 2 != 0) {
      product = open();
      if (!(product > limit)) return count;
      count += 1.0;
    }
    philox_words block;
    unsigned number = used_ / 2;
    while (true) {
      block = philox_block(position_, number++, kind_, key_);
      product *= to_open(block.w[0], block.w[1]);
      if (!(product > limit)) break;
      count += 1.0;
      product *= to_open(block.w[2], block.w[3]);
      if (!(product > limit)) {
        used_ = 2 * number;
        return count;
      }
      count += 1.0;
    }
    used_ = 2 * number - 1;
    words_ = block;
    return count;
  }

 private:
  GPARRAY_RANDOM_CALL const unsigned* next_pair() {
    if (used_ % 2 == 0) words_ = philox_block(position_, used_ / 2, kind_, key_);
    return words_.w + 2 * (used_++ % 2);
  }
#else
  /// Of element i of those whose first draws are ready.
  element_draws(philox_key key, unsigned long position, const ready_draws& ready, unsigned i)
      : key_(key), position_(position), kind_(counter_kind::element), ready_(&ready), element_(i) {}

  double normal() {
    const unsigned block = (used_ + 1) / 2;
    used_ = 2 * block + 2;
    if (ready_ && block < ready_draws::most_blocks && (ready_->has_normals >> block & 1) != 0)
      return ready_->normals[block][element_];
    return normal_of_block(find(block));
  }
  double exponential() {
    const unsigned half = used_;
    const unsigned* const w = next_pair();
    if (ready_ && half < 2 * ready_draws::most_blocks && (ready_->has_exponentials >> half & 1) != 0)
      return ready_->exponentials[half][element_];
    return exponential_of(w);
  }
  double count_factors(double limit) {
    double product = open(), count = 0.0;
    for (; product > limit; product *= open()) count += 1.0;
    return count;
  }
  known_methods* methods() const { return ready_ ? ready_->methods : nullptr; }

 private:
  const unsigned* next_pair() {
    if (used_ % 2 == 0) now_ = find(used_ / 2);
    return now_ + 2 * (used_++ % 2);
  }
  const unsigned* find(unsigned block) {
    return ready_ && block < ready_->blocks ? ready_->words[block] + 4 * element_ : make(block);
  }
  GPARRAY_RANDOM_CALL const unsigned* make(unsigned block) {
    words_ = philox_block(position_, block, kind_, key_);
    return words_.w;
  }
#endif

  philox_key key_;
  unsigned long position_;
  counter_kind kind_;
  unsigned used_ = 0;
  philox_words words_{};
#if !defined(__CUDACC__)
  const ready_draws* ready_ = nullptr;
  const unsigned* now_ = nullptr;
  unsigned element_ = 0;
#endif
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
