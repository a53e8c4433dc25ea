// Small matrices have code of their own, which agrees with what is done for large ones; and what other code
// is chosen by size or kind.
#include <complex>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
namespace linalg = gp::linalg;

namespace {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

template<class V>
constexpr double epsilon = gp::finfo<decltype(std::abs(V{}))>::eps;

/// Numbers around 0 whose pivots are not on the diagonal.
template<class V>
gp::ndarray<V> some(const gp::dims& shape, std::uint64_t seed) {
  auto rng = gp::random::default_rng(seed);
  const gp::ndarray<double> re = rng.uniform(-1, 1, shape), im = rng.uniform(-1, 1, shape);
  if constexpr (gp::is_complex(gp::dtype_of<V>)) return (re + im * c128(0, 1)).template astype<V>();
  else return re.template astype<V>();
}

template<class V>
double largest(const gp::ndarray<V>& a) {
  return static_cast<double>(gp::max(gp::abs(a)).item());
}

/// a in the corner of a larger identity matrix, which LAPACK factorises.
template<class V>
gp::ndarray<V> enlarged(const gp::ndarray<V>& a) {
  gp::ndarray<V> whole = gp::eye<V>(12);
  whole(gp::slice(0, a.shape(0)), gp::slice(0, a.shape(1))) = a;
  return whole;
}

/// Backward errors are a few n eps of the factors, which grow by less than 4 at these sizes; determinants,
/// sums of products with them, are below n! and near 1.
template<class V>
void check_determinants(std::int64_t n) {
  CAPTURE(n);
  const gp::ndarray<V> a = some<V>({n, n}, 3 + static_cast<std::uint64_t>(n)), whole = enlarged(a);
  const double bound = 100 * static_cast<double>(n) * epsilon<V>;
  const V small = linalg::det(a).item(), large = linalg::det(whole).item();
  CHECK(std::abs(small - large) <= bound * std::max(1., static_cast<double>(std::abs(large))));
  const auto [sign, logarithm] = linalg::slogdet(a);
  CHECK(std::abs(sign.item() * std::exp(logarithm.item()) - large) <=
        bound * std::max(1., static_cast<double>(std::abs(large))));
  const gp::ndarray<V> b = some<V>({n, 2}, 4);
  CHECK(largest(gp::ndarray<V>(gp::matmul(a, linalg::solve(a, b)) - b)) <=
        bound * static_cast<double>(linalg::cond(a).item()));
}

template<class V>
void check_lu(std::int64_t m, std::int64_t n) {
  CAPTURE(m);
  CAPTURE(n);
  const gp::ndarray<V> a = some<V>({m, n}, 5);
  const auto [p, l, u] = linalg::lu(a);
  CHECK(largest(gp::ndarray<V>(gp::matmul(p.template astype<V>(), gp::matmul(l, u)) - a)) <= 40 * epsilon<V>);
  // The pivot is the largest of its column: |re| + |im|, below sqrt(2) of the magnitude.
  CHECK(largest(l) <= std::sqrt(2.) * (1 + 4 * epsilon<V>));
}

template<class V>
void check_cholesky(std::int64_t n) {
  CAPTURE(n);
  const gp::ndarray<V> x = some<V>({n, n}, 6), a = gp::matmul(x, gp::conjugate(x.T())) + gp::eye<V>(n) * V(n);
  const gp::ndarray<V> l = linalg::cholesky(a), u = linalg::cholesky(a, {.upper = true});
  CHECK(l.is_c_contiguous());
  CHECK(u.is_c_contiguous());
  CHECK(gp::array_equal(l, gp::tril(l)));
  CHECK(gp::array_equal(u, gp::triu(u)));
  const double bound = 4 * static_cast<double>(n) * epsilon<V> * largest(a);
  CHECK(largest(gp::ndarray<V>(gp::matmul(l, gp::conjugate(l.T())) - a)) <= bound);
  CHECK(largest(gp::ndarray<V>(gp::matmul(gp::conjugate(u.T()), u) - a)) <= bound);
}

/// As the pseudoinverse has it. A condition below 100 costs as many eps.
template<class V>
void check_lstsq(const gp::ndarray<V>& a, std::int64_t rank) {
  CAPTURE(a.shape(0));
  CAPTURE(a.shape(1));
  const std::int64_t m = a.shape(0), n = a.shape(1);
  const gp::ndarray<V> b = some<V>({m, 3}, 8);
  const auto found = linalg::lstsq(a, b, {.rcond = 1e-4});
  const double bound = 3000 * static_cast<double>(std::max(m, n)) * epsilon<V>;
  CHECK(found.rank == rank);
  CHECK(found.x.shape() == gp::dims{n, 3});
  CHECK(largest(gp::ndarray<V>(found.x - gp::matmul(linalg::pinv(a, {.rcond = 1e-4}), b))) <= bound);
  CHECK(largest(gp::ndarray<decltype(std::abs(V{}))>(found.s - linalg::svdvals(a))) <= bound);
  const bool has_residuals = m > n && rank == n;
  CHECK(found.residuals.size() == (has_residuals ? 3 : 0));
  if (!has_residuals) return;
  const gp::ndarray<V> rest = b - gp::matmul(a, found.x);
  using R = decltype(std::abs(V{}));
  CHECK(largest(gp::ndarray<R>(gp::sum(gp::square(gp::abs(rest)), 0) - found.residuals)) <= bound);
}

template<class V>
void check_all() {
  for (std::int64_t n = 1; n <= 10; ++n) check_determinants<V>(n);
  for (const std::int64_t m : {1, 2, 3, 7, 8, 9})
    for (const std::int64_t n : {1, 3, 8, 9}) check_lu<V>(m, n);
  for (const std::int64_t n : {1, 2, 8, 9, 40, 300}) check_cholesky<V>(n);
  for (const gp::dims& shape : {gp::dims{5, 5}, gp::dims{40, 12}, gp::dims{12, 40}})
    check_lstsq<V>(some<V>(shape, 9), std::min(shape[0], shape[1]));
  check_lstsq<V>(gp::matmul(some<V>({30, 4}, 10), some<V>({4, 20}, 11)), 4);
}

/// Whole numbers, whose products have no rounding: the same as those of integers.
template<class V>
void check_products(std::int64_t m, std::int64_t k, std::int64_t n) {
  const gp::ndarray<std::int64_t> a = gp::arange<std::int64_t>(5 * m * k).reshape({5, m, k}) % 7 - 3,
                                  b = gp::arange<std::int64_t>(5 * k * n).reshape({5, k, n}) % 11 - 5;
  const gp::ndarray<V> want = gp::matmul(a, b).template astype<V>(), x = a.template astype<V>(),
                       y = b.template astype<V>();
  CAPTURE(want.shape());
  CHECK(gp::array_equal(gp::matmul(x, y), want));
  const gp::ndarray<V> swapped = gp::swapaxes(x, 1, 2).copy(), other = gp::swapaxes(y, 1, 2).copy();
  CHECK(gp::array_equal(gp::matmul(gp::swapaxes(swapped, 1, 2), gp::swapaxes(other, 1, 2)), want));
  const gp::ndarray<V> reversed = gp::flip(y, 2).copy();
  CHECK(gp::array_equal(gp::matmul(x, gp::flip(reversed, 2)), want));
  const gp::ndarray<V> wide = gp::repeat(x, 2, 2);
  CHECK(gp::array_equal(gp::matmul(wide("..., ::2"), y), want));
}

/// Diagonals that outweigh their rows keep the condition below 3, so that residuals are a few n eps.
template<class V>
void check_batches(std::int64_t n) {
  CAPTURE(n);
  const double bound = 100 * static_cast<double>(n) * epsilon<V>;
  const gp::ndarray<V> a = some<V>({3, 5, n, n}, 1) + gp::eye<V>(n) * V(4 * n), b = some<V>({5, n, 3}, 2);
  const auto check = [&](const gp::ndarray<V>& x, const gp::ndarray<V>& y) {
    const gp::ndarray<V> solved = linalg::solve(x, y);
    CHECK(solved.is_c_contiguous());
    CHECK(largest(gp::ndarray<V>(gp::matmul(x, solved) - y)) <= bound);
  };
  check(a, b);
  check(gp::swapaxes(a, 2, 3), b);
  const gp::ndarray<V> turned = gp::swapaxes(gp::swapaxes(b, 1, 2).copy(), 1, 2);
  check(gp::swapaxes(a, 0, 1)(":, ::2"), turned(gp::all, gp::newaxis));
  check(a(1, 2), b(gp::all, gp::all, gp::slice(0, 1)));
  check(gp::broadcast_to(a(0, 0), {2, n, n}), b(0));
  const gp::ndarray<V> vector = b(0, gp::all, 1);
  CHECK(largest(gp::ndarray<V>(gp::matvec(a, linalg::solve(a, vector)) - vector)) <= bound);
  const gp::ndarray<V> inverses = linalg::inv(gp::swapaxes(a, 0, 1));
  CHECK(largest(gp::ndarray<V>(gp::matmul(gp::swapaxes(a, 0, 1), inverses) - gp::eye<V>(n))) <= bound);
  // Determinants of the CPU, of matrices near the identity.
  const gp::ndarray<V> near = a / V(4 * n);
  const gp::ndarray<V> found = gp::asnumpy(linalg::det(near)), expected = linalg::det(gp::asnumpy(near));
  CHECK(largest(gp::ndarray<V>(found - expected)) <= bound * largest(expected));
  const gp::ndarray<V> squares = gp::matmul(a, gp::conjugate(gp::swapaxes(a, 2, 3))),
                       l = linalg::cholesky(squares);
  CHECK(largest(gp::ndarray<V>(gp::matmul(l, gp::conjugate(gp::swapaxes(l, 2, 3))) - squares)) <=
        bound * largest(squares));
}

}  // namespace

