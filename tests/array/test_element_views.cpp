// a.view_host<N>(): elements by index in memory that the CPU reaches.
#include <complex>
#include <concepts>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

using array = gp::ndarray<double>;
using numbers = std::vector<double>;

template<class V, class... I>
concept indexable = requires(const V& v, I... i) { v(i...); };

}  // namespace

TEST_CASE("element views: reading and writing through any strides") {
  array a = gp::arange<double>(6).reshape({2, 3});
  if (a.space() == gp::memory_space::device) return;
  auto v = a.view_host<2>();
  CHECK((v.shape(0) == 2 && v.shape(1) == 3 && v.size() == 6 && v.ndim() == 2));
  CHECK(&v(0, 0) + 5 == &v(1, 2));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) v(i, j) = 10 * i + j;
  CHECK(a.to_vector() == numbers{0, 1, 2, 10, 11, 12});
  auto transposed = a("::-1, ::2").T();
  const auto w = transposed.view_host<2>();
  CHECK((w(0, 0) == 10 && w(1, 0) == 12 && w(1, 1) == 2));
  w(0, 1) = -5;
  CHECK(a(0, 0).item() == -5);
  auto flags = gp::ndarray<bool>{true, false};
  flags.view_host<1>()(1) = true;
  CHECK(gp::all(flags).item());
  auto parts = gp::ndarray<std::complex<float>>{{1, 2}, {3, 4}};
  auto imaginary = parts.imag();
  const auto of_imaginary = imaginary.view_host<2>();
  CHECK(of_imaginary.size() == 4);
  static_assert(std::same_as<decltype(w(0, 0)), double&>);
  static_assert(indexable<decltype(w), int, long> && !indexable<decltype(w), int> &&
                !indexable<decltype(w), int, int, int>);
}

TEST_CASE("element views: of const arrays, for reading") {
  const array a{{1, 2}, {3, 4}};
  const auto v = a.view_host<2>();
  static_assert(std::same_as<decltype(v(0, 0)), const double&>);
  CHECK(v(1, 0) == 3);
  array b = a;
  static_assert(std::same_as<decltype(b.cview_host<2>()(0, 0)), const double&>);
  CHECK(b.cview_host<2>()(1, 1) == 4);
  CHECK((a + 1.).pending());  // nobody can write through these
  // A view keeps the elements of a temporary.
  const auto kept = (a * 2.).cview_host<2>();
  CHECK(kept(1, 1) == 8);
}

TEST_CASE("element views: while one lives, expressions are computed at their line") {
  array a{{1, 2}, {3, 4}};
  if (a.space() == gp::memory_space::device) return;
  const auto before = a + a;
  REQUIRE(before.pending());
  {
    auto v = a.view_host<2>();
    CHECK(!before.pending());
    const auto d = a + a;
    v(0, 0) = 100;
    CHECK(d(0, 0).item() == 2);
    auto again = v;
    v = a.view_host<2>();
    const auto moved = std::move(v);
    CHECK(!(a + a).pending());
    (void)again;
  }
  CHECK(before(0, 0).item() == 2);
  CHECK((a + a).pending());
  CHECK(a(0, 0).item() == 100);
}

TEST_CASE("element views: what is refused") {
  array a{{1, 2, 3}, {4, 5, 6}};
  const array& c = a;
  CHECK_THROWS_WITH_AS(c.view_host<1>(), "view_host: the array has 2 dimensions, and the view 1",
                       gp::value_error);
  const auto v = c.view_host<2>();
  CHECK(v.at(1, 2) == 6);
  CHECK_THROWS_WITH_AS(v.at(0, 3), "index 3 is out of bounds for axis 1 with size 3", gp::index_error);
  CHECK_THROWS_WITH_AS(v.at(2, 0), "index 2 is out of bounds for axis 0 with size 2", gp::index_error);
  CHECK_THROWS_AS(v.at(-1, 0), gp::index_error);
  std::complex<double> memory[3];
  const gp::ndarray<std::complex<double>> odd(gp::detail::borrow(
      memory, {2}, {24}, gp::dtype::complex128, gp::memory_space::host, gp::device::cpu(), {}));
  CHECK_THROWS_WITH_AS(odd.view_host<1>(),
                       "view_host: the elements are 24 bytes apart and have 16; copy() the array first",
                       gp::value_error);
}
