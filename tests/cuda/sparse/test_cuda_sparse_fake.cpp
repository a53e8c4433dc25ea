// The CUDA backend's sparse matrices on a fake device: its kernels run on the CPU, its cuSPARSE computes by
// definition. What they make must be the CPU's, bit for bit.
#include <algorithm>
#include <numeric>

#include <doctest/doctest.h>

#include <cuda/reduction/scan_table.hpp>
#include <cuda/sorting/order_params.hpp>
#include <cuda/sorting/radix_params.hpp>
#include <cuda/sparse/sparse_params.hpp>
#include <gparray/error.hpp>
#include <host/sparse/sparse.hpp>
#include <plan/sparse_engine.hpp>

#include "cuda/support/fake_sparse_engine.hpp"
#include "cuda/support/sparse_kernels.hpp"
#include "support/error_text.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using std::int64_t;

constexpr dtype index_types[] = {dtype::int32, dtype::int64}, value_types[] = {dtype::float64, dtype::bool_};

/// Sums of int64 numbers, as the scan kernels make them.
void run_scan(const cuda::scan_params& p) {
  int64_t sum = 0;
  for (int64_t i = 0; i < p.n; ++i) {
    sum += *reinterpret_cast<const int64_t*>(p.in + i * p.in_stride);
    *reinterpret_cast<int64_t*>(p.out + i * p.out_stride) = sum;
  }
}

/// A pass of the radix sort by definition; what its kernels do is the sort's own test.
template<class K>
void run_radix_pass(const cuda::pass_params& p) {
  std::vector<std::uint32_t> order(p.size);
  std::iota(order.begin(), order.end(), 0u);
  const K* const keys = static_cast<const K*>(p.source.items);
  const auto digit = [&](std::uint32_t i) { return keys[i] >> p.shift & (cuda::n_digits - 1); };
  std::ranges::stable_sort(order, {}, digit);
  for (std::uint32_t i = 0; i < p.size; ++i) {
    static_cast<K*>(p.result.items)[i] = keys[order[i]];
    p.result.numbers[i] = p.numbers ? p.numbers[order[i]] : order[i];
  }
}

void run_search(const cuda::search_params& p) {
  const auto* const sorted = static_cast<const int64_t*>(p.sorted);
  const auto* const values = static_cast<const int64_t*>(p.values);
  for (int64_t i = 0; i < p.count; ++i)
    p.out[i] = (p.right ? std::upper_bound(sorted, sorted + p.n, values[i])
                        : std::lower_bound(sorted, sorted + p.n, values[i])) -
               sorted;
}

/// Runs the kernels that are known; others would be noticed by their results.
void run(const fake_cuda::launch_record& l) {
  const auto try_kernel = [&](const void* kernel, emulated_sparse::run_function f) {
    if (l.kernel == kernel) f(l.params, l.blocks, l.threads);
  };
  const cuda::scan_kernels scans = cuda::find_scan_kernels(scan::sum, dtype::int64);
  if (l.kernel == scans.tiles || l.kernel == scans.short_rows || l.kernel == scans.middle_rows)
    run_scan(*static_cast<const cuda::scan_params*>(l.params));
  if (l.kernel == cuda::find_search_kernel(dtype::int64))
    run_search(*static_cast<const cuda::search_params*>(l.params));
  for (const bool keys_are_64_bit : {false, true}) {
    if (l.kernel != cuda::find_pass_kernel(keys_are_64_bit, true, 1).address) continue;
    const auto& p = *static_cast<const cuda::pass_params*>(l.params);
    keys_are_64_bit ? run_radix_pass<std::uint64_t>(p) : run_radix_pass<std::uint32_t>(p);
  }
  for (const dtype index : index_types) {
    try_kernel(cuda::find_expand_kernel(index), emulated_sparse::expand(index));
    try_kernel(cuda::find_short_rows_kernel(dtype::float64, index), emulated_sparse::short_rows(index));
    try_kernel(cuda::find_starts_kernel(index), emulated_sparse::starts(index));
    try_kernel(cuda::find_product_count_kernel(index), emulated_sparse::product_count(index));
    for (const dtype type : value_types) {
      try_kernel(cuda::find_reorder_kernel(index, itemsize(type)),
                 emulated_sparse::reorder(index, itemsize(type)));
      try_kernel(cuda::find_reduce_rows_kernel(type, index), emulated_sparse::reduce_rows(type, index));
      try_kernel(cuda::find_product_write_kernel(type, index), emulated_sparse::product_write(type, index));
    }
  }
}

