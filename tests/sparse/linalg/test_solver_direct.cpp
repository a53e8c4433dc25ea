// splu, spsolve, factorized and spsolve_triangular agree with SciPy, and solve to rounding.
#include <gparray/sparse/linalg/direct.hpp>

#include "support/error_text.hpp"
#include "support/solvers.hpp"

using namespace golden_linalg;
namespace sparse = gparray::sparse;

namespace {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

/// The 5-point difference of an n x n grid, (n^2, n^2).
template<gp::element V>
sparse::csr_matrix<V> grid(std::int64_t n) {
  std::vector<V> values;
  std::vector<std::int32_t> rows, columns;
  const auto add = [&](std::int64_t i, std::int64_t j, V value) {
    rows.push_back(static_cast<std::int32_t>(i));
    columns.push_back(static_cast<std::int32_t>(j));
    values.push_back(value);
  };
  for (std::int64_t y = 0; y < n; ++y)
    for (std::int64_t x = 0; x < n; ++x) {
      const std::int64_t i = y * n + x;
      add(i, i, V(4));
      if (x > 0) add(i, i - 1, V(-1));
      if (x + 1 < n) add(i, i + 1, V(-1));
      if (y > 0) add(i, i - n, V(-1));
      if (y + 1 < n) add(i, i + n, V(-1));
    }
  return sparse::csr_matrix<V>(
      gp::ndarray<V>(values),
      sparse::coordinates{gp::ndarray<std::int32_t>(rows), gp::ndarray<std::int32_t>(columns)},
      gp::dims{n * n, n * n});
}

template<gp::element V>
double residual(const sparse::csr_matrix<V>& a, const gp::ndarray<V>& x, const gp::ndarray<V>& b) {
  return linalg::norm(gp::ndarray<V>(b - gp::matmul(a, x))).item() /
         static_cast<double>(linalg::norm(x).item());
}

}  // namespace

TEST_CASE("spsolve: vectors, matrices, dtypes, formats") {
  NEAR("ssl.spsolve(sp.csc_array(N(12)), F((12,)))",
       ssl::spsolve(sparse::csc_matrix<double>(N(12)), F({12})));
  NEAR("ssl.spsolve(sp.csr_array(N(12)), F((12,)))",
       ssl::spsolve(sparse::csr_matrix<double>(N(12)), F({12})));
  NEAR("ssl.spsolve(sp.csr_array(N(12)), F((12,)))",
       ssl::spsolve(sparse::coo_matrix<double>(N(12)), F({12})));
  NEAR("ssl.spsolve(sp.csr_array(N(12)), F((12,)))",
       ssl::spsolve(sparse::dia_matrix<double>(N(12)), F({12})));
  NEAR("ssl.spsolve(sp.csr_array(N(12)), F((12, 1)))",
       ssl::spsolve(sparse::csr_matrix<double>(N(12)), F({12, 1})));
  NEAR("ssl.spsolve(sp.csr_array(N(12)), F((12, 3)))",
       ssl::spsolve(sparse::csr_matrix<double>(N(12)), F({12, 3})));
  NEAR("ssl.spsolve(sp.csc_array(N(12, 'f')), F((12,), 'f'))",
       ssl::spsolve(sparse::csc_matrix<float>(N<float>(12)), F<float>({12})));
  NEAR("ssl.spsolve(sp.csc_array(N(12, 'F')), F((12, 2), 'F'))",
       ssl::spsolve(sparse::csc_matrix<c64>(N<c64>(12)), F<c64>({12, 2})));
  NEAR("ssl.spsolve(sp.csc_array(N(12)), F((12,), 'D'))",
       ssl::spsolve(sparse::csc_matrix<double>(N(12)), F<c128>({12})));
  NEAR("ssl.spsolve(sp.csc_array(L(5, 'i')), F((5,), 'i'))",
       ssl::spsolve(sparse::csc_matrix<int>(L<int>(5)), F<int>({5})));
  for (const char* order : {"COLAMD", "NATURAL", "MMD_ATA", "MMD_AT_PLUS_A"})
    NEAR("ssl.spsolve(sp.csc_array(N(12)), F((12,)))",
         ssl::spsolve(sparse::csc_matrix<double>(N(12)), F({12}), {.permc_spec = order}));
}

