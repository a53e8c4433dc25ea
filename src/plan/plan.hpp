// Plans: what crosses the boundary between the core and a backend.
//
// When a backend sees a plan, broadcasting (stride 0), promotion (cast steps), aliasing (outputs overlap no
// input unless element for element) and argument errors are solved already, and dimensions are collapsed as
// far as they go.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gparray/tables/reduction_table.hpp>
#include <gparray/ufunc/user_loop.hpp>
#include <plan/plan_elements.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

// Bounds on one fused kernel; larger expressions are cut. Operand count and parameter bytes are what GPUs
// limit. Operands are what has strides: arrays, ranges, and what is stored beside the result; a number is
// nothing but its bits. A map without jumps may have more steps than a kernel: those of a loop
// (repetition.hpp), which has one number more, that of its turns.
inline constexpr int max_operands = 16;
inline constexpr int max_numbers = 64;
inline constexpr int max_inputs = max_operands + max_numbers;
inline constexpr int max_kernel_steps = 128, max_steps = 1024;
/// Beside the result. A loop that goes on leaves room for the usual ones; a turn of it may have more names.
inline constexpr int max_stores = 8, usual_stores = 4;

struct input {
  input_kind kind;
  dtype type;
  const void* data;
  std::int64_t first;
  scalar_bits value;
  std::int64_t strides[max_ndim];  // bytes (array) or units (iota) for each dimension of the plan
};

/// One operation of a plan on values: value v is input v for v < n_inputs, else the result of step v -
/// n_inputs. The dtypes of args already are what the loop wants, except for ufunc::cast, whose `loop` is the
/// target dtype.
template<class Number>
struct basic_step {
  const detail::user_loop* user;  // of ufunc::user
  ufunc op;
  dtype loop;
  std::array<Number, max_arity> args;

  basic_step() {}  // NOLINT: see map_plan
  basic_step(ufunc f, dtype type, const std::array<Number, max_arity>& values,
             const detail::user_loop* function = nullptr)
      : user(function), op(f), loop(type), args(values) {}
};
using step = basic_step<std::uint16_t>;
/// Of a kernel: as many bytes as it needs, for keys are hashed and compared.
using kernel_step = basic_step<std::uint8_t>;

constexpr int arity(ufunc op, const detail::user_loop* user) {
  return op == ufunc::user ? user->function->arity : gparray::arity(op);
}
constexpr dtype output_dtype(ufunc op, dtype loop, const detail::user_loop* user) {
  return op == ufunc::user ? user->result : gparray::output_dtype(op, loop);
}
template<class Number>
int arity(const basic_step<Number>& s) {
  return arity(s.op, s.user);
}
template<class Number>
dtype output_dtype(const basic_step<Number>& s) {
  return output_dtype(s.op, s.loop, s.user);
}

struct output {
  void* data;
  dtype type;
  std::int64_t strides[max_ndim];
};

/// Another step's value that is wanted in memory. Its array lies as the output does, element for element, and
/// overlaps nothing.
struct stored_value {
  int value;
  void* data;
};

/// Steps [first + period, end) are each the one a period before once more: each argument is the same value,
/// which is made before `first`, or one a period behind. Nothing is known if the period is 0.
struct known_turns {
  int first = 0, period = 0, end = 0;
};

/// out[index] = expression(inputs[index]) for every index of `shape` (no zero sizes; ndim 0 is one element).
/// The value stored is that of the last step, or input 0 when there are no steps; its dtype is out.type.
/// With `stores`, each is another value than all other results.
/// Inputs that are no constants, and stores, together are at most max_operands; where all inputs and stores
/// are more than that, constants come last. The output strides are the sort key of the dimensions: the last
/// dimension is the fastest in memory.
struct map_plan {
  int ndim, n_inputs, n_steps;
  std::int64_t size;
  std::int64_t shape[max_ndim];
  input inputs[max_inputs];
  output out;
  int n_stores = 0;
  stored_value stores[max_stores];
  // What steps load from addresses lies there for the plan's elements, but not for those that a thread might
  // compute beyond the end of a row. Other addresses are somewhere in their array there, too, where each
  // array that is read has zeros.
  bool loads_within_rows = false;
  known_turns turns;  // if whoever wrote the steps knows
  step steps[max_steps];

  // Only the used part is ever initialised: a plan is many kilobytes and launches are counted in
  // nanoseconds.
  map_plan() {}  // NOLINT

  dtype value_type(int v) const { return v < n_inputs ? inputs[v].type : output_dtype(steps[v - n_inputs]); }
  /// Whether some step is a function that the program brought.
  bool has_user_step() const {
    for (int s = 0; s < n_steps; ++s)
      if (steps[s].op == ufunc::user) return true;
    return false;
  }
  /// Bytes from one element of a stored value to the next in dimension d.
  std::int64_t store_stride(int store, int d) const {
    return out.strides[d] / static_cast<std::int64_t>(itemsize(out.type)) *
           static_cast<std::int64_t>(itemsize(value_type(stores[store].value)));
  }
  int last_value() const { return n_steps ? n_inputs + n_steps - 1 : 0; }
  /// Inputs in front of the constants that are more than there are operands.
  int n_placed() const { return n_inputs + n_stores <= max_operands ? n_inputs : max_operands - n_stores; }
  bool has_more_numbers() const { return n_placed() < n_inputs; }
};