/// body(engine of the fake GPU whose kernels run).
template<class Body>
void with_engine(Body body) {
  fake_cusparse::with_engine([](auto&) { fake_cuda::model.on_launch = run; }, body);
}

const queue stream{0, nullptr}, cpu{};

/// Index arrays and data of either type in one memory.
struct numbers {
  dtype type;
  std::vector<std::byte> bytes;
  numbers(dtype t, int64_t n) : type(t), bytes(static_cast<std::size_t>(n) * itemsize(t)) {}
  void set(int64_t i, int64_t value) {
    if (type == dtype::int32)
      reinterpret_cast<std::int32_t*>(bytes.data())[i] = static_cast<std::int32_t>(value);
    else if (type == dtype::int64) reinterpret_cast<int64_t*>(bytes.data())[i] = value;
    else if (type == dtype::float64) reinterpret_cast<double*>(bytes.data())[i] = static_cast<double>(value);
    else reinterpret_cast<bool*>(bytes.data())[i] = value != 0;
  }
  void* data() { return bytes.data(); }
  bool operator==(const numbers& other) const { return bytes == other.bytes; }
};

struct random_stream {
  std::uint64_t state = 88172645463325252u;
  int64_t operator()(int64_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<int64_t>(state >> 11) % n;
  }
};

/// A canonical matrix with entries of some density; every seventh row is empty.
struct random_matrix {
  random_matrix(int64_t n_rows, int64_t n_columns, int percent, dtype index, dtype type, random_stream& next)
      : rows(n_rows), columns(n_columns), indptr(index, n_rows + 1), indices(index, 0), data(type, 0) {
    std::vector<int64_t> at;
    for (int64_t i = 0; i < rows; ++i) {
      if (i % 7 != 3)
        for (int64_t j = 0; j < columns; ++j)
          if (next(100) < percent) at.push_back(j);
      indptr.set(i + 1, static_cast<int64_t>(at.size()));
    }
    count = static_cast<int64_t>(at.size());
    indices = numbers(index, count);
    data = numbers(type, count);
    for (int64_t k = 0; k < count; ++k) {
      indices.set(k, at[static_cast<std::size_t>(k)]);
      data.set(k, next(19) - 9);
    }
  }
  /// Gives a matrix without entries one row of them.
  void make_row(int64_t row, int64_t length, random_stream& next) {
    count = length;
    for (int64_t i = row + 1; i <= rows; ++i) indptr.set(i, length);
    indices = numbers(indptr.type, length);
    data = numbers(data.type, length);
    for (int64_t k = 0; k < length; ++k) {
      indices.set(k, k);
      data.set(k, next(19) - 9);
    }
  }
  compressed_rows view() {
    return {rows, columns, count, indptr.type, data.type, indptr.data(), indices.data(), data.data()};
  }
  int64_t rows, columns, count = 0;
  numbers indptr, indices, data;
};

void check_compress(int64_t count, int64_t n_numbers, dtype index, dtype type) {
  CAPTURE(count);
  CAPTURE(n_numbers);
  random_stream next;
  numbers number(index, count), other(index, count), data(type, count);
  for (int64_t k = 0; k < count; ++k) {
    number.set(k, next(n_numbers));
    other.set(k, k);
    data.set(k, next(50));
  }
  const numbered_entries e{count, n_numbers, index, number.data(), other.data(), itemsize(type), data.data()};
  numbers indptr(index, n_numbers + 1), others(index, count), out(type, count);
  numbers want_indptr = indptr, want_others = others, want = out;
  host::sparse().compress(e, want_indptr.data(), want_others.data(), want.data(), cpu);
  with_engine(
      [&](sparse_engine& engine) { engine.compress(e, indptr.data(), others.data(), out.data(), stream); });
  CHECK(indptr == want_indptr);
  CHECK(others == want_others);
  CHECK(out == want);
}

