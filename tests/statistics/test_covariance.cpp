// Covariances and correlations between variables, against NumPy.
#include <cmath>

#include <gparray/statistics/covariance.hpp>

#include "support/golden.hpp"

namespace gp = gparray;

namespace {

gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }

/// Whether every element is within `ulps` roundings of the largest of what NumPy answers.
template<class V>
void near(const gp::ndarray<V>& have, const std::vector<V>& want, double ulps) {
  const auto values = have.to_vector();
  REQUIRE(values.size() == want.size());
  double largest = 0;
  for (const V& w : want) largest = std::max(largest, static_cast<double>(std::abs(w)));
  for (std::size_t i = 0; i < want.size(); ++i) {
    CAPTURE(i);
    CAPTURE(std::abs(values[i]));
    CHECK(std::abs(values[i] - want[i]) <= ulps * gp::finfo<V>::eps * largest);
  }
}

}  // namespace

TEST_CASE("cov and corrcoef") {
  // Products of small integers and divisions by 1, 2 and 4 are exact.
  const auto m = gp::array({{0., 2., 4.}, {6., 2., 1.}});
  GOLDEN("np.cov(A([[0., 2, 4], [6, 2, 1]]))", gp::cov(m));
  GOLDEN("np.cov(A([1., 3, 5, 3]), bias=True)", gp::cov(gp::array({1., 3., 5., 3.}), {.bias = true}));
  GOLDEN("np.cov(A([0., 2, 4]), A([6., 2, 1]))", gp::cov(gp::array({0., 2., 4.}), gp::array({6., 2., 1.})));
  GOLDEN("np.cov(A([[0., 6], [2, 2], [4, 1]]), rowvar=False, ddof=0)",
         gp::cov(m.T(), {.rowvar = false, .ddof = 0}));
  GOLDEN("np.cov(A([1., 3, 5]), fweights=A([1, 2, 1]), aweights=A([1., .5, 1]))",
         gp::cov(gp::array({1., 3., 5.}),
                 {.fweights = gp::array({1, 2, 1}), .aweights = gp::array({1., .5, 1.})}));
  near(gp::corrcoef(m), {1., -0.9449111825230683, -0.9449111825230683, 1.}, 4);
  GOLDEN("np.corrcoef(A([0., 2, 4]), A([4., 2, 0]))",
         gp::corrcoef(gp::array({0., 2., 4.}), gp::array({4., 2., 0.})));
  GOLDEN_THROWS("np.cov(t)", gp::cov(cube()));
  CHECK_THROWS_WITH_AS(gp::cov(gp::array({1., 3., 5.}), {.fweights = gp::array({1, 2})}),
                       "incompatible numbers of samples and fweights",
                       gp::value_error);  // NumPy: RuntimeError
  GOLDEN_THROWS("np.cov(A([1., 3, 5]), aweights=A([1., -2, 1]))",
                gp::cov(gp::array({1., 3., 5.}), {.aweights = gp::array({1., -2., 1.})}));
}
