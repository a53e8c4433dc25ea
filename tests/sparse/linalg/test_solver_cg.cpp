// cg, bicgstab and cgs take SciPy's iterations to SciPy's answers.
#include "support/error_text.hpp"
#include "support/solvers.hpp"

using namespace golden_linalg;

namespace {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

// Two runs that round differently differ by about iterations * condition number * eps: 10 iterations and 48
// for L(10), 8 and 62 for P(6), 12 and 7 for N(12).
constexpr double bound = 500;

}  // namespace

TEST_CASE("cg: solutions") {
  NEAR("ssl.cg(L(10), F((10,)), rtol=1e-10)[0]", ssl::cg(L(10), F({10}), {.rtol = 1e-10}).x, bound);
  NEAR("ssl.cg(L(10), F((10, 1)), rtol=1e-10)[0]", ssl::cg(L(10), F({10, 1}), {.rtol = 1e-10}).x, bound);
  NEAR("ssl.cg(L(10), F((10,)), maxiter=3)[0]", ssl::cg(L(10), F({10}), {.maxiter = 3}).x, bound);
  NEAR("ssl.cg(L(10, 'f'), F((10,), 'f'), rtol=1e-4)[0]",
       ssl::cg(L<float>(10), F<float>({10}), {.rtol = 1e-4}).x, bound);
  NEAR("ssl.cg(P(6, 'D'), F((6,), 'D'), rtol=1e-10)[0]", ssl::cg(P<c128>(6), F<c128>({6}), {.rtol = 1e-10}).x,
       bound);
  NEAR("ssl.cg(P(6, 'F'), F((6,), 'F'), maxiter=4)[0]", ssl::cg(P<c64>(6), F<c64>({6}), {.maxiter = 4}).x,
       bound);
  NEAR("ssl.cg(L(10), F((10,)), x0=F((10,)) * 0.5, rtol=1e-10)[0]",
       ssl::cg(L(10), F({10}), {.x0 = F({10}) * 0.5, .rtol = 1e-10}).x, bound);
  NEAR("ssl.cg(L(10), np.zeros(10))[0]", ssl::cg(L(10), gp::zeros({10})).x);
  NEAR("ssl.cg(L(4), F((4,), 'i'), rtol=1e-10)[0]", ssl::cg(L(4), F<int>({4}), {.rtol = 1e-10}).x, bound);
}

TEST_CASE("cg: as many iterations as SciPy, and its info") {
  const auto count = [](const auto& a, const auto& b, const ssl::iterative_options<double>& options) {
    return steps_of(SOLVER(cg), a, b, options);
  };
  NEAR("STEPS(ssl.cg, L(40), F((40,)))", count(L(40), F({40}), {}));
  NEAR("STEPS(ssl.cg, L(40), F((40,)), rtol=1e-3)", count(L(40), F({40}), {.rtol = 1e-3}));
  NEAR("STEPS(ssl.cg, L(40), F((40,)), atol=10.)", count(L(40), F({40}), {.atol = 10}));
  NEAR("STEPS(ssl.cg, L(40), F((40,)), maxiter=7)", count(L(40), F({40}), {.maxiter = 7}));
  NEAR("STEPS(ssl.cg, L(40), F((40,)), maxiter=0)", count(L(40), F({40}), {.maxiter = 0}));
  NEAR("STEPS(ssl.cg, P(6), F((6,)), M=la.inv(P(6)))", count(P(6), F({6}), {.M = linalg::inv(P(6))}));
}

TEST_CASE("cg: a preconditioner, given as an array or as a function") {
  const gp::ndarray<double> scale = gp::arange<double>(1, 31);
  const gp::ndarray<double> a = L(30) * gp::sqrt(scale) * gp::sqrt(scale).reshape({30, 1});
  const auto b = F({30});
  const auto plain = steps_of(SOLVER(cg), a, b, ssl::iterative_options<double>{.rtol = 1e-10}).to_vector();
  const ssl::LinearOperator<double> jacobi({30, 30},
                                           [&](const gp::ndarray<double>& r) { return r / (2 * scale); });
  const auto helped =
      steps_of(SOLVER(cg), a, b, ssl::iterative_options<double>{.rtol = 1e-10, .M = jacobi}).to_vector();
  CHECK(plain[0] == 0);
  CHECK(helped[0] == 0);
  CHECK(helped[1] < plain[1]);
  const auto x = ssl::cg(a, b, {.rtol = 1e-10, .M = gp::diag(1 / (2 * scale))}).x;
  // The recurrence's residual is below rtol; the true one differs from it by rounding, far below 1e-12 here.
  CHECK(relative_residual(a, x, b) < 1.01e-10);
}

TEST_CASE("cg: sparse matrices, and operators of functions") {
  const gp::sparse::csr_matrix<double> a(L(10));
  NEAR("ssl.cg(L(10), F((10,)), rtol=1e-10)[0]", ssl::cg(a, F({10}), {.rtol = 1e-10}).x, bound);
  NEAR("ssl.cg(L(10), F((10,)), rtol=1e-10)[0]",
       ssl::cg(a.todia(), F({10}), {.rtol = 1e-10, .M = gp::eye(10)}).x, bound);
  const ssl::LinearOperator<double> difference({10, 10}, [](const gp::ndarray<double>& x) {
    gp::ndarray<double> y = 2 * x;
    y("1:") -= x(":-1");
    y(":-1") -= x("1:");
    return y;
  });
  NEAR("ssl.cg(L(10), F((10,)), rtol=1e-10)[0]", ssl::cg(difference, F({10}), {.rtol = 1e-10}).x, bound);
}

