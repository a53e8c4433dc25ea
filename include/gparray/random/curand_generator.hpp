// cuRAND's own generators, for programs that need its streams. random::Generator draws from more
// distributions, gives the same numbers on every device, and needs no library.
#pragma once
#include <memory>

#include <gparray/random/arguments.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
struct curand_state;
}

namespace random {

// The class of bit_generators.hpp has the name of one, which g++ warns of where that comes first.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// cuRAND's generators, under CuPy's and cuRAND's names.
enum class curand_kind : std::uint8_t {
  XORWOW,
  MRG32k3a,
  MTGP32,
  MT19937,
  Philox4x3210,
  Sobol32,
  ScrambledSobol32,
  Sobol64,
  ScrambledSobol64
};
#pragma GCC diagnostic pop

/// Keyword arguments of curand_generator.
struct curand_options {
  /// Numbers to skip. Not for MTGP32 and MT19937.
  std::uint64_t offset = 0;
  /// Sobol sequences: the dimensions of a point, 1 to 20000; a draw makes all first coordinates, then all
  /// second ones.
  unsigned dimensions = 1;
  /// The GPU that draws; by default the default device, or GPU 0 if that is the CPU.
  std::optional<gparray::device> device = {};
};

}  // namespace random

namespace detail {

using curand_handle = std::shared_ptr<core::curand_state>;
enum class curand_draw : std::uint8_t { bits, uniform, normal, lognormal, poisson };

GPARRAY_API curand_handle create_curand(random::curand_kind kind, std::uint64_t seed,
                                        const random::curand_options& options);
GPARRAY_API any_array draw_curand(const curand_handle& generator, curand_draw what, dtype type,
                                  const dims& shape, double first = 0, double second = 1);

}  // namespace detail

namespace random {

/// A generator of cuRAND's host interface on one GPU. Copies share its state. Sobol sequences have no seed.
/// Draws are enqueued on the current stream; draws on several streams are the program's to order. Throws
/// device_error without a GPU, library_error without libcurand, cuda_error for what cuRAND refuses, as a size
/// that is no multiple of the dimensions.
class curand_generator {
 public:
  /// Makes a generator of this kind and seed.
  explicit curand_generator(curand_kind kind, std::uint64_t seed = 0, const curand_options& options = {})
      : handle_(detail::create_curand(kind, seed, options)) {}

  /// Random words: of 32 bits, or 64 for the kinds with 64 in their name.
  template<class V = std::uint32_t>
    requires(std::same_as<V, std::uint32_t> || std::same_as<V, std::uint64_t>)
  ndarray<V> bits(const dims& size) {
    return draw<V>(detail::curand_draw::bits, size);
  }
  /// Uniform in (0, 1], as cuRAND has it: 1 occurs, 0 does not.
  template<std::floating_point V = double>
  ndarray<V> random(const dims& size) {
    return draw<V>(detail::curand_draw::uniform, size);
  }
  /// Normal with this mean and standard deviation.
  template<std::floating_point V = double>
  ndarray<V> normal(double loc, double scale, const dims& size) {
    return draw<V>(detail::curand_draw::normal, size, loc, scale);
  }
  /// Normal with mean 0 and standard deviation 1.
  template<std::floating_point V = double>
  ndarray<V> standard_normal(const dims& size) {
    return normal<V>(0, 1, size);
  }
  /// The exponential of a normal variate of this mean and standard deviation.
  template<std::floating_point V = double>
  ndarray<V> lognormal(double mean, double sigma, const dims& size) {
    return draw<V>(detail::curand_draw::lognormal, size, mean, sigma);
  }
  /// Poisson with this mean.
  ndarray<std::uint32_t> poisson(double lam, const dims& size) {
    return draw<std::uint32_t>(detail::curand_draw::poisson, size, lam);
  }

 private:
  template<class V>
  ndarray<V> draw(detail::curand_draw what, const dims& size, double first = 0, double second = 1) {
    return detail::typed<V>(detail::draw_curand(handle_, what, dtype_of<V>, size, first, second));
  }
  detail::curand_handle handle_;
};

}  // namespace random
GPARRAY_END_NAMESPACE
