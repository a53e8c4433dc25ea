// Linear equations, inverses, determinants, LU and Cholesky agree with NumPy and SciPy.
#include "support/golden.hpp"
#include "support/linalg.hpp"

using namespace golden_linalg;

namespace {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

double largest(const gp::ndarray<double>& a) { return gp::max(gp::abs(a)).item(); }

/// Diagonally dominant, so that the condition number is below 3.
gp::ndarray<double> dominant(std::int64_t n) {
  return F({n, n}) * (1.0 / static_cast<double>(16 * n)) + gp::eye(n);
}

}  // namespace

TEST_CASE("solve: vectors, matrices, batches, dtypes") {
  NEAR("la.solve(F((3, 3)), F((3,)))", linalg::solve(F({3, 3}), F({3})));
  NEAR("la.solve(F((3, 3)), F((3, 2)))", linalg::solve(F({3, 3}), F({3, 2})));
  NEAR("la.solve(F((2, 3, 3)), F((3,)))", linalg::solve(F({2, 3, 3}), F({3})));
  NEAR("la.solve(F((2, 3, 3)), F((2, 3, 2)))", linalg::solve(F({2, 3, 3}), F({2, 3, 2})));
  NEAR("la.solve(F((3, 3)), F((2, 4, 3, 2)))", linalg::solve(F({3, 3}), F({2, 4, 3, 2})));
  NEAR("la.solve(F((1, 3, 3)), F((4, 3, 2)))", linalg::solve(F({1, 3, 3}), F({4, 3, 2})));
  NEAR("la.solve(F((3, 1, 3, 3)), F((2, 3, 2)))", linalg::solve(F({3, 1, 3, 3}), F({2, 3, 2})));
  NEAR("la.solve(F((3, 3), 'f'), F((3,), 'f'))", linalg::solve(F<float>({3, 3}), F<float>({3})));
  NEAR("la.solve(F((3, 3), 'F'), F((3, 2), 'f'))", linalg::solve(F<c64>({3, 3}), F<float>({3, 2})));
  NEAR("la.solve(F((3, 3), 'D'), F((3,)))", linalg::solve(F<c128>({3, 3}), F({3})));
  NEAR("la.solve(F((3, 3), 'f'), F((3,), 'i'))", linalg::solve(F<float>({3, 3}), F<int>({3})));
  NEAR("la.solve(F((3, 3), 'i'), F((3,), 'i'))", linalg::solve(F<int>({3, 3}), F<int>({3})));
}

TEST_CASE("solve: views and temporaries") {
  const auto wide = F({6, 6});
  NEAR("la.solve(F((6, 6))[::2, 1::2].T, F((6, 6))[::-2, 0])",
       linalg::solve(wide("::2, 1::2").T(), wide("::-2, 0")));
  NEAR("la.solve(F((3, 3)) * 2 + 1, F((3, 2)) - 1)", linalg::solve(F({3, 3}) * 2 + 1, F({3, 2}) - 1));
  const auto a = F({3, 3}), b = F({3});
  const auto kept = a.to_vector();
  (void)linalg::solve(a, b);
  CHECK(a.to_vector() == kept);  // inputs are not overwritten
  CHECK(linalg::solve(a, F({3, 2})).is_c_contiguous());
}

