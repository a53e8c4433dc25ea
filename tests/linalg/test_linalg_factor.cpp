// QR, eigenvalues, singular values and what is made of them agree with NumPy, and put the matrix together
// again.
#include "support/golden.hpp"
#include "support/linalg.hpp"

using namespace golden_linalg;

namespace {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

template<gp::element V>
double largest(const gp::ndarray<V>& a) {
  return a.size() == 0 ? 0 : static_cast<double>(gp::max(gp::abs(a)).item());
}

template<gp::element V>
gp::ndarray<V> adjoint(const gp::ndarray<V>& a) {
  return gp::conjugate(a).mT();
}

/// A backward stable method's error is at most c n eps |a|; the norm is below sqrt(m n) times the largest
/// element.
template<gp::element V>
double bound(const gp::ndarray<V>& a) {
  const double n = static_cast<double>(std::max(a.shape(-1), a.shape(-2)));
  return 4 * std::max(n, 4.) * epsilon<V>() * std::max(largest(a), 1.) * std::sqrt(n + 1);
}

/// Columns are orthonormal to 4 n eps.
template<gp::element V>
void check_orthonormal(const gp::ndarray<V>& q) {
  const std::int64_t k = q.shape(-1);
  CHECK(largest(gp::ndarray<V>(gp::matmul(adjoint(q), q) - gp::eye<V>(k))) <=
        4 * std::max(4., static_cast<double>(q.shape(-2))) * epsilon<V>());
}

const std::vector<gp::dims>& shapes() {
  static const std::vector<gp::dims> list{
      {1, 1},    {3, 3}, {4, 3}, {3, 4},    {2, 5, 3}, {2, 3, 5}, {7, 1},    {1, 7},    {70, 9}, {90, 130},
      {130, 90}, {3, 0}, {0, 3}, {2, 0, 0}, {32, 32},  {33, 33},  {128, 32}, {129, 31}, {32, 40}};
  return list;
}

template<gp::element V>
void check_qr(const gp::dims& shape) {
  CAPTURE(spelled(shape));
  const auto a = F<V>(shape);
  const std::int64_t m = a.shape(-2), n = a.shape(-1), k = std::min(m, n);
  const auto [q, r] = linalg::qr(a);
  CHECK(q.shape(-1) == k);
  CHECK(r.shape(-2) == k);
  CHECK(largest(gp::ndarray<V>(gp::matmul(q, r) - a)) <= bound(a));
  CHECK(largest(gp::ndarray<V>(gp::tril(r, -1))) == 0);
  check_orthonormal(q);
  CHECK(q.is_c_contiguous());
  const auto [whole, tall] = linalg::qr(a, "complete");
  CHECK(whole.shape(-1) == m);
  CHECK(tall.shape() == a.shape());
  CHECK(largest(gp::ndarray<V>(gp::matmul(whole, tall) - a)) <= bound(a));
  check_orthonormal(whole);
  CHECK(largest(gp::ndarray<V>(linalg::qr(a, linalg::r) - r)) == 0);
  const auto [h, tau] = linalg::qr(a, linalg::raw);
  CHECK(largest(gp::ndarray<V>(gp::triu(h.mT()) - tall)) == 0);
  CHECK(tau.shape(-1) == k);
}

template<gp::element V>
void check_svd(const gp::dims& shape) {
  CAPTURE(spelled(shape));
  const auto a = F<V>(shape);
  const std::int64_t m = a.shape(-2), n = a.shape(-1), k = std::min(m, n);
  const auto [u, s, vh] = linalg::svd(a, {.full_matrices = false});
  CHECK(u.shape(-1) == k);
  CHECK(vh.shape(-2) == k);
  CHECK(largest(gp::ndarray<V>(gp::matmul(u * gp::expand_dims(s, -2), vh) - a)) <= bound(a));
  check_orthonormal(u);
  check_orthonormal(adjoint(vh));
  const auto [whole_u, same, whole_vh] = linalg::svd(a);
  CHECK(whole_u.shape(-1) == m);
  CHECK(whole_vh.shape(-2) == n);
  check_orthonormal(whole_u);
  check_orthonormal(adjoint(whole_vh));
  using gp::ellipsis;
  CHECK(largest(gp::ndarray<V>(whole_u(ellipsis, gp::slice(k)) - u)) <= bound(a));
  CHECK(largest(gp::ndarray<gp::detail::real_t<V>>(same - s)) == 0);
  CHECK(largest(gp::ndarray<gp::detail::real_t<V>>(linalg::svdvals(a) - s)) <= bound(a));
}

}  // namespace

