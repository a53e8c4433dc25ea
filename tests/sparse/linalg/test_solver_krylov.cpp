// gmres, minres, lsqr and lsmr take SciPy's iterations to SciPy's answers.
#include <gparray/sparse/linalg/lsmr.hpp>
#include <gparray/sparse/linalg/lsqr.hpp>

#include "support/error_text.hpp"
#include "support/solvers.hpp"

using namespace golden_linalg;

namespace {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

// Iterations * condition number, as in test_solver_cg.cpp: 12 and 7 for N(12), 12 and 70 for L(12).
constexpr double bound = 900;

template<class R>
gp::ndarray<double> numbers(const R& r) {
  return {r.r1norm, r.r2norm, r.anorm, r.acond, r.arnorm, r.xnorm};
}

}  // namespace

TEST_CASE("gmres: solutions") {
  NEAR("ssl.gmres(N(12), F((12,)), rtol=1e-10)[0]", ssl::gmres(N(12), F({12}), {.rtol = 1e-10}).x, bound);
  NEAR("ssl.gmres(N(12), F((12,)), restart=4, maxiter=2)[0]",
       ssl::gmres(N(12), F({12}), {.restart = 4, .maxiter = 2}).x, bound);
  NEAR("ssl.gmres(N(12, 'D'), F((12,), 'D'), rtol=1e-10)[0]",
       ssl::gmres(N<c128>(12), F<c128>({12}), {.rtol = 1e-10}).x, bound);
  NEAR("ssl.gmres(N(12, 'F'), F((12,), 'F'), restart=5, maxiter=1)[0]",
       ssl::gmres(N<c64>(12), F<c64>({12}), {.restart = 5, .maxiter = 1}).x, bound);
  NEAR("ssl.gmres(N(12, 'f'), F((12,), 'f'), restart=5, maxiter=1)[0]",
       ssl::gmres(N<float>(12), F<float>({12}), {.restart = 5, .maxiter = 1}).x, bound);
  const gp::ndarray<double> jacobi = gp::eye(12) * 0.25;
  NEAR("ssl.gmres(N(12), F((12,)), x0=np.ones(12), restart=3, maxiter=3, M=np.eye(12) / 4)[0]",
       ssl::gmres(N(12), F({12}), {.x0 = gp::ones<double>({12}), .restart = 3, .maxiter = 3, .M = jacobi}).x,
       bound);
}

TEST_CASE("gmres: as many iterations as SciPy, and its info") {
  const auto count = [](const auto& a, const auto& b, const ssl::gmres_options<double>& options) {
    return steps_of(SOLVER(gmres), a, b, options);
  };
  NEAR("STEPS(ssl.gmres, N(60), F((60,)), callback_type='pr_norm')", count(N(60), F({60}), {}));
  NEAR("STEPS(ssl.gmres, N(60), F((60,)), rtol=1e-9, restart=6, callback_type='pr_norm')",
       count(N(60), F({60}), {.rtol = 1e-9, .restart = 6}));
  NEAR("STEPS(ssl.gmres, L(60), F((60,)), restart=10, maxiter=4, callback_type='pr_norm')",
       count(L(60), F({60}), {.restart = 10, .maxiter = 4}));
  NEAR("STEPS(ssl.gmres, N(12), np.zeros(12), callback_type='pr_norm')", count(N(12), gp::zeros({12}), {}));
  // The space of an identity is exhausted after one vector.
  NEAR("STEPS(ssl.gmres, np.eye(5), F((5,)), callback_type='pr_norm')", count(gp::eye(5), F({5}), {}));
  // A preconditioner that hides much of the residual, so that the inner tolerance has to follow.
  std::vector<double> weights;
  for (int i = 0; i < 60; ++i) weights.push_back(std::pow(10.0, -(i % 4)));
  NEAR("STEPS(ssl.gmres, N(60), F((60,)), restart=40, M=W(60), callback_type='pr_norm')",
       count(N(60), F({60}), {.restart = 40, .M = gp::diag(gp::ndarray<double>(weights))}));
  std::vector<double> norms;
  (void)ssl::gmres(N(60), F({60}), {.callback = [&](double norm) { norms.push_back(norm); }});
  CHECK(std::ranges::is_sorted(norms, std::greater<>()));
  int restarts = 0;
  (void)ssl::gmres(
      L(60), F({60}),
      {.restart = 10, .maxiter = 4, .callback_x = [&](const gp::ndarray<double>&) { ++restarts; }});
  CHECK(restarts == 4);
}

