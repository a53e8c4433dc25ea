// Read-only arrays: which arrays are, and that nothing writes to them.
#include <functional>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;

GPARRAY_UFUNC(twice_for_read_only, (x), x + x);

namespace {

using i64 = std::int64_t;

gp::ndarray<double> locked(const gp::dims& shape) {
  i64 size = 1;
  for (const i64 n : shape) size *= n;
  const auto a = (gp::arange<double>(size) + 1).eval().copy().reshape(shape).copy();
  a.setflags({.write = false});
  return a;
}

}  // namespace

TEST_CASE("every way to write to a read-only array throws NumPy's text and writes nothing") {
  const auto a = locked({4}), m = locked({2, 2}), one = locked({});
  const auto cube = locked({4, 2});
  const gp::ndarray<float> single = gp::ones<float>({4});
  single.setflags({.write = false});
  const gp::ndarray<std::complex<double>> z = gp::zeros<std::complex<double>>({4});
  z.setflags({.write = false});
  const gp::ndarray<bool> flags = gp::zeros<bool>({4});
  flags.setflags({.write = false});
  const gp::ndarray<i64> indices{0, 1};
  const gp::ndarray<bool> mask{true, false, true, false};
  const gp::ndarray<double> values{5, 6, 7, 8};
  auto rng = gp::random::default_rng(1);
  const std::vector<std::pair<const char*, std::function<void()>>> writes = {
      {"a(0) = 1", [&] { a(0) = 1; }},
      {"a(...) = array", [&] { a(gp::ellipsis) = values; }},
      {"a(...) = expression", [&] { a(gp::ellipsis) = values + 1; }},
      {"text", [&] { a("::2") = 1; }},
      {"a[...]", [&] { a[gp::all] = 1; }},
      {"view of a view", [&] { m.T()(0)(gp::slice(1, gp::none)) = 1; }},
      {"reshape", [&] { a.reshape({2, 2})(0, 0) = 1; }},
      {"ravel", [&] { m.ravel()(0) = 1; }},
      {"newaxis", [&] { a(gp::newaxis, 0) = 1; }},
      {"view<V>", [&] { a.view<i64>()(0) = 1; }},
      {"real", [&] { z.real()(0) = 1; }},
      {"imag", [&] { z.imag()(0) = 1; }},
      {"flip", [&] { gp::flip(a)(0) = 1; }},
      {"rot90 by nothing", [&] { gp::rot90(m, 0)(0, 0) = 1; }},
      {"moveaxis", [&] { gp::moveaxis(m, 0, 1)(0, 0) = 1; }},
      {"as_strided", [&] { gp::as_strided(a, {2}, {8})(0) = 1; }},
      {"split", [&] { gp::split(a, 2)[0](0) = 1; }},
      {"expand_dims", [&] { gp::expand_dims(a, 0)(0, 0) = 1; }},
      {"squeeze", [&] { a(gp::newaxis).squeeze()(0) = 1; }},
      {"empty slice", [&] { a("0:0") = 1; }},
      {"fill",
       [&] {
         auto b = a;
         b.fill(3);
       }},
      {"+=",
       [&] {
         auto b = a;
         b += 1;
       }},
      {"*= array",
       [&] {
         auto b = a;
         b *= values;
       }},
      {"view +=", [&] { a("1:") -= 1; }},
      {"mask = number", [&] { a(mask) = 1; }},
      {"mask = array", [&] { a(mask) = gp::ndarray<double>{1, 2}; }},
      {"indices = number", [&] { a(indices) = 1; }},
      {"indices +=", [&] { a(indices) += 1; }},
      {"list", [&] { a({0, 1}) = 1; }},
      {"rows by mask", [&] { cube(mask) = 1; }},
      {"out=", [&] { gp::add(values, 1., a); }},
      {"out= of one", [&] { gp::sqrt(values, a); }},
      {"out= where=", [&] { gp::add(values, 1., a, {.where = mask}); }},
      {"own ufunc", [&] { twice_for_read_only(values, a); }},
      {"sum out", [&] { gp::sum(values, {.out = one}); }},
      {"max out", [&] { gp::max(m, 0, {.out = a("0:2")}); }},
      {"var out", [&] { gp::var(values, {.out = one}); }},
      {"cumsum", [&] { gp::cumsum(values, 0, a); }},
      {"round", [&] { gp::round(values, 1, a); }},
      {"clip", [&] { gp::clip(values, 0, 1, a); }},
      {"logical out", [&] { gp::isnan(values, flags); }},
      {"matmul", [&] { gp::matmul(gp::ones({2, 2}), gp::ones({2, 2}), m); }},
      {"dot", [&] { gp::dot(gp::ones({2, 2}), gp::ones({2, 2}), m); }},
      {"fft", [&] { gp::fft::fft(z.copy(), {}, z); }},
      {"sort", [&] { a.sort(); }},
      {"partition", [&] { a.partition(1); }},
      {"put", [&] { a.put({0}, 1.); }},
      {"put nothing", [&] { gp::put(a, gp::ndarray<i64>(), 1.); }},
      {"put_along_axis", [&] { gp::put_along_axis(a, indices, 1., 0); }},
      {"putmask", [&] { gp::putmask(a, mask, 1.); }},
      {"place", [&] { gp::place(a, mask, 1.); }},
      {"place nothing", [&] { gp::place(a, gp::zeros<bool>(4), 1.); }},
      {"copyto", [&] { gp::copyto(a, values); }},
      {"copyto number", [&] { gp::copyto(a, 2.); }},
      {"copyto where", [&] { gp::copyto(a, values, {.where = mask}); }},
      {"fill_diagonal", [&] { gp::fill_diagonal(m, 1.); }},
      {"byteswap", [&] { a.byteswap(true); }},
      {"flat", [&] { a.flat() = 1; }},
      {"flat[0]", [&] { a.flat()[0] = 1; }},
      {"add.at", [&] { gp::ufuncs::add.at(a, {0}, 1.); }},
      {"shuffle", [&] { rng.shuffle(a); }},
      {"shuffle rows", [&] { rng.shuffle(m); }},
      {"random", [&] { rng.random({}, {.out = a}); }},
      {"random float", [&] { rng.random<float>({}, {.out = single}); }},
      {"permuted", [&] { rng.permuted(values, {.out = a}); }},
      {"sparse product", [&] { gp::matmul(gp::sparse::eye<double>(4), values, a); }},
  };
  const auto state = rng.state().position;
  for (const auto& [name, write] : writes) {
    INFO(name);
    CHECK(error_of<gp::value_error>(write) == "assignment destination is read-only");
  }
  CHECK(rng.state().position == state);  // and nothing was drawn for it
  CHECK(gp::array_equal(a, gp::arange<double>(4) + 1));
  CHECK(gp::array_equal(m, gp::arange<double>(4).reshape({2, 2}) + 1));
  CHECK(gp::all(z == 0).item());
  CHECK(gp::all(single == 1).item());
}

