// Counts, lengths, offsets and positions at the ends of 64 bits, function by function: NumPy's answer, or an
// error that is about the number, never one about memory for a number that has wrapped.
#include <limits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

constexpr i64 most = std::numeric_limits<i64>::max(), least = std::numeric_limits<i64>::min();
constexpr i64 large = i64{1} << 62;
constexpr int most_int = std::numeric_limits<int>::max(), least_int = std::numeric_limits<int>::min();

gp::ndarray<std::int8_t> bytes(const gp::dims& shape) {
  return gp::broadcast_to(gp::array<std::int8_t>(3), shape);
}

}  // namespace

#define CHECK_TOO_LARGE(...) CHECK_THROWS_AS((void)(__VA_ARGS__), gp::overflow_error)
#define CHECK_REFUSED(...) CHECK_THROWS_AS((void)(__VA_ARGS__), gp::value_error)
#define CHECK_NO_MEMORY(...) CHECK_THROWS_AS((void)(__VA_ARGS__), gp::out_of_memory)

TEST_CASE("arrays of a size") {
  for (const i64 n : {most, large, most / 8 + 1}) {
    CHECK_TOO_LARGE(gp::zeros(n));
    CHECK_TOO_LARGE(gp::ones({2, n}));
    CHECK_TOO_LARGE(gp::empty(n));
    CHECK_TOO_LARGE(gp::full(n, 1.));
    CHECK_TOO_LARGE(gp::eye(n));
    CHECK_TOO_LARGE(gp::identity(n));
    CHECK_TOO_LARGE(gp::tri(n));
    CHECK_TOO_LARGE(gp::indices(gp::dims{n}));
    CHECK_TOO_LARGE(gp::arange(n));
    CHECK_TOO_LARGE(gp::linspace(0., 1., n));
    CHECK_TOO_LARGE(gp::logspace(0., 1., n));
    CHECK_TOO_LARGE(gp::geomspace(1., 2., n));
    CHECK_TOO_LARGE(gp::hanning(n));
    CHECK_TOO_LARGE(gp::kaiser(n, 2.));
    CHECK_TOO_LARGE(gp::tril_indices(n));
    CHECK_TOO_LARGE(gp::diag_indices(n));
    CHECK_TOO_LARGE(gp::vander(gp::array({1., 2.}), n));
  }
  for (const i64 n : {least, i64{-1}}) {
    CHECK_REFUSED(gp::zeros(n));
    CHECK_REFUSED(gp::eye(n));
    CHECK_REFUSED(gp::tri(n));
    CHECK_REFUSED(gp::linspace(0., 1., n));
    CHECK_REFUSED(gp::geomspace(1., 2., n));
    CHECK_REFUSED(gp::vander(gp::array({1., 2.}), n));
    CHECK(gp::arange(n).size() == 0);
    CHECK(gp::hanning(n).size() == 0);
  }
  CHECK_NO_MEMORY(gp::zeros(most / 8));
  CHECK_NO_MEMORY(gp::zeros<std::int8_t>(most));
  CHECK(gp::zeros(0).size() == 0);
  CHECK(gp::linspace(0., 1., 0).size() == 0);
  CHECK(gp::linspace(0., 1., 1).size() == 1);
  CHECK(gp::vander(gp::array({1., 2.}), 0).shape() == gp::dims{2, 0});
}

TEST_CASE("ranges of integers up to the ends") {
  CHECK(gp::arange(most - 3, most).to_vector() == std::vector<i64>{most - 3, most - 2, most - 1});
  CHECK(gp::arange(least, least + 2).to_vector() == std::vector<i64>{least, least + 1});
  CHECK(gp::arange(least, most, large).to_vector() == std::vector<i64>{least, -large, 0, large});
  CHECK(gp::arange(most, least, least).to_vector() == std::vector<i64>{most, -1});
  CHECK(gp::arange(most, least, -most).to_vector() == std::vector<i64>{most, 0, -most});
  CHECK(gp::flip(gp::arange(least, most, large)).copy().item(0) == large);
  CHECK(gp::arange(i64{0}, i64{0}, least).size() == 0);
  CHECK_REFUSED(gp::arange(least, most));  // 2^64 - 1 of them
  CHECK_REFUSED(gp::arange(i64{0}, most, i64{0}));
  CHECK_REFUSED(gp::arange(0., 1e300));
}