TEST_CASE("qr puts the matrix together again") {
  for (const gp::dims& shape : shapes()) {
    check_qr<double>(shape);
    check_qr<c64>(shape);
  }
  check_qr<float>({5, 3});
  check_qr<c128>({2, 3, 4, 3});
}

TEST_CASE("svd puts the matrix together again") {
  for (const gp::dims& shape : shapes()) {
    check_svd<double>(shape);
    check_svd<c64>(shape);
  }
  check_svd<float>({5, 3});
  check_svd<c128>({2, 3, 4, 3});
}

TEST_CASE("svd of tiny and of huge matrices is as exact as of others") {
  const auto check = [](auto a, auto scale) {
    using V = typename decltype(a)::value_type;
    const auto [u, s, vh] = linalg::svd(gp::ndarray<V>(a * scale), {.full_matrices = false});
    const gp::ndarray<V> again = gp::matmul(u * gp::expand_dims(s / scale, -2), vh);
    CHECK(largest(gp::ndarray<V>(again - a)) <= bound(a));
  };
  for (const gp::dims& shape : {gp::dims{6, 6}, gp::dims{9, 3}, gp::dims{3, 9}}) {
    for (const double scale : {0x1p-1010, 0x1p-600, 0x1p1010}) {
      check(F(shape), scale);
      check(F<c128>(shape), scale);
    }
    for (const float scale : {0x1p-118f, 0x1p118f}) check(F<float>(shape), scale);
  }
}

TEST_CASE("qr and svd agree with NumPy") {
  NEAR("la.qr(F((4, 3)))[0]", linalg::qr(F({4, 3})).Q);
  NEAR("la.qr(F((4, 3)))[1]", linalg::qr(F({4, 3})).R);
  NEAR("la.qr(F((3, 4), 'D'), mode='complete')[1]", linalg::qr(F<c128>({3, 4}), "complete").R);
  NEAR("la.qr(F((4, 3)), mode='raw')[0]", linalg::qr(F({4, 3}), linalg::raw).h);
  NEAR("la.qr(F((4, 3)), mode='raw')[1]", linalg::qr(F({4, 3}), linalg::raw).tau);
  NEAR("la.qr(F((2, 4, 3), 'f'), mode='r')", linalg::qr(F<float>({2, 4, 3}), linalg::r));
  NEAR("la.qr(F((3, 3), 'i'), mode='r')", linalg::qr(F<int>({3, 3}), linalg::r));
  NEAR("la.svd(F((4, 3)))[1]", linalg::svd(F({4, 3})).S);
  NEAR("la.svdvals(F((2, 3, 5), 'F'))", linalg::svdvals(F<c64>({2, 3, 5})));
  NEAR("la.svdvals(A([[3., 0.], [0., -4.]]))", linalg::svdvals(gp::ndarray<double>{{3., 0.}, {0., -4.}}));
  NEAR("la.svdvals(F((3, 4)) * 1e-200)", linalg::svdvals(F({3, 4}) * 1e-200));
  NEAR("la.svdvals(F((3, 4)) * 1e200)", linalg::svdvals(F({3, 4}) * 1e200));
  NEAR("la.svdvals(F((5, 3)) * 1e305)", linalg::svdvals(F({5, 3}) * 1e305));
  NEAR("la.svd(F((0, 3)))[2]", linalg::svd(F({0, 3})).Vh);
  CHECK_THROWS_WITH_AS(linalg::qr(F({3, 3}), "raw"), "mode 'raw' returns something else: qr(a, linalg::raw)",
                       gp::value_error);
  NEAR_THROWS("la.qr(F((2, 3)), mode='foo')", linalg::qr(F({2, 3}), "foo"));
  NEAR_THROWS("la.qr(F((3,)))", linalg::qr(F({3})));
  NEAR_THROWS("la.svd(A([[NAN, 1.], [1., 1.]]))",
              linalg::svd(gp::ndarray<double>{{std::nan(""), 1.}, {1., 1.}}));
}

