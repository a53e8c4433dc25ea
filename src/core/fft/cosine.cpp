// Cosine and sine transforms: the backend's, or along the last axis from Fourier transforms of as many
// numbers or twice as many.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/creation/typed.hpp>
#include <core/fft/fft.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/manipulation/typed.hpp>
#include <gparray/fft/cosine.hpp>
#include <gparray/ufunc/operators.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using detail::cosine;

/// cos and sin of pi (a k + b) / d for k below n.
template<class V>
struct angles {
  angles(std::int64_t n, double a, double b, double d, device on_device) {
    const ndarray<double> t =
        (arange<double>(0, n, 1, {.device = on_device}) * a + b) * (std::numbers::pi / d);
    cosines = detail::as_elements<V>(cos(t));
    sines = detail::as_elements<V>(sin(t));
  }
  ndarray<V> cosines, sines;
};

/// J. Makhoul 1980, "A fast cosine transform in one and two dimensions": even positions, then odd ones
/// backwards.
template<class V>
ndarray<V> dct2(const ndarray<V>& x) {
  const ndarray<V> reordered =
      concatenate(x(ellipsis, slice(none, none, 2)), flip(x(ellipsis, slice(1, none, 2)), -1), -1);
  const auto z = fft::fft(reordered);
  const angles<V> w(x.shape(-1), 1, 0, 2 * static_cast<double>(x.shape(-1)), x.device());
  return V(2) * (z.real() * w.cosines + z.imag() * w.sines);
}

template<class V>
ndarray<V> dct3(const ndarray<V>& x) {
  const std::int64_t n = x.shape(-1), half = n / 2 + 1, middle = (n + 1) / 2;
  dims one = x.shape();
  one[one.size() - 1] = 1;
  const ndarray<V> mirrored =
      concatenate(zeros<V>(one, {.device = x.device()}), flip(x(ellipsis, slice(1, none)), -1), -1);
  const auto first = slice(none, half);
  const ndarray<V> a = x(ellipsis, first), b = mirrored(ellipsis, first);
  const angles<V> w(a.shape(-1), 1, 0, 2 * static_cast<double>(n), x.device());
  const auto z = empty<std::complex<V>>(a.shape(), {.device = x.device()});
  z.real() = a * w.cosines + b * w.sines;
  z.imag() = a * w.sines - b * w.cosines;
  const ndarray<V> v = fft::irfft(z, n, -1, "forward");
  const ndarray<V> y = empty<V>(v.shape(), {.device = x.device()});
  y(ellipsis, slice(none, none, 2)) = v(ellipsis, slice(none, middle));
  y(ellipsis, slice(1, none, 2)) = flip(v(ellipsis, slice(middle, none)), -1);
  return y;
}

template<class V>
ndarray<V> dct1(const ndarray<V>& x) {
  return fft::rfft(concatenate(x, flip(x(ellipsis, slice(1, -1)), -1), -1)).real();
}

template<class V>
ndarray<V> dct4(const ndarray<V>& x) {
  const std::int64_t n = x.shape(-1);
  const double d = static_cast<double>(n);
  const angles<V> before(n, 1, 0, 2 * d, x.device()), behind(n, 2, 1, 4 * d, x.device());
  const auto z = empty<std::complex<V>>(x.shape(), {.device = x.device()});
  z.real() = x * before.cosines;
  z.imag() = -(x * before.sines);
  const ndarray<std::complex<V>> f = fft::fft(z, 2 * n)(ellipsis, slice(none, n));
  return V(2) * (f.real() * behind.cosines + f.imag() * behind.sines);
}

template<class V>
ndarray<V> dst1(const ndarray<V>& x) {
  dims one = x.shape();
  one[one.size() - 1] = 1;
  const ndarray<V> zero = zeros<V>(one, {.device = x.device()});
  const auto z = fft::rfft(concatenate(zero, x, zero, ndarray<V>(-flip(x, -1)), -1));
  return -z(ellipsis, slice(1, -1)).imag();
}

/// With every second number negated.
template<class V>
ndarray<V> alternated(const ndarray<V>& x) {
  const ndarray<V> y = x.copy();
  y(ellipsis, slice(1, none, 2)) = -x(ellipsis, slice(1, none, 2));
  return y;
}

template<class V>
ndarray<V> transformed(bool sines, int type, const ndarray<V>& x) {
  switch (type) {
    case 1:
      return sines ? dst1(x) : dct1(x);
    case 2:
      return sines ? flip(dct2(alternated(x)), -1) : dct2(x);
    case 3:
      return sines ? alternated(dct3(flip(x, -1))) : dct3(x);
    default:
      return sines ? alternated(dct4(flip(x, -1))) : dct4(x);
  }
}

constexpr int inverse_type[] = {0, 1, 3, 2, 4};

struct request {
  bool sines, inverse;
  int type;
  std::string_view norm;
  bool orthogonal;

  double factor(std::int64_t n) const {
    const std::int64_t length = 2 * (type != 1 ? n : sines ? n + 1 : n - 1);
    if (norm == "ortho") return 1 / std::sqrt(static_cast<double>(length));
    return (norm == "forward") != inverse ? 1 / static_cast<double>(length) : 1;
  }
};

template<class O>
request checked(cosine f, const O& options) {
  if (options.type < 1 || options.type > 4) fail<value_error>("invalid transform type ({})", options.type);
  if (options.norm != "backward" && options.norm != "ortho" && options.norm != "forward")
    fail<value_error>("Invalid norm value '{}', should be \"backward\", \"ortho\" or \"forward\"",
                      options.norm);
  const bool inverse = f == cosine::idct || f == cosine::idst;
  return {f == cosine::dst || f == cosine::idst, inverse, inverse ? inverse_type[options.type] : options.type,
          options.norm, options.orthogonalize.value_or(options.norm == "ortho")};
}

