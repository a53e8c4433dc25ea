// A fake GPU that runs the kernels for sparse matrices, and random matrices to give to engines.
#pragma once
#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/reduction/scan_table.hpp>
#include <cuda/sorting/order_params.hpp>
#include <cuda/sorting/radix_params.hpp>
#include <cuda/sparse/sparse_params.hpp>
#include <host/sparse/sparse.hpp>
#include <plan/sparse_engine.hpp>

#include "cuda/support/fake_sparse_engine.hpp"
#include "cuda/support/sparse_kernels.hpp"

namespace sparse_fixture {

using namespace gparray;
using namespace gparray::core;
using std::int64_t;

inline constexpr dtype index_types[] = {dtype::int32, dtype::int64},
                       value_types[] = {dtype::float64, dtype::bool_};

/// Sums of int64 numbers, as the scan kernels make them.
inline void run_scan(const cuda::scan_params& p) {
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

inline void run_search(const cuda::search_params& p) {
  const auto* const sorted = static_cast<const int64_t*>(p.sorted);
  const auto* const values = static_cast<const int64_t*>(p.values);
  for (int64_t i = 0; i < p.count; ++i)
    p.out[i] = (p.right ? std::upper_bound(sorted, sorted + p.n, values[i])
                        : std::lower_bound(sorted, sorted + p.n, values[i])) -
               sorted;
}

/// Runs the kernels that are known; others would be noticed by their results.
inline void run(const fake_cuda::launch_record& l) {
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
  for (const dtype type : value_types) {
    try_kernel(cuda::find_diagonals_count_kernel(type), emulated_sparse::diagonals_count(type));
    try_kernel(cuda::find_diagonals_product_kernel(type), emulated_sparse::diagonals_product(type));
  }
  for (const dtype index : index_types) {
    try_kernel(cuda::find_expand_kernel(index), emulated_sparse::expand(index));
    try_kernel(cuda::find_short_rows_kernel(dtype::float64, index), emulated_sparse::short_rows(index));
    try_kernel(cuda::find_wide_rows_kernel(dtype::float64, index), emulated_sparse::wide_rows(index));
    try_kernel(cuda::find_starts_kernel(index), emulated_sparse::starts(index));
    try_kernel(cuda::find_product_count_kernel(index), emulated_sparse::product_count(index));
    try_kernel(cuda::find_union_splits_kernel(index), emulated_sparse::union_splits(index));
    try_kernel(cuda::find_tile_rows_kernel(index), emulated_sparse::tile_rows(index));
    try_kernel(cuda::find_descents_kernel(index), emulated_sparse::descents(index));
    try_kernel(cuda::find_take_count_kernel(index), emulated_sparse::take_count(index));
    try_kernel(cuda::find_write_starts_kernel(index), emulated_sparse::write_row_starts(index));
    for (const dtype type : value_types) {
      try_kernel(cuda::find_reorder_kernel(index, itemsize(type)),
                 emulated_sparse::reorder(index, itemsize(type)));
      try_kernel(cuda::find_reduce_rows_kernel(type, index), emulated_sparse::reduce_rows(type, index));
      try_kernel(cuda::find_product_write_kernel(type, index), emulated_sparse::product_write(type, index));
      try_kernel(cuda::find_union_count_kernel(type, index), emulated_sparse::union_count(type, index));
      try_kernel(cuda::find_union_write_kernel(type, index), emulated_sparse::union_write(type, index));
      try_kernel(cuda::find_take_write_kernel(index, itemsize(type)),
                 emulated_sparse::take_write(index, itemsize(type)));
      try_kernel(cuda::find_diagonal_kernel(type, index), emulated_sparse::diagonal(type, index));
      try_kernel(cuda::find_diagonals_write_kernel(type, index),
                 emulated_sparse::diagonals_write(type, index));
    }
  }
}

/// body(engine of the fake GPU whose kernels run).
template<class Body>
void with_engine(Body body) {
  fake_cusparse::with_engine([](auto&) { fake_cuda::model.on_launch = run; }, body);
}

inline const queue stream{0, nullptr}, cpu{};

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

}  // namespace sparse_fixture