TEST_CASE("a matrix without a pivot in every column is an error, not the end of the program") {
  const gp::ndarray<double> b = gp::ones<double>({9});
  const sparse::csr_matrix<double> empty(gp::dims{9, 9});
  CHECK_THROWS_WITH_AS(ssl::spsolve(empty, b), "Factor is exactly singular", gp::linalg_error);
  CHECK_THROWS_WITH_AS(ssl::spilu(empty), "Factor is exactly singular", gp::linalg_error);
  for (const int last : {0, 1}) {
    gp::ndarray<double> rows = gp::eye<double>(9), columns = gp::eye<double>(9);
    rows(8, gp::all) = columns(gp::all, 8) = 0.;
    // Three columns with entries in two rows only: none is empty.
    gp::ndarray<double> three = gp::ones<double>({9, 9});
    three("2:, :3") = 0.;
    if (last) three = gp::ndarray<double>(three.T());
    for (const auto& a : {rows, columns, three}) {
      CHECK_THROWS_WITH_AS(ssl::splu(sparse::csc_matrix<double>(a)), "Factor is exactly singular",
                           gp::linalg_error);
      CHECK_THROWS_WITH_AS(ssl::spilu(sparse::csc_matrix<double>(a)), "Factor is exactly singular",
                           gp::linalg_error);
    }
  }
  CHECK_THROWS_AS(ssl::spilu(sparse::csc_matrix<double>(gp::full<double>({3, 3}, gp::nan))), gp::value_error);
  // A permutation needs a pivot in every row but one of its diagonal.
  const gp::ndarray<double> shifted = gp::roll(gp::ndarray<double>(gp::eye<double>(9)), 1, 1);
  CHECK(gp::array_equal(ssl::spsolve(sparse::csc_matrix<double>(shifted), b), b));
}

TEST_CASE("splu: solving with A, its transpose and its adjoint") {
  const auto lu = ssl::splu(sparse::csc_matrix<c128>(N<c128>(12)));
  NEAR("ssl.splu(sp.csc_array(N(12, 'D'))).solve(F((12,), 'D'))", lu.solve(F<c128>({12})));
  NEAR("ssl.splu(sp.csc_array(N(12, 'D'))).solve(F((12,), 'D'), 'T')", lu.solve(F<c128>({12}), 'T'));
  NEAR("ssl.splu(sp.csc_array(N(12, 'D'))).solve(F((12,), 'D'), 'H')", lu.solve(F<c128>({12}), 'H'));
  NEAR("ssl.splu(sp.csc_array(N(12, 'D'))).solve(F((12, 3), 'D'), 'H')", lu.solve(F<c128>({12, 3}), 'H'));
  NEAR("ssl.splu(sp.csc_array(N(12, 'D'))).solve(F((3, 12), 'D').T)", lu.solve(F<c128>({3, 12}).T()));
  // The same factors again, and another number of columns between.
  NEAR("ssl.splu(sp.csc_array(N(12, 'D'))).solve(F((12,), 'D'))", lu.solve(F<c128>({12})));
  const auto solve = ssl::factorized(sparse::csr_matrix<double>(N(12)));
  NEAR("ssl.spsolve(sp.csc_array(N(12)), F((12,)))", solve(F({12})));
}

TEST_CASE("splu: P_r A P_c = L U") {
  const auto check_product = [](const auto& dense, const ssl::splu_options& options) {
    using V = gp::detail::element_t<decltype(dense)>;
    const auto lu = ssl::splu(sparse::csr_matrix<V>(dense), options);
    const std::int64_t n = dense.shape(0);
    CHECK(lu.shape() == gp::dims{n, n});
    const gp::ndarray<V> l = lu.L().toarray(), u = lu.U().toarray();
    CHECK(gp::array_equal(l, gp::tril(l)));
    CHECK(gp::array_equal(u, gp::triu(u)));
    CHECK(gp::max(gp::abs(gp::diagonal(l) - V(1))).item() == 0);
    // A[i, j] = (L U)[perm_r[i], perm_c[j]]
    const gp::ndarray<V> product = gp::matmul(l, u);
    const gp::ndarray<V> back = gp::take(gp::take(product, lu.perm_r(), 0), lu.perm_c(), 1);
    // Elements of L are at most 1 and those of U below 16: n products of them, rounded.
    CHECK(gp::max(gp::abs(back - dense)).item() < 16 * static_cast<double>(n) * epsilon<V>());
    CHECK(lu.nnz() >= n);
  };
  check_product(N(30), {});
  check_product(N(30)("::-1").copy(), {});  // pivots are off the diagonal: P_r is not P_c
  check_product(N(30), {.permc_spec = "NATURAL"});
  check_product(N(30),
                {.permc_spec = "MMD_AT_PLUS_A", .diag_pivot_thresh = 0.1, .relax = 1, .panel_size = 4});
  check_product(N<float>(30), {});
  check_product(N<c64>(30), {});
  check_product(N<c128>(30), {});
}

