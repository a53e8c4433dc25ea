// Components of graphs against SciPy.
#include <gparray/sparse/csgraph.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
namespace sp = gp::sparse;
using gp::none;

TEST_CASE("components of graphs") {
  namespace cs = sp::csgraph;
  const auto edges = gp::zeros({7, 7});
  for (const auto& [i, j] :
       std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {6, 4}, {5, 5}})
    edges(i, j) = 1.;
  const sp::csr_matrix<double> g(edges);
  const auto weak = cs::connected_components(g);
  CHECK(weak.n_components == 2);
  GOLDEN("csg.connected_components(G7)[1]", weak.labels);
  const auto strong = cs::connected_components(g, {.connection = "strong"});
  CHECK(strong.n_components == 5);
  GOLDEN("csg.connected_components(G7, connection='strong')[1]", strong.labels);
  GOLDEN("csg.connected_components(G7.T, connection='strong')[1]",
         cs::connected_components(g.T(), {.connection = "strong"}).labels);
  GOLDEN("csg.connected_components(G7, directed=False, connection='strong')[1]",
         cs::connected_components(g, {.directed = false, .connection = "strong"}).labels);
  const auto wide = g.with_index<std::int64_t>();
  GOLDEN("csg.connected_components(G7)[1]", cs::connected_components(wide).labels);
  GOLDEN("csg.connected_components(G7, connection='strong')[1]",
         cs::connected_components(wide, {.connection = "strong"}).labels);
  CHECK(cs::connected_components(sp::coo_matrix<float>(gp::dims{0, 0})).n_components == 0);
  // A path of which a walk that calls itself would be too deep.
  const std::int64_t n = 200000;
  const auto path = sp::eye<double>(n, none, 1);
  CHECK(cs::connected_components(path, {.connection = "strong"}).n_components == n);
  CHECK(cs::connected_components(path).n_components == 1);
  CHECK_THROWS_AS(cs::connected_components(g, {.connection = "loose"}), gp::value_error);
  CHECK_THROWS_AS(cs::connected_components(sp::csr_matrix<double>(gp::ones({2, 3}))), gp::value_error);
}
