// Comparison with NumPy's and SciPy's linear algebra: NEAR("la.det(F((3, 3)))", linalg::det(F({3, 3}))).
// linalg/make_linalg_golden.py finds these expressions in the tests, runs them, and writes linalg/linalg.tsv.
#pragma once
#include <cmath>
#include <sstream>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/table.hpp"
#include "support/thrown.hpp"

namespace golden_linalg {

namespace gp = gparray;
namespace linalg = gparray::linalg;
using golden::find_row;
using golden::read_table;
using golden::spelled;
using golden::table;

/// The element i of F in linalg/make_linalg_golden.py.
template<gp::element V>
V element_at(std::int64_t i) {
  const std::int64_t real = (i * i * 5 + i * 7 + 3) % 17 - 8, imaginary = (i * i * 3 + i * 5 + 1) % 13 - 6;
  if constexpr (gp::is_complex(gp::dtype_of<V>)) {
    using R = typename V::value_type;
    return V(static_cast<R>(real), static_cast<R>(imaginary));
  } else {
    return static_cast<V>(real);
  }
}

template<gp::element V = double>
gp::ndarray<V> F(const gp::dims& shape) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size *= n;
  std::vector<V> values;
  for (std::int64_t i = 0; i < size; ++i) values.push_back(element_at<V>(i));
  return gp::ndarray<V>(values).reshape(shape);
}

template<gp::element V = double>
gp::ndarray<V> H(std::int64_t n) {
  const auto a = F<V>({n, n});
  return a + gp::conjugate(a).T();
}

template<gp::element V = double>
gp::ndarray<V> P(std::int64_t n) {
  const auto a = F<V>({n, n});
  return gp::matmul(a, gp::conjugate(a).T()) + gp::eye<V>(n) * V(10);
}

/// The second difference, -1 2 -1.
template<gp::element V = double>
gp::ndarray<V> L(std::int64_t n) {
  return V(2) * gp::eye<V>(n) - gp::eye<V>(n, n, 1) - gp::eye<V>(n, n, -1);
}

/// Diagonally dominant and not symmetric.
template<gp::element V = double>
gp::ndarray<V> N(std::int64_t n) {
  const gp::ndarray<V> a =
      V(4) * gp::eye<V>(n) - gp::eye<V>(n, n, 1) + V(2) * gp::eye<V>(n, n, -1) + V(0.5) * gp::eye<V>(n, n, 3);
  if constexpr (gp::is_complex(gp::dtype_of<V>)) return a + V(0, 0.25) * gp::eye<V>(n, n, 2);
  else return a;
}

template<gp::element V>
double epsilon() {
  return gp::finfo<V>::eps;
}
template<gp::element V>
  requires std::is_integral_v<V>
double epsilon() {
  return 0;
}

/// The matrices made of F have at most 6 rows and condition numbers below 62; errors of a backward stable
/// method are below rows * condition * eps = 372 eps of the largest element.
inline constexpr double default_bound = 400;

template<gp::element V>
void check(const std::string& expression, const gp::ndarray<V>& result, double bound = default_bound) {
  static const table answers = read_table("linalg/linalg.tsv", 5);
  const auto& row = find_row(answers, expression, "run linalg/make_linalg_golden.py");
  CAPTURE(expression);
  CAPTURE(row[4]);
  REQUIRE(row[1] == "array");
  CHECK(gp::name(gp::dtype_of<V>) == row[2]);
  CHECK(spelled(result.shape()) == row[3]);
  std::vector<double> want, have;
  std::istringstream numbers(row[4]);
  for (std::string part; std::getline(numbers, part, ',');) want.push_back(std::stod(part));
  for (const V v : result.to_vector()) {
    if constexpr (gp::is_complex(gp::dtype_of<V>)) {
      have.push_back(v.real());
      have.push_back(v.imag());
    } else {
      have.push_back(static_cast<double>(v));
    }
  }
  REQUIRE(have.size() == want.size());
  double largest = 0;
  for (const double x : want)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  const double tolerance = bound * epsilon<V>() * (largest == 0 ? 1 : largest);
  for (std::size_t i = 0; i < want.size(); ++i) {
    CAPTURE(i);
    if (std::isnan(want[i])) CHECK(std::isnan(have[i]));
    else if (std::isinf(want[i])) CHECK(have[i] == want[i]);
    else CHECK(std::abs(have[i] - want[i]) <= tolerance);
  }
}

template<gp::element V>
void check(const std::string& expression, const gp::expr<V>& result, double bound = default_bound) {
  check(expression, gp::ndarray<V>(result), bound);
}

/// want[1] and want[2] are the class and the text; ours may go on, as where in a batch the matrix is.
inline void check_error(const std::vector<std::string>& want, call_reference call) {
  auto [name, text] = error_thrown_by(call);
  std::ranges::replace(text, '\n', ' ');
  CHECK(name == want[1]);
  CHECK(text.substr(0, want[2].size()) == want[2]);
}

inline void check_throws(const std::string& expression, call_reference call) {
  static const table answers = read_table("linalg/linalg.tsv", 5);
  const auto& row = find_row(answers, expression, "run linalg/make_linalg_golden.py");
  CAPTURE(expression);
  REQUIRE(row[1] == "error");
  check_error({row[1], row[2], row[4]}, call);
}

/// The matrices are small, and on a GPU they are to stay there.
struct on_its_device {
  on_its_device() { gp::linalg::set_host_limit(0); }
  ~on_its_device() { gp::linalg::set_host_limit(before); }
  std::int64_t before = gp::linalg::host_limit();
};

}  // namespace golden_linalg

#define NEAR(python, ...)                      \
  do {                                         \
    const golden_linalg::on_its_device scope;  \
    golden_linalg::check(python, __VA_ARGS__); \
  } while (false)
#define NEAR_THROWS(python, ...)                                       \
  do {                                                                 \
    const golden_linalg::on_its_device scope;                          \
    golden_linalg::check_throws(python, [&] { (void)(__VA_ARGS__); }); \
  } while (false)
