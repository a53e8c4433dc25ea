// Sparse matrices combined, picked from and read off by the CUDA backend's kernels, on a fake device. What
// they make must be the CPU's, bit for bit.
#include <cmath>
#include <limits>
#include <optional>

#include "cuda/support/sparse_fixture.hpp"

namespace {

using namespace sparse_fixture;

struct made {
  numbers indptr, indices, data;
  bool operator==(const made&) const = default;
};
/// What make(engine, indptr, queue) counts, written; nothing if it has no routine.
template<class Make>
std::optional<made> written(sparse_engine& engine, int64_t rows, dtype index, dtype type, queue q,
                            const Make& make) {
  made m{numbers(index, rows + 1), numbers(index, 0), numbers(type, 0)};
  const auto counted = make(engine, m.indptr.data(), q);
  if (!counted) return {};
  if (counted->count() == 0) return made{numbers(index, 0), numbers(index, 0), numbers(type, 0)};
  m.indices = numbers(index, counted->count());
  m.data = numbers(type, counted->count());
  counted->write(m.indices.data(), m.data.data());
  return m;
}

/// The fake GPU's engine makes what the CPU's does.
template<class Make>
void check_same(int64_t rows, dtype index, dtype type, const Make& make) {
  const auto want = written(host::sparse(), rows, index, type, cpu, make);
  with_engine([&](sparse_engine& engine) {
    const auto have = written(engine, rows, index, type, stream, make);
    REQUIRE(have.has_value() == want.has_value());
    if (want) CHECK(*have == *want);
  });
}

constexpr ufunc operations[] = {ufunc::add, ufunc::subtract, ufunc::multiply, ufunc::maximum, ufunc::minimum};

void check_combined(random_matrix& a, random_matrix& b) {
  for (const ufunc f : operations) {
    CAPTURE(name(f));
    check_same(a.rows, a.indptr.type, a.data.type, [&](sparse_engine& engine, void* indptr, queue q) {
      return engine.combine(f, a.view(), b.view(), indptr, q);
    });
  }
}

/// Each with each.
template<class Body>
void for_types(const Body& body) {
  for (const dtype index : index_types)
    for (const dtype type : value_types) {
      CAPTURE(name(index));
      CAPTURE(name(type));
      body(index, type);
    }
}

double& element(random_matrix& a, int64_t k) { return reinterpret_cast<double*>(a.data.bytes.data())[k]; }

}  // namespace

TEST_CASE("two matrices are merged row by row") {
  for_types([](dtype index, dtype type) {
    for (const auto& [rows, columns, percent_a, percent_b] : {std::tuple{1, 1, 100, 100},
                                                              {300, 40, 30, 30},
                                                              {700, 9, 90, 10},
                                                              {5000, 3, 1, 40},
                                                              {40, 500, 95, 90}}) {
      random_stream next;
      random_matrix a(rows, columns, percent_a, index, type, next),
          b(rows, columns, percent_b, index, type, next);
      check_combined(a, b);
      check_combined(a, a);  // whose differences have no entries
    }
  });
}

TEST_CASE("rows that are longer than a tile, and rows without entries, are merged, too") {
  for_types([](dtype index, dtype type) {
    random_stream next;
    random_matrix a(3000, 9000, 0, index, type, next), b(3000, 9000, 0, index, type, next);
    for (const int64_t row : {1500, 1501}) {  // so that tiles begin between pairs of entries, and within them
      a = random_matrix(3000, 9000, 0, index, type, next);
      b = a;
      a.make_row(row, 5000, next);
      b.make_row(row, 9000, next);
      check_combined(a, b);
    }
    random_matrix none(3000, 9000, 0, index, type, next), some(3000, 9000, 0, index, type, next);
    some.make_row(2999, 1, next);
    check_combined(b, some);
    check_combined(none, a);
    check_combined(a, none);
  });
}

