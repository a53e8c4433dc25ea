// Sums of products of two arrays are computed in one loop, with the bits of products that are stored first.
#include <limits>

#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

template<class V>
gp::ndarray<V> numbers(const gp::dims& shape, double step) {
  gp::ndarray<double> x = gp::arange<double>(shape.size() == 1 ? shape[0] : shape[0] * shape[1]);
  return (gp::remainder(step * x, 1.0) - 0.3).template astype<V>().reshape(shape).eval();
}

/// The same bits, but for those of NaN.
template<class V>
bool same(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  const auto signs = [](const auto& x, const auto& y) {
    return gp::array_equal(gp::signbit(x), gp::signbit(y));
  };
  if (!gp::array_equal(a, b, {.equal_nan = true})) return false;
  if constexpr (std::is_floating_point_v<V>) return signs(a, b);
  else return signs(gp::real(a), gp::real(b)) && signs(gp::imag(a), gp::imag(b));
}

template<class V>
gp::ndarray<V> stored_product(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  gp::ndarray<V> product = gp::empty<V>(a.shape());
  gp::multiply(a, b, product);
  product.data();  // is looked at, so that it is there
  return product;
}

}  // namespace

TEST_CASE_TEMPLATE("sums of products, of any length", V, float, double) {
  for (const i64 n : {1, 2, 3, 31, 100, 255, 256, 257, 2047, 2048, 2049, 5000, 65'535, 65'537, 200'003}) {
    CAPTURE(n);
    const gp::ndarray<V> a = numbers<V>({n + 3}, 0.6180339887498949)(gp::slice(3, gp::none)),
                         b = numbers<V>({n}, 0.7548776662466927);
    const gp::ndarray<V> product = stored_product(a, b), square = stored_product(a, a);
    CHECK(same<V>(gp::sum(a * b), gp::sum(product)));
    CHECK(same<V>(gp::mean(a * b), gp::mean(product)));
    CHECK(same<V>(gp::sum(gp::square(a)), gp::sum(square)));
    CHECK(same<V>(gp::sum(a * a), gp::sum(square)));
    // Backwards, and by a number: other loops.
    const gp::ndarray<V> turned = b("::-1");
    CHECK(same<V>(gp::sum(a * turned), gp::sum(stored_product(a, turned))));
    CHECK(same<V>(gp::sum(a * V(0.3)), gp::sum(stored_product(a, gp::full_like(a, V(0.3))))));
  }
}

TEST_CASE_TEMPLATE("sums of products of complex numbers, which may be conjugated", R, float, double) {
  using V = std::complex<R>;
  const V i(0, 1);
  for (const i64 n : {1, 2, 3, 15, 16, 17, 31, 100, 257, 2047, 2048, 2049, 5000, 65'537, 200'003}) {
    CAPTURE(n);
    const gp::ndarray<V> whole = numbers<R>({n + 3}, 0.6180339887498949) +
                                 i * numbers<R>({n + 3}, 0.5698402909980532),
                         a = whole(gp::slice(3, gp::none)),
                         b = numbers<R>({n}, 0.7548776662466927) + i * numbers<R>({n}, 0.8191725133961645);
    const gp::ndarray<V> conjugate = gp::conj(a).copy(), product = stored_product(a, b),
                         other = stored_product(conjugate, b);
    CHECK(same<V>(gp::sum(a * b), gp::sum(product)));
    CHECK(same<V>(gp::dot(a, b), gp::sum(product)));
    CHECK(same<V>(gp::mean(a * b), gp::mean(product)));
    CHECK(same<V>(gp::sum(gp::square(a)), gp::sum(stored_product(a, a))));
    CHECK(same<V>(gp::vdot(a, b), gp::sum(other)));
    CHECK(same<V>(gp::sum(gp::conj(a) * b), gp::sum(other)));
    CHECK(same<V>(gp::sum(b * gp::conj(a)), gp::sum(stored_product(b, conjugate))));
    CHECK(same<V>(gp::sum(gp::conj(a) * gp::conj(a)), gp::sum(stored_product(conjugate, conjugate))));
    const gp::ndarray<V> turned = b("::-1");
    CHECK(same<V>(gp::vdot(a, turned), gp::sum(stored_product(conjugate, turned))));
  }
  const gp::ndarray<V> rows = (numbers<R>({7, 300}, 0.6180339887498949) + i).eval(), weights = rows(3).copy(),
                       products = stored_product(gp::conj(rows).copy(),
                                                 gp::ndarray<V>(gp::broadcast_to(weights, rows.shape())));
  CHECK(same<V>(gp::vecdot(rows, weights), gp::sum(products, 1)));
  const gp::ndarray<V> strange = rows(0).copy();
  strange(100) = V(std::numeric_limits<R>::infinity(), 0);
  CHECK(same<V>(gp::vdot(strange, weights), gp::sum(stored_product(gp::conj(strange).copy(), weights))));
  CHECK(gp::vdot(gp::zeros<V>({0}), gp::zeros<V>({0})).item() == V(0));
}

TEST_CASE_TEMPLATE("sums of products along rows", V, float, double) {
  for (const i64 n : {5, 40, 255, 256, 300, 4097}) {
    CAPTURE(n);
    const gp::ndarray<V> a = numbers<V>({37, n}, 0.6180339887498949),
                         b = numbers<V>({37, n + 9}, 0.7548776662466927),
                         part = b(gp::all, gp::slice(4, n + 4)), row = part(7);
    CHECK(same<V>(gp::sum(a * part, 1), gp::sum(stored_product(a, part), 1)));
    CHECK(same<V>(gp::sum(a * row, -1),
                  gp::sum(stored_product(a, gp::ndarray<V>(gp::broadcast_to(row, a.shape()))), -1)));
    CHECK(same<V>(gp::sum(a * part, 0), gp::sum(stored_product(a, part), 0)));
    CHECK(same<V>(gp::sum(a * part), gp::sum(stored_product(a, part))));
  }
}

TEST_CASE_TEMPLATE("sums of products that are no numbers", V, float, double) {
  const gp::ndarray<V> a = numbers<V>({3000}, 0.6180339887498949), b = numbers<V>({3000}, 0.7548776662466927);
  a(2500) = std::numeric_limits<V>::infinity();
  CHECK(same<V>(gp::sum(a * b), gp::sum(stored_product(a, b))));
  b(2500) = V(0);
  CHECK(gp::isnan(gp::sum(a * b)).item());
  const gp::ndarray<V> zeros = gp::full<V>({300}, -V(0));
  CHECK(same<V>(gp::sum(zeros * gp::ones_like(zeros)), gp::sum(stored_product(zeros, gp::ones_like(zeros)))));
}

TEST_CASE("numbers in memory beside arrays, which they may be elements of") {
  for (const i64 n : {5, 1000, 100'000}) {
    CAPTURE(n);
    const gp::ndarray<double> a = gp::arange<double>(n) + 1, b = a.copy();
    a -= a(3);
    CHECK(gp::array_equal(a, b - 4));
    a(gp::ellipsis) = (b + b(gp::slice(2, 3))) * b(4);
    CHECK(gp::array_equal(a, (b + 3) * 5));
    // One for each row is none for all.
    const gp::ndarray<double> rows = b(gp::slice(0, 3))(gp::all, gp::newaxis) - b;
    for (int i = 0; i < 3; ++i) CHECK(gp::array_equal(rows(i), i + 1.0 - b));
    const gp::ndarray<double> m = gp::broadcast_to(b(gp::slice(1, 2)), {3, n}) - b;
    CHECK(gp::array_equal(m, gp::broadcast_to(2 - b, {3, n})));
  }
}
