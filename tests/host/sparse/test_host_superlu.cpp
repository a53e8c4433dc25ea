// SuperLU through its table: factors multiply to the matrix, and solve.
#include <plan/sparse_lu.hpp>

#include "support/linalg.hpp"

using namespace golden_linalg;
namespace core = gparray::core;

namespace {

/// Dense, from compressed columns.
template<class V>
std::vector<V> expanded(const core::host_columns& t, std::int64_t n) {
  std::vector<V> dense(static_cast<std::size_t>(n * n));
  for (std::size_t column = 0; column + 1 < t.starts.size(); ++column)
    for (std::int32_t i = t.starts[column]; i < t.starts[column + 1]; ++i) {
      const auto index = static_cast<std::size_t>(i);
      std::memcpy(&dense[static_cast<std::size_t>(t.rows[index]) * static_cast<std::size_t>(n) + column],
                  t.values.data() + index * sizeof(V), sizeof(V));
    }
  return dense;
}

template<class V>
struct columns {
  std::vector<std::int32_t> starts{0}, rows;
  std::vector<V> values;
};

/// A matrix of `n` rows with a full diagonal and a few more entries, by columns.
template<class V>
columns<V> some_matrix(std::int32_t n) {
  columns<V> a;
  for (std::int32_t j = 0; j < n; ++j) {
    for (std::int32_t i = 0; i < n; ++i) {
      if (i != j && (3 * i + 5 * j) % 7 != 0) continue;
      a.rows.push_back(i);
      a.values.push_back(element_at<V>(i * n + j) + (i == j ? V(20) : V(0)));
    }
    a.starts.push_back(static_cast<std::int32_t>(a.rows.size()));
  }
  return a;
}

template<class V>
void check_factors(core::column_order order) {
  constexpr std::int32_t n = 40;
  const columns<V> a = some_matrix<V>(n);
  core::lu_request request;
  request.order = order;
  const auto f =
      core::factorize_sparse(gp::dtype_of<V>, n, a.starts.data(), a.rows.data(), a.values.data(), request);
  const std::vector<V> l = expanded<V>(f->triangle(true), n), u = expanded<V>(f->triangle(false), n);
  const auto at = [](std::int32_t i, std::int32_t j) { return static_cast<std::size_t>(i * n + j); };
  std::vector<V> dense(static_cast<std::size_t>(n * n));
  for (std::int32_t j = 0; j < n; ++j)
    for (std::int32_t k = a.starts[static_cast<std::size_t>(j)];
         k < a.starts[static_cast<std::size_t>(j) + 1]; ++k)
      dense[at(a.rows[static_cast<std::size_t>(k)], j)] = a.values[static_cast<std::size_t>(k)];
  // Gaussian elimination of a matrix with a dominant diagonal is stable: errors are below n * eps * |L| |U|,
  // whose elements are below 4 * 36.
  const double tolerance = n * epsilon<V>() * 4 * 36;
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int32_t j = 0; j < n; ++j) {
      if (i < j) CHECK(l[at(i, j)] == V(0));
      if (i > j) CHECK(u[at(i, j)] == V(0));
      V product(0);
      for (std::int32_t k = 0; k < n; ++k) product += l[at(i, k)] * u[at(k, j)];
      // Row r of A went to row permutation[r].
      const auto from = [&](const std::vector<std::int32_t>& permutation, std::int32_t to) {
        return static_cast<std::int32_t>(std::ranges::find(permutation, to) - permutation.begin());
      };
      const V want = dense[at(from(f->row_permutation, i), from(f->column_permutation, j))];
      CHECK(std::abs(product - want) < tolerance);
    }
}

}  // namespace

TEST_CASE("SuperLU: P_r A P_c = L U") {
  check_factors<double>(core::column_order::colamd);
  check_factors<double>(core::column_order::natural);
  check_factors<double>(core::column_order::mmd_ata);
  check_factors<double>(core::column_order::mmd_at_plus_a);
  check_factors<float>(core::column_order::colamd);
  check_factors<std::complex<float>>(core::column_order::colamd);
  check_factors<std::complex<double>>(core::column_order::colamd);
}

TEST_CASE("SuperLU: solving with A, its transpose and its adjoint") {
  using V = std::complex<double>;
  constexpr std::int32_t n = 40;
  const columns<V> a = some_matrix<V>(n);
  const auto f =
      core::factorize_sparse(gp::dtype::complex128, n, a.starts.data(), a.rows.data(), a.values.data(), {});
  CHECK(f->entries() >= static_cast<std::int64_t>(a.values.size()));
  for (const auto op :
       {core::transposition::none, core::transposition::transpose, core::transposition::adjoint}) {
    std::vector<V> b(2 * n), x;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = element_at<V>(static_cast<std::int64_t>(i));
    x = b;
    f->solve(op, x.data(), 2);
    for (std::size_t column = 0; column < 2; ++column) {
      std::vector<V> y(n);
      for (std::size_t j = 0; j < n; ++j)
        for (auto k = static_cast<std::size_t>(a.starts[j]); k < static_cast<std::size_t>(a.starts[j + 1]);
             ++k) {
          const auto i = static_cast<std::size_t>(a.rows[k]);
          if (op == core::transposition::none) y[i] += a.values[k] * x[column * n + j];
          else if (op == core::transposition::transpose) y[j] += a.values[k] * x[column * n + i];
          else y[j] += std::conj(a.values[k]) * x[column * n + i];
        }
      // |A| |x| n eps: rows sum up to less than 100, solutions to less than 2.
      for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(y[i] - b[column * n + i]) < 200 * n * epsilon<V>());
    }
  }
}

TEST_CASE("SuperLU: a singular matrix") {
  const std::vector<std::int32_t> starts{0, 1, 2}, rows{0, 0};
  const std::vector<double> values{1, 2};
  CHECK_THROWS_WITH_AS(
      core::factorize_sparse(gp::dtype::float64, 2, starts.data(), rows.data(), values.data(), {}),
      "Factor is exactly singular", gp::linalg_error);
}