TEST_CASE("minres: solutions and info") {
  const auto indefinite = L(12) - gp::eye(12);  // eigenvalues of both signs, condition number 33
  NEAR("ssl.minres(L(12), F((12,)), rtol=1e-10)[0]", ssl::minres(L(12), F({12}), {.rtol = 1e-10}).x, bound);
  NEAR("ssl.minres(L(12) - np.eye(12), F((12,)), rtol=1e-10)[0]",
       ssl::minres(gp::ndarray<double>(indefinite), F({12}), {.rtol = 1e-10}).x, bound);
  NEAR("ssl.minres(L(12), F((12,)), shift=1., maxiter=5)[0]",
       ssl::minres(L(12), F({12}), {.shift = 1, .maxiter = 5}).x, bound);
  NEAR("ssl.minres(L(12), F((12,)), maxiter=4, x0=np.ones(12), M=np.diag(1 / np.arange(1., 13)))[0]",
       ssl::minres(L(12), F({12}),
                   {.x0 = gp::ones<double>({12}), .maxiter = 4, .M = gp::diag(1 / gp::arange<double>(1, 13))})
           .x,
       bound);
  NEAR("ssl.minres(L(12, 'f'), F((12,), 'f'), maxiter=4)[0].astype('f')",
       ssl::minres(L<float>(12), F<float>({12}), {.maxiter = 4}).x, bound);
  const auto count = [](const auto& a, const auto& b, const ssl::minres_options<double>& options) {
    return steps_of(SOLVER(minres), a, b, options);
  };
  // SciPy makes the same calls; ours has to look one iteration ahead to know the norm of x.
  const auto scipy_steps = count(L(40), F({40}), {.maxiter = 5});
  NEAR("STEPS(ssl.minres, L(40), F((40,)), maxiter=5)", scipy_steps);
  NEAR("STEPS(ssl.minres, L(40), F((40,)))", count(L(40), F({40}), {}));
  NEAR("STEPS(ssl.minres, L(40), F((40,)), rtol=1e-9)", count(L(40), F({40}), {.rtol = 1e-9}));
  NEAR("STEPS(ssl.minres, np.eye(5), F((5,)))", count(gp::eye(5), F({5}), {}));
}

TEST_CASE("minres: Hermitian matrices, and what is not symmetric") {
  const auto h = H<c128>(8);
  const auto b = F<c128>({8});
  const auto [x, info] = ssl::minres(h, b, {.rtol = 1e-12});
  CHECK(info == 0);
  // Its test allows rtol * |A| |x|, which here is below 1e3 |b|.
  CHECK(relative_residual(h, x, b) < 1e-9);
  NEAR_THROWS("ssl.minres(N(12), F((12,)), check=True)", ssl::minres(N(12), F({12}), {.check = true}));
  NEAR_THROWS("ssl.minres(L(12), F((12,)), M=-np.eye(12))",
              ssl::minres(L(12), F({12}), {.M = gp::ndarray<double>(-gp::eye(12))}));
}