TEST_CASE("iterators and spans of a read-only array only read") {
  const gp::device_guard on_cpu(gp::device::cpu());
  auto a = locked({2, 2});
  double sum = 0;
  for (const double x : a) sum += x;
  CHECK(sum == 10);
  CHECK(error_of<gp::value_error>([&] {
          for (double& x : a) x = 7;
        }) == "assignment destination is read-only");
  CHECK(error_of<gp::value_error>([&] {
          *a.begin() = 7;
          a.cbegin();
        }) == "assignment destination is read-only");
  CHECK(std::vector<double>(a.cbegin(), a.cend()) == std::vector<double>{1, 2, 3, 4});
  static_assert(std::is_same_v<decltype(*a.cbegin()), const double&>);
  CHECK_THROWS_AS(gp::as_span(a), gp::value_error);
  CHECK(gp::as_span<const double>(a)[3] == 4);
  CHECK(a.data() != nullptr);  // an address is no write: there are readers that take nothing else
}

TEST_CASE("flags.writeable goes with the array, its names and its views") {
  const auto a = gp::arange<double>(6).reshape({2, 3}).copy();
  CHECK(a.flags().writeable);
  CHECK(a.flags().owndata);
  CHECK(a.flags().c_contiguous);
  CHECK_FALSE(a.flags().f_contiguous);
  CHECK(a.T().flags().f_contiguous);
  CHECK_FALSE(a.T().flags().owndata);
  const gp::ndarray<double> before = a(0), name = a;
  a.setflags({});
  CHECK(a.flags().writeable);
  a.setflags({.write = false});
  CHECK_FALSE(name.flags().writeable);
  CHECK(before.flags().writeable);  // a view of before, as in NumPy
  before(0) = 50;
  CHECK(a.item(0, 0) == 50);
  const auto view = a(1);
  CHECK_FALSE(view.flags().writeable);
  CHECK(error_of<gp::value_error>([&] { view.setflags({.write = true}); }) ==
        "cannot set WRITEABLE flag to True of this array");
  CHECK(a.copy().flags().writeable);
  CHECK((a + 1).flags().writeable);
  CHECK(a.astype<float>().flags().writeable);
  CHECK(gp::sort(a).flags().writeable);
  CHECK(gp::require(a, "W").flags().writeable);
  CHECK_FALSE(gp::shares_memory(gp::require(a, "W"), a));
  CHECK_FALSE(gp::require(a, "C").flags().writeable);
  a.setflags({.write = true});
  a(1, 1) = 3;
  CHECK_FALSE(view.flags().writeable);
  view.setflags({.write = true});
  view(0) = 9;
  CHECK(a.item(1, 0) == 9);
  // A handle that names another array is no longer concerned.
  gp::ndarray<double> b = a("0");
  b.setflags({.write = false});
  b = b + 1;
  b(0) = 1;
  CHECK(a.flags().writeable);
  // Of an expression: the elements that it will have.
  auto pending = a + 1;
  pending.setflags({.write = false});
  CHECK_THROWS_AS(pending += 1, gp::value_error);
}