TEST_CASE("eigh") {
  NEAR("la.eigh(A([[1., 99.], [2., 1.]]))[0]",
       linalg::eigh(gp::ndarray<double>{{1., 99.}, {2., 1.}}).eigenvalues);
  NEAR("la.eigh(A([[1., 99.], [2., 1.]]), UPLO='U')[0]",
       linalg::eigh(gp::ndarray<double>{{1., 99.}, {2., 1.}}, {.UPLO = 'U'}).eigenvalues);
  // The other triangle is not read.
  const double nan = std::nan("");
  NEAR("la.eigvalsh(A([[1., NAN], [2., 1.]]))", linalg::eigvalsh(gp::ndarray<double>{{1., nan}, {2., 1.}}));
  NEAR("la.eigvalsh(A([[1., 2.], [NAN, 1.]]), UPLO='U')",
       linalg::eigvalsh(gp::ndarray<double>{{1., 2.}, {nan, 1.}}, {.UPLO = 'U'}));
  NEAR("la.eigvalsh(H(5))", linalg::eigvalsh(H(5)));
  NEAR("la.eigvalsh(H(5, 'F'))", linalg::eigvalsh(H<c64>(5)));
  NEAR("la.eigvalsh(H(5) * 1e-180)", linalg::eigvalsh(H(5) * 1e-180));
  NEAR("la.eigvalsh(H(5) * 1e305)", linalg::eigvalsh(H(5) * 1e305));
  NEAR("la.eigvalsh(A([[1, 2], [2, 1]]))", linalg::eigvalsh(gp::ndarray<int>{{1, 2}, {2, 1}}));
  NEAR("la.eigh(F((0, 0)))[1]", linalg::eigh(F({0, 0})).eigenvectors);
  const auto check = [](const auto& h, char uplo, const auto& given) {
    using V = typename std::remove_cvref_t<decltype(h)>::value_type;
    const auto [w, v] = linalg::eigh(given, {.UPLO = uplo});
    CHECK(v.is_c_contiguous());
    CHECK(largest(gp::ndarray<V>(gp::matmul(h, v) - v * gp::expand_dims(w, -2))) <= bound(h));
    check_orthonormal(v);
    const auto values = linalg::eigvalsh(given, {.UPLO = uplo});
    CHECK(largest(gp::ndarray<gp::detail::real_t<V>>(values - w)) <= bound(h));
  };
  for (const std::int64_t n : {1, 2, 5, 40, 150, 300}) {
    CAPTURE(n);
    check(H(n), 'L', gp::tril(H(n)));
    check(H(n), 'U', gp::triu(H(n)));
    if (n <= 150) check(H<c128>(n), 'U', gp::triu(H<c128>(n)));
    if (n <= 150) check(H<c64>(n), 'L', gp::tril(H<c64>(n)));
  }
  const gp::ndarray<double> batch = gp::stack({H(3), P(3)});
  check(batch, 'L', batch);
  NEAR_THROWS("la.eigh(F((2, 2)), UPLO='X')", linalg::eigh(F({2, 2}), {.UPLO = 'X'}));
  NEAR_THROWS("la.eigh(F((2, 3)))", linalg::eigh(F({2, 3})));
  auto bad = gp::eye(3) + gp::zeros({2, 1, 1});
  bad(1, 2, 0) = std::nan("");
  CHECK_THROWS_WITH_AS(linalg::eigh(bad), "Eigenvalues did not converge (matrix (1,) of the batch)",
                       gp::linalg_error);
}

