// Comparison with SciPy's sparse matrices: SPARSE("csr(S((4, 5))).T", csr(S({4, 5})).T()).
// sparse/make_sparse_golden.py finds these expressions in the tests, runs them, and writes sparse/sparse.tsv.
#pragma once
#include <cmath>

#include <gparray/sparse.hpp>

#include "support/table.hpp"
#include "support/thrown.hpp"

namespace golden_sparse {

namespace gp = gparray;
namespace sp = gparray::sparse;
using golden::table;

inline std::int64_t count_of(const gp::dims& shape) {
  std::int64_t count = 1;
  for (const std::int64_t n : shape) count *= n;
  return count;
}

/// S and D of sparse/make_sparse_golden.py.
template<gp::element V = double>
gp::ndarray<V> S(const gp::dims& shape) {
  return golden::filled<V>(shape, [](std::int64_t i) {
    const std::int64_t real = (i * i * 5 + i * 7 + 3) % 17 - 8, imaginary = (i * i * 3 + i * 5 + 1) % 13 - 6;
    if ((i * i + 3 * i) % 8 != 4) return V();
    if constexpr (gp::is_complex(gp::dtype_of<V>)) {
      using R = typename V::value_type;
      return V(static_cast<R>(real), static_cast<R>(imaginary));
    } else {
      return static_cast<V>(gp::kind(gp::dtype_of<V>) == 'u' ? std::abs(real) : real);
    }
  });
}
template<gp::element V = double>
gp::ndarray<V> D(const gp::dims& shape) {
  return golden::filled<V>(shape, [](std::int64_t i) { return static_cast<V>((i * 7 + 3) % 11 - 4); });
}

template<gp::element V>
sp::csr_matrix<V> csr(const gp::ndarray<V>& a) {
  return sp::csr_matrix<V>(a);
}
template<gp::element V>
sp::csc_matrix<V> csc(const gp::ndarray<V>& a) {
  return sp::csc_matrix<V>(a);
}
template<gp::element V>
sp::coo_matrix<V> coo(const gp::ndarray<V>& a) {
  return sp::coo_matrix<V>(a);
}
template<gp::element V>
sp::dia_matrix<V> dia(const gp::ndarray<V>& a) {
  return sp::dia_matrix<V>(a);
}

inline const std::vector<std::string>& answer(const std::string& expression) {
  static const table answers = golden::read_table("sparse/sparse.tsv", 6);
  return golden::find_row(answers, expression, "run sparse/make_sparse_golden.py");
}

/// Sums of a few small integers are exact; functions may differ in the last places: 4 of the largest element.
template<gp::element V>
void check_elements(const gp::ndarray<V>& result, const std::vector<std::string>& row) {
  CHECK(gp::name(gp::dtype_of<V>) == row[2]);
  CHECK(golden::spelled(result.shape()) == row[3]);
  std::vector<double> want, have;
  for (const std::string& part : golden::split(row[5], ',')) want.push_back(std::stod(part));
  for (const V v : result.to_vector()) {
    if constexpr (gp::is_complex(gp::dtype_of<V>)) {
      have.push_back(v.real());
      have.push_back(v.imag());
    } else {
      have.push_back(static_cast<double>(v));
    }
  }
  REQUIRE(have.size() == want.size());
  double largest = 0, epsilon = 0;
  if constexpr (gp::is_inexact(gp::dtype_of<V>)) epsilon = gp::finfo<V>::eps;
  for (const double x : want)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < want.size(); ++i) {
    CAPTURE(i);
    if (std::isnan(want[i])) CHECK(std::isnan(have[i]));
    else CHECK(std::abs(have[i] - want[i]) <= 4 * epsilon * largest);
  }
}

template<gp::element V>
void check(const std::string& expression, const gp::ndarray<V>& result) {
  CAPTURE(expression);
  REQUIRE(answer(expression)[1] == "array");
  check_elements(result, answer(expression));
}

template<gp::sparse_like A>
void check(const std::string& expression, const A& result) {
  static constexpr const char* formats[] = {"csr", "csc", "coo", "dia"};
  const std::vector<std::string>& row = answer(expression);
  CAPTURE(expression);
  REQUIRE(row[1] == formats[static_cast<int>(A::format_of)]);
  CHECK(std::to_string(result.nnz()) == row[4]);
  CHECK(result.index_dtype() == gp::dtype::int32);
  CHECK(result.device() == gp::default_device());
  // What the library claims to know of its order must be so: a matrix of the same components finds out anew.
  if constexpr (sp::is_compressed(A::format_of)) {
    const A same(result.data(), result.indices(), result.indptr(), result.shape());
    CHECK(result.has_sorted_indices() == same.has_sorted_indices());
    CHECK(result.has_canonical_format() == same.has_canonical_format());
  }
  check_elements(result.toarray(), row);
}

/// The class and the beginning of the text.
inline void check_throws(const std::string& expression, call_reference call) {
  const std::vector<std::string>& row = answer(expression);
  CAPTURE(expression);
  REQUIRE(row[1] == "error");
  const auto [name, text] = error_thrown_by(call);
  CHECK(name == row[2]);
  CHECK(text.substr(0, row[5].size()) == row[5]);
}

inline void check_text(const std::string& expression, const std::string& text) {
  CAPTURE(expression);
  std::string spelled;
  for (const char c : text) spelled += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  CHECK(spelled == answer(expression)[5]);
}

}  // namespace golden_sparse

#define SPARSE(python, ...) golden_sparse::check(python, __VA_ARGS__)
#define SPARSE_THROWS(python, ...) golden_sparse::check_throws(python, [&] { (void)(__VA_ARGS__); })
#define SPARSE_TEXT(python, ...) golden_sparse::check_text(python, __VA_ARGS__)