/// Outside [begin, end) of a dimension an input's elements lie so many bytes further on than its strides say.
struct jump {
  std::uint8_t input, dim;
  std::int64_t begin, end, bytes;

  friend bool operator==(const jump&, const jump&) = default;
};
inline constexpr int max_jumps = 64;

/// Those of a map's inputs, arrays, each of which jumps at most once along each dimension; of one input they
/// are side by side.
struct jump_list {
  int n_jumps = 0;
  jump jumps[max_jumps];

  jump_list() {}  // NOLINT: see map_plan
  std::span<jump> all_jumps() { return {jumps, static_cast<std::size_t>(n_jumps)}; }
  std::span<const jump> all_jumps() const { return {jumps, static_cast<std::size_t>(n_jumps)}; }
};

/// What decides the order in which elements are combined on a GPU; the CPU's tree is always that of their
/// number. Nothing but the number of elements of a result decides it for `rows` and `columns`: neither how
/// many results there are, nor where anything lies. For these map.out.strides are those of C order, and no
/// kept dimension, of whatever size, is between the reduced ones.
enum class element_order : std::uint8_t {
  any,     ///< what is quickest, by the number of results and by the strides
  rows,    ///< as of elements that follow each other
  columns  ///< as of the columns of a matrix, of at most 2^30 rows
};

/// out[kept index] = reduction over the reduced index of the map's values.
/// The first n_kept dimensions of map.shape are kept, the others are reduced, in the order in which
/// arg-reductions count (C order). map.out.strides are those of the map's values if they were stored, which
/// fixes the order of combining; out.strides has n_kept entries. Reduced sizes are non-zero. Inputs jump on
/// GPUs alone.
struct reduce_plan {
  map_plan map;
  reduction op;
  dtype element;  // dtype of the map's value
  element_order order = element_order::any;
  int n_kept;
  std::int64_t n_out, n_reduced;
  double ddof;
  output out;  // its type is result_dtype(op, element)
  jump_list jumping;
};

/// Those after nanprod are exact, so their results do not depend on how elements are put together; they begin
/// with the first element's value whatever the dtype.
enum class scan : std::uint8_t {
  sum,
  prod,
  nansum,
  nanprod,
  max,
  min,
  fmax,
  fmin,
  bitwise_and,
  bitwise_or,
  bitwise_xor
};
constexpr bool is_exact(scan op) { return op > scan::nanprod; }

/// Inclusive scan along the last dimension of `shape`; in and out have the same dtype, which for sums and
/// products is the accumulator's result. They may be the same elements.
struct scan_plan {
  scan op;
  dtype type;
  int ndim;
  std::int64_t shape[max_ndim];
  const void* in;
  std::int64_t in_strides[max_ndim];
  void* out;
  std::int64_t out_strides[max_ndim];
};

/// to[i] = from[i] for every index i of `shape`, where one side's element lies stride bytes times a
/// number from an index array further on: from's in a gather, to's in a scatter. In a scatter, the dimensions
/// of the index array have no strides of `to`, and the others no index strides; where several elements meet,
/// the last in C order of the dimensions stays.
struct index_plan {
  int ndim;
  std::int64_t size;
  std::int64_t shape[max_ndim];
  std::size_t item_bytes;
  const void* from;
  std::int64_t from_strides[max_ndim];
  void* to;
  std::int64_t to_strides[max_ndim];
  const std::int64_t* index;
  std::int64_t index_strides[max_ndim];  // bytes
  std::int64_t wrap;                     // added to negative numbers; 0 if they mean what they say
  std::int64_t stride;                   // bytes, on the side that is indexed
  std::int64_t first, count;  // after wrapping, numbers are in [first, first + count): checked by the caller
  bool unique;                // no number occurs twice
  // For a gather whose numbers are not checked yet, if not null: receives whether one was outside, for which
  // the first number is taken. Memory of slot_for_result.
  std::int32_t* any_outside;
};

/// out[k] = in at the k-th true element of the mask, in C order of the dimensions; `out` has room for all.
/// The input is an array, of elements of item_bytes, or an iota.
struct compact_plan {
  int ndim;
  std::int64_t size;
  std::int64_t shape[max_ndim];
  const void* mask;
  std::int64_t mask_strides[max_ndim];
  std::size_t item_bytes;  // 8 for an iota
  input in;
  void* out;
};

struct matrix {
  void* data;
  std::int64_t row_stride, column_stride;  // bytes
  std::int64_t batch_strides[max_ndim];
};

/// c[batch] = a[batch] (m x k) times b[batch] (k x n). c is disjoint from a and b and its matrices are
/// C-contiguous. k may be 0 (c becomes 0); m, n and the batch sizes are not.
struct matmul_plan {
  dtype type;
  std::int64_t m, n, k;
  int batch_ndim;
  std::int64_t batch_shape[max_ndim];
  matrix a, b, c;
};

}  // namespace core
GPARRAY_END_NAMESPACE