TEST_CASE("eig") {
  const auto check = [](const auto& a) {
    using V = typename std::remove_cvref_t<decltype(a)>::value_type;
    using C = gp::detail::complex_t<V>;
    const auto [w, v] = linalg::eig(a);
    const auto z = a.template astype<C>().eval();
    CHECK(largest(gp::ndarray<C>(gp::matmul(z, v) - v * gp::expand_dims(w, -2))) <= bound(z));
    const auto norms = linalg::vector_norm(v, 2, -2);
    CHECK(largest(gp::ndarray<gp::detail::real_t<V>>(norms - 1)) <= 16 * epsilon<V>());
    const auto values = linalg::eigvals(a);
    CHECK(values.shape() == w.shape());
  };
  check(F({2, 2}));
  check(F({2, 5, 5}));
  check(F({40, 40}));
  check(F<float>({5, 5}));
  check(F<c64>({2, 4, 4}));
  check(F<c128>({6, 6}));
  NEAR("la.eig(A([[0., -1.], [1., 0.]]))[0]",
       linalg::eig(gp::ndarray<double>{{0., -1.}, {1., 0.}}).eigenvalues);
  NEAR("la.eig(A([[0., -1.], [1., 0.]]))[1]",
       linalg::eig(gp::ndarray<double>{{0., -1.}, {1., 0.}}).eigenvectors);
  NEAR("la.eigvals(F((3, 3), 'D'))", linalg::eigvals(F<c128>({3, 3})));
  NEAR("la.eigvals(F((0, 0), 'D'))", linalg::eigvals(F({0, 0})));
  NEAR_THROWS("la.eig(A([[INF, 1.], [1., 1.]]))", linalg::eig(gp::ndarray<double>{{INFINITY, 1.}, {1., 1.}}));
  NEAR_THROWS("la.eig(F((2, 3)))", linalg::eig(F({2, 3})));
}

TEST_CASE("lstsq") {
  const gp::ndarray<double> a{{1., 0.}, {1., 1.}, {1., 2.}}, b{1., 2., 4.};
  const auto [x, residuals, rank, s] = linalg::lstsq(a, b);
  NEAR("la.lstsq(A([[1., 0.], [1., 1.], [1., 2.]]), A([1., 2., 4.]))[0]", x);
  NEAR("la.lstsq(A([[1., 0.], [1., 1.], [1., 2.]]), A([1., 2., 4.]))[1]", residuals);
  NEAR("la.lstsq(A([[1., 0.], [1., 1.], [1., 2.]]), A([1., 2., 4.]))[3]", s);
  CHECK(rank == 2);
  NEAR("la.lstsq(F((5, 3), 'D'), F((5, 2)))[0]", linalg::lstsq(F<c128>({5, 3}), F({5, 2})).x);
  NEAR("la.lstsq(F((5, 3), 'D'), F((5, 2)))[1]", linalg::lstsq(F<c128>({5, 3}), F({5, 2})).residuals);
  NEAR("la.lstsq(F((3, 5), 'f'), F((3,), 'f'))[0]", linalg::lstsq(F<float>({3, 5}), F<float>({3})).x);
  NEAR("la.lstsq(F((3, 5), 'f'), F((3,), 'f'))[1]", linalg::lstsq(F<float>({3, 5}), F<float>({3})).residuals);
  const auto deficient = linalg::lstsq(gp::ones({2, 2}), gp::ones(2));
  CHECK(deficient.rank == 1);
  CHECK(deficient.residuals.size() == 0);
  NEAR("la.lstsq(np.ones((2, 2)), np.ones(2))[0]", deficient.x);
  CHECK(linalg::lstsq(F({5, 3}), F({5}), {.rcond = 0.9}).rank == 1);
  NEAR("la.lstsq(F((3, 0)), F((3, 2)))[1]", linalg::lstsq(F({3, 0}), F({3, 2})).residuals);
  NEAR("la.lstsq(F((0, 3)), F((0, 2)))[0]", linalg::lstsq(F({0, 3}), F({0, 2})).x);
  NEAR_THROWS("la.lstsq(F((2, 3)), F((3,)))", linalg::lstsq(F({2, 3}), F({3})));
  NEAR_THROWS("la.lstsq(F((2, 3, 3)), F((3,)))", linalg::lstsq(F({2, 3, 3}), F({3})));
  NEAR_THROWS("la.lstsq(F((2, 3)), F((2, 2, 2)))", linalg::lstsq(F({2, 3}), F({2, 2, 2})));
}