TEST_CASE("spsolve: a grid, and entries in any order") {
  const auto a = grid<double>(40);
  const auto b = F({1600});
  const auto x = ssl::spsolve(a, b);
  // |A| = 8 and pivots do not grow: |b - A x| is below some eps * |A| |x|; 100 is SuperLU's fill of a row.
  CHECK(residual(a, x, b) < 100 * 8 * epsilon<double>());
  const auto f = grid<float>(40);
  CHECK(residual(f, ssl::spsolve(f, F<float>({1600})), F<float>({1600})) < 100 * 8 * epsilon<float>());
  // Two halves of each element, columns descending.
  const gp::ndarray<double> data{1., 3., 1., 3., 2., 5.};
  const gp::ndarray<std::int32_t> indices{1, 0, 1, 0, 0, 1}, indptr{0, 4, 6};
  const sparse::csr_matrix<double> twice(data, indices, indptr, gp::dims{2, 2});
  NEAR("la.solve(A([[6., 2.], [2., 5.]]), A([1., 2.]))", ssl::spsolve(twice, gp::ndarray<double>{1., 2.}));
}

TEST_CASE("spsolve_triangular") {
  const gp::ndarray<double> lower = gp::tril(N(12)), upper = gp::triu(N(12));
  NEAR("ssl.spsolve_triangular(sp.csr_array(np.tril(N(12))), F((12,)))",
       ssl::spsolve_triangular(sparse::csr_matrix<double>(lower), F({12})));
  NEAR("ssl.spsolve_triangular(sp.csr_array(np.tril(N(12))), F((12,)))",
       ssl::spsolve_triangular(sparse::csc_matrix<double>(lower), F({12})));
  NEAR("ssl.spsolve_triangular(sp.csr_array(np.triu(N(12))), F((12, 3)), lower=False)",
       ssl::spsolve_triangular(sparse::csr_matrix<double>(upper), F({12, 3}), false));
  NEAR("ssl.spsolve_triangular(sp.csr_array(np.triu(N(12))), F((12, 3)), lower=False)",
       ssl::spsolve_triangular(sparse::csc_matrix<double>(upper), F({12, 3}), false));
  // The other triangle is not read.
  NEAR("ssl.spsolve_triangular(sp.csr_array(np.tril(N(12))), F((12,)))",
       ssl::spsolve_triangular(sparse::csr_matrix<double>(N(12)), F({12})));
  NEAR("ssl.spsolve_triangular(sp.csc_array(np.tril(N(12, 'D'))), F((12,)))",
       ssl::spsolve_triangular(sparse::csc_matrix<c128>(N<c128>(12)), F({12})));
  NEAR(
      "ssl.spsolve_triangular(sp.csc_array(np.tril(N(6)) / 2), F((6,)), unit_diagonal=True)",
      ssl::spsolve_triangular(sparse::csc_matrix<double>(N(6) * 0.5), F({6}), true, {.unit_diagonal = true}));
  NEAR("ssl.spsolve_triangular(sp.csr_array(np.tril(N(12, 'f'))), F((12,), 'f'))",
       ssl::spsolve_triangular(sparse::csr_matrix<float>(N<float>(12)), F<float>({12})));
}

