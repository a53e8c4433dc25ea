// What the rows of the tables in docs/guide are made of (tables.cmake), and how their results become text.
#pragma once
#include <cstdio>
#include <initializer_list>
#include <iostream>
#include <numeric>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gparray/format.hpp>
#include <gparray/gparray.hpp>
#include <gparray/runtime/profiler.hpp>
#include <gparray/sparse.hpp>
#include <gparray/sparse/linalg.hpp>

namespace gp = gparray;

namespace rows {

/// What one row gives: a line for each array, number or text, as make_tables_golden.py spells them.
class result {
 public:
  void see(const gp::any_array& a);
  void see(std::string_view text) { lines.push_back("text " + std::string(text)); }
  void see(const char* text) { see(std::string_view(text)); }
  void see(const std::string& text) { see(std::string_view(text)); }
  void see(gp::dtype type) { see(gp::name(type)); }
  void see(gp::device where) { see(where.str()); }
  void see(bool x) { number(x); }
  void see(std::complex<double> x) { number(x.real(), x.imag()); }
  void see(std::complex<float> x) { number(x.real(), x.imag()); }
  template<class X>
    requires std::is_arithmetic_v<X>
  void see(X x) {
    if constexpr (std::is_floating_point_v<X>) number(static_cast<double>(x));
    else number(static_cast<long long>(x));
  }
  template<std::ranges::range R>
    requires(!std::derived_from<R, gp::any_array> && !std::convertible_to<const R&, std::string_view>)
  void see(const R& range) {
    for (const auto& x : range) see(x);
  }
  template<class... X>
  void see(const std::tuple<X...>& items) {
    std::apply([this](const auto&... x) { (see(x), ...); }, items);
  }
  template<class A, class B>
  void see(const std::pair<A, B>& items) {
    see(items.first), see(items.second);
  }
  /// Code that must not compile: whether it does.
  void refused(bool compiles) {
    if (compiles) lines.emplace_back("compiles, and should not");
  }

  std::vector<std::string> lines;

 private:
  void number(double x);
  void number(double re, double im);
  void number(long long x);
  void number(bool x) { number(static_cast<long long>(x)); }
};

enum class kind { compared, run, compiled, refused };

struct row {
  const char* page;
  int line;
  const char* key;
  void (*function)(result&);
  rows::kind kind;
  bool wants_gpu;
};

/// Adds rows to those that main() looks at.
struct registered {
  registered(std::initializer_list<row> rows);
};

}  // namespace rows
