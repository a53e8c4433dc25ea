// Traps of linear algebra and of einsum.
#include <cmath>

#include "support/traps.hpp"

using namespace traps;
namespace linalg = gparray::linalg;

TEST_CASE("singular values, eigenvalues and QR") {
  const auto [u, s, vh] = linalg::svd(gp::ones({2, 3}));
  TRAP("linalg-001/0", u.shape());
  TRAP("linalg-001/1", s.shape());
  TRAP("linalg-001/2", vh.shape());
  const auto thin = linalg::svd(gp::ones({4, 2, 3}), {.full_matrices = false});
  TRAP("linalg-002/0", thin.U.shape());
  TRAP("linalg-002/1", thin.S.shape());
  TRAP("linalg-002/2", thin.Vh.shape());
  const auto lopsided = A({{1., 99.}, {2., 1.}});
  TRAP("linalg-004", linalg::eigh(lopsided).eigenvalues);
  TRAP("linalg-005", linalg::eigh(lopsided, {.UPLO = 'U'}).eigenvalues);
  TRAP("linalg-007/0", linalg::qr(gp::ones({4, 2})).Q.shape());
  TRAP("linalg-007/1", linalg::qr(gp::ones({4, 2})).R.shape());
  TRAP("linalg-008/0", linalg::qr(gp::ones({4, 2}), "complete").Q.shape());
  TRAP("linalg-008/1", linalg::qr(gp::ones({4, 2}), "complete").R.shape());
  TRAP("linalg-010/0", linalg::qr(gp::ones({4, 2}), linalg::raw).h.shape());
  TRAP("linalg-010/1", linalg::qr(gp::ones({4, 2}), linalg::raw).tau.shape());
  TRAP("linalg-031", linalg::eig(A({{0., -1.}, {1., 0.}})).eigenvalues);
  TRAP("extra-051", linalg::svdvals(A({{3., 0.}, {0., -4.}})));
}

TEST_CASE("equations, determinants and powers") {
  TRAP("linalg-011", gp::round(linalg::cholesky(A({{4., 99.}, {2., 3.}})), 12));
  TRAP_THROWS("linalg-013", linalg::cholesky(A({{1., 2.}, {2., 1.}})));
  TRAP_THROWS("linalg-014", linalg::inv(A({{1., 2.}, {2., 4.}})));
  CHECK(linalg::inv(A<float>({{2, 0}, {0, 4}})).dtype() == gp::dtype::float32);  // linalg-016
  TRAP("linalg-019", linalg::solve(gp::eye(2), A({1., 2.})));
  TRAP_THROWS("linalg-020", linalg::solve(gp::stack({gp::eye(3), gp::eye(3)}), gp::ones({2, 3})));
  const auto fit = linalg::lstsq(A({{1., 0.}, {1., 1.}, {1., 2.}}), A({1., 2., 4.}));
  TRAP("linalg-022/0", gp::round(fit.x, 12));
  TRAP("linalg-022/1", gp::round(fit.residuals, 12));
  TRAP("linalg-023/0", linalg::lstsq(gp::ones({2, 2}), A({1., 1.})).residuals.shape());
  TRAP("linalg-023/1", linalg::lstsq(gp::ones({2, 2}), A({1., 1.})).rank);
  TRAP("linalg-025", linalg::matrix_rank(A({1., 0.})).item());
  TRAP("linalg-026", linalg::det(A({{1., 2.}, {3., 4.}})));
  TRAP("linalg-028/0", linalg::slogdet(gp::zeros({2, 2})).sign);
  TRAP("linalg-028/1", linalg::slogdet(gp::zeros({2, 2})).logabsdet);
  TRAP("linalg-029", linalg::matrix_power(A({{1., 1.}, {0., 1.}}), -2));
  TRAP("linalg-034", linalg::cond(A({{1., 0.}, {0., 0.}})));
  TRAP("linalg-035", gp::round(linalg::cond(A({{1., 2.}, {3., 4.}}), 1), 10));
}

TEST_CASE("norms of matrices") {
  const auto m = A({{1., 2.}, {3., 4.}});
  TRAP("linalg-037", gp::round(linalg::norm(m, "fro"), 10));
  TRAP("linalg-038", gp::round(linalg::norm(m, "nuc"), 10));
  TRAP("linalg-040", linalg::norm(m, -INFINITY));
  TRAP("linalg-041", linalg::norm(m, 1));
  TRAP("linalg-043", gp::round(linalg::norm(m, 2), 10));
  TRAP("linalg-044", gp::round(linalg::norm(m, -2), 10));
  TRAP("extra-049", linalg::matrix_norm(gp::ones({2, 2, 2})));
}

TEST_CASE("products") {
  TRAP("linalg-059", gp::outer(A({{1, 2}}), A({3})).shape());
  TRAP("matmul-017", gp::kron(gp::ones({2, 3}), gp::ones({4, 5})).shape());
  TRAP("matmul-020", gp::einsum("ij,jk", gp::ones({2, 3}), gp::ones({3, 4})).shape());
  TRAP("matmul-021", gp::einsum("ij,jh", A({{0, 1}, {2, 3}}), A({{1, 0}, {0, 2}})));
  TRAP("matmul-023", gp::einsum("ii->i", gp::arange(9).reshape({3, 3})));
  TRAP("matmul-024", gp::einsum("...ij->...ji", gp::ones({5, 2, 3})).shape());
  TRAP("matmul-026", gp::einsum("i->", A<std::int8_t>({100, 100})));
  TRAP_THROWS("matmul-027", gp::einsum("ij->jj", gp::ones({2, 2})));
  TRAP("matmul-029", gp::einsum("i,i->i", gp::ones(1), gp::ones(3)));
  TRAP("extra-048", linalg::cross(A({1, 2, 3}), A({4, 5, 6})));
  TRAP("extra-052", linalg::diagonal(gp::arange(8).reshape({2, 2, 2})));
}