TEST_CASE("slices with any start, stop and step") {
  const auto a = gp::arange(5);
  for (const i64 step : {most, large, i64{5}}) {
    CHECK(a(gp::slice(gp::none, gp::none, step)).copy().to_vector() == std::vector<i64>{0});
    CHECK(a(gp::slice(gp::none, gp::none, -step)).copy().to_vector() == std::vector<i64>{4});
    CHECK(a(gp::slice(2, most, step)).copy().to_vector() == std::vector<i64>{2});
  }
  CHECK(a(gp::slice(gp::none, gp::none, least)).copy().to_vector() == std::vector<i64>{4});
  CHECK(a(gp::slice(gp::none, gp::none, 4)).copy().to_vector() == std::vector<i64>{0, 4});
  CHECK(a(gp::slice(least, most)).size() == 5);
  CHECK(a(gp::slice(most, least)).size() == 0);
  CHECK(a(gp::slice(most, least, -1)).size() == 5);
  CHECK(a("::9223372036854775807").size() == 1);
  CHECK(a("-9223372036854775808:9223372036854775807:-9223372036854775808").size() == 0);
  CHECK_REFUSED(a("::9223372036854775808"));
  CHECK_THROWS_AS((void)a(most), gp::index_error);
  CHECK_THROWS_AS((void)a(least), gp::index_error);
  CHECK(a(-5).item() == 0);
  // Of a view that is as long as one can be.
  const auto b = bytes(most);
  CHECK(b(gp::slice(gp::none, gp::none, most)).size() == 1);
  CHECK(b(gp::slice(gp::none, gp::none, most - 1)).size() == 2);
  CHECK(b(gp::slice(gp::none, gp::none, least)).size() == 1);
  CHECK(b(gp::slice(-most, gp::none)).size() == most);
  CHECK(b(most - 1).item() == 3);
  CHECK(b("::-1").size() == most);
}

TEST_CASE("places that are taken, put, inserted and deleted") {
  const auto a = gp::arange(5);
  for (const i64 i : {most, least, large}) {
    CHECK_THROWS_AS((void)gp::take(a, i), gp::index_error);
    CHECK(gp::take(a, gp::array({i}), gp::none, "clip").item(0) == (i < 0 ? 0 : 4));
    CHECK(gp::take(a, gp::array({i}), gp::none, "wrap").item(0) == (i % 5 + 5) % 5);
    CHECK_THROWS_AS((void)gp::insert(a, i, 1), gp::index_error);
    CHECK_THROWS_AS((void)gp::insert(a, {i, i}, 1), gp::index_error);
    CHECK_THROWS_AS((void)gp::delete_(a, i), gp::index_error);
    CHECK_THROWS_AS(gp::put(a, gp::array({i}), 1), gp::index_error);
  }
  CHECK(gp::insert(a, 5, 1).size() == 6);
  CHECK(gp::delete_(a, -5).size() == 4);
  CHECK(gp::delete_(a, gp::slice(least, most, most)).size() == 4);
  CHECK(gp::insert(a, gp::slice(gp::none, gp::none, least), 1).size() == 6);
  CHECK_TOO_LARGE(gp::insert(gp::arange(5), 0, bytes(large)));
  CHECK_NO_MEMORY(gp::insert(gp::zeros<std::int8_t>(5), 0, bytes(large)));
  CHECK_TOO_LARGE(gp::insert(gp::zeros<std::int8_t>(5), 0, bytes(most)));
}

TEST_CASE("indices of many axes") {
  const std::vector<gp::ndarray<i64>> ones{gp::array({1}), gp::array({1})};
  CHECK_TOO_LARGE(gp::ravel_multi_index(ones, {large, 2}));
  CHECK(gp::ravel_multi_index(ones, {large, 1 + 0 * 2}, "clip").item(0) == 1);
  CHECK(gp::ravel_multi_index({gp::array({most / 2 - 1}), gp::array({1})}, {most / 2, 2}).item(0) ==
        most - 2);
  CHECK(gp::ravel_multi_index({gp::array({least}), gp::array({most})}, {3, 4}, "wrap").item(0) ==
        ((least % 3 + 3) % 3) * 4 + most % 4);
  CHECK_REFUSED(gp::ravel_multi_index(ones, {-3, 4}));
  CHECK_TOO_LARGE(gp::unravel_index(0, {large, 2}));
  CHECK(gp::unravel_index(most - 1, {most})[0].item() == most - 1);
  CHECK(gp::unravel_index(large - 1, {large / 2, 2})[0].item() == large / 2 - 1);
  CHECK_REFUSED(gp::unravel_index(most, {3, 4}));
  CHECK_REFUSED(gp::unravel_index(least, {3, 4}));
  CHECK_REFUSED(gp::unravel_index(-1, {3, 4}));
  CHECK(gp::diag_indices(3, -1).empty());  // as in NumPy
}

