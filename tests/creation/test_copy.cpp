// Copies in a memory order against NumPy.
#include <gparray/creation/copy.hpp>

#include "support/golden.hpp"

namespace gp = gparray;

TEST_CASE("copies keep or change the memory order") {
  const auto t = gp::arange<double>(24).reshape({2, 3, 4}).transpose({2, 0, 1});
  CHECK(t.copy().strides() == t.strides());
  CHECK(gp::copy(t, gp::order::C).is_c_contiguous());
  CHECK(t.copy(gp::order::F).is_f_contiguous());
  CHECK(gp::arange(6).reshape({2, 3}).T().copy(gp::order::A).is_f_contiguous());
  GOLDEN("t.transpose(2, 0, 1).copy()", t.copy());
  GOLDEN("t.transpose(2, 0, 1).copy()", t.copy(gp::order::F));
  CHECK_FALSE(gp::may_share_memory(t.copy(), t));
}

TEST_CASE("contiguous arrays are themselves, and others copied") {
  const auto a = gp::arange(6).reshape({2, 3});
  CHECK(gp::may_share_memory(gp::ascontiguousarray(a), a));
  CHECK_FALSE(gp::may_share_memory(gp::ascontiguousarray(a.T()), a));
  CHECK(gp::asfortranarray(a).is_f_contiguous());
  CHECK(gp::ascontiguousarray(gp::array(1)).shape() == gp::dims{1});
  GOLDEN("a.T", gp::ascontiguousarray(a.T()));
}
