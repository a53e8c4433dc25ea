// Indices with numbers in their text, gp::_ for a colon, and arrays of no dimensions.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;
using i64 = std::int64_t;
using numbers = std::vector<i64>;

namespace {

gp::ndarray<i64> matrix() { return gp::arange(12).reshape({3, 4}); }

}  // namespace

TEST_CASE("numbers in the text of an index") {
  const auto a = matrix();
  const i64 n = 2;
  CHECK(a("::{}", n).to_vector() == a("::2").to_vector());
  CHECK(a("{}, ::{}", 1, -n).to_vector() == numbers{7, 5});
  CHECK(a("{}:{}, {}", 0, 2, n).to_vector() == numbers{2, 6});
  CHECK(a("..., {}:", gp::none).to_vector() == a.to_vector());
  a("1:, ::{}", n) = 0;
  CHECK(a.to_vector() == numbers{0, 1, 2, 3, 0, 5, 0, 7, 0, 9, 0, 11});
  CHECK(a(gp::slice("::{}", n), gp::slice("{}:", 3)).to_vector() == numbers{3, 11});
  CHECK(a(gp::slice("1:-1")).shape() == gp::dims{1, 4});
  CHECK(a(std::string("{}"), 0).to_vector() == numbers{0, 1, 2, 3});
}

TEST_CASE("texts are items beside others") {
  const auto a = matrix();
  const i64 j = 2;
  CHECK(a(":", j).to_vector() == numbers{2, 6, 10});
  CHECK(a("::2", -1).to_vector() == numbers{3, 11});
  CHECK(a("1:, None", j).shape() == gp::dims{2, 1});
  CHECK(a(1, "::-1").to_vector() == numbers{7, 6, 5, 4});
  CHECK(a("...", "1:3").shape() == gp::dims{3, 2});
  CHECK(a("1:", gp::slice(1, 3)).to_vector() == numbers{5, 6, 9, 10});
  CHECK(a(std::string(":"), gp::newaxis, "0").shape() == gp::dims{3, 1});
  CHECK(a["1:"].shape() == gp::dims{2, 4});
  CHECK(a[std::string("1:, 0")].to_vector() == numbers{4, 8});
  CHECK(a(a(":", 0) > 3, "1:3").to_vector() == numbers{5, 6, 9, 10});
  CHECK(a(":", {0, -1}).to_vector() == numbers{0, 3, 4, 7, 8, 11});
  a(":", 0) = -1;
  a({0, 2}, "-1:") = 7;
  CHECK(a.to_vector() == numbers{-1, 1, 2, 7, -1, 5, 6, 7, -1, 9, 10, 7});
}

TEST_CASE("texts and numbers that do not go together") {
  const auto a = matrix();
  CHECK_THROWS_WITH_AS((void)a("::{}"), "index \"::{}\" has 1 {} for 0 numbers", gp::value_error);
  CHECK_THROWS_WITH_AS((void)a("{}:{}, {}", 0), "index \"{}:{}, {}\" has 3 {} for 1 numbers",
                       gp::value_error);
  CHECK_THROWS_AS((void)a("::{}", 1, 2), gp::value_error);
  CHECK_THROWS_AS((void)a("::", gp::none), gp::value_error);
  CHECK_THROWS_AS((void)a("{}", gp::none), gp::value_error);
  CHECK_THROWS_AS((void)a(0, "1, 2"), gp::value_error);
  CHECK_THROWS_AS((void)a(0, "{}"), gp::value_error);
  CHECK_THROWS_AS((void)a(":", 1, 2), gp::index_error);
  CHECK_THROWS_AS((void)gp::slice("::{}"), gp::value_error);
  CHECK_THROWS_AS((void)gp::slice("3"), gp::value_error);
  CHECK_THROWS_AS((void)gp::slice(":, :"), gp::value_error);
  // The number 0 is a number and no text of no address.
  CHECK(a(gp::slice(0, 2)).shape() == gp::dims{2, 4});
  CHECK(a(0, 3).item() == 3);
}

TEST_CASE("gp::_ is a colon") {
  const auto a = matrix();
  CHECK(a(gp::_, 0).to_vector() == numbers{0, 4, 8});
  CHECK(a(gp::slice(gp::_, 2), gp::_).shape() == gp::dims{2, 4});
  CHECK(a(gp::slice(1, gp::_)).shape() == gp::dims{2, 4});
  CHECK(a(gp::slice(gp::_, gp::_, -1), 0).to_vector() == numbers{8, 4, 0});
  CHECK(a(gp::_, gp::array<i64>({0, 3})).shape() == gp::dims{3, 2});
  CHECK(a[gp::_].shape() == gp::dims{3, 4});
  a(gp::_, 1) = -1;
  CHECK(a(gp::_, 1).to_vector() == numbers{-1, -1, -1});
}

TEST_CASE("an integer array of no dimensions is an index") {
  const auto a = matrix();
  const auto one = gp::array<i64>(1);
  CHECK(a(one).to_vector() == numbers{4, 5, 6, 7});
  CHECK(a[one].shape() == gp::dims{4});
  CHECK(a(gp::all, one).to_vector() == numbers{1, 5, 9});
  CHECK(a(one, 2).item() == 6);
  CHECK(a(one, one).item() == 5);
  CHECK(a(gp::ellipsis, one).to_vector() == numbers{1, 5, 9});
  CHECK(a(gp::newaxis, one).shape() == gp::dims{1, 4});
  CHECK(a(one, gp::array<i64>({0, 2})).to_vector() == numbers{4, 6});
  CHECK(a(one, gp::slice(2)).to_vector() == numbers{4, 5});
  CHECK(a(gp::array<std::uint8_t>(2)).to_vector() == numbers{8, 9, 10, 11});
  CHECK(a(gp::argmax(gp::array({1, 5, 2}))).to_vector() == numbers{4, 5, 6, 7});
  CHECK(a(gp::array<i64>(-1))(0).item() == 8);
  a(one) = 0;
  a(one, gp::array<i64>(3)) += 5;
  CHECK(a(1).to_vector() == numbers{0, 0, 0, 5});
  CHECK_THROWS_AS((void)a(gp::array<i64>(3)), gp::index_error);
}