TEST_CASE("batches of small matrices, whichever way they lie") {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 8, 13, 16, 31, 32, 33}) {
    check_batches<double>(n);
    check_batches<float>(n);
    check_batches<c64>(n);
    check_batches<c128>(n);
  }
  const gp::ndarray<int> whole{{2, 1}, {1, 1}};
  CHECK(gp::allclose(linalg::inv(whole), gp::ndarray<double>{{1., -1.}, {-1., 2.}}));
  CHECK(linalg::solve(gp::ones({0, 2, 2}), gp::ones({0, 2, 1})).shape() == gp::dims{0, 2, 1});
  CHECK(linalg::solve(gp::eye(2), gp::ones({2, 0})).shape() == gp::dims{2, 0});
}

TEST_CASE("the first singular matrix of a batch of small ones is named") {
  gp::ndarray<double> a = (gp::zeros({3, 40, 3, 3}) + gp::eye(3)).eval();
  CHECK(gp::array_equal(linalg::inv(a), a));
  a(2, 7, 1, 1) = 0.;
  a(1, 39, 2, 2) = 0.;
  CHECK_THROWS_WITH_AS(linalg::inv(a), "Singular matrix (matrix (1,39) of the batch)", gp::linalg_error);
  CHECK_THROWS_WITH_AS(linalg::solve(a, gp::ones({3, 1})), "Singular matrix (matrix (1,39) of the batch)",
                       gp::linalg_error);
  CHECK_THROWS_WITH_AS(linalg::cholesky(a), "Matrix is not positive definite (matrix (1,39) of the batch)",
                       gp::linalg_error);
  CHECK_THROWS_WITH_AS(linalg::inv(gp::ndarray<double>(a(1, 39))), "Singular matrix", gp::linalg_error);
  CHECK(gp::sum(linalg::det(a)).item() == 118);
}

