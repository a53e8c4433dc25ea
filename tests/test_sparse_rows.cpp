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

/// Entries anywhere, some places more than once.
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
      return ::operator new (bytes, std::align_val_t{64});
    }
    void deallocate(void* pointer, std::size_t, void*) noexcept override {
      ::operator delete (pointer, std::align_val_t{64});
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
