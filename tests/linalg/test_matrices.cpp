// Matrices of a known form, options of factorisations, and the order of einsum against NumPy and SciPy.
#include <gparray/creation/special_matrices.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
namespace la = gp::linalg;
using complex = std::complex<double>;

namespace {
gp::ndarray<double> polynomial() { return gp::array({2., -3., 5., 7., 1., 4.}); }
}  // namespace

TEST_CASE("matrices of a known form") {
  const auto c = gp::array({1, 2, 3}), r = gp::array({9, 4, 5, 6});
  GOLDEN("sla.toeplitz(A([1, 2, 3]))", la::toeplitz(c));
  GOLDEN("sla.toeplitz(A([1, 2, 3]), A([9, 4, 5, 6]))", la::toeplitz(c, r));
  GOLDEN("sla.toeplitz(A([1, 2j, 3 + 1j]))",
         la::toeplitz(gp::array<complex>({1., complex(0, 2), complex(3, 1)})));
  GOLDEN("sla.toeplitz(A([1]), A([1., 2.5]))", la::toeplitz(gp::array({1}), gp::array({1., 2.5})));
  GOLDEN("sla.circulant(A([1, 2, 3]))", la::circulant(c));
  GOLDEN("sla.hankel(A([1, 2, 3]))", la::hankel(c));
  GOLDEN("sla.hankel(A([1, 2, 3]), A([9, 4, 5, 6]))", la::hankel(c, r));
  GOLDEN("sla.hadamard(8)", la::hadamard(8));
  GOLDEN("sla.hadamard(1, dtype='f4')", la::hadamard<float>(1));
  GOLDEN_THROWS("sla.hadamard(6)", la::hadamard(6));
  GOLDEN("sla.helmert(4)", la::helmert(4));
  GOLDEN("sla.helmert(3, full=True)", la::helmert(3, true));
  GOLDEN("sla.hilbert(4)", la::hilbert(4));
  GOLDEN("sla.fiedler(A([1, 4, 12, 45]))", la::fiedler(gp::array({1, 4, 12, 45})));
  GOLDEN("sla.leslie(A([.1, 2., 1., .1]), A([.2, .8, .7]))",
         la::leslie(gp::array({.1, 2., 1., .1}), gp::array({.2, .8, .7})));
  GOLDEN_THROWS("sla.leslie(A([.1, 2.]), A([.2, .8, .7]))",
                la::leslie(gp::array({.1, 2.}), gp::array({.2, .8, .7})));
  GOLDEN("sla.companion(A([2., -3, 5, 7, 1, 4]))", la::companion(polynomial()));
  GOLDEN("sla.companion(A([2, -3]))", la::companion(gp::array({2, -3})));
  GOLDEN_THROWS("sla.companion(A([0., 1]))", la::companion(gp::array({0., 1.})));
  GOLDEN("sla.fiedler_companion(A([2., -3, 5, 7, 1, 4]))", la::fiedler_companion(polynomial()));
  GOLDEN("sla.fiedler_companion(A([2., -3, 5, 7, 1]))",
         la::fiedler_companion(polynomial()(gp::slice(gp::none, 5))));
  GOLDEN("sla.fiedler_companion(A([2., -3, 5]))",
         la::fiedler_companion(polynomial()(gp::slice(gp::none, 3))));
  GOLDEN("sla.fiedler_companion(A([2., -3]))", la::fiedler_companion(gp::array({2., -3.})));
  GOLDEN("sla.fiedler_companion(A([2.]))", la::fiedler_companion(gp::array({2.})));
  GOLDEN_THROWS("sla.fiedler_companion(A([0., 1, 2]))", la::fiedler_companion(gp::array({0., 1., 2.})));
  GOLDEN("sla.convolution_matrix(A([1, 2, 3]), 4)", la::convolution_matrix(c, 4));
  GOLDEN("sla.convolution_matrix(A([1, 2, 3]), 4, 'same')", la::convolution_matrix(c, 4, "same"));
  GOLDEN("sla.convolution_matrix(A([1, 2, 3]), 4, 'valid')", la::convolution_matrix(c, 4, "valid"));
  GOLDEN("sla.convolution_matrix(A([1, 2, 3]), 2, 'valid')", la::convolution_matrix(c, 2, "valid"));
  GOLDEN("sla.convolution_matrix(A([1, 2, 3]), 1, 'same')", la::convolution_matrix(c, 1, "same"));
  GOLDEN_THROWS("sla.convolution_matrix(A([1, 2, 3]), 0)", la::convolution_matrix(c, 0));
  // SciPy multiplies powers of one root, n - 1 times at most.
  GOLDEN_NEAR("sla.dft(5)", 16, la::dft(5));
  GOLDEN_NEAR("sla.dft(4, scale='sqrtn')", 16, la::dft(4, "sqrtn"));
  GOLDEN_NEAR("sla.dft(3, scale='n')", 16, la::dft(3, "n"));
  CHECK_THROWS_AS(la::dft(3, "m"), gp::value_error);
  GOLDEN("sla.khatri_rao(a, np.arange(12).reshape(4, 3))",
         la::khatri_rao(gp::arange(6).reshape({2, 3}), gp::arange(12).reshape({4, 3})));
  GOLDEN_THROWS("sla.khatri_rao(a, a.T)",
                la::khatri_rao(gp::arange(6).reshape({2, 3}), gp::arange(6).reshape({3, 2})));
  GOLDEN("sla.block_diag(a, A([1, 2.5]), A([[7]]))",
         la::block_diag(gp::arange(6).reshape({2, 3}), gp::array({1., 2.5}), gp::array({{7}})));
  const auto band = gp::triu(gp::tril(gp::ones({5, 6}), 1), -2);
  const auto [lower, upper] = la::bandwidth(band);
  CHECK(lower == 2);
  CHECK(upper == 1);
  CHECK(la::bandwidth(gp::zeros({3, 3})).lower == 0);
  CHECK(la::bandwidth(gp::eye(3, gp::none, 2)).upper == 2);
  CHECK_THROWS_AS(la::bandwidth(gp::zeros(3)), gp::value_error);
}

