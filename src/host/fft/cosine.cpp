#include <cmath>
#include <numbers>
#include <vector>

#include <host/fft/bluestein.hpp>
#include <host/fft/cosine.hpp>
#include <host/support/clones.hpp>
#include <host/support/scratch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using core::fft_kind;

/// cos and sin of pi (k + shift) / d.
template<class R>
struct angles {
  angles(std::int64_t n, double shift, double d) {
    for (std::int64_t k = 0; k < n; ++k) {
      const double angle = std::numbers::pi * (static_cast<double>(k) + shift) / d;
      cosines.push_back(static_cast<R>(std::cos(angle)));
      sines.push_back(static_cast<R>(std::sin(angle)));
    }
  }
  std::vector<R> cosines, sines;
};

// Everything below is compiled without fused multiply-adds, for the bits would else depend on the processor.
// Complex numbers are pairs of reals; `sign` is -1 for sine transforms, of which every second number is
// negated, and 1 for cosine transforms.

/// J. Makhoul 1980, "A fast cosine transform in one and two dimensions": even positions, then odd ones
/// backwards.
template<class R>
GPARRAY_UNFUSED_CLONES void split(const R* __restrict x, R* __restrict v, std::int64_t n, R sign) {
  for (std::int64_t i = 0; 2 * i < n; ++i) v[i] = x[2 * i];
  for (std::int64_t i = 0; 2 * i + 1 < n; ++i) v[n - 1 - i] = sign * x[2 * i + 1];
}
template<class R>
GPARRAY_UNFUSED_CLONES void join(const R* __restrict v, R* __restrict y, std::int64_t n, R sign) {
  for (std::int64_t i = 0; 2 * i < n; ++i) y[2 * i] = v[i];
  for (std::int64_t i = 0; 2 * i + 1 < n; ++i) y[2 * i + 1] = sign * v[n - 1 - i];
}

/// The transform of type 2 from that of the reordered numbers, of which it has the first half; backwards if
/// step is -1.
template<class R>
GPARRAY_UNFUSED_CLONES void turn_to_reals(const R* __restrict z, const R* __restrict c, const R* __restrict s,
                                          R* __restrict first, R* __restrict last, std::int64_t n,
                                          std::int64_t step) {
  // Two at a time, one from each end: number n - k is the conjugate of number k.
  const std::int64_t half = (n - 1) / 2;
  first[0] = 2 * z[0];
  for (std::int64_t k = 1; k <= half; ++k) {
    const R re = 2 * z[2 * k], im = 2 * z[2 * k + 1];
    first[step * k] = re * c[k] + im * s[k];
    last[step * (1 - k)] = re * s[k] - im * c[k];
  }
  if (n % 2 == 0 && n > 0) first[step * (n / 2)] = 2 * z[n] * c[n / 2];
}

/// The other way round, from x, forwards from `first` and backwards from `last`.
template<class R>
GPARRAY_UNFUSED_CLONES void turn_to_complex(const R* __restrict first, const R* __restrict last,
                                            const R* __restrict c, const R* __restrict s, R* __restrict z,
                                            std::int64_t n, std::int64_t step) {
  z[0] = first[0];
  z[1] = 0;
  for (std::int64_t k = 1; k <= n / 2; ++k) {
    const R a = first[step * k], b = last[step * (1 - k)];
    z[2 * k] = a * c[k] + b * s[k];
    z[2 * k + 1] = a * s[k] - b * c[k];
  }
}

/// z exp(-i angle)
template<class R>
GPARRAY_UNFUSED_CLONES void turn_back(const R* __restrict re, const R* __restrict im, std::int64_t step,
                                      const R* __restrict c, const R* __restrict s, R* __restrict z,
                                      std::int64_t n) {
  for (std::int64_t k = 0; k < n; ++k) {
    const R a = re[step * k], b = im[-step * k];
    z[2 * k] = a * c[k] + b * s[k];
    z[2 * k + 1] = b * c[k] - a * s[k];
  }
}
template<class R>
GPARRAY_UNFUSED_CLONES void turn_back_to_reals(const R* __restrict z, const R* __restrict c,
                                               const R* __restrict s, R* __restrict y, std::int64_t n,
                                               R sign) {
  for (std::int64_t k = 0; 2 * k < n; ++k) {
    const R a = 2 * z[2 * k], b = 2 * z[2 * k + 1];
    y[2 * k] = a * c[k] + b * s[k];
    y[n - 1 - 2 * k] = sign * (a * s[k] - b * c[k]);
  }
}

