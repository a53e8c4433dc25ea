// Small matrices on a GPU go to the host and back; with a limit of 0 none does. The results are of one
// quality.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

struct limit_scope {
  explicit limit_scope(std::int64_t size) : before(gp::linalg::host_limit()) {
    gp::linalg::set_host_limit(size);
  }
  ~limit_scope() { gp::linalg::set_host_limit(before); }
  std::int64_t before;
};

template<class V>
double distance(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  return static_cast<double>(gp::linalg::norm(a - b).item() / gp::linalg::norm(b).item());
}

/// Backward stable methods leave residuals below a small multiple of n eps.
template<class V>
void check_residuals(std::int64_t n) {
  CAPTURE(n);
  using real = decltype(std::abs(V{}));
  const double bound = 10. * static_cast<double>(n) * std::numeric_limits<real>::epsilon();
  auto rng = gp::random::default_rng(5);
  const gp::ndarray<V> a = rng.random({n, n}).template astype<V>(), b = rng.random({n}).template astype<V>();
  const gp::ndarray<V> symmetric = a + a.T();
  const auto [q, r] = gp::linalg::qr(a);
  CHECK(distance<V>(gp::matmul(q, r), a) < bound);
  CHECK(distance<V>(gp::matmul(gp::conjugate(q.T()), q), gp::eye<V>(n)) < bound);
  const auto [u, s, vh] = gp::linalg::svd(a);
  CHECK(distance<V>(gp::matmul(u * s, vh), a) < bound);
  CHECK(distance<V>(gp::matmul(gp::conjugate(u.T()), u), gp::eye<V>(n)) < bound);
  CHECK(distance<V>(gp::matmul(vh, gp::conjugate(vh.T())), gp::eye<V>(n)) < bound);
  CHECK(distance<real>(gp::linalg::svdvals(a), s) < bound);
  const auto [w, v] = gp::linalg::eigh(symmetric);
  CHECK(distance<V>(gp::matmul(v * w, gp::conjugate(v.T())), symmetric) < bound);
  const gp::ndarray<V> diagonal = a + gp::eye<V>(n) * static_cast<V>(n);  // condition number below 3
  CHECK(distance<V>(gp::matmul(diagonal, gp::linalg::solve(diagonal, b)), b) < bound);
  for (const auto& each : {gp::any_array(q), gp::any_array(u), gp::any_array(s), gp::any_array(v)})
    CHECK(each.device() == a.device());
}

}  // namespace

TEST_CASE("the limit decides where, not how well") {
  for (const std::int64_t limit : {0, 128}) {
    CAPTURE(limit);
    const limit_scope scope(limit);
    for (const std::int64_t n : {1, 7, 100, 130}) {
      check_residuals<float>(n);
      check_residuals<double>(n);
      check_residuals<std::complex<double>>(n);
    }
  }
  CHECK_THROWS_AS(gp::linalg::set_host_limit(-1), gp::value_error);
  CHECK(gp::linalg::host_limit() == 128);
}

TEST_CASE("matrices without full rank are decomposed") {
  for (const std::int64_t limit : {0, 128}) {
    CAPTURE(limit);
    const limit_scope scope(limit);
    auto rng = gp::random::default_rng(9);
    const gp::ndarray<double> thin = rng.random({140, 3}), a = gp::matmul(thin, rng.random({3, 140}));
    const auto [u, s, vh] = gp::linalg::svd(a);
    CHECK(distance<double>(gp::matmul(u * s, vh), a) < 140 * 10 * 0x1p-52);
    CHECK(gp::linalg::matrix_rank(a).item() == 3);
    CHECK(gp::all(gp::linalg::svdvals(gp::zeros({40, 30})) == 0.).item());
    CHECK(gp::linalg::matrix_rank(gp::ones<float>({150, 140})).item() == 1);
  }
}