struct product_result {
  numbers indptr, indices, data;
  bool sorted;
};
product_result multiply(sparse_engine& engine, random_matrix& a, random_matrix& b, queue q) {
  product_result r{numbers(a.indptr.type, a.rows + 1), numbers(a.indptr.type, 0), numbers(a.data.type, 0),
                   false};
  const auto counted = engine.times_sparse(a.view(), b.view(), r.indptr.data(), r.sorted, q);
  REQUIRE(counted);
  r.indices = numbers(a.indptr.type, counted->count());
  r.data = numbers(a.data.type, counted->count());
  if (counted->count() > 0) counted->write(r.indices.data(), r.data.data());
  return r;
}

}  // namespace

TEST_CASE("entries are put together by number, in order") {
  for (const dtype index : index_types) {
    check_compress(1, 1, index, dtype::float64);
    check_compress(2047, 3, index, dtype::float64);
    check_compress(2048, 16, index, dtype::bool_);
    check_compress(2049, 17, index, dtype::float64);
    check_compress(10000, 70000, index, dtype::float64);
  }
}

TEST_CASE("rows of entries, searches, sums of rows") {
  for (const dtype index : index_types)
    for (const dtype type : value_types) {
      random_stream next;
      random_matrix a(300, 40, 10, index, type, next);
      numbers row(index, a.count), want_row(index, a.count);
      host::sparse().expand(a.indptr.data(), a.rows, a.count, index, want_row.data(), cpu);
      with_engine([&](sparse_engine& engine) {
        engine.expand(a.indptr.data(), a.rows, a.count, index, row.data(), stream);
      });
      CHECK(row == want_row);
      for (const reduction op : {reduction::sum, reduction::min, reduction::max}) {
        numbers sums(type, a.rows), want(type, a.rows);
        host::sparse().reduce_rows(op, type, a.data.data(), a.indptr.data(), index, a.rows, want.data(), cpu);
        with_engine([&](sparse_engine& engine) {
          engine.reduce_rows(op, type, a.data.data(), a.indptr.data(), index, a.rows, sums.data(), stream);
        });
        CHECK(sums == want);
      }
    }
  std::vector<int64_t> keys, wanted, positions(1000), want(1000);
  random_stream next;
  for (int64_t k = 0; k < 500; ++k) keys.push_back(k / 3 * 2);
  for (int64_t k = 0; k < 1000; ++k) wanted.push_back(next(400) - 20);
  for (const bool after : {false, true}) {
    for (std::size_t i = 0; i < 1000; ++i)
      want[i] = (after ? std::upper_bound(keys.begin(), keys.end(), wanted[i])
                       : std::lower_bound(keys.begin(), keys.end(), wanted[i])) -
                keys.begin();
    const auto search = [&](sparse_engine& engine, queue q) {
      std::fill(positions.begin(), positions.end(), -1);
      engine.search(keys.data(), 500, wanted.data(), 1000, after, positions.data(), q);
      CHECK(positions == want);
    };
    search(host::sparse(), cpu);
    with_engine([&](sparse_engine& engine) { search(engine, stream); });
  }
}

TEST_CASE("a vector times short rows, by our kernel") {
  // Small integers: sums are exact in any order. Every seventh row is empty, and one is longer than several
  // tiles.
  for (const dtype index : index_types)
    for (const auto& [rows, columns, percent, length] : {std::tuple{1, 40, 50, 0},
                                                         {256, 40, 50, 0},
                                                         {700, 60, 40, 0},
                                                         {1000, 9000, 0, 8999},
                                                         {300, 5000, 0, 2049}}) {
      CAPTURE(rows);
      CAPTURE(length);
      random_stream next;
      random_matrix a(rows, columns, percent, index, dtype::float64, next);
      if (length > 0) a.make_row(rows / 2, length, next);
      numbers x(dtype::float64, columns), y(dtype::float64, rows), want(dtype::float64, rows);
      for (int64_t i = 0; i < columns; ++i) x.set(i, next(9) - 4);
      host::sparse().times_dense(a.view(), 1, x.data(), want.data(), cpu);
      with_engine([&](sparse_engine& engine) {
        CHECK(engine.times_dense(a.view(), 1, x.data(), y.data(), stream));
        CHECK(fake_cusparse::model.calls.empty());
      });
      CHECK(y == want);
    }
}

