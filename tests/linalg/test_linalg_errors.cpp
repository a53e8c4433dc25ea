// Matrices that have no answer: every function throws linalg_error, and names the matrix of a batch.
#include "support/linalg.hpp"
#include "support/sampler.hpp"

using namespace golden_linalg;

namespace {

/// What `call` throws, of six matrices in a batch of which (1, 2) is `bad` and the others the identity, and
/// of `bad` alone.
template<class V, class Call>
void check(const std::string& text, const gp::ndarray<V>& bad, Call call) {
  if (!taken()) return;
  CAPTURE(text);
  const std::int64_t n = bad.shape()[0];
  gp::ndarray<V> batch = gp::eye<V>(n) + gp::zeros<V>({2, 3, 1, 1});
  batch(1, 2) = bad;
  const std::string of_batch = text + " (matrix (1,2) of the batch)";
  CHECK_THROWS_WITH_AS(call(batch), of_batch.c_str(), gp::linalg_error);
  CHECK_THROWS_WITH_AS(call(bad), text.c_str(), gp::linalg_error);
  batch(1, 2) = gp::eye<V>(n);
  CHECK_NOTHROW(call(batch));
}

template<class V>
void check_all(std::int64_t n) {
  CAPTURE(n);
  using array = gp::ndarray<V>;
  const array ones = gp::ones<V>({n}), singular = gp::zeros<V>({n, n}), negative = gp::eye<V>(n) * V(-1);
  const std::string singular_text = "Singular matrix", indefinite = "Matrix is not positive definite",
                    endless = "Eigenvalues did not converge", no_svd = "SVD did not converge";
  array nan = gp::eye<V>(n);
  nan(n - 1, 0) = std::nan("");
  nan(0, n - 1) = std::nan("");

  check(singular_text, singular, [&](const array& a) { linalg::inv(a).eval(); });
  check(singular_text, singular, [&](const array& a) { linalg::solve(a, ones); });
  check(singular_text, singular, [&](const array& a) { linalg::solve(a, ones, {.assume_a = "sym"}); });
  check(singular_text, singular, [&](const array& a) { linalg::solve(a, ones, {.assume_a = "her"}); });
  check(singular_text, singular, [&](const array& a) { linalg::matrix_power(a, -2); });
  check(indefinite, negative, [&](const array& a) { linalg::solve(a, ones, {.assume_a = "pos"}); });
  check(indefinite, negative, [&](const array& a) { linalg::solve(a, ones, {"pos", true}); });
  check(indefinite, negative, [&](const array& a) { linalg::cholesky(a); });
  check(indefinite, negative, [&](const array& a) { linalg::cholesky(a, {.upper = true}); });
  for (const char uplo : {'L', 'U'}) {
    check(endless, nan, [&](const array& a) { linalg::eigh(a, {.UPLO = uplo}); });
    check(endless, nan, [&](const array& a) { linalg::eigvalsh(a, {.UPLO = uplo}); });
  }
  check("Array must not contain infs or NaNs", nan, [&](const array& a) { linalg::eig(a); });
  check("Array must not contain infs or NaNs", nan, [&](const array& a) { linalg::eigvals(a); });
  check(no_svd, nan, [&](const array& a) { linalg::svd(a); });
  check(no_svd, nan, [&](const array& a) { linalg::svd(a, {.full_matrices = false}); });
  check(no_svd, nan, [&](const array& a) { linalg::svdvals(a); });
  check(no_svd, nan, [&](const array& a) { linalg::pinv(a); });
  check(no_svd, nan, [&](const array& a) { linalg::matrix_rank(a); });
  check(endless, nan, [&](const array& a) { linalg::svd(a, {.hermitian = true}); });
  check(endless, nan, [&](const array& a) { linalg::svdvals(a, {.hermitian = true}); });
  check(endless, nan, [&](const array& a) { linalg::pinv(a, {.hermitian = true}); });
  check(endless, nan, [&](const array& a) { linalg::matrix_rank(a, {.hermitian = true}); });
  for (const gp::detail::norm_order order :
       {gp::detail::norm_order(2), gp::detail::norm_order(-2), gp::detail::norm_order("nuc")}) {
    check(no_svd, nan, [&](const array& a) { linalg::matrix_norm(a, order); });
    check(no_svd, nan, [&](const array& a) { linalg::norm(a, order, {-2, -1}); });
  }
}

}  // namespace

TEST_CASE("the matrix of a batch that has no answer is named") {
  for (const std::int64_t limit : {std::int64_t{0}, gp::linalg::host_limit()}) {
    const on_its_device scope;
    gp::linalg::set_host_limit(limit);
    for (const std::int64_t n : {2, 5, 40}) {
      check_all<float>(n);
      check_all<double>(n);
      check_all<std::complex<float>>(n);
      check_all<std::complex<double>>(n);
    }
  }
}

TEST_CASE("triangles with a zero on the diagonal") {
  const gp::ndarray<double> b = gp::ones({3}), bad = gp::diag(gp::ndarray<double>{1., 0., 2.});
  const std::string text = "singular matrix: resolution failed at diagonal 1";
  for (const int trans : {0, 1, 2})
    for (const bool lower : {false, true})
      check(text, bad, [&](const auto& a) { linalg::solve_triangular(a, b, {trans, lower}); });
  check(text, bad, [&](const auto& a) { linalg::solve(a, b, {.assume_a = "upper triangular"}); });
  check(text, bad, [&](const auto& a) { linalg::solve(a, b, {.assume_a = "lower triangular"}); });
  check(text, bad, [&](const auto& a) { linalg::solve(a, b, {.assume_a = "triangular"}); });
}

TEST_CASE("what is one system names no matrix") {
  CHECK_THROWS_WITH_AS(linalg::tensorsolve(gp::ones({2, 3, 6}), gp::ones({2, 3})), "Singular matrix",
                       gp::linalg_error);
  CHECK_THROWS_WITH_AS(linalg::tensorinv(gp::ones({2, 3, 6})), "Singular matrix", gp::linalg_error);
  gp::ndarray<double> nan = gp::eye(3);
  nan(0, 0) = std::nan("");
  CHECK_THROWS_WITH_AS(linalg::lstsq(nan, gp::ones({3})), "SVD did not converge in Linear Least Squares",
                       gp::linalg_error);
}
