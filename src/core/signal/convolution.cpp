// np.convolve and np.correlate: sums of products of a window that slides along an array.
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/temporary.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/products/products.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/signal/convolution.hpp>
#include <plan/correlation_plan.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using detail::sliding;

namespace {

struct extent_of_mode {
  std::int64_t left, right;  // sums that reach beyond the ends
};

extent_of_mode parse(std::string_view mode, std::int64_t width) {
  if (mode == "full") return {width - 1, width - 1};
  if (mode == "same") return {width / 2, width - width / 2 - 1};
  if (mode == "valid") return {0, 0};
  throw value_error("Use one of 'valid', 'same', or 'full' for convolve/correlate mode");
}

any_array in_loop(const any_array& a, dtype loop) {
  const any_array converted = a.dtype() == loop ? a : detail::astype(temporary(a), loop, false).eval();
  return converted.is_c_contiguous() ? converted : detail::copy(converted, order::C);
}

/// For x at least as long as the weights.
any_array correlate_along(dtype type, const any_array& x, const any_array& weights,
                          const extent_of_mode& extent, bool reversed) {
  // Halves are multiplied and added in float32, as in a matrix product.
  const dtype loop = is_floating(type) && itemsize(type) == 2 ? dtype::float32 : type;
  const any_array values = in_loop(x, loop), factors = in_loop(weights, loop);
  const array_rep *from = computed(values), *taps = computed(factors);
  const std::int64_t width = taps->shape[0], count = from->shape[0] - width + 1 + extent.left + extent.right;
  const any_array result = allocate(loop, count, from->device_);
  const queue q = current_queue(from->device_);
  const correlation_plan plan{loop,        from->data, taps->data, result.rep()->data, from->shape[0], width,
                              extent.left, count,      reversed};
  backend_of(from->device_).correlate(plan, q);
  for (const array_rep* used : {from, taps, computed(result)}) record_use(used->memory, q);
  return loop == type ? result : detail::astype(temporary(result), type, false).eval();
}

void check_operands(sliding what, const any_array& a, const any_array& v) {
  if (what == sliding::correlate && (a.ndim() == 0 || v.ndim() == 0))
    throw value_error("object of too small depth for desired array");
  if (a.ndim() > 1 || v.ndim() > 1) throw value_error("object too deep for desired array");
  if (a.size() == 0)
    throw value_error(what == sliding::convolve ? "a cannot be empty"
                                                : "first array argument cannot be empty");
  if (v.size() == 0)
    throw value_error(what == sliding::convolve ? "v cannot be empty"
                                                : "second array argument cannot be empty");
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array slide(sliding what, const argument& a, const argument& v, gparray::dtype type,
                std::string_view mode) {
  const argument both[] = {a, v};
  common_device(what == sliding::convolve ? "convolve" : "correlate", both);
  check_operands(what, *a.array, *v.array);
  const extent_of_mode extent = parse(mode, std::min(a.array->size(), v.array->size()));
  any_array x = at_least(product_operand(a, type), 1),
            weights = at_least(product_operand(v, type, what == sliding::correlate), 1);
  const bool swapped = weights.shape(0) > x.shape(0);
  if (swapped) std::swap(x, weights);
  const bool reversed = what == sliding::convolve;
  const any_array result = correlate_along(type, x, weights, extent, reversed);
  if (reversed) return result;
  return swapped ? flip(result) : result;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
