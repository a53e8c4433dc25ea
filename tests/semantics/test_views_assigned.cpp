// What an assignment writes to: the elements of a view made by indexing, and nothing else that has no name.
#include <complex>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

using array = gp::ndarray<double>;
using numbers = std::vector<double>;

template<class To, class From>
concept assignable = requires(To&& to, From&& from) { std::forward<To>(to) = std::forward<From>(from); };

}  // namespace

TEST_CASE("assignment: only to names, which rebinds, and to what indexing gives, which writes") {
  static_assert(assignable<array&, array> && assignable<array&, const array&> &&
                assignable<array&, gp::expr<double>>);
  static_assert(!assignable<array, array> && !assignable<array, const array&> && !assignable<array, double>);
  static_assert(!assignable<array, gp::expr<double>> && !assignable<array, gp::indexed<double>>);
  static_assert(!assignable<gp::expr<double>, gp::expr<double>> && !assignable<gp::expr<double>, array>);
  static_assert(!assignable<gp::expr<double>, double>);
  static_assert(assignable<gp::expr<double>&, gp::expr<double>>);
  // In NumPy a.T = x is an error, and a.T[...] = x is none.
  static_assert(!assignable<decltype(std::declval<array&>().T()), double>);
  static_assert(!assignable<decltype(gp::transpose(std::declval<array&>())), array>);
  static_assert(!assignable<decltype(std::declval<array&>().reshape({2})), double>);
  static_assert(!assignable<decltype(gp::diagonal(std::declval<array&>())), double>);
  static_assert(!assignable<decltype(std::declval<array&>().copy()), double>);
  static_assert(assignable<decltype(std::declval<array&>()(0)), double>);
  static_assert(assignable<decltype(std::declval<const array&>()["1:"]), array>);
  static_assert(assignable<decltype(std::declval<array&>()(0)), int>);
  static_assert(assignable<decltype(std::declval<array&>()(0)), gp::ndarray<float>>);
  static_assert(assignable<decltype(std::declval<array&>()(0)), gp::expr<double>>);
  static_assert(assignable<decltype(std::declval<array&>()(0)), gp::selection<double>>);
  static_assert(assignable<decltype(std::declval<gp::ndarray<std::complex<double>>&>().real()), array>);
  // What containers and algorithms ask of a type.
  static_assert(std::movable<array> && std::copyable<array> && std::swappable<array>);
  static_assert(std::movable<gp::expr<double>> && std::movable<gp::indexed<double>>);
}

TEST_CASE("assignment: the forms of writing through") {
  array a{{1, 2, 3}, {4, 5, 6}};
  const array b{7, 8, 9};
  a(0) = b;
  CHECK(a.to_vector() == numbers{7, 8, 9, 4, 5, 6});
  a(1) = a(0);
  CHECK(a.to_vector() == numbers{7, 8, 9, 7, 8, 9});
  a(1) = b + 1.;
  a[0] = 0;
  a(0, 1) = a(1, 1);
  CHECK(a.to_vector() == numbers{0, 9, 0, 8, 9, 10});
  a(0) = array{1, 2, 3};
  a("1, ::2") = gp::ndarray<float>{-1, -2};
  CHECK(a.to_vector() == numbers{1, 2, 3, -1, 9, -2});
  a.T()(gp::all) = array{{1, 2}, {3, 4}, {5, 6}};
  CHECK(a.to_vector() == numbers{1, 3, 5, 2, 4, 6});
  gp::einsum("ii->i", a("0:2, 0:2"))(gp::all) = 0;
  a.flat()[5] = 60;
  CHECK(a.to_vector() == numbers{0, 3, 5, 2, 0, 60});
}

TEST_CASE("assignment: a view with a name is rebound") {
  array a{{1, 2}, {3, 4}};
  auto row = a(0);
  row = a(1);
  CHECK(row.to_vector() == numbers{3, 4});
  row = a * 2.;
  row = a.T();
  row = array{5, 6};
  CHECK(row.to_vector() == numbers{5, 6});
  CHECK(a.to_vector() == numbers{1, 2, 3, 4});
  const array chosen = row.size() == 2 ? a(1) : a;
  CHECK(chosen.to_vector() == numbers{3, 4});
  std::vector<array> rows{a(0), a(1)};
  std::swap(rows[0], rows[1]);
  CHECK(rows[0].to_vector() == numbers{3, 4});
  CHECK(a.to_vector() == numbers{1, 2, 3, 4});
}

TEST_CASE("an index of ndindex is a tuple of integers: a(i) is one element") {
  array a{{1, 2, 3}, {4, 5, 6}};
  double sum = 0;
  for (const gp::dims& i : gp::ndindex(a.shape())) {
    CHECK(a(i).ndim() == 0);
    CHECK(a[i].item() == a(i[0], i[1]).item());
    sum += a.item(i);
    a(i) = -a.item(i);
  }
  CHECK(sum == 21);
  CHECK(a.to_vector() == numbers{-1, -2, -3, -4, -5, -6});
  for (const auto& [i, x] : gp::ndenumerate(a)) CHECK(a.item(i) == x);
  for (const auto& [i, x] : gp::ndenumerate(a)) a[i] += x;
  CHECK(a(gp::dims{-1, -1}).item() == -12);
  CHECK(a(gp::dims{1}).shape() == gp::dims{3});  // a[(1,)] in Python
  CHECK(a(gp::dims{}).shape() == gp::dims{2, 3});
  CHECK_THROWS_AS(a(gp::dims{0, 0, 0}), gp::index_error);
  CHECK_THROWS_AS(a(gp::dims{0, 3}), gp::index_error);
  // Other lists pick rows, as before.
  CHECK(a({1, 0}).shape() == gp::dims{2, 3});
  CHECK(a(std::vector<std::int64_t>{1, 0}).shape() == gp::dims{2, 3});
  CHECK(a(gp::dims{1, 0}, 0).shape() == gp::dims{2});
}

TEST_CASE("assignment: a row or a column is added in place once") {
  // Rows from 16 to 1024 elements have a loop of their own.
  for (const std::int64_t columns : {15, 16, 100, 1024, 1025}) {
    CAPTURE(columns);
    array whole = gp::zeros({5, columns + 3});
    const auto part = gp::slice(0, columns), rest = gp::slice(columns, gp::none);
    const array row = gp::arange<double>(columns), column = gp::arange<double>(5).reshape({5, 1});
    whole(gp::all, part) += row;
    whole(gp::all, part) += column;
    CHECK(gp::array_equal(array(whole(gp::all, part)), row + column));
    CHECK(gp::all(array(whole(gp::all, rest)) == 0.).item());
  }
}