TEST_CASE("pinv, matrix_rank and cond") {
  NEAR("la.pinv(F((4, 3)))", linalg::pinv(F({4, 3})));
  NEAR("la.pinv(F((2, 3, 5), 'D'))", linalg::pinv(F<c128>({2, 3, 5})));
  NEAR("la.pinv(np.ones((2, 3)))", linalg::pinv(gp::ones({2, 3})));
  NEAR("la.pinv(H(4, 'D'), hermitian=True)", linalg::pinv(H<c128>(4), {.hermitian = true}));
  NEAR("la.pinv(F((0, 3)))", linalg::pinv(F({0, 3})));
  NEAR("la.matrix_rank(F((4, 4)))", linalg::matrix_rank(F({4, 4})));
  NEAR("la.matrix_rank(F((2, 2, 4, 4)))", linalg::matrix_rank(F({2, 2, 4, 4})));
  NEAR("la.matrix_rank(F((4, 3)), tol=12.)", linalg::matrix_rank(F({4, 3}), {.tol = 12}));
  NEAR("la.matrix_rank(F((4, 3)), rtol=.9)", linalg::matrix_rank(F({4, 3}), {.rtol = .9}));
  NEAR("la.matrix_rank(np.ones((3, 3)), hermitian=True)",
       linalg::matrix_rank(gp::ones({3, 3}), {.hermitian = true}));
  NEAR("la.matrix_rank(A([1., 0.]))", linalg::matrix_rank(gp::ndarray<double>{1., 0.}));
  NEAR("la.matrix_rank(np.zeros(3))", linalg::matrix_rank(gp::zeros(3)));
  NEAR("la.matrix_rank(F((0, 3)))", linalg::matrix_rank(F({0, 3})));
  NEAR("la.cond(F((3, 3)))", linalg::cond(F({3, 3})));
  NEAR("la.cond(F((2, 5, 3), 'F'))", linalg::cond(F<c64>({2, 5, 3})));
  NEAR("la.cond(F((5, 3)), -2)", linalg::cond(F({5, 3}), -2));
  NEAR("la.cond(F((3, 3)), 1)", linalg::cond(F({3, 3}), 1));
  NEAR("la.cond(F((2, 3, 3)), -INF)", linalg::cond(F({2, 3, 3}), -INFINITY));
  NEAR("la.cond(F((3, 3)), 'fro')", linalg::cond(F({3, 3}), "fro"));
  NEAR("la.cond(F((3, 3)), 'nuc')", linalg::cond(F({3, 3}), "nuc"));
  NEAR("la.cond(A([[1., 0.], [0., 0.]]))", linalg::cond(gp::ndarray<double>{{1., 0.}, {0., 0.}}));
  NEAR("la.cond(np.ones((2, 2)), 1)", linalg::cond(gp::ones({2, 2}), 1));
  NEAR("la.cond(np.zeros((2, 2)))", linalg::cond(gp::zeros({2, 2})));
  NEAR_THROWS("la.cond(np.zeros((0, 0)))", linalg::cond(gp::zeros({0, 0})));
  NEAR_THROWS("la.cond(F((2, 3)), 1)", linalg::cond(F({2, 3}), 1));
  NEAR_THROWS("la.cond(F((3,)))", linalg::cond(F({3})));
}

TEST_CASE("vector norms along axes") {
  NEAR("la.vector_norm(F((4, 3)))", linalg::vector_norm(F({4, 3})));
  NEAR("la.vector_norm(F((2, 3, 4)), ord=3, axis=(0, 2))",
       linalg::vector_norm(F({2, 3, 4}), 3, gp::dims{0, 2}));
  NEAR("la.vector_norm(F((3, 4), 'F'), ord=INF, axis=0, keepdims=True)",
       linalg::vector_norm(F<std::complex<float>>({3, 4}), HUGE_VAL, 0, {.keepdims = true}));
  NEAR("la.vector_norm(F((3, 4), 'f'), ord=0, axis=-1)", linalg::vector_norm(F<float>({3, 4}), 0, -1));
  NEAR("la.vector_norm(F((3, 4), 'i'), ord=-1)", linalg::vector_norm(F<int>({3, 4}), -1));
}

