// Reductions of a few elements, alone and as operands: on any device the same bits.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/same_bits.hpp"

namespace gp = gparray;

namespace {

template<class T>
gp::ndarray<T> numbers(const gp::dims& shape, std::uint64_t seed) {
  gp::ndarray<T> x;
  if constexpr (std::is_floating_point_v<T>) {
    x = gp::random::default_rng(seed).standard_normal<T>(shape);
    x(gp::random::default_rng(seed + 1).random<float>(shape) < 0.1f) = T(-0.0);
  } else {
    x = gp::random::default_rng(seed).integers(0, 5, shape).template astype<T>();
  }
  return x.eval();
}

/// Each of the reductions is computed alone, by a kernel of reductions, and used, twice: step by step while
/// kernels are compiled, and by one of them.
template<class Make>
void check(Make make) {
  const auto alone = make().eval();
  using array = std::remove_const_t<decltype(alone)>;
  const gp::ndarray<bool> yes = gp::ones<bool>(alone.shape());
  yes.eval();
  for (int turn = 0; turn < 2; ++turn) {
    const array used = gp::where(yes, make(), gp::zeros_like(alone));
    CHECK(same_bits(used, alone));
    gp::wait_for_kernels();
  }
}

template<class T>
void check_all(const gp::dims& shape, int axis) {
  CAPTURE(gp::ndarray<std::int64_t>(gp::array(shape.data(), {static_cast<std::int64_t>(shape.size())})));
  CAPTURE(axis);
  const gp::ndarray<T> x = numbers<T>(shape, 3), y = numbers<T>(shape, 5);
  check([&] { return gp::sum(x, axis); });
  check([&] { return gp::sum(x * y, axis); });
  check([&] { return gp::mean(x * y, axis); });
  check([&] { return gp::prod(x, axis); });
  check([&] { return gp::max(x * y, axis); });
  check([&] { return gp::any(x, axis); });
  check([&] { return gp::count_nonzero(x, axis); });
  check([&] { return gp::linalg::norm(x, {.axis = axis}); });
  check([&] { return gp::sum(x, {axis}, {.keepdims = true}); });
}

}  // namespace

// Each length and layout is a kernel to compile, of each reduction.
TEST_CASE_TEMPLATE("few elements have the same bits as an operand", T, float, double, std::int32_t,
                   std::uint8_t) {
  for (const std::int64_t n : std::is_floating_point_v<T> ? std::vector<std::int64_t>{2, 3, 4, 5, 9}
                                                          : std::vector<std::int64_t>{3}) {
    check_all<T>({3000, n}, 1);
    check_all<T>({n, 3000}, 0);
  }
  check_all<T>({60, 3, 50}, 1);
  check_all<T>({1000, 4, 3}, 1);
}

TEST_CASE("few elements of half precision, complex numbers and truth values") {
  const gp::ndarray<gp::float16> h = numbers<float>({3000, 3}, 3).astype<gp::float16>();
  check([&] { return gp::sum(h, 1); });
  const gp::ndarray<std::complex<float>> c = numbers<float>({3000, 3}, 3) + std::complex<float>(0, 1);
  check([&] { return gp::sum(c, 1); });
  const gp::ndarray<bool> b = numbers<int>({3000, 3}, 3) > 2;
  check([&] { return gp::sum(b, 1); });
  check([&] { return gp::mean(b, 1); });
}