TEST_CASE("solve: what is known of the matrix") {
  const auto a = P(3);
  const auto z = P<c128>(3);
  NEAR("sl.solve(P(3), F((3, 2)), assume_a='pos')", linalg::solve(a, F({3, 2}), {.assume_a = "pos"}));
  NEAR("sl.solve(P(3, 'D'), F((3, 2)), assume_a='pos')", linalg::solve(z, F({3, 2}), {.assume_a = "pos"}));
  NEAR("sl.solve(P(3, 'D'), F((3, 2)), assume_a='pos')",
       linalg::solve(z, F({3, 2}), {.assume_a = "pos", .lower = true}));
  NEAR("sl.solve(H(3), F((3,)), assume_a='sym')", linalg::solve(gp::triu(H(3)), F({3}), {.assume_a = "sym"}));
  NEAR("sl.solve(H(3), F((3,)), assume_a='sym')",
       linalg::solve(gp::tril(H(3)), F({3}), {.assume_a = "sym", .lower = true}));
  NEAR("sl.solve(H(3, 'D'), F((3,)), assume_a='her')",
       linalg::solve(gp::triu(H<c128>(3)), F({3}), {.assume_a = "her"}));
  NEAR("sl.solve(F((3, 3), 'D') + F((3, 3), 'D').T, F((3,)), assume_a='sym')",
       linalg::solve(gp::triu(F<c128>({3, 3}) + F<c128>({3, 3}).T()), F({3}), {.assume_a = "sym"}));
  NEAR("sl.solve_triangular(F((3, 3)), F((3,)))",
       linalg::solve(F({3, 3}), F({3}), {.assume_a = "upper triangular"}));
  NEAR("sl.solve_triangular(F((3, 3)), F((3,)), lower=True)",
       linalg::solve(F({3, 3}), F({3}), {.assume_a = "triangular", .lower = true}));
  CHECK_THROWS_WITH_AS(linalg::solve(a, F({3}), {.assume_a = "foo"}),
                       "foo is not a recognized matrix structure", gp::value_error);
  CHECK_THROWS_WITH_AS(linalg::solve(a - 100., F({3}), {.assume_a = "pos"}),
                       "Matrix is not positive definite", gp::linalg_error);
}

TEST_CASE("solve_triangular") {
  NEAR("sl.solve_triangular(F((3, 3)), F((3, 2)))", linalg::solve_triangular(F({3, 3}), F({3, 2})));
  NEAR("sl.solve_triangular(F((3, 3)), F((3, 2)), trans=1, lower=True)",
       linalg::solve_triangular(F({3, 3}), F({3, 2}), {.trans = 1, .lower = true}));
  NEAR("sl.solve_triangular(F((3, 3), 'D'), F((3, 2)), trans=2)",
       linalg::solve_triangular(F<c128>({3, 3}), F({3, 2}), {.trans = 2}));
  NEAR("sl.solve_triangular(F((3, 3)), F((3, 2)), unit_diagonal=True)",
       linalg::solve_triangular(F({3, 3}), F({3, 2}), {.unit_diagonal = true}), 1e4);
  const gp::ndarray<double> singular{{1., 2.}, {0., 0.}};
  NEAR_THROWS("sl.solve_triangular(A([[1., 2.], [0., 0.]]), F((2,)))",
              linalg::solve_triangular(singular, F({2})));
  NEAR_THROWS("sl.solve_triangular(F((3, 3)), F((2,)))", linalg::solve_triangular(F({3, 3}), F({2})));
  CHECK_THROWS_AS(linalg::solve_triangular(F({3, 3}), F({3}), {.trans = 3}), gp::value_error);
}

TEST_CASE("large systems: residuals") {
  // |a x - b| <= c n eps |a| |x| for a backward stable method; c = 1 is generous for random rounding.
  for (const std::int64_t n : {1, 63, 257, 400}) {
    CAPTURE(n);
    const auto a = dominant(n), b = F({n, 3});
    const auto x = linalg::solve(a, b);
    const double bound = static_cast<double>(n) * gp::finfo<double>::eps * 3 * largest(b);
    CHECK(largest(gp::matmul(a, x) - b) <= bound);
    CHECK(largest(gp::matmul(linalg::inv(a), b) - x) <= bound);
    const auto s = gp::matmul(a, a.T());
    CHECK(largest(gp::matmul(s, linalg::solve(s, b, {.assume_a = "pos"})) - b) <= 3 * bound);
    const auto l = linalg::cholesky(s);
    CHECK(largest(gp::matmul(l, l.T()) - s) <= static_cast<double>(n) * gp::finfo<double>::eps * largest(s));
    const auto [p, lower, upper] = linalg::lu(a - gp::eye(n));
    CHECK(largest(gp::matmul(p, gp::matmul(lower, upper)) - (a - gp::eye(n))) <=
          static_cast<double>(n) * gp::finfo<double>::eps * largest(upper));
  }
}

