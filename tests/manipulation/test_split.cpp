// Splitting arrays against NumPy.
#include "support/error_text.hpp"
#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }

}  // namespace

TEST_CASE("splitting gives views") {
  const auto v = gp::arange(7);
  const auto parts = gp::array_split(v, 3);
  REQUIRE(parts.size() == 3);
  GOLDEN("np.array_split(np.arange(7), 3)[0]", parts[0]);
  GOLDEN("np.array_split(np.arange(7), 3)[2]", parts[2]);
  for (const auto& part : parts) CHECK(gp::may_share_memory(part, v));
  CHECK(gp::array_split(v, 9).back().size() == 0);
  const auto at = gp::split(v, {2, 5, 4, 20, -1});
  REQUIRE(at.size() == 6);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[0]", at[0]);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[1]", at[1]);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[2]", at[2]);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[3]", at[3]);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[4]", at[4]);
  GOLDEN("np.split(np.arange(7), [2, 5, 4, 20, -1])[5]", at[5]);
  GOLDEN("np.split(t, 2, axis=-1)[1]", gp::split(cube(), 2, -1)[1]);
  GOLDEN("np.hsplit(t, [1])[1]", gp::hsplit(cube(), {1})[1]);
  GOLDEN("np.hsplit(np.arange(4), 2)[1]", gp::hsplit(gp::arange(4), 2)[1]);
  GOLDEN("np.vsplit(a, 2)[1]", gp::vsplit(matrix(), 2)[1]);
  GOLDEN("np.dsplit(t, 4)[2]", gp::dsplit(cube(), 4)[2]);
  GOLDEN("np.unstack(t, axis=1)[2]", gp::unstack(cube(), 1)[2]);
  GOLDEN_THROWS("np.split(v, 2)", gp::split(gp::arange(5), 2));
  GOLDEN_THROWS("np.array_split(v, 0)", gp::array_split(gp::arange(5), 0));
  GOLDEN_THROWS("np.hsplit(A(5), 2)", gp::hsplit(gp::array(5), 2));
  GOLDEN_THROWS("np.vsplit(v, 1)", gp::vsplit(gp::arange(5), 1));
  GOLDEN_THROWS("np.dsplit(a, 1)", gp::dsplit(matrix(), 1));
  GOLDEN_THROWS("np.unstack(A(5))", gp::unstack(gp::array(5)));
}

TEST_CASE("unpack gives the first axis to a structured binding") {
  const gp::ndarray<double> points{{1, 2}, {3, 4}, {5, 6}};
  const auto [x, y] = gp::unpack<2>(points.T());
  CHECK(x.to_vector() == std::vector<double>{1, 3, 5});
  CHECK(y.to_vector() == std::vector<double>{2, 4, 6});
  y(0) = 20;  // views
  CHECK(points(0, 1).item() == 20);
  const auto [rows, columns] = gp::unpack<2>(gp::nonzero(points > 5));
  CHECK(rows.to_vector() == std::vector<std::int64_t>{0, 2});
  CHECK(columns.to_vector() == std::vector<std::int64_t>{1, 1});
  CHECK(error_of<gp::value_error>([&] { (void)gp::unpack<2>(points); }) ==
        "too many values to unpack (expected 2, got 3)");
  CHECK(error_of<gp::value_error>([&] { (void)gp::unpack<4>(points); }) ==
        "not enough values to unpack (expected 4, got 3)");
  CHECK_THROWS_AS((void)gp::unpack<1>(gp::sum(points)), gp::value_error);
}