TEST_CASE("norms made of singular values") {
  NEAR("la.norm(F((4, 3)), 2)", linalg::norm(F({4, 3}), 2));
  NEAR("la.norm(F((4, 3)), -2)", linalg::norm(F({4, 3}), -2));
  NEAR("la.norm(F((4, 3)), 'nuc')", linalg::norm(F({4, 3}), "nuc"));
  NEAR("la.norm(F((4, 2, 3)), 2, axis=(0, 2))", linalg::norm(F({4, 2, 3}), 2, {0, 2}));
  NEAR("la.norm(F((4, 2, 3)), 'nuc', axis=(2, 0), keepdims=True)",
       linalg::norm(F({4, 2, 3}), "nuc", {2, 0}, {.keepdims = true}));
  NEAR("la.matrix_norm(F((2, 4, 3), 'f'), ord=-2)", linalg::matrix_norm(F<float>({2, 4, 3}), -2));
  NEAR("la.norm(F((2, 2), 'i'), 2)", linalg::norm(F<int>({2, 2}), 2));
  NEAR("la.norm(F((0, 3)), 2)", linalg::norm(F({0, 3}), 2));
  NEAR("la.norm(F((0, 3)), 'nuc')", linalg::norm(F({0, 3}), "nuc"));
  NEAR_THROWS("la.norm(F((0, 3)), -2)", linalg::norm(F({0, 3}), -2));
  CHECK_THROWS_AS(linalg::norm(F<gp::float16>({2, 2}), 2), gp::type_error);
}

TEST_CASE("factorisations give the same bits on any number of threads") {
  const auto a = F({300, 280}) + gp::eye(300, 280);
  const auto run = [&] {
    std::vector<double> all;
    const auto append = [&all](const gp::ndarray<double>& part) {
      const auto values = part.to_vector();
      all.insert(all.end(), values.begin(), values.end());
    };
    append(linalg::qr(a).Q);
    append(linalg::svd(a, {.full_matrices = false}).U);
    append(linalg::eigh(H(280)).eigenvectors);
    return all;
  };
  const int threads = gp::num_threads();
  gp::set_num_threads(2);
  const auto many = run();
  gp::set_num_threads(1);
  const auto one = run();
  gp::set_num_threads(threads);
  CHECK(many == one);
}

TEST_CASE("singular values of Hermitian matrices") {
  namespace la = gp::linalg;
  using complex = std::complex<double>;
  const auto a =
      gp::array<complex>({4., complex(1, 1), 0., complex(1, -1), -7., 2., 0., 2., 1.}).reshape({3, 3});
  const auto [u, s, vh] = la::svd(a, {.hermitian = true});
  GOLDEN_NEAR("np.linalg.svd(A([[4, 1+1j, 0], [1-1j, -7, 2], [0, 2, 1]]), hermitian=True)[1]", 16, s);
  GOLDEN_NEAR("np.linalg.svd(A([[4, 1+1j, 0], [1-1j, -7, 2], [0, 2, 1]]), compute_uv=False)", 16,
              la::svdvals(a, {.hermitian = true}));
  const auto product = gp::matmul(gp::ndarray<complex>(u * s), vh);
  CHECK(gp::max(abs(product - a)).item() < 16 * 0x1p-52 * 8);  // |a| is below 8, three products of 3 terms
  CHECK(gp::max(abs(gp::matmul(gp::ndarray<complex>(gp::conj(u.T())), u) - gp::eye(3))).item() <
        16 * 0x1p-52);
  // Only the lower triangle is read, and batches are a matrix each.
  const auto b = gp::arange<float>(8).reshape({2, 2, 2});
  GOLDEN_NEAR("np.linalg.svd(np.arange(8, dtype='f4').reshape(2, 2, 2), hermitian=True)[1]", 16,
              la::svd(b, {.hermitian = true}).S);
  CHECK_THROWS_AS(la::svd(gp::zeros({2, 3}), {.hermitian = true}), gp::linalg_error);
}
