// Sizes at the ends of what 64 bits hold: an answer, or an error that says why there is none. Broadcast views
// of one element make arrays that are as long as an array can be and take no memory.
#include <cstring>
#include <limits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

constexpr i64 most = std::numeric_limits<i64>::max(), least = std::numeric_limits<i64>::min();
constexpr i64 large = i64{1} << 62;

gp::ndarray<std::int8_t> bytes(const gp::dims& shape) {
  return gp::broadcast_to(gp::array<std::int8_t>(3), shape);
}

template<class Call>
void check_too_big(Call call) {
  check_contains(error_of<gp::overflow_error>(call), "too big");
}

}  // namespace

TEST_CASE("a view has as many elements as can be counted, in bytes too") {
  const auto one = gp::array(1.);
  CHECK(gp::broadcast_to(one, most / 8).size() == most / 8);
  check_too_big([&] { return gp::broadcast_to(one, most / 8 + 1); });
  check_too_big([&] { return gp::broadcast_to(one, {3, 6148914691236517206}); });
  CHECK(bytes(most).size() == most);
  CHECK(bytes({large / 2, 3}).size() == large / 2 * 3);
  check_too_big([] { return bytes({large, 2}); });
  check_too_big([] { return bytes({large, 0, 2}); });  // as NumPy has it
  CHECK(bytes({large, 0, 1}).size() == 0);
  check_too_big([] { return gp::broadcast_arrays(bytes({large, 1}), bytes({1, large})); });
  check_too_big([] { return bytes({large, 1}) + bytes({1, large}); });
  // Axes that are added count too.
  const auto wide = bytes({i64{1} << 31, i64{1} << 31});
  CHECK(gp::expand_dims(wide, 0).size() == large);
  CHECK(wide.T().size() == large);
  CHECK(gp::reshape(wide, large).size() == large);
  check_too_big([&] { return wide(gp::newaxis) + bytes({2, 1, 1}); });
}

TEST_CASE("shapes with an empty axis are held to the same bounds") {
  const auto none = gp::zeros<std::int8_t>(0);
  CHECK(gp::reshape(none, {0, large}).shape() == gp::dims{0, large});
  check_too_big([&] { return gp::reshape(none, {0, large, 2}); });
  CHECK_THROWS_AS((void)gp::reshape(none, {large, 2, 0}), gp::overflow_error);
  check_too_big([&] { return gp::zeros({0, large}); });
  check_too_big([&] { return gp::empty({large, 4, 0}, {.order = gp::order::F}); });
  const auto tall = gp::reshape(none, {large, 0});
  CHECK(tall(gp::slice(gp::none, gp::none, 1 << 20)).shape() == gp::dims{large >> 20, 0});
  CHECK(tall(most % large).size() == 0);
  CHECK(gp::flip(tall).shape() == gp::dims{large, 0});
  CHECK(gp::sum(tall, 0).size() == 0);
  CHECK(tall.T().copy().shape() == gp::dims{0, large});
}

TEST_CASE("strides that nothing is stepped along may be any number") {
  const gp::device_guard on_cpu(gp::device::cpu());
  double memory[4] = {1, 2, 3, 4};
  for (const i64 stride : {large, -large, most / 8 * 8, least}) {
    const auto a = gp::frombuffer(memory, {1, 1, 4}, {.strides = gp::dims{stride, stride, 8}});
    CHECK(gp::flip(a).item(0, 0, 3) == 1);
    CHECK(gp::diagonal(a, 0, 0, 1).copy().item(0, 0) == 1);
    CHECK(gp::sum(a("::-1, ::2")).item() == 10);
    CHECK(a.copy(gp::order::K).item(0, 0, 1) == 2);
    const auto none = gp::frombuffer(memory, {0, 4}, {.strides = gp::dims{8, stride}});
    CHECK(none(gp::all, gp::slice(3, gp::none, -1)).copy().shape() == gp::dims{0, 4});
    CHECK(none(gp::all, 3).size() == 0);
  }
  const auto kept = gp::frombuffer(memory, {1, 4}, {.strides = gp::dims{1000, 8}});
  CHECK(kept.strides() == gp::dims{1000, 8});
  CHECK_THROWS_AS((void)gp::frombuffer(memory, {3, 4}, {.strides = gp::dims{large, 8}}), gp::overflow_error);
  CHECK_THROWS_AS((void)gp::frombuffer(memory, {2, 4}, {.strides = gp::dims{least, 8}}), gp::overflow_error);
}

