// Bad input: a typed exception whose text names the operation, the shapes and the remedy, and nothing
// written, leaked or left locked.
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;
using floats = std::vector<float>;

namespace {

template<class A>
concept can_be_seen_as_bool = requires(const A& a) { a.template view<bool>(); };

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

/// After a failure: the array holds what it held, no memory is missing, and the library works.
struct unharmed {
  ~unharmed() {
    CHECK(gp::default_memory_pool(a.space(), a.device()).used_bytes() == used);
    CHECK(a.to_vector() == floats{1, 2, 3, 4, 5, 6});
    CHECK((a + 1.f).to_vector() == floats{2, 3, 4, 5, 6, 7});
  }
  gp::ndarray<float> a{{1, 2, 3}, {4, 5, 6}};
  std::size_t used = gp::default_memory_pool(a.space(), a.device()).used_bytes();
};

}  // namespace

TEST_CASE("bad input: shapes that do not broadcast") {
  unharmed u;
  const gp::ndarray<float> two{1, 2};
  CHECK_THROWS_WITH_AS(u.a + two, "operands could not be broadcast together with shapes (2,3) (2,)",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(gp::where(u.a > 0.f, u.a, two),
                       "operands could not be broadcast together with shapes (2,3) (2,3) (2,)",
                       gp::value_error);
  CHECK_THROWS_AS(u.a += two, gp::value_error);
  CHECK_THROWS_WITH_AS(u.a(0) = two, "could not broadcast input array from shape (2,) into shape (3,)",
                       gp::value_error);
  CHECK_THROWS_AS(u.a(0) += u.a, gp::value_error);
  CHECK_THROWS_AS(gp::add(u.a, u.a, u.a(0)), gp::value_error);
  CHECK_THROWS_AS(gp::negative(u.a, u.a, {.where = gp::ndarray<bool>{true, false}}), gp::value_error);
}

TEST_CASE("bad input: axes") {
  unharmed u;
  CHECK_THROWS_WITH_AS(gp::sum(u.a, 2), "axis 2 is out of bounds for array of dimension 2", gp::axis_error);
  CHECK_THROWS_WITH_AS(gp::sum(u.a, -3), "axis -3 is out of bounds for array of dimension 2", gp::axis_error);
  CHECK_THROWS_AS(gp::sum(u.a, {0, 0}), gp::value_error);
  CHECK_THROWS_AS(gp::sum(u.a, {0, 5}), gp::index_error);  // an axis_error is one of these too
  CHECK_THROWS_AS((void)u.a.shape(2), gp::axis_error);
  CHECK_THROWS_AS(gp::argmax(u.a, {0, 1}), gp::value_error);
}

TEST_CASE("bad input: indices") {
  unharmed u;
  CHECK_THROWS_WITH_AS(u.a(2), "index 2 is out of bounds for axis 0 with size 2", gp::index_error);
  CHECK_THROWS_WITH_AS(u.a(0, -4), "index -4 is out of bounds for axis 1 with size 3", gp::index_error);
  CHECK_THROWS_AS(u.a(huge), gp::index_error);
  CHECK_THROWS_AS(u.a(std::numeric_limits<std::int64_t>::min()), gp::index_error);
  CHECK_THROWS_WITH_AS(u.a(0, 0, 0), "too many indices for array: array is 2-dimensional, but 3 were indexed",
                       gp::index_error);
  CHECK_THROWS_AS(u.a(gp::ellipsis, gp::ellipsis), gp::index_error);
  CHECK_THROWS_WITH_AS(u.a(gp::slice(0, 2, 0)), "slice step cannot be zero", gp::value_error);
  for (const char* text : {"", "1:2:3:4", "a", "1,,2", "1 2", "99999999999999999999", "::0"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(u.a(text), gp::value_error);
  }
  // Slices beyond the ends are clamped, as in Python.
  CHECK(u.a(gp::slice(5, 9)).size() == 0);
  CHECK(u.a(gp::slice(-huge, huge)).size() == 6);
  CHECK(u.a(gp::slice(huge, -huge, -1)).size() == 6);
  CHECK(u.a(gp::slice(0, huge, huge)).size() == 3);
  CHECK(u.a(gp::slice(gp::none, gp::none, std::numeric_limits<std::int64_t>::min())).size() == 3);
  CHECK_THROWS_WITH_AS((void)u.a.item(),
                       "item: can only convert an array of size 1 to a scalar, this one has shape (2,3)",
                       gp::value_error);
}

TEST_CASE("bad input: reductions of nothing") {
  unharmed u;
  const auto none = u.a(gp::slice(0, 0));
  CHECK_THROWS_WITH_AS(gp::max(none), "zero-size array to reduction operation maximum which has no identity",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(gp::min(none, 0),
                       "zero-size array to reduction operation minimum which has no identity",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(gp::argmin(none), "attempt to get argmin of an empty sequence", gp::value_error);
  CHECK(gp::sum(none).item() == 0.f);
  CHECK(gp::prod(none).item() == 1.f);
  CHECK(gp::sum(none, 0).to_vector() == floats{0, 0, 0});
  const std::complex<double> mean = gp::mean(gp::ndarray<std::complex<double>>{}).item();
  CHECK((std::isnan(mean.real()) && std::isnan(mean.imag())));  // 0 / 0, as NumPy's
  CHECK(gp::max(none, 1).size() == 0);                          // nothing is reduced to nothing
  CHECK(gp::max(none, {.initial = 4.f}).item() == 4.f);
  CHECK_THROWS_AS(gp::argmax(u.a, {.initial = 1.f}), gp::value_error);
  CHECK_THROWS_AS(gp::max(u.a, {.where = gp::ndarray<bool>{true, false, true}}), gp::value_error);
}

TEST_CASE("bad input: shapes") {
  unharmed u;
  const auto make = [](const gp::dims& shape) { return gp::empty_in<double>(gp::memory_space::host, shape); };
  CHECK_THROWS_WITH_AS(make({2, -1}), "negative dimensions are not allowed", gp::value_error);
  CHECK_THROWS_WITH_AS(
      make({huge, 2}),
      "array is too big; the size in bytes of shape (9223372036854775807,2) exceeds the largest integer",
      gp::overflow_error);
  CHECK_THROWS_AS(make({huge / 4}), gp::overflow_error);  // the elements can be counted, the bytes cannot
  CHECK_THROWS_AS(make({std::int64_t{1} << 32, std::int64_t{1} << 32}), gp::overflow_error);  // wraps to 0
  CHECK_THROWS_AS(make({huge, huge, 0}), gp::overflow_error);  // as in NumPy, a zero excuses nothing
  CHECK_THROWS_AS(make(gp::dims::filled(33, 1)), gp::value_error);
  CHECK_THROWS_AS((gp::ndarray<float>{{1, 2}, {3}}), gp::value_error);
  CHECK_THROWS_AS((gp::ndarray<float>{{1, 2}, 3}), gp::value_error);
}

TEST_CASE("bad input: a broadcast result too large to count") {
  // Two borrowed views with a zero stride: 2^40 x 1 and 1 x 2^40.
  float one = 1;
  const std::int64_t n = std::int64_t{1} << 40;
  const auto view = [&](const gp::dims& shape) {
    return gp::ndarray<float>(gp::detail::borrow(&one, shape, gp::dims{0, 0}, gp::dtype::float32,
                                                 gp::memory_space::host, gp::device::cpu(), {}));
  };
  const auto column = view({n, 1}), row = view({1, n});
  CHECK_THROWS_AS(column + row, gp::overflow_error);
}

TEST_CASE("bad input: scalars that do not fit") {
  const gp::ndarray<std::uint8_t> bytes{1, 2};
  CHECK_THROWS_WITH_AS(bytes + 256, "integer 256 out of bounds for uint8", gp::overflow_error);
  CHECK_THROWS_WITH_AS(bytes - -1, "integer -1 out of bounds for uint8", gp::overflow_error);
  CHECK_THROWS_AS(gp::ndarray<std::int64_t>{1} + std::numeric_limits<std::uint64_t>::max(),
                  gp::overflow_error);
  CHECK((bytes < 1000).to_vector() == std::vector<bool>{true, true});  // comparisons are exact
  CHECK(bytes.to_vector() == std::vector<std::uint8_t>{1, 2});
}

TEST_CASE("bad input: dtypes at run time") {
  const gp::any_array a = gp::ndarray<float>{1, 2};
  CHECK_THROWS_WITH_AS((void)gp::ndarray<double>(a).size(),
                       "the array holds float32, not float64; convert it with astype", gp::type_error);
}

TEST_CASE("bad input: null pointers") {
  const auto borrow = [](const gp::dims& shape, const gp::dims& strides) {
    return gp::detail::borrow(nullptr, shape, strides, gp::dtype::float32, gp::memory_space::host,
                              gp::device::cpu(), {});
  };
  CHECK_THROWS_WITH_AS(borrow({2, 3}, {12, 4}), "cannot make an array of shape (2,3) from a null pointer",
                       gp::value_error);
  CHECK(borrow({0}, {4}).size() == 0);
  float x[6];
  CHECK_THROWS_AS(
      gp::detail::borrow(x, {2, 3}, {12}, gp::dtype::float32, gp::memory_space::host, gp::device::cpu(), {}),
      gp::value_error);
  CHECK_THROWS_AS(gp::detail::from_host(nullptr, {3}, gp::dtype::float32, gp::default_device()),
                  gp::value_error);
  CHECK_THROWS_AS(gp::detail::copy_to_host(gp::ndarray<float>{1}, nullptr), gp::value_error);
  CHECK_THROWS_AS(gp::default_memory_pool(gp::memory_space::host, gp::device::cpu()).add_hook(nullptr),
                  gp::value_error);
}

TEST_CASE("bad input: operands on two devices") {
  // Borrowed with a device that need not exist: nothing is touched before the devices are compared.
  unharmed u;
  const gp::device elsewhere = gp::device::cuda(u.a.device() == gp::device::cuda(0) ? 1 : 0);
  float x[6] = {};
  const gp::ndarray<float> b(
      gp::detail::borrow(x, {2, 3}, {12, 4}, gp::dtype::float32, gp::memory_space::device, elsewhere, {}));
  const std::string here = u.a.device().str(), there = elsewhere.str();
  const std::string text = error_of<gp::device_error>([&] { (void)(u.a + b); });
  CAPTURE(text);
  CHECK(contains(text, "add: operands are on different devices, " + here + " and " + there));
  CHECK(contains(text, "to_device(array, device(\"" + here + "\"))"));
  CHECK_THROWS_AS(u.a += b, gp::device_error);
  CHECK_THROWS_AS(u.a(0) = b(0), gp::device_error);
  CHECK_THROWS_AS(gp::where(u.a > 0.f, u.a, b), gp::device_error);
  CHECK(contains(error_of<gp::device_error>([&] { (void)gp::hypot(b, u.a); }),
                 "hypot: operands are on different devices"));
  CHECK_THROWS_AS(gp::sum(u.a, {.where = b > 0.f}), gp::device_error);
}

TEST_CASE("bad input: more memory than there is") {
  unharmed u;
  const std::int64_t pebibyte = std::int64_t{1} << 50;
  const std::string text = error_of<gp::out_of_memory>(
      [&] { (void)gp::empty_in<std::uint8_t>(gp::memory_space::host, {pebibyte}); });
  CAPTURE(text);
  CHECK(contains(text, "out of host memory: asked for 1.00 PiB (1125899906842624 bytes)"));
  CHECK(contains(text, "free outside the pool: "));
  CHECK(contains(text, "Remedy: "));
  // An expression whose result does not fit: thrown when it is enqueued, and it stays pending.
  const gp::ndarray<float> wide = gp::broadcast_to(gp::ones<float>({1}), {pebibyte / 4});
  auto sum = wide + 1.f;
  CHECK_THROWS_AS(sum.eval(), gp::out_of_memory);
  CHECK(sum.pending());
  CHECK_THROWS_AS((gp::ndarray<float>(wide * 2.f)), gp::out_of_memory);
}

TEST_CASE("bad input: repeat counts whose sum no memory holds") {
  const auto a = gp::arange(3);
  for (const int power : {45, 61})  // 256 TiB of counts of 8 bytes: beyond the address space
    CHECK_THROWS_AS(gp::repeat(a, std::vector<std::int64_t>{std::int64_t{1} << power, 1, 1}), gp::error);
}

TEST_CASE("bad input: arrays of no elements are written to and nothing happens") {
  const auto z = gp::zeros({4, 0, 3}), y = gp::ones({3, 4});
  CHECK_NOTHROW(z("::2") = z(":2") + gp::zeros({0, 3}));
  CHECK_NOTHROW(z.T() *= gp::sin(z.T()) + gp::zeros({1, 4}));
  CHECK_NOTHROW(y("1:1, ::2") = y("1:1, ::2") * 2.);
  CHECK_NOTHROW(gp::add(y("1:1"), 1., y("1:1"), {.where = y("1:1") > 0.}));
  CHECK_NOTHROW(z(z > 0.) = 1.);
  CHECK_NOTHROW(z(gp::all, std::vector<int>{}) = z + 1.);
  CHECK(gp::all(y == 1.).item());
}

TEST_CASE("bad input: views whose elements are not aligned") {
  const auto bytes = gp::arange<std::uint8_t>(33);
  CHECK_THROWS_WITH_AS(
      bytes("1:33").view<double>(),
      "view: elements of float64 must lie at multiples of 8 bytes; copy the memory to such a place",
      gp::value_error);
  CHECK_THROWS_AS(bytes(":27").reshape({3, 9})(":, :8").view<double>(), gp::value_error);
  CHECK(bytes("1:33").copy().view<double>().size() == 4);
  CHECK(bytes("1:1").view<double>().size() == 0);
  static_assert(!can_be_seen_as_bool<decltype(bytes)> && can_be_seen_as_bool<gp::ndarray<bool>>);
}

TEST_CASE("bad input: writing to a broadcast view") {
  const float one = 1;
  float x = one;
  const gp::ndarray<float> view(
      gp::detail::borrow(&x, {3}, {0}, gp::dtype::float32, gp::memory_space::host, gp::device::cpu(), {}));
  CHECK_THROWS_AS(gp::copyto(view, 2.f), gp::value_error);
  CHECK(x == one);
}

TEST_CASE("bad input: a borrowed array's release runs once, also after an error") {
  int released = 0;
  float x[3] = {1, 2, 3};
  {
    const gp::ndarray<float> a(gp::detail::borrow(x, {3}, {4}, gp::dtype::float32, gp::memory_space::host,
                                                  gp::device::cpu(), [&] { ++released; }));
    CHECK_THROWS_AS(a(5), gp::index_error);
    const auto view = a(gp::slice(1, 2));
    CHECK(released == 0);
  }
  CHECK(released == 1);
}