TEST_CASE("windows, parts and axes") {
  const auto a = gp::arange(5);
  for (const i64 n : {most, large, i64{6}}) CHECK_REFUSED(gp::sliding_window_view(a, n));
  CHECK_REFUSED(gp::sliding_window_view(a, least));
  CHECK(gp::sliding_window_view(a, 5).shape() == gp::dims{1, 5});
  CHECK(gp::sliding_window_view(bytes(most), most).shape() == gp::dims{1, most});
  CHECK_TOO_LARGE(gp::sliding_window_view(bytes(most), 2));
  CHECK_REFUSED(gp::as_strided(a, {i64{1} << 40}, {8}));
  CHECK_TOO_LARGE(gp::as_strided(a, {2}, {most / 8 * 8}));
  CHECK_TOO_LARGE(gp::as_strided(a, {most}, {0}));
  CHECK(gp::as_strided(a, {most / 8}, {0}).size() == most / 8);
  CHECK_REFUSED(gp::array_split(a, 0));
  CHECK_REFUSED(gp::array_split(a, least));
  CHECK_NO_MEMORY(gp::array_split(a, most));
  CHECK_REFUSED(gp::split(a, most));
  CHECK(gp::array_split(a, 7).size() == 7);
  const auto parts = gp::array_split(a, {least, most});
  CHECK(parts[1].size() == 5);
  CHECK(parts[2].size() == 0);
  for (const int axis : {most_int, least_int, 1, -2}) {
    CHECK_THROWS_AS((void)gp::sum(a, axis), gp::axis_error);
    CHECK_THROWS_AS((void)gp::cumsum(a, axis), gp::axis_error);
    CHECK_THROWS_AS((void)gp::moveaxis(a, axis, 0), gp::axis_error);
    CHECK_THROWS_AS((void)gp::rollaxis(a, axis), gp::axis_error);
    CHECK_THROWS_AS((void)gp::swapaxes(a, axis, 0), gp::axis_error);
    CHECK_THROWS_AS((void)gp::stack({a, a}, axis == 1 ? 2 : axis == -2 ? -3 : axis), gp::axis_error);
    CHECK_THROWS_AS((void)gp::concatenate({a, a}, axis), gp::axis_error);
  }
  for (const i64 axis : {most, least, i64{2}, i64{-3}})
    CHECK_THROWS_AS((void)gp::expand_dims(a, axis), gp::axis_error);
  CHECK(gp::expand_dims(a, -2).shape() == gp::dims{1, 5});
  CHECK_THROWS_AS((void)gp::rollaxis(a, 0, most_int), gp::axis_error);
  CHECK_THROWS_AS((void)gp::rollaxis(a, 0, least_int), gp::axis_error);
  CHECK_THROWS_AS((void)gp::reshape(a, {most, -1}), gp::value_error);
  CHECK_THROWS_AS((void)gp::reshape(a, {most, most}), gp::overflow_error);
  CHECK_THROWS_AS((void)gp::reshape(a, least), gp::value_error);
}

TEST_CASE("orders and differences") {
  const auto a = gp::array({3., 1., 2.});
  for (const i64 k : {most, least, i64{3}, i64{-4}}) {
    CHECK_REFUSED(gp::partition(a, k));
    CHECK_REFUSED(gp::argpartition(a, k));
  }
  CHECK(gp::partition(a, -3).item(0) == 1);
  for (const i64 k : {most, least, i64{4}, i64{-1}}) {
    CHECK_REFUSED(gp::topk(a, k));
    CHECK_REFUSED(gp::argtopk(a, k));
  }
  CHECK_REFUSED(gp::diff(a, least_int));
  CHECK(gp::diff(a, most_int).size() == 0);
  CHECK(gp::diff(a, 2).size() == 1);
  CHECK(gp::unpackbits(gp::array<std::uint8_t>({255}), {.count = -8}).size() == 0);
  CHECK_REFUSED(gp::unpackbits(gp::array<std::uint8_t>({255}), {.count = -9}));
  CHECK_REFUSED(gp::unpackbits(gp::array<std::uint8_t>({255}), {.count = least}));
  CHECK_NO_MEMORY(gp::unpackbits(gp::array<std::uint8_t>({255}), {.count = most}));
  CHECK_NO_MEMORY(gp::unpackbits(gp::array<std::uint8_t>({255}), {.count = large}));
}