TEST_CASE("bincount and histograms of numbers at the ends") {
  CHECK_THROWS_AS((void)gp::bincount(gp::array({most})), gp::overflow_error);
  check_too_big([] { return gp::bincount(gp::array({most - 1})); });
  check_too_big([] { return gp::bincount(gp::array({most / 8})); });
  check_too_big([] { return gp::bincount(gp::array({1}), most); });
  CHECK_THROWS_AS((void)gp::bincount(gp::array({most}), gp::array({1.})), gp::overflow_error);
  CHECK_THROWS_AS((void)gp::bincount(gp::array({least})), gp::value_error);
  CHECK_THROWS_AS((void)gp::bincount(gp::array({1}), least), gp::value_error);
  CHECK_THROWS_AS((void)gp::bincount(gp::array({i64{1} << 53})), gp::out_of_memory);
  CHECK(gp::bincount(gp::array({i64{1} << 10})).size() == 1025);
  CHECK_THROWS_AS((void)gp::histogram(gp::array({1.}), most), gp::overflow_error);
  CHECK_THROWS_AS((void)gp::histogram(gp::array({1.}), i64{0}), gp::value_error);
  CHECK_THROWS_AS((void)gp::histogram(gp::array({1.}), least), gp::value_error);
}

TEST_CASE("tile, repeat and resize") {
  const auto a = gp::array<std::int8_t>({1, 2, 3});
  for (const i64 n : {most, large}) {
    check_too_big([&] { return gp::tile(a, n); });
    check_too_big([&] { return gp::repeat(a, n); });
    CHECK(gp::tile(gp::zeros<std::int8_t>(0), n).size() == 0);
    CHECK(gp::repeat(gp::zeros<std::int8_t>(0), n).size() == 0);
    check_too_big([&] { return gp::repeat(a, {n, n, i64{1}}); });
    check_too_big([&] { return gp::resize(a, {n, 4}); });
  }
  CHECK_THROWS_AS((void)gp::tile(a, least), gp::value_error);
  CHECK_THROWS_AS((void)gp::repeat(a, least), gp::value_error);
  CHECK_THROWS_AS((void)gp::resize(a, least), gp::value_error);
  CHECK_THROWS_AS((void)gp::tile(a, most / 3), gp::out_of_memory);
  CHECK_THROWS_AS((void)gp::repeat(a, most / 3), gp::out_of_memory);
  CHECK(gp::tile(a, 0).size() == 0);
}

TEST_CASE("joined and padded") {
  check_too_big([] { return gp::concatenate({bytes(large), bytes(large), bytes(large)}); });
  check_too_big([] { return gp::stack({bytes(large), bytes(large)}); });
  check_too_big([] { return gp::block({bytes(large), bytes(large), bytes(large)}); });
  check_too_big([] { return gp::append(bytes(large), bytes(large)); });
  const auto a = gp::array<std::int8_t>({1, 2, 3});
  CHECK_THROWS_AS((void)gp::pad(a, most), gp::overflow_error);
  CHECK_THROWS_AS((void)gp::pad(a, least), gp::value_error);
  CHECK_THROWS_AS((void)gp::pad(a, {{most, 1}}), gp::overflow_error);
  CHECK_THROWS_AS((void)gp::pad(gp::zeros<std::int8_t>(0), {{most, most}}, "edge"), gp::value_error);
  CHECK_THROWS_AS((void)gp::pad(a, {{most / 2, most / 2 - 3}}), gp::out_of_memory);
  CHECK(gp::pad(a, 0).size() == 3);
}