TEST_CASE("NaN, infinities and zeros are combined with entries that are not there") {
  random_stream next;
  random_matrix a(30, 20, 50, dtype::int32, dtype::float64, next),
      b(30, 20, 50, dtype::int32, dtype::float64, next);
  element(a, 0) = std::nan("");
  element(a, 3) = std::numeric_limits<double>::infinity();
  element(b, 4) = -std::numeric_limits<double>::infinity();
  element(b, 7) = -0.0;
  element(a, 9) = 0.0;
  // Combined with a zero, or not: NaN of 0 times infinity have any bits, so whether they are NaN is compared.
  for (const ufunc f : {ufunc::add, ufunc::subtract, ufunc::maximum, ufunc::minimum})
    check_same(a.rows, dtype::int32, dtype::float64, [&](sparse_engine& engine, void* indptr, queue q) {
      return engine.combine(f, a.view(), b.view(), indptr, q);
    });
  const auto multiply = [&](sparse_engine& engine, void* indptr, queue q) {
    return engine.combine(ufunc::multiply, a.view(), b.view(), indptr, q);
  };
  const auto want = written(host::sparse(), a.rows, dtype::int32, dtype::float64, cpu, multiply);
  with_engine([&](sparse_engine& engine) {
    const auto have = written(engine, a.rows, dtype::int32, dtype::float64, stream, multiply);
    CHECK(have->indptr == want->indptr);
    CHECK(have->indices == want->indices);
  });
}

TEST_CASE("columns are picked") {
  for_types([](dtype index, dtype type) {
    random_stream next;
    random_matrix a(2000, 60, 10, index, type, next), b(50, 4000, 0, index, type, next);
    b.make_row(20, 3999, next);
    for (const auto& range : {std::pair{0, 60}, {10, 11}, {30, 59}})
      check_same(a.rows, index, type, [&](sparse_engine& engine, void* indptr, queue q) {
        return engine.slice_columns(a.view(), range.first, range.second, indptr, q);
      });
    for (const auto& range : {std::pair{0, 2}, {1000, 3990}, {3999, 4000}})
      check_same(b.rows, index, type, [&](sparse_engine& engine, void* indptr, queue q) {
        return engine.slice_columns(b.view(), range.first, range.second, indptr, q);
      });
  });
}

TEST_CASE("rows are picked by number") {
  for_types([](dtype index, dtype type) {
    random_stream next;
    random_matrix a(300, 40, 20, index, type, next), b(300, 5000, 0, index, type, next);
    b.make_row(299, 5000, next);
    random_matrix full(300, 1, 100, index, type, next);  // the last entry begins a row
    for (random_matrix* m : {&a, &b, &full})
      for (const int64_t n : {1, 3, 1000}) {
        std::vector<int64_t> rows;
        for (int64_t i = 0; i < n; ++i) rows.push_back(i % 5 == 0 ? 299 : next(300));
        check_same(n, index, type, [&](sparse_engine& engine, void* indptr, queue q) {
          return engine.take_rows(m->view(), rows.data(), n, indptr, q);
        });
      }
  });
}

TEST_CASE("elements of a diagonal are added up in their order") {
  for_types([](dtype index, dtype type) {
    random_stream next;
    random_matrix a(300, 300, 20, index, type, next), b(600, 6000, 0, index, type, next);
    b.make_row(550, 6000, next);
    for (int64_t i = 0; i < b.count; ++i)
      b.indices.set(i, i % 3000 < 20 ? 600 : next(6000));  // not in order, and many at one position
    for (random_matrix* m : {&a, &b})
      for (const int64_t k : {0, 1, -1, 50, -299, 299}) {
        const int64_t n = std::min(m->rows + std::min<int64_t>(k, 0), m->columns - std::max<int64_t>(k, 0));
        numbers have(type, n), want(type, n);
        CHECK(host::sparse().diagonal(m->view(), k, want.data(), cpu));
        with_engine(
            [&](sparse_engine& engine) { CHECK(engine.diagonal(m->view(), k, have.data(), stream)); });
        CHECK(have == want);
      }
  });
}