TEST_CASE("small systems whose rows are exchanged: residuals") {
  for (const std::int64_t n : {1, 2, 7, 8, 9})
    for (const std::int64_t columns : {1, 8, 9}) {
      CAPTURE(n);
      CAPTURE(columns);
      const gp::ndarray<double> a = gp::flip(dominant(n), 0), b = F({n, columns});
      const double bound = static_cast<double>(n) * gp::finfo<double>::eps * 3 * largest(b);
      CHECK(largest(gp::matmul(a, linalg::solve(a, b)) - b) <= bound);
      const auto factors = linalg::lu_factor(a);
      CHECK(largest(gp::matmul(a.T(), linalg::lu_solve(factors, b, {.trans = 1})) - b) <= bound);
      CHECK(largest(gp::matmul(gp::tril(a),
                               linalg::solve_triangular(gp::tril(a) + gp::eye(n), b, {.lower = true})) +
                    linalg::solve_triangular(gp::tril(a) + gp::eye(n), b, {.lower = true}) - b) <=
            bound * static_cast<double>(n));
    }
}

TEST_CASE("a matrix in a batch gives the bits that it gives alone, on any number of threads") {
  const auto a = dominant(300), b = F({300, 70});
  const auto alone = linalg::solve(a, b).to_vector();
  const auto pair = linalg::solve(gp::broadcast_to(a, {2, 300, 300}), b);
  CHECK(pair(1).to_vector() == alone);
  const int threads = gp::num_threads();
  gp::set_num_threads(1);
  CHECK(linalg::solve(a, b).to_vector() == alone);
  gp::set_num_threads(threads);
}

TEST_CASE("inv and det") {
  NEAR("la.inv(F((3, 3)))", linalg::inv(F({3, 3})));
  NEAR("la.inv(F((2, 3, 3), 'D'))", linalg::inv(F<c128>({2, 3, 3})));
  NEAR("la.inv(F((3, 3), 'f'))", linalg::inv(F<float>({3, 3})));
  NEAR("la.inv(F((3, 3), 'i'))", linalg::inv(F<int>({3, 3})));
  NEAR("la.inv(F((0, 0)))", linalg::inv(F({0, 0})));
  NEAR("la.inv(F((2, 0, 0)))", linalg::inv(F({2, 0, 0})));
  NEAR("la.inv(F((0, 3, 3)))", linalg::inv(F({0, 3, 3})));
  NEAR("la.det(F((3, 3)))", linalg::det(F({3, 3})));
  NEAR("la.det(F((2, 3, 3), 'f'))", linalg::det(F<float>({2, 3, 3})));
  NEAR("la.det(F((5, 5), 'D'))", linalg::det(F<c128>({5, 5})));
  NEAR("la.det(F((0, 0)))", linalg::det(F({0, 0})));
  NEAR("la.det(F((2, 0, 0)))", linalg::det(F({2, 0, 0})));
  NEAR("la.det(np.ones((2, 2)))", linalg::det(gp::ones({2, 2})));
  NEAR("la.slogdet(F((3, 3)))[0]", linalg::slogdet(F({3, 3})).sign);
  NEAR("la.slogdet(F((3, 3)))[1]", linalg::slogdet(F({3, 3})).logabsdet);
  NEAR("la.slogdet(F((2, 3, 3), 'F'))[0]", linalg::slogdet(F<c64>({2, 3, 3})).sign);
  NEAR("la.slogdet(F((2, 3, 3), 'F'))[1]", linalg::slogdet(F<c64>({2, 3, 3})).logabsdet);
  NEAR("la.slogdet(np.zeros((2, 2)))[0]", linalg::slogdet(gp::zeros({2, 2})).sign);
  NEAR("la.slogdet(np.zeros((2, 2)))[1]", linalg::slogdet(gp::zeros({2, 2})).logabsdet);
  NEAR("la.slogdet(np.eye(3, dtype='D') * 1e200)[1]", linalg::slogdet(gp::eye<c128>(3) * 1e200).logabsdet);
}