TEST_CASE("transforms of any length") {
  const auto a = gp::array({1., 2., 3.});
  for (const i64 n : {most, large}) {
    CHECK_TOO_LARGE(gp::fft::fft(a, n));
    CHECK_TOO_LARGE(gp::fft::ifft(a, n));
    CHECK_TOO_LARGE(gp::fft::rfft(a, n));
    CHECK_TOO_LARGE(gp::fft::irfft(a, n));
    CHECK_TOO_LARGE(gp::fft::hfft(a, n));
    CHECK_TOO_LARGE(gp::fft::fftn(gp::ones({2, 2}), gp::dims{n, 2}));
    CHECK_TOO_LARGE(gp::fft::fftfreq(n));
    CHECK_TOO_LARGE(gp::fft::rfftfreq(n));
  }
  for (const i64 n : {least, i64{-1}, i64{0}}) {
    CHECK_REFUSED(gp::fft::fft(a, n));
    CHECK_REFUSED(gp::fft::irfft(a, n));
    CHECK_REFUSED(gp::fft::fftfreq(n));
    CHECK_REFUSED(gp::fft::rfftfreq(n));
  }
  CHECK_TOO_LARGE(gp::fft::irfft(bytes(most)));
  CHECK_TOO_LARGE(gp::fft::fft(bytes(most)));
  CHECK(gp::fft::fft(a, 1).size() == 1);
  CHECK(gp::fft::fftfreq(1).size() == 1);
  CHECK_NO_MEMORY(gp::fft::fftfreq(i64{1} << 53));
}

TEST_CASE("random numbers of any count") {
  auto rng = gp::random::default_rng(1);
  for (const i64 n : {most, large}) {
    CHECK_TOO_LARGE(rng.random(n));
    CHECK_TOO_LARGE(rng.random({2, n}));
    CHECK_TOO_LARGE(rng.permutation(n));
    CHECK_TOO_LARGE(rng.choice(n, n));
    CHECK_TOO_LARGE(rng.choice(n, n, {.replace = false}));
    CHECK_TOO_LARGE(rng.integers(0, 10, n));
    CHECK_TOO_LARGE(rng.normal(0, 1, n));
    CHECK_TOO_LARGE(rng.multinomial(10, {.5, .5}, n));
    CHECK(rng.choice(n, 3, {.replace = false}).size() == 3);
    CHECK(rng.choice(n, 3).size() == 3);
  }
  CHECK_REFUSED(rng.random(least));
  CHECK_REFUSED(rng.choice(least, 1));
  CHECK_REFUSED(rng.choice(5, least));
  CHECK_NO_MEMORY(rng.random(i64{1} << 53));
  CHECK_NO_MEMORY(rng.choice(most, most / 64, {.replace = false}));
  CHECK_REFUSED(rng.bytes(least));
  CHECK_TOO_LARGE(rng.bytes(most));
  CHECK_NO_MEMORY(rng.bytes(large));
  const auto x = rng.integers(least, most, 100, {.endpoint = true});
  CHECK(x.size() == 100);
  CHECK(rng.integers(most, most, 2, {.endpoint = true}).item(1) == most);
}