TEST_CASE("products with dense matrices by cuSPARSE") {
  random_stream next;
  random_matrix a(50, 100, 60, dtype::int32, dtype::float64, next);  // more than 32 entries a row
  for (const int64_t width : {1, 3}) {
    numbers x(dtype::float64, 100 * width), y(dtype::float64, 50 * width), want(dtype::float64, 50 * width);
    for (int64_t i = 0; i < 100 * width; ++i) x.set(i, next(9));
    host::sparse().times_dense(a.view(), width, x.data(), want.data(), cpu);
    with_engine([&](sparse_engine& engine) {
      CHECK(engine.times_dense(a.view(), width, x.data(), y.data(), stream));
      CHECK(!engine.transposed_times_dense(a.view(), width, x.data(), y.data(), stream));
    });
    CHECK(y == want);
  }
  random_matrix flags(5, 5, 50, dtype::int32, dtype::bool_, next);
  with_engine([&](sparse_engine& engine) {
    CHECK(!engine.times_dense(flags.view(), 1, nullptr, nullptr, stream));
    CHECK(fake_cusparse::model.calls.empty());
  });
}

TEST_CASE("products of sparse matrices: short rows by our kernels, long ones by cuSPARSE") {
  for (const int64_t columns : {1, 31, 200, 5100, 6000}) {
    CAPTURE(columns);
    for (const dtype index : index_types)
      for (const dtype type : value_types) {
        const bool fits =
            static_cast<int64_t>(itemsize(type)) * columns + (columns + 127) / 128 * 16 <= 40 * 1024;
        if (!fits && (type != dtype::float64 || index != dtype::int32)) continue;
        random_stream next;
        random_matrix a(20, 30, 20, index, type, next), b(30, columns, 5, index, type, next);
        const product_result want = multiply(host::sparse(), a, b, cpu);
        with_engine([&](sparse_engine& engine) {
          const product_result have = multiply(engine, a, b, stream);
          CHECK(have.indptr == want.indptr);
          CHECK(have.indices == want.indices);
          CHECK(have.data == want.data);
          CHECK(have.sorted == fits);
          CHECK(fake_cusparse::model.calls.empty() == fits);
        });
      }
  }
  random_stream next;
  random_matrix a(20, 30, 20, dtype::int64, dtype::float64, next),
      b(30, 6000, 5, dtype::int64, dtype::float64, next);
  with_engine([&](sparse_engine& engine) {
    bool sorted = true;
    CHECK(!engine.times_sparse(a.view(), b.view(), nullptr, sorted, stream));
  });
}

TEST_CASE("a call that fails is named, and nothing is left behind") {
  random_stream next;
  random_matrix a(20, 30, 20, dtype::int32, dtype::float64, next),
      b(30, 6000, 5, dtype::int32, dtype::float64, next);
  numbers x(dtype::float64, 6000), y(dtype::float64, 60);
  const auto all = [&](sparse_engine& engine) {
    engine.times_dense(b.view(), 1, x.data(), y.data(), stream);  // its rows are not short
    engine.times_dense(a.view(), 2, x.data(), y.data(), stream);
    multiply(engine, a, b, stream);
  };
  int calls = 0;
  with_engine([&](sparse_engine& engine) {
    all(engine);
    calls = static_cast<int>(fake_cusparse::model.calls.size());
  });
  REQUIRE(calls == 22);
  for (int k = 1; k <= calls; ++k) {
    CAPTURE(k);
    const std::string text = error_of<cuda_error>([&] {
      with_engine([&](sparse_engine& engine) {
        fake_cusparse::model.fail_at = k;
        all(engine);
      });
    });
    check_contains(text,
                   fake_cusparse::model.calls.back() + " failed while working on sparse matrices: status");
    check_contains(text, "(a text)");
  }
  CHECK_THROWS_AS(with_engine([&](sparse_engine& engine) {
                    fake_cusparse::model.fail_at = 1;
                    fake_cusparse::model.error = CUSPARSE_STATUS_ALLOC_FAILED;
                    all(engine);
                  }),
                  out_of_memory);
}