TEST_CASE("lu, lu_factor and lu_solve") {
  for (const gp::dims& shape : {gp::dims{4, 3}, gp::dims{3, 4}, gp::dims{2, 5, 3}, gp::dims{0, 3}}) {
    const auto [p, l, u] = linalg::lu(F(shape));
    CHECK(largest(gp::concatenate({gp::ravel(gp::matmul(p, gp::matmul(l, u)) - F(shape)), gp::zeros(1)})) <=
          8 * 4 * gp::finfo<double>::eps);
  }
  NEAR("sl.lu(F((4, 3)))[0]", linalg::lu(F({4, 3})).p);
  NEAR("sl.lu(F((4, 3)))[1]", linalg::lu(F({4, 3})).l);
  NEAR("sl.lu(F((3, 4), 'F'))[2]", linalg::lu(F<c64>({3, 4})).u);
  NEAR("sl.lu(F((3, 4), 'F'))[0]", linalg::lu(F<c64>({3, 4})).p);
  NEAR("sl.lu_factor(F((3, 3)))[0]", linalg::lu_factor(F({3, 3})).lu);
  NEAR("sl.lu_factor(F((3, 3)))[1]", linalg::lu_factor(F({3, 3})).piv);
  const auto factors = linalg::lu_factor(F({3, 3}));
  NEAR("la.solve(F((3, 3)), F((3, 2)))", linalg::lu_solve(factors, F({3, 2})));
  NEAR("la.solve(F((3, 3)).T, F((3,)))", linalg::lu_solve(factors, F({3}), {.trans = 1}));
  const auto complex_factors = linalg::lu_factor(F<c128>({2, 3, 3}));
  NEAR("la.solve(F((2, 3, 3), 'D').conj().mT, F((3,)))",
       linalg::lu_solve(complex_factors, F({3}), {.trans = 2}));
  NEAR_THROWS("sl.lu_solve((np.eye(3), np.arange(3)), np.ones(2))", linalg::lu_solve(factors, F({2})));
  auto wrong = factors;
  wrong.piv = wrong.piv + 1;
  CHECK_THROWS_WITH_AS(linalg::lu_solve(wrong, F({3})), "lu_solve: there is no row 3 in a matrix of 3",
                       gp::value_error);
}

TEST_CASE("cholesky") {
  NEAR("la.cholesky(P(3))", linalg::cholesky(P(3)));
  NEAR("la.cholesky(A([[4., 99.], [2., 3.]]))", linalg::cholesky(gp::ndarray<double>{{4., 99.}, {2., 3.}}));
  NEAR("la.cholesky(A([[4., 2.], [99., 3.]]), upper=True)",
       linalg::cholesky(gp::ndarray<double>{{4., 2.}, {99., 3.}}, {.upper = true}));
  NEAR("la.cholesky(P(4, 'D'))", linalg::cholesky(P<c128>(4)));
  NEAR("la.cholesky(P(4, 'D'), upper=True)", linalg::cholesky(P<c128>(4), {.upper = true}));
  NEAR("la.cholesky(A([[[4., 2.], [2., 3.]], [[9., 0.], [0., 1.]]]))",
       linalg::cholesky(gp::ndarray<double>{{{4., 2.}, {2., 3.}}, {{9., 0.}, {0., 1.}}}));
  NEAR("la.cholesky(F((0, 0)))", linalg::cholesky(F({0, 0})));
  NEAR_THROWS("la.cholesky(A([[1., 2.], [2., 1.]]))",
              linalg::cholesky(gp::ndarray<double>{{1., 2.}, {2., 1.}}));
}

