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

TEST_CASE("vectors and rows by indices have the bits of single steps") {
  // Of so many that a GPU takes whole vectors, some of which are too long or short for quick quotients.
  const std::int64_t n = (1 << 17) + 5;
  gp::ndarray<float> p = numbers<float>({n, 3}, 3), q = numbers<float>({n, 3}, 5),
                     r = numbers<float>({n, 3}, 7);
  p("::7") *= 1e-25f;
  p("::11") *= 1e25f;
  const gp::ndarray<std::uint8_t> pixels =
      gp::random::default_rng(2).integers(0, 256, {n, 3}).astype<std::uint8_t>();
  const gp::ndarray<float> table = numbers<float>({300, 64}, 9);
  const gp::ndarray<std::int64_t> words = gp::random::default_rng(4).integers(0, 300, {n / 64, 8});
  gp::eval(p, q, r, pixels, table, words);
  const auto compare = [](auto fused, auto stepwise) {
    const gp::ndarray<float> expected = stepwise();
    expected.eval();
    for (int turn = 0; turn < 2; ++turn) {
      const gp::ndarray<float> actual = fused();
      CHECK(same_bits(actual.eval(), expected));
      gp::wait_for_kernels();
    }
  };
  const auto norms = [](const gp::ndarray<float>& v) {
    return gp::ndarray<float>(gp::sqrt(gp::sum(v * v, 1)));
  };
  compare([&] { return gp::ndarray<float>(p / norms(p)(":, None")); },
          [&] {
            const gp::ndarray<float> squares = (p * p).eval();
            const gp::ndarray<float> length = gp::sqrt(gp::sum(squares, 1).eval()).eval();
            return gp::ndarray<float>(p / length(":, None").copy());
          });
  compare([&] { return gp::ndarray<float>(gp::cross(q - p, r - p)); },
          [&] { return gp::ndarray<float>(gp::cross((q - p).eval(), (r - p).eval())); });
  compare([&] { return gp::ndarray<float>(p - 2 * gp::sum(p * q, 1)(":, None") * q); },
          [&] {
            const gp::ndarray<float> along = gp::sum((p * q).eval(), 1).eval();
            const gp::ndarray<float> twice = (2 * along).eval();
            return gp::ndarray<float>(p - (twice(":, None") * q).eval());
          });
  compare([&] { return gp::ndarray<float>(p(":, 0") * q(":, 2") / pixels(":, 1").astype<float>()); },
          [&] {
            const gp::ndarray<float> x = p(":, 0").copy(), y = q(":, 2").copy(),
                                     z = pixels(":, 1").astype<float>().copy();
            return gp::ndarray<float>((x * y).eval() / z);
          });
  compare([&] { return gp::ndarray<float>(gp::mean(table(words), 1)); },
          [&] { return gp::ndarray<float>(gp::mean(gp::ndarray<float>(table(words)).eval(), 1)); });
}
