// Loops for rows that are short: what a block's loops do before and behind their elements would take longer
// than these.
#pragma once
#include <host/reduction/reduce_kernels.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

using rows_loop = decltype(reduce_kernel::rows);

/// What makes the states of a reduce_kernel, with the same bits, of rows of n <= reduce_block elements; null
/// where its own loops are as good.
rows_loop find_short_rows(reduction op, dtype element, std::int64_t n);

// A file for each dtype, so that they compile in parallel.
rows_loop find_short_rows_of_bool_(reduction op, std::int64_t n);
rows_loop find_short_rows_of_float32(reduction op, std::int64_t n);
rows_loop find_short_rows_of_float64(reduction op, std::int64_t n);
rows_loop find_short_rows_of_int32(reduction op, std::int64_t n);
rows_loop find_short_rows_of_int64(reduction op, std::int64_t n);

}  // namespace host
GPARRAY_END_NAMESPACE