/// By the backend, along any axis.
template<class V>
ndarray<V> transformed_by_backend(const request& r, const ndarray<V>& x, int axis, double factor) {
  any_array from = x;
  if (!is_regular(computed(from))) from = detail::copy(from, order::C);
  const ndarray<V> y = empty<V>(x.shape(), {.device = x.device()});
  if (y.size() > 0)
    run_fft(cosine_kind(r.sines, r.type), computed(from), y.rep(), dims(std::int64_t{axis}), factor);
  return y;
}

/// Along one axis, of x cropped or padded to n.
template<class V>
ndarray<V> along_axis(const request& r, ndarray<V> x, const detail::slice_end& length, int axis) {
  const std::int64_t n = length.given ? length.value : x.shape(axis);
  if (n < 1) fail<value_error>("invalid number of data points ({}) specified", n);
  const auto part = [axis](const ndarray<V>& y, std::int64_t first, std::int64_t count) {
    return detail::typed<V>(slice_along(y, axis, first, count));
  };
  const bool scales_input = r.orthogonal && (r.type == 3 || (r.type == 1 && !r.sines));
  if (n != x.shape(axis) || scales_input) {
    dims shape = x.shape();
    shape[static_cast<std::size_t>(axis)] = n;
    const ndarray<V> own = zeros<V>(shape, {.device = x.device()});
    const std::int64_t common = std::min(n, x.shape(axis));
    if (own.size() > 0) copy_elements(part(own, 0, common).rep(), computed(part(x, 0, common)));
    x = own;
  }
  // The factors of the outermost numbers that make the matrix orthogonal.
  const V root = V(std::numbers::sqrt2);
  const auto scale = [&](const ndarray<V>& y, V by) {
    if (r.type == 1 || !r.sines) part(y, 0, 1) *= by;
    if (r.type == 1 || r.sines) part(y, n - 1, 1) *= by;
  };
  if (scales_input) scale(x, root);
  const double factor = r.factor(n);
  ndarray<V> y;
  if (r.type == 1 && !r.sines && n < 2) throw value_error("zero-length FFT requested");
  if (fft_engine_of(x.device()).takes(cosine_kind(r.sines, r.type), n)) {
    y = transformed_by_backend(r, x, axis, factor);
  } else {
    y = moveaxis(transformed(r.sines, r.type, ndarray<V>(moveaxis(x, axis, -1))), -1, axis);
    if (factor != 1) y = y * V(factor);
  }
  if (r.orthogonal && (r.type == 2 || (r.type == 1 && !r.sines))) scale(y, 1 / root);
  return y;
}

any_array along(const request& r, const any_array& a, const detail::slice_end& n, int axis) {
  const int at = normalize_axis(axis, a.ndim());
  if (a.dtype() == dtype::float32) return along_axis(r, detail::typed<float>(any_array(a)), n, at);
  return along_axis(r, detail::typed<double>(any_array(a)), n, at);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array cosine_transform(cosine f, const any_array& a, const fft::cosine_options& options) {
  return in_order(along(checked(f, options), a, options.n, options.axis), order::C);
}

any_array cosine_transform(cosine f, const any_array& a, const fft::cosine_options_nd& options) {
  const request r = checked(f, options);
  dims axes = options.axes.value;
  if (!options.axes.given) {
    const auto count = static_cast<std::int64_t>(options.s.given ? options.s.value.size() : a.shape().size());
    for (std::int64_t i = -count; i < 0; ++i) axes.push_back(i);
  }
  axes = normalize_axis_list(axes, a.ndim());
  if (options.s.given && options.s.value.size() != axes.size())
    throw value_error("when given, axes and shape arguments have to be of the same length");
  if (axes.empty()) return copy(a, order::C);
  any_array y = a;
  for (std::size_t i = 0; i < axes.size(); ++i)
    y = along(r, y, options.s.given && options.s.value[i] >= 0 ? slice_end(options.s.value[i]) : none,
              static_cast<int>(axes[i]));
  return in_order(y, order::C);
}

std::string_view opposite_norm(std::string_view norm) {
  if (norm == "backward") return "forward";
  if (norm == "forward") return "backward";
  return norm;
}

std::int64_t fast_length(std::int64_t target, bool next) {
  if (target < (next ? 0 : 1))
    fail<value_error>("Target length must be {}", next ? "positive" : "at least 1");
  const auto wanted = static_cast<std::uint64_t>(std::max<std::int64_t>(target, 1));
  std::uint64_t best = next ? std::numeric_limits<std::uint64_t>::max() : 0;
  // Of each product of odd primes the power of two that comes nearest.
  const auto try_with = [&](std::uint64_t odd) {
    if (next) best = std::min(best, odd >= wanted ? odd : odd << std::bit_width((wanted - 1) / odd));
    else if (odd <= wanted) best = std::max(best, odd << (std::bit_width(wanted / odd) - 1));
  };
  const auto grow = [wanted](std::uint64_t& product, std::uint64_t prime) {
    return product < wanted && !__builtin_mul_overflow(product, prime, &product);
  };
  std::uint64_t sevens = 1;
  do {
    std::uint64_t fives = sevens;
    do {
      std::uint64_t threes = fives;
      do {
        try_with(threes);
      } while (grow(threes, 3));
    } while (grow(fives, 5));
  } while (grow(sevens, 7));
  if (!std::in_range<std::int64_t>(best)) fail<value_error>("there is no fast length from {} on", target);
  return static_cast<std::int64_t>(best);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