TEST_CASE("NumPy's read-only views") {
  const auto a = gp::arange<double>(4).reshape({2, 2}).copy();
  CHECK_FALSE(gp::broadcast_to(a, {3, 2, 2}).flags().writeable);
  CHECK_FALSE(gp::broadcast_to(a, {2, 2}).flags().writeable);  // also where nothing is repeated
  CHECK_FALSE(gp::diagonal(a).flags().writeable);
  CHECK_FALSE(gp::diag(a).flags().writeable);
  CHECK_FALSE(a.diagonal().flags().writeable);
  CHECK_FALSE(gp::linalg::diagonal(a).flags().writeable);
  CHECK_FALSE(gp::sliding_window_view(a, {1, 2}).flags().writeable);
  CHECK_FALSE(a.imag().flags().writeable);
  CHECK(a.real().flags().writeable);
  CHECK(gp::einsum("ii->i", a).flags().writeable);
  CHECK(gp::diag(gp::ndarray<double>{1, 2}).flags().writeable);
  CHECK(gp::as_strided(a, {2}, {8}).flags().writeable);
  const auto [x, y] = gp::broadcast_arrays(a, gp::ndarray<float>{1, 2});
  CHECK(x.flags().writeable);
  CHECK(gp::shares_memory(x, a));
  CHECK_FALSE(y.flags().writeable);
  const gp::ndarray<double> p{1, 2}, q{3, 4};
  CHECK(std::get<0>(gp::meshgrid(p, q)).flags().writeable);
  CHECK_FALSE(std::get<0>(gp::meshgrid(p, q, {.copy = false})).flags().writeable);
  // The memory is the user's own, who may say so.
  const auto d = gp::diagonal(a);
  d.setflags({.write = true});
  d(0) = 7;
  CHECK(a.item(0, 0) == 7);
}