TEST_CASE("float64 and float32") {
  check_all<double>();
  check_all<float>();
}
TEST_CASE("complex128 and complex64") {
  check_all<c128>();
  check_all<c64>();
}

TEST_CASE("determinants that no product of elements in their order shows") {
  CHECK(linalg::det(gp::eye(3) * 1e200).item() == gp::inf);
  CHECK(linalg::det(gp::eye(3) * 1e-200).item() == 0);
  CHECK(linalg::slogdet(gp::eye(3) * 1e-200).logabsdet.item() == doctest::Approx(-600 * std::log(10.)));
  CHECK(linalg::slogdet(gp::eye(3) * 1e-200).sign.item() == 1);
  const gp::ndarray<double> mixed = gp::diag(gp::ndarray<double>{1e300, 1e300, 1e-300, -1e-300});
  CHECK(linalg::det(mixed).item() == doctest::Approx(-1));
  for (const std::int64_t n : {2, 3, 8, 9, 50}) {
    gp::ndarray<double> exchanged = gp::eye(n);
    exchanged(gp::slice(0, 2)) = gp::flip(gp::eye(n)(gp::slice(0, 2)), 0).copy();
    CHECK(linalg::det(exchanged).item() == -1);
    CHECK(linalg::det(gp::ones({n, n})).item() == 0);
    exchanged(0, 0) = gp::nan;
    CHECK(std::isnan(linalg::det(exchanged).item()));
  }
}

TEST_CASE("least squares of numbers that are not finite") {
  gp::ndarray<double> a = gp::eye(4);
  a(1, 2) = gp::nan;
  CHECK_THROWS_WITH_AS(linalg::lstsq(a, gp::ones(4)), "SVD did not converge in Linear Least Squares",
                       gp::linalg_error);
}

TEST_CASE("products of a few elements") {
  for (std::int64_t m = 1; m <= 5; ++m)
    for (std::int64_t k = 1; k <= 5; ++k)
      for (std::int64_t n = 1; n <= 5; ++n) {
        check_products<double>(m, k, n);
        check_products<float>(m, k, n);
        check_products<c128>(m, k, n);
      }
}