TEST_CASE("where the entries of each number begin") {
  for (const dtype index : index_types)
    for (const auto& size : {std::tuple{1, 1, 1},
                             {1, 5000, 1},
                             {5000, 70, 1},
                             {5000, 9000, 2},
                             {300, 90000, 299},
                             {300, 90000, 30}}) {
      const int count = std::get<0>(size), n_numbers = std::get<1>(size), step = std::get<2>(size);
      CAPTURE(count);
      CAPTURE(n_numbers);
      random_stream next;
      numbers keys(index, count), have(index, n_numbers + 1), want(index, n_numbers + 1);
      std::vector<int64_t> sorted;
      for (int64_t k = 0; k < count; ++k) sorted.push_back(next(n_numbers) / step * step);
      std::ranges::sort(sorted);
      for (int64_t k = 0; k < count; ++k) keys.set(k, sorted[static_cast<std::size_t>(k)]);
      for (int64_t n = 0; n <= n_numbers; ++n)
        want.set(n, std::ranges::lower_bound(sorted, n) - sorted.begin());
      numbers on_cpu(index, n_numbers + 1);
      host::sparse().starts(keys.data(), count, n_numbers, index, on_cpu.data(), cpu);
      CHECK(on_cpu == want);
      with_engine([&](sparse_engine& engine) {
        engine.starts(keys.data(), count, n_numbers, index, have.data(), stream);
      });
      CHECK(have == want);
    }
}

TEST_CASE("stored diagonals become rows, and are multiplied") {
  for_types([](dtype index, dtype type) {
    random_stream next;
    constexpr int64_t rows = 700, width = 650;
    numbers data(type, 4 * width);
    for (int64_t k = 0; k < 4 * width; ++k) data.set(k, next(3) - 1);
    std::vector<stored_diagonal> each;
    for (const int64_t offset : {-699, -3, 0, 649})
      each.push_back(
          {offset, data.bytes.data() + each.size() * static_cast<std::size_t>(width) * itemsize(type)});
    const stored_diagonals d{rows, width, type, each};
    check_same(rows, index, type, [&](sparse_engine& engine, void* indptr, queue q) {
      return engine.diagonals_to_rows(d, index, indptr, q);
    });
    for (const int64_t columns : {1, 3}) {
      numbers x(type, width * columns), have(type, rows * columns), want(type, rows * columns);
      for (int64_t i = 0; i < width * columns; ++i) x.set(i, next(9) - 4);
      host::sparse().diagonals_times_dense(d, columns, x.data(), want.data(), cpu);
      with_engine([&](sparse_engine& engine) {
        engine.diagonals_times_dense(d, columns, x.data(), have.data(), stream);
      });
      CHECK(have == want);
    }
  });
}

TEST_CASE("whether indices ascend is seen within rows, not from one row to the next") {
  for (const dtype index : index_types) {
    random_stream next;
    random_matrix a(3000, 40, 30, index, dtype::bool_, next);
    const auto check = [&](bool ascends, bool strictly) {
      with_engine([&](sparse_engine& engine) {
        CHECK(engine.ascends(a.view(), false, stream) == ascends);
        CHECK(engine.ascends(a.view(), true, stream) == strictly);
      });
    };
    check(true, true);
    const auto first_of = [&](int64_t row) {  // of a row with at least two entries
      return index == dtype::int32 ? reinterpret_cast<const std::int32_t*>(a.indptr.data())[row]
                                   : reinterpret_cast<const int64_t*>(a.indptr.data())[row];
    };
    int64_t row = 2000;
    while (first_of(row + 1) - first_of(row) < 2) ++row;
    const int64_t k = first_of(row);
    a.indices.set(k, 39);
    a.indices.set(k + 1, 39);
    check(first_of(row + 1) - k == 2, false);
    a.indices.set(k + 1, 38);
    check(false, false);
    random_matrix one_row(1, 9000, 0, index, dtype::bool_, next);
    one_row.make_row(0, 9000, next);
    one_row.indices.set(8999, 0);
    with_engine(
        [&](sparse_engine& engine) { CHECK(engine.ascends(one_row.view(), false, stream) == false); });
  }
}