TEST_CASE("cg: what is computed past the end changes nothing") {
  // Without a callback the device is asked rarely; the answer is the same to the bit.
  const auto a = L(64), b = F({64});
  gp::ndarray<double> last;
  const auto watched = ssl::cg(a, b, {.callback = [&](const gp::ndarray<double>& x) { last = x.copy(); }});
  const auto [x, info] = ssl::cg(a, b);
  CHECK(info == 0);
  CHECK(x.to_vector() == watched.x.to_vector());
  CHECK(x.to_vector() == last.to_vector());
  // An exact solution makes the residual 0 and the next quotients 0 / 0.
  const auto identity = gp::eye<double>(64);
  CHECK(ssl::cg(identity, b).x.to_vector() == b.to_vector());
  CHECK(ssl::bicgstab(identity, b).x.to_vector() == b.to_vector());
}

TEST_CASE("cg: inputs stay, and mistakes are named") {
  const auto b = F({10}), x0 = gp::ones<double>({10});
  (void)ssl::cg(L(10), b, {.x0 = x0});
  CHECK(x0.to_vector() == std::vector<double>(10, 1.0));
  CHECK(b.to_vector() == F({10}).to_vector());
  NEAR_THROWS("ssl.cg(L(10), F((9,)))", ssl::cg(L(10), F({9})));
  NEAR_THROWS("ssl.cg(L(10), F((10, 2)))", ssl::cg(L(10), F({10, 2})));
  NEAR_THROWS("ssl.cg(L(10), F((10,)), x0=F((3,)))", ssl::cg(L(10), F({10}), {.x0 = F({3})}));
  NEAR_THROWS("ssl.cg(L(10), F((10,)), M=L(9))", ssl::cg(L(10), F({10}), {.M = L(9)}));
  check_contains(error_of<gp::value_error>([&] { (void)ssl::cg(F({3, 4}), F({3})); }),
                 "expected square matrix, but got shape=(3, 4)");
  check_contains(error_of<gp::value_error>([&] { (void)ssl::cg(L(10), b, {.atol = -1}); }),
                 "invalid `atol`=-1");
}

TEST_CASE("bicgstab: solutions and iterations") {
  NEAR("ssl.bicgstab(N(12), F((12,)), rtol=1e-10)[0]", ssl::bicgstab(N(12), F({12}), {.rtol = 1e-10}).x,
       bound);
  NEAR("ssl.bicgstab(N(12, 'D'), F((12,), 'D'), rtol=1e-10)[0]",
       ssl::bicgstab(N<c128>(12), F<c128>({12}), {.rtol = 1e-10}).x, bound);
  NEAR("ssl.bicgstab(N(12, 'f'), F((12,), 'f'), maxiter=3)[0]",
       ssl::bicgstab(N<float>(12), F<float>({12}), {.maxiter = 3}).x, bound);
  NEAR("ssl.bicgstab(N(12), np.zeros(12))[0]", ssl::bicgstab(N(12), gp::zeros({12})).x);
  const auto count = [](const auto& a, const auto& b, const ssl::iterative_options<double>& options) {
    return steps_of(SOLVER(bicgstab), a, b, options);
  };
  NEAR("STEPS(ssl.bicgstab, N(60), F((60,)))", count(N(60), F({60}), {}));
  NEAR("STEPS(ssl.bicgstab, N(60), F((60,)), rtol=1e-9)", count(N(60), F({60}), {.rtol = 1e-9}));
  NEAR("STEPS(ssl.bicgstab, N(60), F((60,)), maxiter=2)", count(N(60), F({60}), {.maxiter = 2}));
  NEAR("STEPS(ssl.bicgstab, N(6), F((6,)), M=la.inv(N(6)))", count(N(6), F({6}), {.M = linalg::inv(N(6))}));
}

TEST_CASE("cgs: solutions and iterations") {
  NEAR("ssl.cgs(N(12), F((12,)), rtol=1e-10)[0]", ssl::cgs(N(12), F({12}), {.rtol = 1e-10}).x, bound);
  NEAR("ssl.cgs(N(12, 'D'), F((12,), 'D'), maxiter=4)[0]",
       ssl::cgs(N<c128>(12), F<c128>({12}), {.maxiter = 4}).x, bound);
  const auto count = [](const auto& a, const auto& b, const ssl::iterative_options<double>& options) {
    return steps_of(SOLVER(cgs), a, b, options);
  };
  NEAR("STEPS(ssl.cgs, N(60), F((60,)))", count(N(60), F({60}), {}));
  NEAR("STEPS(ssl.cgs, N(6), F((6,)), M=la.inv(N(6)))", count(N(6), F({6}), {.M = linalg::inv(N(6))}));
  const gp::ndarray<double> turn{{0., 1.}, {-1., 0.}};
  CHECK(ssl::cgs(turn, gp::ndarray<double>{1., 0.}).info == -11);
  CHECK(ssl::cgs(gp::eye(9), F({9})).x.to_vector() == F({9}).to_vector());
}

TEST_CASE("bicgstab: breakdowns") {
  // A r is orthogonal to r, so the first quotient has a divisor of exactly 0.
  const gp::ndarray<double> turn{{0., 1.}, {-1., 0.}};
  const auto [x, info] = ssl::bicgstab(turn, gp::ndarray<double>{1., 0.});
  CHECK(info == -11);
  CHECK(x.to_vector() == std::vector<double>{0, 0});
  NEAR("ssl.bicgstab(A([[0., 1.], [-1., 0.]]), A([1., 0.]))[1]",
       gp::ndarray<std::int64_t>(gp::full({}, info)));
}
