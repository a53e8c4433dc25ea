// The kernels for sparse matrices, compiled for the CPU; for the fake CUDA runtime to run.
#pragma once
#include <cstddef>

#include <gparray/dtype.hpp>

namespace emulated_sparse {

using run_function = void (*)(const void* params, unsigned n_blocks, unsigned n_threads);

// By the arguments of the functions of cuda/sparse/sparse_params.hpp that find the kernels of the GPU.
run_function expand(gparray::dtype index);
run_function reduce_rows(gparray::dtype type, gparray::dtype index);
run_function short_rows(gparray::dtype index);  // of float64
run_function wide_rows(gparray::dtype index);   // of float64
run_function reorder(gparray::dtype index, std::size_t item_bytes);
run_function starts(gparray::dtype index);
run_function union_splits(gparray::dtype index);
run_function union_count(gparray::dtype type, gparray::dtype index);
run_function union_write(gparray::dtype type, gparray::dtype index);
run_function tile_rows(gparray::dtype index);
run_function descents(gparray::dtype index);
run_function take_count(gparray::dtype index);
run_function write_row_starts(gparray::dtype index);
run_function take_write(gparray::dtype index, std::size_t item_bytes);
run_function diagonal(gparray::dtype type, gparray::dtype index);
run_function diagonals_count(gparray::dtype type);
run_function diagonals_write(gparray::dtype type, gparray::dtype index);
run_function diagonals_product(gparray::dtype type);
run_function product_count(gparray::dtype index);
run_function product_write(gparray::dtype type, gparray::dtype index);

}  // namespace emulated_sparse
