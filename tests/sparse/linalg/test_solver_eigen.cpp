// eigsh and svds find what full decompositions and SciPy find, with small residuals.
#include <gparray/sparse/linalg/eigen.hpp>

#include "support/error_text.hpp"
#include "support/solvers.hpp"

using namespace golden_linalg;

namespace {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

// ARPACK's test, and ours, lets a residual be eps * |w|, and an eigenvalue's error is below its residual;
// what rounding adds is some eps * |A|, and |w| is |A| for the largest. 400 as for the other decompositions.

/// The largest |A v - w v| over all pairs, relative to |A|_F.
template<gp::element V>
double worst_residual(const gp::ndarray<V>& a, const ssl::eigsh_result<V>& r) {
  const gp::ndarray<V> difference = gp::matmul(a, r.v) - r.v * r.w;
  return gp::max(gp::abs(difference)).item() / static_cast<double>(linalg::norm(a).item());
}

/// The largest element of V^H V - I.
template<gp::element V>
double skewness(const gp::ndarray<V>& v) {
  const gp::ndarray<V> gram = gp::matmul(gp::conjugate(v).T(), v);
  return gp::max(gp::abs(gram - gp::eye<V>(v.shape(1)))).item();
}

}  // namespace

TEST_CASE("eigsh: which eigenvalues") {
  const auto a = L(40);
  NEAR("ssl.eigsh(L(40), 3)[0]", ssl::eigsh(a, 3).w);
  NEAR("ssl.eigsh(L(40), 4, which='SA')[0]", ssl::eigsh(a, 4, {.which = "SA"}).w);
  NEAR("ssl.eigsh(L(40), 4, which='LA', ncv=12)[0]", ssl::eigsh(a, 4, {.which = "LA", .ncv = 12}).w);
  NEAR("ssl.eigsh(L(40), 5, which='BE')[0]", ssl::eigsh(a, 5, {.which = "BE"}).w);
  // Errors are some eps * |A|, and |A| = 4 is 170 times the larger of these.
  NEAR("ssl.eigsh(L(40), 2, which='SM')[0]", ssl::eigsh(a, 2, {.which = "SM"}).w, 170 * default_bound);
  NEAR("ssl.eigsh(L(40), 1)[0]", ssl::eigsh(a, 1).w);
  NEAR("ssl.eigsh(L(40))[0]", ssl::eigsh(a).w);
  // Of both signs.
  const gp::ndarray<double> shifted = a - 2 * gp::eye(40);
  NEAR("ssl.eigsh(L(40) - 2.1 * np.eye(40), 3)[0]",
       ssl::eigsh(gp::ndarray<double>(shifted - 0.1 * gp::eye(40)), 3).w);
}

TEST_CASE("eigsh: pairs of all dtypes, residuals and orthogonality") {
  const auto check_pairs = [](const auto& a, std::int64_t k) {
    using V = gp::detail::element_t<decltype(a)>;
    const auto r = ssl::eigsh(a, k);
    CHECK(r.w.shape() == gp::dims{k});
    CHECK(r.v.shape() == gp::dims{a.shape(0), k});
    CHECK(worst_residual(a, r) < 20 * epsilon<V>());
    // Gram-Schmidt twice leaves some eps; 20 vectors are then combined by a matrix that is orthogonal to eps.
    CHECK(skewness(r.v) < 100 * epsilon<V>());
  };
  check_pairs(H(30), 4);
  check_pairs(H<float>(30), 4);
  check_pairs(H<c64>(30), 4);
  check_pairs(H<c128>(30), 4);
  NEAR("np.sort(ssl.eigsh(H(30, 'D'), 3)[0])", ssl::eigsh(H<c128>(30), 3).w);
}

TEST_CASE("eigsh: multiple eigenvalues and invariant spaces") {
  // Every vector spans an invariant space; more eigenvectors come from outside of it.
  const auto identity = ssl::eigsh(gp::eye(25), 5);
  CHECK(gp::max(gp::abs(identity.w - 1)).item() < 4 * epsilon<double>());
  CHECK(skewness(identity.v) < 100 * epsilon<double>());
  // Two different eigenvalues only, one of them three times.
  const gp::ndarray<double> steps = gp::diag(gp::where(gp::arange<double>(30) < 27, 0.0, 7.0));
  const auto r = ssl::eigsh(steps, 4, {.which = "LA"});
  CHECK(gp::max(gp::abs(r.w - gp::ndarray<double>{0., 7., 7., 7.})).item() < 100 * epsilon<double>());
  CHECK(worst_residual(steps, r) < 20 * epsilon<double>());
  // The whole space.
  CHECK(gp::max(gp::abs(ssl::eigsh(L(5), 4, {.ncv = 5}).w - linalg::eigvalsh(L(5))("1:"))).item() <
        40 * epsilon<double>());
}

