// The Q of a factorisation by Householder reflectors, on both sides of where they are applied in blocks.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <host/linalg/factor.hpp>

namespace host = gparray::host;

namespace {

using matrix = host::column_matrix<double>;

/// Column-major, in memory of its own.
struct owned {
  std::vector<double> memory;
  matrix m;

  owned(int rows, int columns)
      : memory(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)),
        m{memory.data(), rows, columns, rows} {}
};

owned identity(int rows, int columns) {
  owned result(rows, columns);
  for (int j = 0; j < std::min(rows, columns); ++j) *result.m.at(j, j) = 1;
  return result;
}

/// c = H(1) H(2) ... c, one reflector after the other.
void apply_one_by_one(const matrix& v, const std::vector<double>& tau, const matrix& c) {
  for (int k = v.columns - 1; k >= 0; --k)
    for (int j = 0; j < c.columns; ++j) {
      double sum = *c.at(k, j);
      for (int i = k + 1; i < c.rows; ++i) sum += *v.at(i, k) * *c.at(i, j);
      sum *= tau[static_cast<std::size_t>(k)];
      *c.at(k, j) -= sum;
      for (int i = k + 1; i < c.rows; ++i) *c.at(i, j) -= *v.at(i, k) * sum;
    }
}

double largest_difference(const owned& a, const owned& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.memory.size(); ++i)
    largest = std::max(largest, std::abs(a.memory[i] - b.memory[i]));
  return largest;
}

/// How far what is formed, and what reflectors make of the identity, are from reflectors one by one.
double distance(int rows, int columns) {
  std::mt19937 random(5);
  owned v(rows, columns);
  for (double& x : v.memory) x = std::uniform_real_distribution<double>(-1, 1)(random);
  const owned a = v;
  std::vector<double> tau(static_cast<std::size_t>(columns));
  host::factor_qr(matrix{v.memory.data(), rows, columns, rows}, tau.data());
  const matrix reflectors{v.memory.data(), rows, columns, rows};
  owned want = identity(rows, columns), formed(rows, columns), applied = identity(rows, columns);
  apply_one_by_one(reflectors, tau, {want.memory.data(), rows, columns, rows});
  host::form_q(reflectors, tau.data(), {formed.memory.data(), rows, columns, rows});
  host::apply_reflectors(reflectors, tau.data(), {applied.memory.data(), rows, columns, rows});
  // Q R is the matrix again.
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
      for (int k = 0; k <= j; ++k)
        sum += formed.memory[static_cast<std::size_t>(i + k * rows)] * *reflectors.at(k, j);
      REQUIRE(std::abs(sum - a.memory[static_cast<std::size_t>(i + j * rows)]) < 1e-12);
    }
  return std::max(largest_difference(formed, want), largest_difference(applied, want));
}

}  // namespace

TEST_CASE("up to 32 columns and 128 rows have the bits of reflectors that are applied one by one") {
  CHECK(distance(1, 1) == 0);
  CHECK(distance(5, 3) == 0);
  CHECK(distance(32, 32) == 0);
  CHECK(distance(128, 32) == 0);
}

TEST_CASE("blocks of reflectors agree with them within rounding") {
  for (const auto& [rows, columns] :
       {std::pair{129, 32}, {128, 33}, {129, 1}, {200, 64}, {200, 65}, {260, 200}}) {
    CAPTURE(rows);
    CAPTURE(columns);
    CHECK(distance(rows, columns) < 1e-13);
  }
}