TEST_CASE("lsqr: tall, wide, square; damped; from a start") {
  // F((9, 4)) and its transpose have condition numbers below 5; 8 iterations.
  const auto tall = F({9, 4});
  const auto full = ssl::lsqr(tall, F({9}), {.atol = 1e-12, .btol = 1e-12});
  NEAR("ssl.lsqr(F((9, 4)), F((9,)), atol=1e-12, btol=1e-12)[0]", full.x);
  NEAR("ssl.lsqr(F((9, 4)), F((9,)), atol=1e-12, btol=1e-12)[1:3]",
       gp::ndarray<std::int64_t>{full.istop, full.itn});
  NEAR("ssl.lsqr(F((9, 4)).T, F((4,)), iter_lim=3)[0]", ssl::lsqr(tall.T(), F({4}), {.iter_lim = 3}).x);
  NEAR("ssl.lsqr(F((9, 4)).T, F((4,)), iter_lim=3)[3:9]",
       numbers(ssl::lsqr(tall.T(), F({4}), {.iter_lim = 3})));
  NEAR("ssl.lsqr(F((9, 4)), F((9, 1)), damp=2., iter_lim=3)[3:9]",
       numbers(ssl::lsqr(tall, F({9, 1}), {.damp = 2, .iter_lim = 3})));
  NEAR("ssl.lsqr(F((9, 4)), F((9,)), damp=2., iter_lim=3)[0]",
       ssl::lsqr(tall, F({9}), {.damp = 2, .iter_lim = 3}).x);
  NEAR("ssl.lsqr(F((9, 4)), F((9,)), damp=2., calc_var=True, iter_lim=3)[9]",
       ssl::lsqr(tall, F({9}), {.damp = 2, .iter_lim = 3, .calc_var = true}).var);
  NEAR("ssl.lsqr(F((9, 4)), F((9,)), x0=np.ones(4), iter_lim=2)[0]",
       ssl::lsqr(tall, F({9}), gp::ones<double>({4}), {.iter_lim = 2}).x);
  NEAR("ssl.lsqr(N(12), F((12,)))[1:3]", [&] {
    const auto r = ssl::lsqr(N(12), F({12}));
    return gp::ndarray<std::int64_t>{r.istop, r.itn};
  }());
  NEAR("ssl.lsqr(F((9, 4)), np.zeros(9))[0]", ssl::lsqr(tall, gp::zeros({9})).x);
}

TEST_CASE("lsmr: tall, wide; damped; from a start") {
  const auto tall = F({9, 4});
  const auto norms = [](const auto& r) {
    return gp::ndarray<double>{r.normr, r.normar, r.norma, r.conda, r.normx};
  };
  const auto reason = [](const auto& r) { return gp::ndarray<std::int64_t>{r.istop, r.itn}; };
  NEAR("ssl.lsmr(F((9, 4)), F((9,)))[0]", ssl::lsmr(tall, F({9})).x);
  NEAR("ssl.lsmr(F((9, 4)), F((9,)))[1:3]", reason(ssl::lsmr(tall, F({9}))));
  NEAR("ssl.lsmr(F((9, 4)), F((9,)), maxiter=3)[3:8]", norms(ssl::lsmr(tall, F({9}), {.maxiter = 3})));
  NEAR("ssl.lsmr(F((9, 4)).T, F((4,)), maxiter=3)[0]", ssl::lsmr(tall.T(), F({4}), {.maxiter = 3}).x);
  NEAR("ssl.lsmr(F((9, 4)), F((9,)), damp=2., maxiter=3)[3:8]",
       norms(ssl::lsmr(tall, F({9}), {.damp = 2, .maxiter = 3})));
  NEAR("ssl.lsmr(F((9, 4)), F((9,)), x0=np.ones(4), maxiter=2)[0]",
       ssl::lsmr(tall, F({9}), {.maxiter = 2, .x0 = gp::ones<double>({4})}).x);
  NEAR("ssl.lsmr(N(12), F((12,)))[1:3]", reason(ssl::lsmr(N(12), F({12}))));
  NEAR("ssl.lsmr(F((9, 4)), np.zeros(9))[0]", ssl::lsmr(tall, gp::zeros({9})).x);
}

TEST_CASE("lsqr: the pseudo-inverse's answer for complex matrices, and mistakes") {
  const auto a = F<c128>({9, 4});
  const auto b = F<c128>({9});
  const auto x = ssl::lsqr(a, b, {.atol = 1e-14, .btol = 1e-14}).x;
  // Normal equations: |A^H r| is below atol * |A| |r| when it stops.
  const double arnorm = linalg::norm(gp::matmul(gp::conjugate(a).T(), b - gp::matmul(a, x))).item();
  CHECK(arnorm < 1e-13 * linalg::norm(a).item() * linalg::norm(b).item());
  check_contains(error_of<gp::value_error>([&] { (void)ssl::lsqr(a, F<c128>({4})); }),
                 "shapes of A (9, 4) and b (4,) are incompatible");
}
