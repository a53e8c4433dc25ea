// Index arrays and files of sparse matrices that are wrong at the ends of their integers: refused before
// anything is read or written by them, and the nearest right ones taken.
#include <fstream>
#include <limits>

#include <doctest/doctest.h>

#include <gparray/files.hpp>
#include <gparray/gparray.hpp>
#include <gparray/sparse.hpp>

#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace gp = gparray;
namespace sp = gp::sparse;

namespace {

using i64 = std::int64_t;
using u64 = std::uint64_t;
constexpr i64 most = std::numeric_limits<i64>::max(), least = std::numeric_limits<i64>::min();
constexpr u64 beyond = std::numeric_limits<u64>::max();

const auto three = [] { return gp::array({1., 2., 3.}); };

}  // namespace

TEST_CASE("index pointers whose differences wrap") {
  const auto with = [](const auto& indptr) {
    return sp::csr_matrix<double>(three(), gp::array<i64>({0, 1, 2}), indptr, {{3, 3}});
  };
  for (const auto& wrong :
       {std::array<i64, 4>{0, most, -2, 3}, {0, -1, 2, 3}, {0, 4, 4, 3}, {0, 2, 1, 3}, {0, least, most, 3}})
    check_contains(error_of<gp::value_error>([&] { (void)with(gp::array(wrong)); }),
                   "indptr must be a non-decreasing sequence");
  check_contains(error_of<gp::value_error>([&] { (void)with(gp::array<u64>({0, beyond, 2, 3})); }),
                 "index pointers must be below 2^63");
  CHECK(with(gp::array<i64>({0, 3, 3, 3})).sum().item() == 6.);
  CHECK(with(gp::array<u64>({0, 0, 0, 3})).toarray()(2, 2).item() == 3.);
}

TEST_CASE("indices that a signed number does not hold") {
  for (const u64 wrong : {beyond, u64{1} << 63}) {
    const auto indices = gp::array<u64>({0, wrong, 2});
    const auto right = gp::array<i64>({0, 1, 2});
    CHECK_THROWS_AS(sp::csr_matrix<double>(three(), indices, gp::array<i64>({0, 1, 2, 3}), {{3, 3}}),
                    gp::value_error);
    CHECK_THROWS_AS(sp::csc_matrix<double>(three(), indices, gp::array<i64>({0, 1, 2, 3})), gp::value_error);
    CHECK_THROWS_AS(sp::coo_matrix<double>(three(), {indices, right}, {{3, 3}}), gp::value_error);
    CHECK_THROWS_AS(sp::coo_matrix<double>(three(), {right, indices}), gp::value_error);
    CHECK_THROWS_AS(sp::dia_matrix<double>(gp::ones<double>({3, 3}), indices, {3, 3}), gp::value_error);
  }
  CHECK_THROWS_AS(sp::coo_matrix<double>(three(), {gp::array<i64>({0, most, 2}), gp::array<i64>({0, 1, 2})}),
                  gp::overflow_error);
  CHECK(sp::coo_matrix<double>(three(), {gp::array<i64>({0, most - 1, 2}), gp::array<i64>({0, 1, 2})})
            .shape()[0] == most);
}

TEST_CASE("offsets of diagonals at the ends of 64 bits") {
  const auto with = [](i64 offset) {
    return sp::dia_matrix<double>(gp::ones<double>({1, 3}), gp::array({offset}), {3, 3});
  };
  CHECK_THROWS_AS(with(least), gp::overflow_error);
  for (const i64 outside : {least + 1, most, i64{3}, i64{-3}}) {
    CHECK(with(outside).tocsr().nnz() == 0);
    CHECK(gp::sum(with(outside).T().toarray()).item() == 0.);
  }
  CHECK(with(2).tocsr().nnz() == 1);
}

TEST_CASE("far more rows than entries: memory for the entries alone") {
  const i64 rows = i64{1} << 41;
  const auto row = gp::array<i64>({rows - 1, 5, rows - 1, 5, 0}), column = gp::array<i64>({1, 2, 1, 0, 1});
  const sp::coo_matrix<double> a(gp::array<double>({1, 2, 3, 4, 5}), {row, column}, {rows, 3});
  auto once = a;
  once.sum_duplicates();
  CHECK(gp::array_equal(once.row<i64>(), gp::array<i64>({0, 5, 5, rows - 1})));
  CHECK(gp::array_equal(once.col<i64>(), gp::array<i64>({1, 0, 2, 1})));
  CHECK(gp::array_equal(once.data(), gp::array<double>({5, 4, 2, 4})));
  // The rows of a column in reverse, one of them twice.
  const sp::csc_matrix<double> b(gp::array<double>({1, 2, 3, 4}), gp::array<i64>({rows - 1, 3, 3, 0}),
                                 gp::array<i64>({0, 1, 3, 4}), {{rows, 3}});
  auto unique = b;
  unique.sum_duplicates();
  CHECK(gp::array_equal(unique.indices<i64>(), gp::array<i64>({rows - 1, 3, 0})));
  CHECK(gp::array_equal(unique.indptr<i64>(), gp::array<i64>({0, 1, 2, 3})));
  CHECK(gp::array_equal(unique.data(), gp::array<double>({1, 5, 4})));
  auto compressed = a.tocsc();
  compressed.sum_duplicates();
  CHECK(gp::array_equal(compressed.indices<i64>(), gp::array<i64>({5, 0, rows - 1, 5})));
  // Two diagonals of a table with three columns.
  const sp::dia_matrix<double> d(gp::array<double>({{1, 2, 3}, {4, 5, 6}}), gp::array<i64>({1, -1}),
                                 {rows, 3});
  const auto coordinates = d.tocoo();
  CHECK(gp::array_equal(coordinates.row<i64>(), gp::array<i64>({0, 1, 1, 2, 3})));
  CHECK(gp::array_equal(coordinates.col<i64>(), gp::array<i64>({1, 0, 2, 1, 2})));
  CHECK(gp::array_equal(coordinates.data(), gp::array<double>({2, 4, 3, 5, 6})));
  CHECK(gp::array_equal(d.tocsc().indptr<i64>(), gp::array<i64>({0, 1, 3, 5})));
}

TEST_CASE("Matrix Market sizes that no file can fill") {
  const temporary_folder folder;
  const std::string path = (folder.path / "m.mtx").string();
  const auto read = [&](const std::string& rest) {
    std::ofstream(path) << "%%MatrixMarket matrix " << rest;
    return sp::mmread<double, sp::format::coo>(path);
  };
  const auto empty = read("array real general\n0 9000000000000000000\n");
  CHECK(empty.shape()[1] == 9000000000000000000);
  CHECK(empty.nnz() == 0);
  for (const char* symmetry : {"symmetric", "skew-symmetric", "hermitian"}) {
    const std::string field = symmetry == std::string("hermitian") ? "integer " : "real ";
    CHECK_THROWS_AS(read("array " + field + symmetry + "\n1 9000000000000000000\n"), gp::value_error);
    CHECK_THROWS_AS(read("array " + field + symmetry + "\n2 3\n1\n2\n3\n"), gp::value_error);
  }
  CHECK(read("array real skew-symmetric\n1 1\n").nnz() == 0);
  CHECK(read("array real symmetric\n2 2\n1\n2\n3\n").toarray()(0, 1).item() == 2.);
  check_contains(
      error_of<gp::value_error>([&] { (void)read("array real general\n9000000000000000000 3\n1\n"); }),
      "a number is expected");
  CHECK_THROWS_AS(
      read("coordinate real general\n9000000000000000000 9000000000000000000 9000000000000000000\n1 1 1\n"),
      gp::value_error);
}
