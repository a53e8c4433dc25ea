#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <host/fft/bluestein.hpp>
#include <host/support/clones.hpp>
#include <host/support/scratch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using core::fft_kind;

std::int64_t largest_factor(std::int64_t n) {
  std::int64_t largest = 1;
  for (std::int64_t factor = 2; factor * factor <= n; ++factor)
    for (; n % factor == 0; n /= factor) largest = factor;
  return std::max(largest, n);
}

/// At least 2 n - 1, a power of two or five quarters of one.
std::int64_t padded(std::int64_t n) {
  const auto power = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * n - 1)));
  return power / 8 * 5 >= 2 * n - 1 ? power / 8 * 5 : power;
}

/// Factors of complex numbers z, which become z * first + (z with its parts exchanged) * second, part by
/// part. g++ 12 makes fused multiply-adds of what it takes for a complex product.
template<class R>
struct factors {
  explicit factors(std::int64_t n)
      : first(static_cast<std::size_t>(2 * n)), second(static_cast<std::size_t>(2 * n)) {}
  /// z f
  void set(std::int64_t k, std::complex<R> f) { set(k, {f.real(), f.real()}, {-f.imag(), f.imag()}); }
  /// conj(z) f
  void set_conjugating(std::int64_t k, std::complex<R> f) {
    set(k, {f.real(), -f.real()}, {f.imag(), f.imag()});
  }

  std::vector<R> first, second;

 private:
  void set(std::int64_t k, std::complex<R> one, std::complex<R> other) {
    const auto at = static_cast<std::size_t>(2 * k);
    first[at] = one.real();
    first[at + 1] = one.imag();
    second[at] = other.real();
    second[at + 1] = other.imag();
  }
};

template<class R>
GPARRAY_CLONES void multiply(const R* __restrict x, const R* __restrict first, const R* __restrict second,
                             R* __restrict out, std::int64_t n) {
  for (std::int64_t k = 0; k < 2 * n; k += 2) {
    const R real = x[k], imaginary = x[k + 1];
    out[k] = real * first[k] + imaginary * second[k];
    out[k + 1] = imaginary * first[k + 1] + real * second[k + 1];
  }
}

template<class R>
class bluestein_transform final : public line_transform {
  using complex = std::complex<R>;

 public:
  bluestein_transform(fft_kind kind, dtype real, std::int64_t n)
      : kind_(kind),
        n_(n),
        padded_(padded(n)),
        inner_(fft_kind::forward, real, padded_),
        before_(n),
        filter_(padded_),
        after_(n) {
    bytes = static_cast<std::size_t>(4 * (2 * n + 2 * padded_)) * sizeof(R);
    complex *const z = scratch(0), *const transformed = scratch(1);
    std::fill_n(z, padded_, complex());
    for (std::int64_t k = 0; k < n; ++k) {
      // Angles beyond a turn lose digits.
      const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(k * k % (2 * n)) /
                                static_cast<long double>(n);
      const auto real_part = static_cast<R>(std::cos(angle)), imaginary = static_cast<R>(std::sin(angle));
      const complex own = is_forward() ? complex(real_part, -imaginary) : complex(real_part, imaginary);
      before_.set(k, own);
      after_.set_conjugating(k, own);
      z[k] = z[(padded_ - k) % padded_] = std::conj(own);
    }
    inner_.execute(z, transformed);
    // A transform of conjugates is the conjugate of the inverse transform.
    for (std::int64_t k = 0; k < padded_; ++k)
      filter_.set_conjugating(k, std::conj(transformed[k] / static_cast<R>(padded_)));
  }

  void execute(void* in, void* out) const override {
    complex *const z = scratch(0), *const transformed = scratch(1);
    const auto as_reals = [](const auto* x) { return reinterpret_cast<const R*>(x); };
    R* const padded_reals = reinterpret_cast<R*>(z);
    if (kind_ == fft_kind::real_forward) {
      const R* const x = static_cast<const R*>(in);
      for (std::int64_t k = 0; k < n_; ++k) z[k] = {x[k] * before_first(k), x[k] * before_second(k)};
    } else {
      if (kind_ == fft_kind::real_inverse) complete(static_cast<const complex*>(in), transformed);
      const void* const from = kind_ == fft_kind::real_inverse ? transformed : in;
      multiply(as_reals(static_cast<const complex*>(from)), before_.first.data(), before_.second.data(),
               padded_reals, n_);
    }
    std::fill(z + n_, z + padded_, complex());
    inner_.execute(z, transformed);
    multiply(as_reals(transformed), filter_.first.data(), filter_.second.data(), padded_reals, padded_);
    inner_.execute(z, transformed);
    if (kind_ != fft_kind::real_inverse) {
      multiply(as_reals(transformed), after_.first.data(), after_.second.data(), static_cast<R*>(out),
               kind_ == fft_kind::real_forward ? n_ / 2 + 1 : n_);
      return;
    }
    for (std::int64_t k = 0; k < n_; ++k) {
      const auto at = static_cast<std::size_t>(2 * k);
      static_cast<R*>(out)[k] =
          transformed[k].real() * after_.first[at] + transformed[k].imag() * after_.second[at];
    }
  }

 private:
  bool is_forward() const { return kind_ == fft_kind::forward || kind_ == fft_kind::real_forward; }
  R before_first(std::int64_t k) const { return before_.first[static_cast<std::size_t>(2 * k)]; }
  R before_second(std::int64_t k) const { return before_.second[static_cast<std::size_t>(2 * k + 1)]; }
  complex* scratch(int which) const {
    struct purpose;
    return reinterpret_cast<complex*>(
               thread_scratch<purpose>(static_cast<std::size_t>(2 * padded_) * sizeof(complex))) +
           which * padded_;
  }
  /// All n numbers of which the first n / 2 + 1 are given; n is odd.
  void complete(const complex* half, complex* whole) const {
    whole[0] = half[0].real();
    for (std::int64_t k = 1; 2 * k < n_; ++k) {
      whole[k] = half[k];
      whole[n_ - k] = std::conj(half[k]);
    }
  }

  fft_kind kind_;
  std::int64_t n_, padded_;
  fftw_transform inner_;
  factors<R> before_, filter_, after_;
};

}  // namespace

bool suits_bluestein(fft_kind kind, std::int64_t n) {
  // Measured. FFTW halves real transforms of even lengths; its estimated plans for more than 4096 points are
  // slow.
  constexpr std::int64_t longest = 4096, complex_prime = 37, real_prime = 53;
  if (2 * n - 1 > longest) return false;
  if (!core::is_real(kind)) return largest_factor(n) >= complex_prime;
  return n % 2 == 1 && largest_factor(n) >= real_prime;
}

std::unique_ptr<line_transform> make_bluestein(fft_kind kind, dtype real, std::int64_t n) {
  if (real == dtype::float32) return std::make_unique<bluestein_transform<float>>(kind, real, n);
  return std::make_unique<bluestein_transform<double>>(kind, real, n);
}

std::unique_ptr<line_transform> make_line(fft_kind kind, dtype real, std::int64_t n) {
  if (suits_bluestein(kind, n)) return make_bluestein(kind, real, n);
  return std::make_unique<fftw_transform>(kind, real, n);
}

}  // namespace host
GPARRAY_END_NAMESPACE
