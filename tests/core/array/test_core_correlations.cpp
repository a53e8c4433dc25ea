// Reductions without keepdims of what is made of others with keepdims, on a GPU: stages of one chain.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/recorded_maps.hpp"

namespace gp = gparray;

TEST_CASE("core correlations: means, sums and what is made of them are pending together") {
  const fake::recorded_maps f;
  const gp::ndarray<float> x = gp::random::default_rng(1).random<float>({300, 64}),
                           y = gp::random::default_rng(2).random<float>({300, 64});
  gp::eval(x, y);
  const gp::ndarray<float> dx = x - gp::mean(x, {1}, {.keepdims = true}),
                           dy = y - gp::mean(y, {1}, {.keepdims = true});
  const gp::ndarray<float> r = gp::sum(dx * dy, 1) / gp::sqrt(gp::sum(dx * dx, 1) * gp::sum(dy * dy, 1));
  CHECK(gp::explain(r).starts_with("6 stages"));
  CHECK(r.pending());
}
