// Arrays as mdspans and mdspans as arrays. Where the compiler has none and Kokkos' is not installed, nothing.
#include <version>

#include <doctest/doctest.h>
#if __has_include(<mdspan>)
#include <mdspan>
#endif
#if defined(__cpp_lib_mdspan) || __has_include(<mdspan/mdspan.hpp>) || __has_include(<experimental/mdspan>)
#include <vector>

#include <gparray/gparray.hpp>
#include <gparray/mdspan.hpp>

namespace gp = gparray;
namespace md = GPARRAY_MDSPAN_NAMESPACE;

namespace {

gp::ndarray<double> counted() { return gp::arange<double>(24).reshape({2, 3, 4}).copy(); }

template<class M>
double at(const M& m, std::int64_t i, std::int64_t j) {
  return m.data_handle()[m.mapping()(i, j)];
}

template<class A, class M>
void check_same(const A& a, const M& m) {
  REQUIRE(m.rank() == 2);
  REQUIRE(a.shape(0) == m.extent(0));
  REQUIRE(a.shape(1) == m.extent(1));
  for (std::int64_t i = 0; i < a.shape(0); ++i)
    for (std::int64_t j = 0; j < a.shape(1); ++j) CHECK(a.item(i, j) == at(m, i, j));
}

template<class A>
concept viewed = requires(A&& a) { gp::as_mdspan<1>(static_cast<A &&>(a)); };
static_assert(viewed<gp::ndarray<double>&> && !viewed<gp::expr<double>>);

}  // namespace

TEST_CASE("arrays of every layout as mdspan") {
  const gp::device_guard on_cpu(gp::device::cpu());
  const auto a = counted();
  for (const auto& view : {a(0), a(1).T(), a(":, 1"), a(0)("::2, 1::2"), a(0)("1:2"), a(0)("0:0")}) {
    const auto m = gp::as_mdspan<2>(view);
    check_same(view, m);
    if (view.size() > 0) CHECK(m.data_handle() == view.data());
    check_same(view, gp::as_mdspan<md::mdspan<const double, md::dextents<int, 2>, md::layout_stride>>(view));
  }
  check_same(a(0), gp::as_mdspan<2, md::layout_right>(a(0)));
  check_same(a(0).T(), gp::as_mdspan<2, md::layout_left>(a(0).T()));
  CHECK_THROWS_AS((gp::as_mdspan<2, md::layout_left>(a(0))), gp::value_error);
  CHECK_THROWS_AS((gp::as_mdspan<2, md::layout_right>(a(":, 1")(":, :2"))), gp::value_error);
  CHECK_THROWS_AS(gp::as_mdspan<2>(a), gp::value_error);
  check_same(a(0), gp::as_mdspan<md::mdspan<double, md::extents<int, 3, md::dynamic_extent>>>(a(0)));
  CHECK_THROWS_AS((gp::as_mdspan<md::mdspan<double, md::extents<int, 3, 5>>>(a(0))), gp::value_error);
  CHECK_THROWS_AS((gp::as_mdspan<md::mdspan<double, md::dextents<signed char, 1>>>(gp::zeros(200))),
                  gp::value_error);
  CHECK(gp::as_mdspan<0>(a(1, 2, 3)).data_handle()[0] == 23);
  const auto m = gp::as_mdspan<2>(a(0));
  m.data_handle()[m.mapping()(2, 1)] = 90;
  CHECK(a.item(0, 2, 1) == 90);
}

TEST_CASE("what an mdspan cannot show") {
  const gp::device_guard on_cpu(gp::device::cpu());
  const auto a = counted();
  CHECK_THROWS_AS(gp::as_mdspan<2>(a(0)("::-1")), gp::value_error);
  using constant = md::mdspan<const double, md::dextents<std::int64_t, 2>, md::layout_stride>;
  const auto wide = gp::broadcast_to(a(0, 0), {3, 4});
  CHECK_THROWS_AS(gp::as_mdspan<2>(wide), gp::value_error);
  CHECK_THROWS_AS(gp::as_mdspan<constant>(wide), gp::value_error);  // elements share addresses
  CHECK_THROWS_AS(gp::as_mdspan<constant>(gp::sliding_window_view(a(0, 0), 2)), gp::value_error);
  const auto locked = a(0).copy();
  locked.setflags({.write = false});
  CHECK_THROWS_AS(gp::as_mdspan<2>(locked), gp::value_error);
  check_same(locked, gp::as_mdspan<constant>(locked));
}

TEST_CASE("mdspans as arrays") {
  std::vector<float> memory(12);
  for (std::size_t i = 0; i < 12; ++i) memory[i] = static_cast<float>(i);
  const md::mdspan<float, md::dextents<int, 2>> right(memory.data(), 3, 4);
  const auto a = gp::from_mdspan(right);
  CHECK(a.shape() == gp::dims{3, 4});
  CHECK(a.data() == memory.data());
  CHECK(a.item(2, 1) == 9);
  a(0, 0) = 5;
  CHECK(memory[0] == 5);
  const md::mdspan<const float, md::extents<int, 3, 4>, md::layout_left> left(memory.data());
  CHECK(gp::from_mdspan(left).strides() == gp::dims{4, 12});
  CHECK_FALSE(gp::from_mdspan(left).flags().writeable);
  using strided = md::layout_stride::mapping<md::dextents<int, 2>>;
  const md::mdspan<float, md::dextents<int, 2>, md::layout_stride> some(
      memory.data(), strided(md::dextents<int, 2>(2, 2), std::array<int, 2>{8, 3}));
  CHECK(gp::from_mdspan(some).to_vector() == std::vector<float>{5, 3, 8, 11});
  int released = 0;
  {
    const auto owned = gp::from_mdspan(right, {.release = [&] { ++released; }});
  }
  CHECK(released == 1);
  CHECK(gp::as_mdspan<2>(gp::from_mdspan(some)).stride(0) == 8);
}
#else
#include <stdexcept>

TEST_CASE("arrays as mdspans") { throw std::runtime_error("not here: <mdspan>, the compiler's or Kokkos'"); }
#endif