TEST_CASE("errors of linear equations") {
  NEAR_THROWS("la.solve(F((2, 3)), F((2,)))", linalg::solve(F({2, 3}), F({2})));
  NEAR_THROWS("la.solve(F((3,)), F((3,)))", linalg::solve(F({3}), F({3})));
  NEAR_THROWS("la.solve(np.eye(3), F((2,)))", linalg::solve(gp::eye(3), F({2})));
  NEAR_THROWS("la.solve(np.eye(3), F((2, 2)))", linalg::solve(gp::eye(3), F({2, 2})));
  NEAR_THROWS("la.solve(F((2, 3, 3)), F((2, 3)))", linalg::solve(F({2, 3, 3}), F({2, 3})));
  NEAR_THROWS("la.solve(F((2, 3, 3)), F((3, 3, 1)))", linalg::solve(F({2, 3, 3}), F({3, 3, 1})));
  NEAR_THROWS("la.solve(np.eye(3), A(1.))", linalg::solve(gp::eye(3), gp::ones(gp::dims{})));
  NEAR_THROWS("la.inv(A([[1., 2.], [2., 4.]]))", linalg::inv(gp::ndarray<double>{{1., 2.}, {2., 4.}}));
  NEAR_THROWS("la.inv(F((2, 3)))", linalg::inv(F({2, 3})));
  NEAR_THROWS("la.det(F((3,)))", linalg::det(F({3})));
  NEAR_THROWS("la.cholesky(F((2, 3)))", linalg::cholesky(F({2, 3})));
  auto batch = gp::eye(3) + gp::zeros({2, 2, 1, 1});
  batch(1, 0) = 0.;
  CHECK_THROWS_WITH_AS(linalg::inv(batch), "Singular matrix (matrix (1,0) of the batch)", gp::linalg_error);
  batch(1, 0) = -1. * gp::eye(3);
  CHECK_THROWS_WITH_AS(linalg::cholesky(batch), "Matrix is not positive definite (matrix (1,0) of the batch)",
                       gp::linalg_error);
}

template<class A>
concept invertible = requires(const A& a) { linalg::inv(a); };
static_assert(invertible<gp::ndarray<float>> && invertible<gp::ndarray<bool>>);
static_assert(!invertible<gp::ndarray<gp::float16>>, "NumPy: array type float16 is unsupported in linalg");

TEST_CASE("cholesky of NaN is NaN from there on") {
  const auto check = [](auto one) {
    using V = decltype(one);
    const gp::ndarray<V> a = gp::eye<V>(3) * V(4) + V(1);
    a(1, 1) = V(std::numeric_limits<double>::quiet_NaN());
    const gp::ndarray<V> l = gp::linalg::cholesky(a);
    CHECK(gp::array_equal(
        gp::isnan(l), gp::ndarray<bool>{{false, false, false}, {false, true, false}, {false, true, true}}));
    const gp::ndarray<V> two = gp::stack({gp::eye<V>(3), a});
    CHECK(gp::array_equal(gp::isnan(gp::linalg::cholesky(two)(1)), gp::isnan(l)));
    const auto x = gp::linalg::solve(a, gp::ones<V>(3), {.assume_a = "pos"});
    CHECK(gp::all(gp::isnan(x)).item());
    const gp::ndarray<V> negative = -gp::eye<V>(3);
    CHECK_THROWS_AS((void)gp::linalg::cholesky(gp::stack({a, negative})), gp::linalg_error);
  };
  check(1.F);
  check(1.);
}

TEST_CASE("forms of lu") {
  namespace la = gp::linalg;
  const auto a = gp::array({{2., 5., 8., 7.}, {5., 2., 2., 8.}, {7., 5., 6., 6.}});
  const auto indexed = la::lu(a, la::p_indices);
  GOLDEN("sla.lu(A([[2., 5, 8, 7], [5, 2, 2, 8], [7, 5, 6, 6]]), p_indices=True)[0]", indexed.p);
  GOLDEN_NEAR("sla.lu(A([[2., 5, 8, 7], [5, 2, 2, 8], [7, 5, 6, 6]]), p_indices=True)[1]", 4, indexed.l);
  const auto [pl, u] = la::lu(a, la::permute_l);
  GOLDEN_NEAR("sla.lu(A([[2., 5, 8, 7], [5, 2, 2, 8], [7, 5, 6, 6]]), permute_l=True)[0]", 4, pl);
  GOLDEN_NEAR("sla.lu(A([[2., 5, 8, 7], [5, 2, 2, 8], [7, 5, 6, 6]]), permute_l=True)[1]", 4, u);
  const auto stack = gp::array<double>({0, 1, 2, 3, 7, 5, 6, 4, 9, 1, 1, 5}).reshape({2, 3, 2});
  const auto tall = la::lu(stack, la::permute_l);
  CHECK(gp::max(abs(gp::matmul(tall.pl, tall.u) - stack)).item() < 4 * 0x1p-52 * 9);
  GOLDEN("sla.lu(A([0., 1, 2, 3, 7, 5, 6, 4, 9, 1, 1, 5]).reshape(2, 3, 2), p_indices=True)[0]",
         la::lu(stack, la::p_indices).p);
}
