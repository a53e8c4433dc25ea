// Sparse matrices with more rows, diagonals and entries than the CPU's routines take at a time.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>
#include <gparray/sparse.hpp>

namespace gp = gparray;
namespace sp = gp::sparse;

namespace {

/// Diagonals of numbers of which each `gap`-th is 0.
sp::dia_matrix<double> banded(std::int64_t rows, std::int64_t columns,
                              const std::vector<std::int64_t>& offsets, std::int64_t gap) {
  const auto n = static_cast<std::int64_t>(offsets.size());
  const gp::ndarray<double> data =
      (gp::arange<double>(n * columns) % static_cast<double>(gap)).reshape({n, columns});
  return sp::dia_matrix<double>(data, gp::array(offsets), {rows, columns});
}

gp::ndarray<double> dense(const sp::dia_matrix<double>& a) {
  const std::int64_t rows = a.shape()[0], columns = a.shape()[1];
  const std::vector<double> data = a.data().to_vector();
  const std::vector<std::int64_t> offsets = a.offsets().template astype<std::int64_t>().to_vector();
  std::vector<double> whole(static_cast<std::size_t>(rows * columns));
  for (std::size_t d = 0; d < offsets.size(); ++d)
    for (std::int64_t j = 0; j < columns; ++j)
      if (const std::int64_t i = j - offsets[d]; i >= 0 && i < rows)
        whole[static_cast<std::size_t>(i * columns + j)] =
            data[d * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
  return gp::array(whole).reshape({rows, columns});
}

/// Entries anywhere, some positions more than once.
sp::csr_matrix<double> scattered(std::int64_t rows, std::int64_t columns, std::int64_t count) {
  auto rng = gp::random::default_rng(4);
  return {gp::arange<double>(count) + 1.,
          {rng.integers(0, rows, count), rng.integers(0, columns, count)},
          gp::dims{rows, columns}};
}

}  // namespace

TEST_CASE("rows of diagonals: full, with gaps, mostly empty, many") {
  for (const auto& [rows, columns] :
       {std::pair<std::int64_t, std::int64_t>{700, 600}, {600, 700}, {3, 900}}) {
    CAPTURE(rows);
    for (const std::int64_t gap : {2, 3, 50, 100'000'000}) {
      CAPTURE(gap);
      const auto a = banded(rows, columns, {-300, -1, 0, 2, 255}, gap);
      const auto compressed = a.tocsr();
      CHECK(gp::array_equal(compressed.toarray(), dense(a)));
      CHECK(compressed.nnz() == gp::count_nonzero(dense(a)).item());
      CHECK(compressed.has_canonical_format());
    }
  }
  // Diagonals that begin or cross where another piece of rows does.
  const auto tall = banded(9000, 40, {-8990, -5000, -4090, -1, 0}, 3);
  const int threads = gp::num_threads();
  for (const int n : {1, 4}) {
    gp::set_num_threads(n);
    CHECK(gp::array_equal(tall.tocsr().toarray(), dense(tall)));
  }
  gp::set_num_threads(threads);
  std::vector<std::int64_t> offsets;
  for (std::int64_t k = -20; k < 20; ++k) offsets.push_back(k);
  const auto wide = banded(500, 500, offsets, 100'000'000);
  CHECK(gp::array_equal(wide.tocsr().toarray(), dense(wide)));
}

TEST_CASE("by the other axis, on several threads") {
  const int threads = gp::num_threads();
  const auto a = scattered(300, 200, 90'000);
  const gp::ndarray<double> whole = a.toarray();
  for (const int n : {1, 4}) {
    gp::set_num_threads(n);
    const auto columns = a.tocsc();
    CHECK(gp::array_equal(columns.toarray(), whole));
    CHECK(columns.has_sorted_indices());
    CHECK(gp::array_equal(columns.tocsr().indices(), a.sorted_indices().indices()));
    CHECK(gp::array_equal(a.T().tocsr().toarray(), whole.T()));
  }
  gp::set_num_threads(threads);
}

TEST_CASE_TEMPLATE("coordinates in any order: duplicates are added up in their order", V, double, float, int,
                   bool, std::complex<double>) {
  const int threads = gp::num_threads();
  // Rows of few entries, and of more than are sorted by insertion, and of so many that all are moved twice.
  for (const auto& [rows, count] :
       {std::pair<std::int64_t, std::int64_t>{40'000, 90'000}, {700, 30'000}, {50, 9'000}}) {
    CAPTURE(rows);
    const std::int64_t columns = 60;
    auto rng = gp::random::default_rng(9);
    const gp::ndarray<std::int64_t> row = rng.integers(0, rows, count),
                                    column = rng.integers(0, columns, count);
    const gp::ndarray<double> numbers = rng.standard_normal<double>(count);
    const gp::ndarray<V> data = numbers.astype<V>();
    const std::vector<std::int64_t> i = row.to_vector(), j = column.to_vector();
    const std::vector<V> x = data.to_vector();
    std::vector<V> sums(static_cast<std::size_t>(rows * columns));
    std::vector<bool> stored(sums.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto at = static_cast<std::size_t>(i[k] * columns + j[k]);
      sums[at] = stored[at] ? static_cast<V>(sums[at] + x[k]) : x[k];
      stored[at] = true;
    }
    const gp::ndarray<V> want = gp::ndarray<V>(sums.begin(), sums.end()).reshape({rows, columns});
    for (const int n : {1, 4}) {
      gp::set_num_threads(n);
      const sp::csr_matrix<V> a(data, {row, column}, gp::dims{rows, columns});
      CHECK(a.has_canonical_format());
      CHECK(a.nnz() == std::ranges::count(stored, true));
      CHECK(gp::array_equal(a.toarray(), want));
      const sp::csc_matrix<V> b(data, {column, row}, gp::dims{columns, rows});
      CHECK(gp::array_equal(b.indices(), a.indices()));
      CHECK(gp::array_equal(b.data(), a.data()));
    }
    gp::set_num_threads(threads);
  }
}

TEST_CASE("results that fill their memory, and results that do not") {
  const int threads = gp::num_threads();
  const auto a = scattered(400, 300, 50'000);
  const gp::ndarray<double> whole = a.toarray();
  for (const int n : {1, 4}) {
    gp::set_num_threads(n);
    CHECK(gp::array_equal((a + a).toarray(), whole + whole));
    CHECK(gp::array_equal(a.multiply(a).toarray(), whole * whole));
    // Three entries are left of as many as there were.
    const gp::ndarray<double> kept = whole * (gp::arange<double>(300) == 5.).astype<double>();
    const auto difference = a - sp::csr_matrix<double>(whole - kept);
    CHECK(gp::array_equal(difference.toarray(), kept));
    auto sum = a + a;
    sum.data() *= 2.;
    CHECK(gp::array_equal(sum.toarray(), 4. * whole));
    CHECK(gp::array_equal(gp::matmul(a, a.T()).toarray(), gp::matmul(whole, whole.T())));
  }
  gp::set_num_threads(threads);
}

TEST_CASE("the sum's memory is a user's allocator's where there is one") {
  if (gp::default_device().is_cuda()) return;
  struct counting final : gp::allocator {
    void* allocate(std::size_t bytes, void*) override {
      ++calls;
      return ::operator new(bytes, std::align_val_t{64});
    }
    void deallocate(void* pointer, std::size_t, void*) noexcept override {
      ::operator delete(pointer, std::align_val_t{64});
    }
    int calls = 0;
  };
  const auto a = scattered(40, 30, 200);
  const auto own = std::make_shared<counting>();
  gp::set_allocator(gp::memory_space::host, gp::device::cpu(), own);
  const auto sum = a + a;
  gp::set_allocator(gp::memory_space::host, gp::device::cpu(), nullptr);
  // Row starts, columns, values.
  CHECK(own->calls >= 3);
}

namespace {

/// A matrix with so many entries in its rows, of integers, so that sums are exact in any order.
template<class T, class I>
sp::csr_matrix<T> with_row_lengths(const std::vector<std::int64_t>& lengths, std::int64_t columns) {
  std::vector<I> indptr{0}, indices;
  std::vector<T> data;
  for (const std::int64_t length : lengths) {
    for (std::int64_t k = 0; k < length; ++k) {
      indices.push_back(static_cast<I>((3 * k + static_cast<std::int64_t>(indptr.size())) % columns));
      data.push_back(static_cast<T>(static_cast<std::int64_t>(data.size()) % 7 - 3));
    }
    indptr.push_back(static_cast<I>(indices.size()));
  }
  return {gp::array(data), gp::array(indices), gp::array(indptr),
          gp::dims{static_cast<std::int64_t>(lengths.size()), columns}};
}

template<class T, class I>
void check_row_lengths() {
  // Every length up to more than are unrolled, many times in turn and alone, and rows of none.
  std::vector<std::int64_t> lengths;
  for (std::int64_t length = 0; length <= 11; ++length) {
    for (std::int64_t times : {1, 2, 3, 4, 5, 9}) {
      lengths.insert(lengths.end(), static_cast<std::size_t>(times), length);
      lengths.push_back((length + times) % 12);
    }
  }
  const auto a = with_row_lengths<T, I>(lengths, 16);
  const gp::ndarray<T> x = gp::arange<T>(16) - T(5);
  CHECK(gp::array_equal(gp::matmul(a, x), gp::matmul(a.toarray(), x)));
  const gp::ndarray<T> many = gp::arange<T>(static_cast<std::int64_t>(lengths.size())) % T(11) - T(5);
  CHECK(gp::array_equal(gp::matmul(a.T(), many), gp::matmul(a.toarray().T(), many)));
}

}  // namespace

TEST_CASE("sparse: rows of any lengths times a vector") {
  check_row_lengths<double, std::int32_t>();
  check_row_lengths<float, std::int64_t>();
  check_row_lengths<std::int32_t, std::int32_t>();
}