TEST_CASE("singular values of Hermitian matrices") {
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

TEST_CASE("forms of lu") {
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

TEST_CASE("the order of einsum") {
  const auto positions = [](const gp::einsum_path_result& r) {
    gp::ndarray<std::int64_t> all = gp::zeros<std::int64_t>({static_cast<std::int64_t>(r.path.size()), 2});
    for (std::size_t i = 0; i < r.path.size(); ++i) all(i) = gp::array(r.path[i]);
    return all;
  };
  const auto f = [](std::initializer_list<std::int64_t> shape) { return gp::ones(gp::dims(shape)); };
  const auto chain = gp::einsum_path("ij,jk,kl->il", f({10, 20}), f({20, 5}), f({5, 30}));
  GOLDEN("np.einsum_path('ij,jk,kl->il', np.ones((10, 20)), np.ones((20, 5)), np.ones((5, 30)))[1]",
         chain.text);
  GOLDEN("A(np.einsum_path('ij,jk,kl->il', np.ones((10, 20)), np.ones((20, 5)), np.ones((5, 30)))[0][1:])",
         positions(chain));
  const auto five =
      gp::einsum_path("ea,fb,abcd,gc,hd->efgh", f({4, 3}), f({4, 3}), f({3, 3, 3, 3}), f({4, 3}), f({4, 3}));
  GOLDEN(
      "np.einsum_path('ea,fb,abcd,gc,hd->efgh', *[np.ones((4, 3))]*2, np.ones((3, 3, 3, 3)), *[np.ones((4, "
      "3))]*2)[1]",
      five.text);
  GOLDEN("np.einsum_path('ii->i', np.ones((3, 3)))[1]", gp::einsum_path("ii->i", f({3, 3})).text);
  GOLDEN("np.einsum_path('ij,jk', np.ones((2, 3)), np.ones((3, 4)))[1]",
         gp::einsum_path("ij,jk", f({2, 3}), f({3, 4})).text);
  const std::vector<gp::ndarray<double>> list{f({2, 3}), f({3, 4}), f({4, 2})};
  CHECK(gp::einsum_path("ij,jk,kl", list, {.optimize = "none"}).path ==
        std::vector<std::vector<std::int64_t>>{{0, 1}, {0, 1}});
  CHECK(gp::einsum_path("...i,...i", f({5, 3}), f({3})).path ==
        std::vector<std::vector<std::int64_t>>{{0, 1}});
  GOLDEN_THROWS("np.einsum_path('ij,jk', np.ones((2, 3)), np.ones((2, 4)))",
                gp::einsum_path("ij,jk", f({2, 3}), f({2, 4})));
}
