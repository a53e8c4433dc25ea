// What the table says about reductions of nothing and about masks, against the arithmetic of the rows.
#include <complex>
#include <cstring>

#include <doctest/doctest.h>

#include <core/array/temporary.hpp>
#include <gparray/gparray.hpp>
#include <kernel/reductions.hpp>

namespace gp = gparray;
namespace kernel = gparray::kernel;
using gp::core::named;

namespace {

gp::any_array reduced(gp::reduction r, const gp::any_array& a, const gp::reduction_options& options = {}) {
  return gp::detail::reduce(r, named(a), a.dtype(), nullptr, options);
}

double number(const gp::any_array& a) {
  double value;
  gp::detail::item(gp::detail::astype(named(a), gp::dtype::float64, false), &value);
  return value;
}

bool is_defined(gp::reduction r, gp::dtype type) {
  return gp::detail::has(gp::detail::row(r).domain, gp::kind(type) == 'u' ? 'i' : gp::kind(type));
}

/// The reduction of nothing is what its arithmetic finishes an untouched state with.
template<template<class> class Reduction, class E, class V>
void check_empty(gp::reduction r) {
  if constexpr (requires { typename Reduction<E>::first_reduction; }) {
    return;  // test_paired_reductions compares them with the reductions that they are made of
  } else if constexpr (requires { typename Reduction<E>::result; }) {
    const gp::any_array empty = gp::zeros<V>(0);
    if (!is_defined(r, empty.dtype())) return;
    INFO(gp::name(r), " of ", gp::name(empty.dtype()));
    if (!gp::detail::row(r).empty) {
      CHECK_THROWS_AS(reduced(r, empty), gp::value_error);
      return;
    }
    using result = typename Reduction<E>::result;
    const result expected = Reduction<E>::finish(Reduction<E>::identity(), 0, 0);
    const gp::any_array have = reduced(r, empty);
    REQUIRE(gp::itemsize(have.dtype()) == sizeof(result));
    result value;
    gp::detail::item(have, &value);
    CHECK((value == value) == gp::has_identity(r));
    if (gp::has_identity(r)) CHECK(std::memcmp(&value, &expected, sizeof value) == 0);
    else CHECK(!(expected == expected));
  }
}

template<class E, class V>
void check_empty_rows() {
#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc) \
  check_empty<kernel::name##_reduction, E, V>(gp::reduction::name);
#include <gparray/tables/reductions.def>
}

}  // namespace

TEST_CASE("reductions: of nothing each row gives its value, or throws if it has none") {
  check_empty_rows<bool, bool>();
  check_empty_rows<signed char, std::int8_t>();
  check_empty_rows<unsigned long, std::uint64_t>();
  check_empty_rows<gp::float16, gp::float16>();
  check_empty_rows<gp::bfloat16, gp::bfloat16>();
  check_empty_rows<float, float>();
  check_empty_rows<double, double>();
  check_empty_rows<kernel::complex<double>, std::complex<double>>();
}

TEST_CASE("reductions: elements that a mask leaves out do not count, whatever they are") {
  const gp::ndarray<bool> mask{true, false, true, false};
  const auto check = [&]<class V>(const gp::ndarray<V>& a, const gp::ndarray<V>& kept) {
    for (int i = 0; i < gp::reduction_count; ++i) {
      const auto r = static_cast<gp::reduction>(i);
      const gp::detail::reduction_row& row = gp::detail::row(r);
      if (gp::has_two_results(r) || row.masked == gp::detail::reduction_mask::initial) continue;
      INFO(row.name, " of ", gp::name(a.dtype()));
      const gp::any_array have = reduced(r, a, {.where = mask}), expected = reduced(r, kept);
      REQUIRE(have.dtype() == expected.dtype());
      CHECK(number(have) == number(expected));
    }
  };
  check(gp::ndarray<double>{3, 5, 2, 0}, gp::ndarray<double>{3, 2});
  check(gp::ndarray<std::int64_t>{3, 5, 2, 0}, gp::ndarray<std::int64_t>{3, 2});
}

TEST_CASE("reductions: a ufunc and the reduction that folds with it name each other") {
  using gp::detail::folding;
  CHECK(folding(gp::ufunc::add) == gp::reduction::sum);
  CHECK(folding(gp::ufunc::multiply) == gp::reduction::prod);
  CHECK(folding(gp::ufunc::minimum) == gp::reduction::min);
  CHECK(folding(gp::ufunc::maximum) == gp::reduction::max);
  CHECK(folding(gp::ufunc::fmin) == gp::reduction::nanmin);
  CHECK(folding(gp::ufunc::fmax) == gp::reduction::nanmax);
  CHECK(folding(gp::ufunc::logical_and) == gp::reduction::all);
  CHECK(folding(gp::ufunc::logical_or) == gp::reduction::any);
  CHECK(!folding(gp::ufunc::hypot));
  CHECK(gp::detail::folding_of_runs(gp::ufunc::maximum) == gp::reduction::max);
  CHECK(!gp::detail::folding_of_runs(gp::ufunc::fmax));
  CHECK(!gp::detail::folding_of_runs(gp::ufunc::logical_or));
}