TEST_CASE("constant memory makes read-only arrays") {
  const std::vector<double> constant{1, 2, 3, 4};
  std::vector<double> memory{1, 2, 3, 4};
  const auto a = gp::frombuffer(constant.data(), {2, 2});
  static_assert(std::is_same_v<decltype(a), const gp::ndarray<double>>);
  CHECK_FALSE(a.flags().writeable);
  CHECK_FALSE(a.flags().owndata);
  CHECK_THROWS_AS(a(0) = 1, gp::value_error);
  CHECK_THROWS_AS(a.setflags({.write = true}), gp::value_error);
  CHECK_THROWS_AS(a(0).setflags({.write = true}), gp::value_error);
  CHECK_FALSE(gp::frombuffer(memory.data(), 4, {.read_only = true}).flags().writeable);
  const auto b = gp::frombuffer(memory.data(), 4);
  b.setflags({.write = false});
  CHECK_THROWS_AS(b(0) = 1, gp::value_error);
  b.setflags({.write = true});  // the memory itself is not constant
  b(0) = 10;
  CHECK(memory[0] == 10);
}

TEST_CASE("borrow: a dtype that is known at run time") {
  std::vector<float> memory{0, 1, 2, 3, 4, 5};
  int released = 0;
  {
    const gp::any_array a = gp::borrow(memory.data(), {3, 2}, gp::dtype::float32,
                                       {.strides = gp::dims{4, 12}, .release = [&] { ++released; }});
    CHECK(a.dtype() == gp::dtype::float32);
    CHECK(a.strides() == gp::dims{4, 12});
    CHECK(a.space() == gp::memory_space::host);
    const gp::ndarray<float> typed(a);
    typed(2, 1) = 50;
    CHECK(typed.to_vector() == std::vector<float>{0, 3, 1, 4, 2, 50});
    CHECK(released == 0);
  }
  CHECK(released == 1);
  CHECK(memory[5] == 50);
  const void* const constant = memory.data();
  CHECK_FALSE(gp::borrow(constant, 6, gp::dtype::int32).flags().writeable);
  CHECK_FALSE(gp::borrow(memory.data(), 6, gp::dtype::int32, {.read_only = true}).flags().writeable);
  // From the last element backwards; the storage begins at the first byte.
  const gp::ndarray<float> back(
      gp::borrow(memory.data() + 5, 6, gp::dtype::float32, {.strides = gp::dims{-4}}));
  CHECK(back.item(0) == 50);
  CHECK(gp::as_strided(back, {6}, {-4}).item(5) == 0);
}

TEST_CASE("borrowed memory is checked before it is taken") {
  alignas(16) static char memory[64];
  bool released = false;
  const auto refused = [&]<class Error>(Error*, void* data, const gp::dims& shape, const gp::dims& strides) {
    CHECK_THROWS_AS(gp::borrow(data, shape, gp::dtype::float64,
                               {.strides = strides, .release = [&released] { released = true; }}),
                    Error);
  };
  gp::value_error* const value = nullptr;
  gp::overflow_error* const overflow = nullptr;
  constexpr i64 large = i64{1} << 61;
  refused(value, nullptr, 3, 8);
  refused(value, memory, {2, 2}, 8);
  refused(value, memory, -1, 8);
  refused(value, memory + 4, 3, 8);
  refused(value, memory, 3, 12);
  refused(overflow, memory, {3, 3}, {i64{1} << 62, 8});            // 2 * 2^62 bytes
  refused(overflow, memory, {5, 5}, {large, -large});              // from -2^63 to 2^63
  refused(overflow, memory, 2, -(i64{1} << 62) - (i64{1} << 61));  // below address 0
  CHECK_FALSE(released);
  CHECK_THROWS_AS(gp::as_strided(gp::ones(4), {9, 2}, {large, 8}), gp::overflow_error);
  CHECK(gp::borrow(static_cast<void*>(nullptr), {0, 3}, gp::dtype::float64).size() == 0);
  CHECK_THROWS_AS(gp::frombuffer(reinterpret_cast<const double*>(memory + 1), 2), gp::value_error);
}
