// Bits of arrays, and numbers written in other bases, against NumPy.
#include <gparray/manipulation/bits.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }

}  // namespace

TEST_CASE("packbits and unpackbits") {
  const auto flags = gp::array({1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 3});
  GOLDEN("np.packbits(A([1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 3]))", gp::packbits(flags));
  GOLDEN("np.packbits(A([1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 3]), bitorder='little')",
         gp::packbits(flags, {.bitorder = "little"}));
  GOLDEN("np.packbits(a > 2, axis=0)", gp::packbits(matrix() > 2, {.axis = 0}));
  GOLDEN("np.unpackbits(A([2, 131], 'u1'))", gp::unpackbits(gp::array<std::uint8_t>({2, 131})));
  GOLDEN("np.unpackbits(A([[2], [131]], 'u1'), axis=1, count=3)",
         gp::unpackbits(gp::array<std::uint8_t>({{2}, {131}}), {.axis = 1, .count = 3}));
  GOLDEN("np.unpackbits(A([2, 131], 'u1'), count=-3, bitorder='little')",
         gp::unpackbits(gp::array<std::uint8_t>({2, 131}), {.count = -3, .bitorder = "little"}));
  GOLDEN("np.unpackbits(A([2], 'u1'), count=12)",
         gp::unpackbits(gp::array<std::uint8_t>({2}), {.count = 12}));
  GOLDEN("np.unpackbits(np.packbits(A([], '?')))", gp::unpackbits(gp::packbits(gp::zeros<bool>(0))));
  GOLDEN_THROWS("np.packbits(A([1]), bitorder='middle')",
                gp::packbits(gp::array({1}), {.bitorder = "middle"}));
  GOLDEN_THROWS("np.unpackbits(A([1], 'u1'), count=-9)",
                gp::unpackbits(gp::array<std::uint8_t>({1}), {.count = -9}));
}

TEST_CASE("bits of lines of all lengths") {
  for (const std::string_view order : {"big", "little"})
    for (const i64 n : {1, 7, 8, 9, 31, 32, 33, 64, 77, 300}) {
      CAPTURE(n);
      const gp::ndarray<bool> flags = gp::arange(3 * n).reshape({3, n}) * 7 % 11 < 5;
      const gp::ndarray<std::uint8_t> packed = gp::packbits(flags, {.axis = 1, .bitorder = order});
      CHECK(packed.shape() == gp::dims{3, (n + 7) / 8});
      std::vector<std::uint8_t> expected(static_cast<std::size_t>(packed.size()));
      for (i64 row = 0; row < 3; ++row)
        for (i64 i = 0; i < n; ++i)
          if (flags.item(row, i))
            expected[static_cast<std::size_t>(row * ((n + 7) / 8) + i / 8)] |=
                static_cast<std::uint8_t>(order == "big" ? 128 >> i % 8 : 1 << i % 8);
      CHECK(packed.to_vector() == expected);
      const gp::ndarray<std::uint8_t> bits = flags.astype<std::uint8_t>();
      CHECK(gp::array_equal(gp::unpackbits(packed, {.axis = 1, .count = n, .bitorder = order}), bits));
      const gp::ndarray<std::uint8_t> longer =
          gp::unpackbits(packed, {.axis = 1, .count = n + 20, .bitorder = order});
      CHECK(gp::array_equal(longer(gp::all, gp::slice(0, n)), bits));
      CHECK(longer.shape() == gp::dims{3, n + 20});
      CHECK(gp::sum(longer).item() == gp::sum(bits).item());
      const auto columns = gp::packbits(gp::ndarray<bool>(flags.T()), {.axis = 0, .bitorder = order});
      CHECK(gp::array_equal(columns.T(), packed));
      CHECK(gp::array_equal(
          gp::packbits(flags(":, ::-1"), {.axis = 1, .bitorder = order}),
          gp::packbits(gp::ndarray<bool>(flags(":, ::-1").copy()), {.axis = 1, .bitorder = order})));
    }
}

TEST_CASE("binary_repr and base_repr") {
  CHECK(gp::binary_repr(5) == "101");
  CHECK(gp::binary_repr(-5) == "-101");
  CHECK(gp::binary_repr(5, 6) == "000101");
  CHECK(gp::binary_repr(-5, 6) == "111011");
  CHECK(gp::binary_repr(-8, 4) == "1000");
  CHECK(gp::binary_repr(0, 3) == "000");
  CHECK(gp::binary_repr(INT64_MIN, 64) == "1" + std::string(63, '0'));
  CHECK_THROWS_WITH_AS(gp::binary_repr(5, 2), "Insufficient bit width=2 provided for binwidth=3",
                       gp::value_error);
  CHECK(gp::base_repr(255, 16) == "FF");
  CHECK(gp::base_repr(-5, 3, 2) == "-0012");
  CHECK(gp::base_repr(0, 7) == "0");
  CHECK_THROWS_AS(gp::base_repr(1, 37), gp::value_error);
}