TEST_CASE("eigsh: near sigma") {
  NEAR("ssl.eigsh(L(40), 3, sigma=0.)[0]", ssl::eigsh(L(40), 3, {.sigma = 0.0}).w);
  NEAR("ssl.eigsh(L(40), 3, sigma=1.7)[0]", ssl::eigsh(L(40), 3, {.sigma = 1.7}).w);
  NEAR("ssl.eigsh(L(40), 3, sigma=1.7)[0]",
       ssl::eigsh(gp::sparse::csr_matrix<double>(L(40)), 3, {.sigma = 1.7}).w);
  const auto inverse = linalg::inv(L(40));
  NEAR("ssl.eigsh(L(40), 3, sigma=0.)[0]",
       ssl::eigsh(ssl::aslinearoperator(L(40)), 3, {.sigma = 0.0, .OPinv = inverse}).w);
  check_contains(
      error_of<gp::type_error>([] { (void)ssl::eigsh(ssl::aslinearoperator(L(9)), 3, {.sigma = 0.0}); }),
      "give it as .OPinv");
}

TEST_CASE("eigsh: the start, and no vectors") {
  const auto v0 = F({40});
  const auto kept = v0.to_vector();
  const auto r = ssl::eigsh(L(40), 3, {.v0 = v0, .return_eigenvectors = false});
  CHECK(v0.to_vector() == kept);
  CHECK(r.v.shape() == gp::dims{40, 0});
  NEAR("ssl.eigsh(L(40), 3)[0]", r.w);
  // The same program gives the same bits each time.
  CHECK(ssl::eigsh(L(40), 3).v.to_vector() == ssl::eigsh(L(40), 3).v.to_vector());
}

TEST_CASE("eigsh: mistakes and no convergence") {
  NEAR_THROWS("ssl.eigsh(L(9), 0)", ssl::eigsh(L(9), 0));
  NEAR_THROWS("ssl.eigsh(L(9), 3, ncv=3)", ssl::eigsh(L(9), 3, {.ncv = 3}));
  NEAR_THROWS("ssl.eigsh(L(9), 3, maxiter=0)", ssl::eigsh(L(9), 3, {.maxiter = 0}));
  check_contains(error_of<gp::value_error>([] { (void)ssl::eigsh(L(9), 9); }), "k=9 must be less than N=9");
  check_contains(error_of<gp::value_error>([] { (void)ssl::eigsh(L(9), 3, {.which = "LR"}); }),
                 "which must be one of LM SM LA SA BE");
  check_contains(error_of<gp::value_error>([] { (void)ssl::eigsh(L(9), 3, {.v0 = gp::zeros({9})}); }),
                 "Starting vector is zero.");
  check_contains(
      error_of<gp::linalg_error>([] { (void)ssl::eigsh(L(200), 6, {.which = "SM", .maxiter = 2}); }),
      "No convergence (2 iterations, ");
  const gp::ndarray<double> broken = L(9) * std::nan("");
  check_contains(error_of<gp::linalg_error>([&] { (void)ssl::eigsh(broken, 3); }), "infinities or NaNs");
}

TEST_CASE("svds: values and vectors, tall and wide, all dtypes") {
  const auto check_triplets = [](const auto& a, std::int64_t k) {
    using V = gp::detail::element_t<decltype(a)>;
    const auto [u, s, vh] = ssl::svds(a, k);
    CHECK(u.shape() == gp::dims{a.shape(0), k});
    CHECK(vh.shape() == gp::dims{k, a.shape(1)});
    CHECK(skewness(u) < 100 * epsilon<V>());
    CHECK(skewness(gp::ndarray<V>(gp::conjugate(vh).T())) < 100 * epsilon<V>());
    const auto all = linalg::svdvals(a);
    const double largest = all.item(0);
    // Squaring loses nothing of the largest values, as the last step decomposes A V itself.
    CHECK(gp::max(gp::abs(s - all(gp::slice(0, k))(gp::slice(gp::none, gp::none, -1)))).item() <
          40 * epsilon<V>() * largest);
    const gp::ndarray<V> difference = gp::matmul(a, gp::conjugate(vh).T()) - u * s;
    CHECK(gp::max(gp::abs(difference)).item() < 40 * epsilon<V>() * largest);
  };
  check_triplets(F({40, 25}), 4);
  check_triplets(F({25, 40}), 4);
  check_triplets(F<float>({40, 25}), 3);
  check_triplets(F<c64>({25, 40}), 3);
  check_triplets(F<c128>({40, 25}), 3);
  NEAR("ssl.svds(L(30)[:, :20], 3)[1]", ssl::svds(L(30)("..., :20"), 3).s);
  NEAR("ssl.svds(L(30)[:, :20], 3, which='SM', return_singular_vectors=False)",
       ssl::svds(L(30)("..., :20"), 3, {.which = "SM", .return_singular_vectors = false}).s);
}

TEST_CASE("svds: mistakes") {
  check_contains(error_of<gp::value_error>([] { (void)ssl::svds(F({5, 4}), 4); }),
                 "`k` must be an integer satisfying `0 < k < min(A.shape)`");
  check_contains(error_of<gp::value_error>([] { (void)ssl::svds(F({5, 4}), 2, {.which = "LA"}); }),
                 "`which` must be in {'LM', 'SM'}");
}