template<class R>
class cosine_transform final : public line_transform {
 public:
  cosine_transform(fft_kind kind, dtype real, std::int64_t n)
      : type_(core::cosine_type(kind)),
        sines_(core::is_sine(kind)),
        n_(n),
        length_(length_of_inner()),
        inner_(make_line(inner_kind(), real, length_)),
        angles_(type_ == 1 ? 0 : n / 2 + 1, type_ == 4 ? 0.125 : 0.0,
                static_cast<double>(type_ == 4 ? n : 2 * n)) {
    bytes = inner_->bytes + (angles_.cosines.size() + 4 * static_cast<std::size_t>(length_)) * 2 * sizeof(R);
  }

  void execute(void* in, void* out) const override {
    const R* const x = static_cast<const R*>(in);
    R* const y = static_cast<R*>(out);
    switch (type_) {
      case 1:
        return sines_ ? first_of_sines(x, y) : first_of_cosines(x, y);
      case 2:
        return second(x, y);
      case 3:
        return third(x, y);
      default:
        return fourth(x, y);
    }
  }

 private:
  std::int64_t length_of_inner() const {
    if (type_ == 1) return 2 * (sines_ ? n_ + 1 : n_ - 1);
    return type_ == 4 ? n_ / 2 : n_;
  }
  fft_kind inner_kind() const {
    if (type_ == 3) return fft_kind::real_inverse;
    return type_ == 4 ? fft_kind::forward : fft_kind::real_forward;
  }
  R sign() const { return sines_ ? R(-1) : R(1); }
  const R* cosines() const { return angles_.cosines.data(); }
  const R* sines() const { return angles_.sines.data(); }
  /// Memory for what the inner transform reads and what it writes: complex numbers, at most.
  struct scratch_memory {
    R *v, *z;
  };
  scratch_memory scratch() const {
    struct purpose;
    const auto room = static_cast<std::size_t>(2 * length_ + 2 + 15) / 16 * 16;
    R* const memory = reinterpret_cast<R*>(thread_scratch<purpose>(2 * room * sizeof(R)));
    return {memory, memory + room};
  }

  void first_of_cosines(const R* x, R* y) const {
    const auto [v, z] = scratch();
    for (std::int64_t k = 0; k < n_; ++k) v[k] = x[k];
    for (std::int64_t k = 1; k + 1 < n_; ++k) v[length_ - k] = x[k];
    inner_->execute(v, z);
    for (std::int64_t k = 0; k < n_; ++k) y[k] = z[2 * k];
  }
  void first_of_sines(const R* x, R* y) const {
    const auto [v, z] = scratch();
    v[0] = v[n_ + 1] = 0;
    for (std::int64_t k = 0; k < n_; ++k) {
      v[1 + k] = x[k];
      v[length_ - 1 - k] = -x[k];
    }
    inner_->execute(v, z);
    for (std::int64_t k = 0; k < n_; ++k) y[k] = -z[2 * k + 3];
  }
  void second(const R* x, R* y) const {
    const auto [v, z] = scratch();
    split(x, v, n_, sign());
    inner_->execute(v, z);
    if (sines_) turn_to_reals(z, cosines(), sines(), y + n_ - 1, y, n_, std::int64_t{-1});
    else turn_to_reals(z, cosines(), sines(), y, y + n_ - 1, n_, std::int64_t{1});
  }
  void third(const R* x, R* y) const {
    const auto [v, z] = scratch();
    if (sines_) turn_to_complex(x + n_ - 1, x, cosines(), sines(), z, n_, std::int64_t{-1});
    else turn_to_complex(x, x + n_ - 1, cosines(), sines(), z, n_, std::int64_t{1});
    inner_->execute(z, v);
    join(v, y, n_, sign());
  }
  void fourth(const R* x, R* y) const {
    const auto [v, z] = scratch();
    const R *const first = sines_ ? x + n_ - 1 : x, *const last = sines_ ? x : x + n_ - 1;
    turn_back(first, last, std::int64_t{sines_ ? -2 : 2}, cosines(), sines(), v, length_);
    inner_->execute(v, z);
    turn_back_to_reals(z, cosines(), sines(), y, n_, sign());
  }

  int type_;
  bool sines_;
  std::int64_t n_, length_;
  std::unique_ptr<line_transform> inner_;
  angles<R> angles_;
};

}  // namespace

std::unique_ptr<line_transform> make_cosine(fft_kind kind, dtype real, std::int64_t n) {
  if (real == dtype::float32) return std::make_unique<cosine_transform<float>>(kind, real, n);
  return std::make_unique<cosine_transform<double>>(kind, real, n);
}

}  // namespace host
GPARRAY_END_NAMESPACE