TEST_CASE("sparse matrices of any size") {
  namespace sp = gp::sparse;
  CHECK_TOO_LARGE(sp::eye(large));
  CHECK_TOO_LARGE(sp::identity(most));
  CHECK_REFUSED(sp::eye(-1));
  CHECK_REFUSED(sp::eye(least));
  for (const i64 k : {most, least, large, i64{4}, i64{-4}}) CHECK_REFUSED(sp::eye(3, 3, k));
  CHECK(sp::eye(3, 3, -3).nnz() == 0);
  CHECK(sp::eye(3, 3, 2).nnz() == 1);
  CHECK_TOO_LARGE(sp::diags(gp::array({1., 2.}), most));
  CHECK_TOO_LARGE(sp::diags(gp::array({1., 2.}), least));
  CHECK(sp::diags(gp::array({1., 2.}), -3).shape() == gp::dims{5, 5});
  CHECK_TOO_LARGE(sp::random(large, large, 0.5));
  CHECK_REFUSED(sp::random(least, 2, 0.5));
  CHECK_REFUSED(sp::random(-2, -2, 0.5));
  CHECK_NO_MEMORY(sp::random(large, 1, 0.01));
  CHECK_NO_MEMORY(sp::random(i64{1} << 50, 8, 1.));
  CHECK(sp::random(3, 3, 1.).nnz() == 9);
  const auto m = sp::eye(3);
  for (const i64 k : {most, least}) {
    CHECK(m.diagonal(k).size() == 0);
    CHECK(sp::tril(m, k).nnz() == (k > 0 ? 3 : 0));
    CHECK(sp::triu(m, k).nnz() == (k > 0 ? 0 : 3));
  }
  const sp::coo_matrix<double> wide({large, 3}), more({large, 3});
  CHECK_TOO_LARGE(sp::block_diag({wide, more}));
  CHECK_TOO_LARGE(sp::vstack({wide, more}));
  CHECK_TOO_LARGE(sp::kron(wide, m));
  CHECK(sp::hstack<sp::format::coo>({wide, more}).shape() == gp::dims{large, 6});
  // Diagonals of a square matrix are one fewer than its rows and columns.
  const gp::ndarray<i64> one{1};
  const auto with_one = [&](i64 columns) {
    return sp::coo_matrix<double>(gp::ones(1), {one, one}, {{large, columns}});
  };
  CHECK_NO_MEMORY(with_one(large).todia());
  CHECK_TOO_LARGE(with_one(large + 1).todia());
}

TEST_CASE("sums over windows of products") {
  CHECK_NO_MEMORY(gp::convolve(bytes(most), gp::array<std::int8_t>({1, 2})));
  CHECK_TOO_LARGE(gp::linalg::convolution_matrix(gp::array({1., 2.}), most));
  CHECK_REFUSED(gp::linalg::convolution_matrix(gp::array({1., 2.}), least));
  CHECK_TOO_LARGE(gp::linalg::hilbert(large));
  CHECK_TOO_LARGE(gp::linalg::dft(large));
  CHECK_REFUSED(gp::linalg::hadamard(most));
  CHECK_TOO_LARGE(gp::linalg::hadamard(large));
  CHECK_REFUSED(gp::linalg::helmert(least));
}

TEST_CASE("tensors of another library whose addresses wrap") {
  const gp::device_guard on_cpu(gp::device::cpu());
  double memory[4] = {};
  i64 shape[2] = {0, 4}, strides[2] = {large, 1};
  gp::dlpack::managed_tensor t{};
  t.dl_tensor = {.data = memory,
                 .device = {1, 0},
                 .ndim = 2,
                 .dtype = {2, 64, 1},
                 .shape = shape,
                 .strides = strides,
                 .byte_offset = 0};
  CHECK(gp::from_dlpack(&t).shape() == gp::dims{0, 4});
  shape[0] = 2;
  CHECK_TOO_LARGE(gp::from_dlpack(&t));
  for (const i64 stride : {large / 8, -large / 8, large / 16, most / 8, least / 8}) {
    strides[0] = stride;
    CHECK_TOO_LARGE(gp::from_dlpack(&t));
  }
  // Each axis stays within the address space, all of them together do not.
  strides[0] = (i64{1} << 61) / 8 - 8;
  strides[1] = i64{1} << 57;
  CHECK_TOO_LARGE(gp::from_dlpack(&t));
  strides[0] = 4;
  strides[1] = 1;
  shape[0] = 1;
  t.dl_tensor.byte_offset = std::uint64_t{1} << 63;
  CHECK_TOO_LARGE(gp::from_dlpack(&t));
  t.dl_tensor.data = nullptr;
  t.dl_tensor.byte_offset = 8;
  CHECK_REFUSED(gp::from_dlpack(&t));
  t.dl_tensor.data = memory;
  t.dl_tensor.byte_offset = 0;
  t.dl_tensor.shape = nullptr;
  CHECK_REFUSED(gp::from_dlpack(&t));
  t.dl_tensor.shape = shape;
  CHECK(gp::from_dlpack(&t).shape() == gp::dims{1, 4});
}