TEST_CASE("direct solvers: mistakes and singular matrices") {
  const sparse::csc_matrix<double> singular(gp::ones<double>({2, 2})), good(N(3));
  check_contains(error_of<gp::linalg_error>([&] { (void)ssl::splu(singular); }),
                 "Factor is exactly singular");
  check_contains(error_of<gp::linalg_error>([&] { (void)ssl::spsolve(singular, F({2})); }),
                 "exactly singular");
  NEAR_THROWS("ssl.splu(sp.csc_array(np.ones((2, 3))))",
              ssl::splu(sparse::csc_matrix<double>(gp::ones<double>({2, 3}))));
  NEAR_THROWS("ssl.spsolve(sp.csc_array(N(3)), np.ones(2))", ssl::spsolve(good, gp::ones<double>({2})));
  NEAR_THROWS("ssl.spsolve(sp.csc_array(np.ones((2, 3))), np.ones(2))",
              ssl::spsolve(sparse::csc_matrix<double>(gp::ones<double>({2, 3})), gp::ones<double>({2})));
  NEAR_THROWS("ssl.splu(sp.csc_array(N(3))).solve(np.ones(2))", ssl::splu(good).solve(gp::ones<double>({2})));
  NEAR_THROWS("ssl.splu(sp.csc_array(N(3)), permc_spec='x')", ssl::splu(good, {.permc_spec = "x"}));
  NEAR_THROWS("ssl.spsolve_triangular(sp.csc_array(np.diag([1., 0.])), np.ones(2))",
              ssl::spsolve_triangular(sparse::csc_matrix<double>(gp::diag(gp::ndarray<double>{1., 0.})),
                                      gp::ones<double>({2})));
  NEAR_THROWS(
      "ssl.spsolve_triangular(sp.csc_array(np.ones((2, 3))), np.ones(2))",
      ssl::spsolve_triangular(sparse::csc_matrix<double>(gp::ones<double>({2, 3})), gp::ones<double>({2})));
  // A diagonal that is not stored is 0.
  const sparse::csr_matrix<double> hollow(gp::ndarray<double>{{0., 1.}, {1., 1.}});
  check_contains(error_of<gp::linalg_error>([&] { (void)ssl::spsolve_triangular(hollow, F({2})); }),
                 "zero entry on diagonal");
}

TEST_CASE("options of factorisations: every name, alone and in lists, and both ends of each range") {
  const sparse::csc_matrix<double> a(grid<double>(8));
  const gp::ndarray<double> b = gp::ones<double>({64});
  const auto refusal = [&](const auto& options) {
    if constexpr (requires { options.drop_tol; })
      return error_of<gp::value_error>([&] { (void)ssl::spilu(a, options); });
    else return error_of<gp::value_error>([&] { (void)ssl::splu(a, options); });
  };
  // What is dropped is less where rules are more.
  const auto entries = [&](const char* rules) {
    return ssl::spilu(a, {.drop_tol = 0.05, .drop_rule = rules}).nnz();
  };
  CHECK(entries("basic,area") == entries(""));
  CHECK(entries("area,basic") == entries(""));
  CHECK(entries("basic,area,") == entries(""));
  for (const char* const rules : {"basic", "prows", "column", "area", "secondary", "dynamic", "interp"})
    CHECK(entries((std::string("basic,") + rules).c_str()) <= a.nnz() * 10);
  for (const char* const rules : {"basics", "basic,areas", "basic, area", ",basic", "basic,,area"})
    CHECK(refusal(ssl::spilu_options{.drop_rule = rules})
              .starts_with("invalid value for 'ILU_DropRule' parameter: '"));
  for (const double inside : {0., 1.}) {
    CHECK(residual(grid<double>(8), ssl::splu(a, {.diag_pivot_thresh = inside}).solve(b), b) < 1e-13);
    (void)ssl::spilu(a, {.drop_tol = inside});
  }
  for (const double outside : {-1e-9, 1.001, gp::nan}) {
    check_contains(refusal(ssl::splu_options{.diag_pivot_thresh = outside}),
                   "diag_pivot_thresh must be from 0 to 1");
    check_contains(refusal(ssl::spilu_options{.diag_pivot_thresh = outside}),
                   "diag_pivot_thresh must be from 0 to 1");
    check_contains(refusal(ssl::spilu_options{.drop_tol = outside}), "drop_tol must be from 0 to 1");
  }
  (void)ssl::spilu(a, {.fill_factor = 1});
  for (const double outside : {0.999, -1., gp::nan})
    check_contains(refusal(ssl::spilu_options{.fill_factor = outside}), "fill_factor must be at least 1");
  check_contains(refusal(ssl::splu_options{.permc_spec = "colamd"}),
                 "invalid value for 'ColPerm' parameter: 'colamd'");
  const auto lu = ssl::splu(a);
  for (const char trans : {'N', 'T', 'H'}) CHECK(residual(grid<double>(8), lu.solve(b, trans), b) < 1e-13);
  for (const char trans : {'n', 't', 'C'})
    check_contains(error_of<gp::value_error>([&] { (void)lu.solve(b, trans); }), "trans must be N, T, or H");
  for (const gp::dims& shape : {gp::dims{63}, gp::dims{65, 1}, gp::dims{64, 1, 1}, gp::dims{}})
    check_contains(error_of<gp::value_error>([&] { (void)lu.solve(gp::ones<double>(shape)); }),
                   "b is of incompatible size: the matrix has 64 rows");
}
