// Plans of Fourier transforms: the cache of them, and objects that hold some.
#pragma once
#include <memory>

#include <gparray/fft/detail.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace fft {

/// The transforms of which there are plans: transform::fft, ifft, rfft, irfft, hfft and ihfft.
using transform = detail::fft_function;

/// What the cache of plans of a device did, and what it holds. Bytes are those of the plans' tables (on the
/// CPU, estimated) or of their work areas (on a GPU, where all plans share them, and none has them while no
/// transform runs).
struct plan_cache_info {
  /// How many transforms found their plan.
  std::int64_t hits = 0;
  /// How many transforms had to make their plan.
  std::int64_t misses = 0;
  /// How many plans the cache holds.
  std::int64_t n_plans = 0;
  /// How many plans it may hold.
  std::int64_t max_plans = 0;
  /// The bytes of its plans.
  std::size_t bytes = 0;
  /// How many bytes its plans may have.
  std::size_t max_bytes = 0;
  /// The bytes of the largest plan.
  std::size_t largest = 0;
};

/// The plans that transforms on one device share: at most 64 of them and 1 GiB, unless set otherwise. The
/// least recently used plan leaves first; one that a plan object holds never does.
class GPARRAY_API plan_cache {
 public:
  /// The cache of a device.
  explicit plan_cache(device where = default_device());
  /// Returns hits, misses, limits and what the cache holds now.
  [[nodiscard]] plan_cache_info info() const;
  /// Sets how many plans are kept; values below 1 keep none.
  void set_max_plans(std::int64_t count);
  /// Sets how many bytes the kept plans may have; 0 keeps none.
  void set_max_bytes(std::size_t bytes);
  /// Drops all plans that no plan object holds, and counts hits and misses from 0 again.
  void clear();

 private:
  device where_;
};

}  // namespace fft

namespace detail {

struct held_fft;

/// Computes the transform once, of zeros, and holds what that prepared. Throws what the transform throws,
/// and value_error while a graph is captured.
GPARRAY_API std::shared_ptr<const held_fft> hold_fft(fft_function f, const dims& shape, dtype type,
                                                     const optional_dims& s, const optional_dims& axes,
                                                     std::string_view norm, device where);
/// Throws value_error, device_error if `a` is not what was planned for.
GPARRAY_API any_array run_held_fft(const held_fft& plan, const argument& a, const any_array* out);
GPARRAY_API std::size_t held_fft_bytes(const held_fft& plan);

}  // namespace detail

namespace fft {

/// A transform of arrays of one shape, element type and device, with everything that it needs prepared and
/// kept. Constructing a plan computes the transform of zeros once.
template<transform F, element V>
class plan {
 public:
  /// Prepares the transform of arrays of a shape along the axes in the options, by default all. Throws what
  /// the transform throws, and value_error while a graph is captured.
  explicit plan(const dims& shape, const options_nd& o = {}, device where = default_device())
      : held_(detail::hold_fft(F, shape, dtype_of<V>, o.s, o.axes, o.norm, where)) {}
  /// Prepares the transform of arrays of a shape that is given in braces.
  explicit plan(std::initializer_list<std::int64_t> shape, const options_nd& o = {},
                device where = default_device())
      : plan(dims(shape), o, where) {}

  /// Returns the transform of a. Throws value_error if its shape is another, device_error if it is elsewhere.
  template<array_like A>
    requires std::same_as<detail::element_t<A>, V>
  ndarray<detail::fftn_element<F, A>> operator()(A&& a) const {
    return detail::typed<detail::fftn_element<F, A>>(
        detail::run_held_fft(*held_, detail::make_argument<V>(std::forward<A>(a)), nullptr));
  }
  /// Writes the transform of a to out and returns it.
  template<array_like A, array_like O>
    requires(std::same_as<detail::element_t<A>, V> && detail::transformable<F, A, O>)
  O&& operator()(A&& a, O&& out) const {
    detail::run_held_fft(*held_, detail::make_argument<V>(std::forward<A>(a)), &out);
    return std::forward<O>(out);
  }
  /// Returns the bytes of the tables and work areas that are kept or will be asked for.
  [[nodiscard]] std::size_t bytes() const { return detail::held_fft_bytes(*held_); }

 private:
  std::shared_ptr<const detail::held_fft> held_;
};

}  // namespace fft
GPARRAY_END_NAMESPACE