TEST_CASE("shifts and turns take any number") {
  const auto a = gp::arange(5);
  CHECK(gp::roll(a, most).to_vector() == gp::roll(a, most % 5).to_vector());
  CHECK(gp::roll(a, least).to_vector() == gp::roll(a, least % 5).to_vector());
  CHECK(gp::roll(a.reshape({5, 1}), {most, most, least}, {0, 0, 0}).size() == 5);
  CHECK(gp::roll(gp::zeros(0), most).size() == 0);
  const auto m = gp::arange(6).reshape({2, 3});
  CHECK(gp::array_equal(gp::rot90(m, most), gp::rot90(m, 3)));
  CHECK(gp::array_equal(gp::rot90(m, least), m));
}

TEST_CASE("diagonals far outside") {
  const auto m = gp::arange(6).reshape({2, 3});
  for (const i64 k : {most, least, large, -large, i64{3}, i64{-2}}) {
    CHECK(gp::diagonal(m, k).size() == 0);
    CHECK(gp::diag(m, k).size() == 0);
    CHECK(gp::trace(m, k).item() == 0);
    CHECK(gp::sum(gp::eye(2, 3, k)).item() == 0);
    CHECK(gp::array_equal(gp::tril(m, k), k > 0 ? m : gp::zeros_like(m)));
    CHECK(gp::array_equal(gp::triu(m, k), k > 0 ? gp::zeros_like(m) : m));
    CHECK(gp::sum(gp::tri(2, 3, k)).item() == (k > 0 ? 6 : 0));
  }
  CHECK(gp::diagonal(m, 2).size() == 1);
  CHECK(gp::diagonal(m, -1).size() == 1);
  const auto v = gp::array({1., 2.});
  for (const i64 k : {most, least, least + 1, large}) {
    CHECK_THROWS_AS((void)gp::diag(v, k), gp::overflow_error);
    CHECK_THROWS_AS((void)gp::diagflat(v, k), gp::overflow_error);
  }
  CHECK(gp::diag(v, -3).shape() == gp::dims{5, 5});
}

TEST_CASE("products whose sizes multiply") {
  check_too_big([] { return gp::outer(bytes(i64{1} << 32), bytes(i64{1} << 31)); });
  CHECK_THROWS_AS((void)gp::kron(bytes(i64{1} << 32), bytes(i64{1} << 31)), gp::overflow_error);
  check_too_big([] { return gp::tensordot(bytes(i64{1} << 32), bytes(i64{1} << 31), 0); });
  check_too_big([] { return gp::einsum("i,j->ij", bytes(i64{1} << 32), bytes(i64{1} << 31)); });
  CHECK_THROWS_AS((void)gp::tensordot(bytes(3), bytes(3), std::numeric_limits<int>::min()), gp::value_error);
  const auto m = gp::array({{1., 0.}, {0., -1.}});
  CHECK(gp::array_equal(gp::linalg::matrix_power(m, least), gp::eye(2)));
  CHECK(gp::array_equal(gp::linalg::matrix_power(m, least + 1), m));
  CHECK(gp::array_equal(gp::linalg::matrix_power(m, most), m));
  CHECK(gp::array_equal(gp::linalg::matrix_power(m, -1), m));
}

TEST_CASE("cumulative sums of what cannot be held") {
  CHECK_THROWS_AS((void)gp::cumulative_sum(bytes(most), {.include_initial = true}), gp::overflow_error);
  check_too_big([] { return gp::cumsum(bytes(large)); });
  CHECK_THROWS_AS((void)gp::cumsum<std::int8_t>(bytes(most)), gp::out_of_memory);
  CHECK_THROWS_AS((void)gp::cumsum(bytes(most / 8)), gp::out_of_memory);
}
