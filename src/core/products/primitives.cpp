// From operands to a matmul plan, or to a fused multiply and sum.
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/products/products.hpp>
#include <core/reduction/reduction.hpp>
#include <core/runtime/stream_state.hpp>
#include <plan/linalg_engine.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// A batch axis that only a has becomes more rows of a: one large product instead of many small ones. c has
/// the rows of successive batches one after the other, so a must have them too.
void fold_batches_into_rows(matmul_plan& p) {
  while (p.batch_ndim > 0) {
    const int d = p.batch_ndim - 1;
    if (p.m == 1) p.a.row_stride = p.a.batch_strides[d];
    if (p.b.batch_strides[d] != 0 || p.a.batch_strides[d] != p.m * p.a.row_stride) return;
    p.m *= p.batch_shape[d];
    p.batch_ndim = d;
  }
}

/// Adds a batch axis inside those that are there, merged with the last of them where all three arrays allow
/// it.
void add_batch_axis(matmul_plan& p, std::int64_t size, std::int64_t a, std::int64_t b, std::int64_t c) {
  if (size == 1) return;
  const int last = p.batch_ndim - 1;
  const bool merges = last >= 0 && p.a.batch_strides[last] == size * a &&
                      p.b.batch_strides[last] == size * b && p.c.batch_strides[last] == size * c;
  const int d = merges ? last : p.batch_ndim++;
  p.batch_shape[d] = merges ? p.batch_shape[d] * size : size;
  p.a.batch_strides[d] = a;
  p.b.batch_strides[d] = b;
  p.c.batch_strides[d] = c;
}

matrix matrix_of(const array_rep* rep) {
  const std::size_t ndim = rep->shape.size();
  matrix m;
  m.data = rep->data;
  m.row_stride = rep->strides[ndim - 2];
  m.column_stride = rep->strides[ndim - 1];
  return m;
}

/// The axes before the matrices.
dims batch_of(const dims& list) {
  dims batch = list;
  batch.resize(list.size() - 2);
  return batch;
}

}  // namespace

any_array product_operand(const detail::argument& x, dtype type, bool conjugate) {
  any_array converted;
  detail::argument source = x;
  if (x.type != type) {
    converted = detail::make_expression(ufunc::cast, type, {&source, 1});
    source = temporary(converted);
  }
  return conjugate ? conjugated(*source.array).eval() : source.array->eval();
}

any_array conjugated(const any_array& a) {
  if (!is_complex(a.dtype())) return a;
  const detail::argument source = named(a);
  return detail::make_expression(ufunc::conjugate, a.dtype(), {&source, 1});
}

dtype factor_dtype(const detail::argument& a, const detail::argument& b, dtype result) {
  const bool is_half = is_floating(a.type) && itemsize(a.type) == 2;
  return is_half && a.type == b.type && result == dtype::float32 ? a.type : result;
}

namespace {

/// c as a new array of dtype `result`, if multiply(plan, queue) makes it.
template<class Multiply>
any_array multiply_by(Multiply multiply, dtype result, const any_array& a, const any_array& b) {
  const array_rep *x = computed(a), *y = computed(b);
  const dims batch_x = batch_of(x->shape), batch_y = batch_of(y->shape);
  const dims* const batches[] = {&batch_x, &batch_y};
  const dims batch = broadcast_shapes(batches);
  matmul_plan plan;
  plan.type = x->type;
  plan.m = x->shape[x->shape.size() - 2];
  plan.k = x->shape.back();
  plan.n = y->shape.back();
  dims shape = batch;
  shape.push_back(plan.m);
  shape.push_back(plan.n);
  any_array c = allocate(result, shape, x->device_);
  const array_rep* out = c.rep();
  if (out->size == 0) return c;

  plan.a = matrix_of(x);
  plan.b = matrix_of(y);
  plan.c = matrix_of(out);
  plan.batch_ndim = 0;
  const dims strides_x = broadcast_strides(batch_x, batch_of(x->strides), batch);
  const dims strides_y = broadcast_strides(batch_y, batch_of(y->strides), batch);
  for (std::size_t d = 0; d < batch.size(); ++d)
    add_batch_axis(plan, batch[d], strides_x[d], strides_y[d], out->strides[d]);
  fold_batches_into_rows(plan);
  const queue q = current_queue(x->device_);
  if (!multiply(plan, q)) return {};
  for (const array_rep* used : {x, y, out}) record_use(used->memory, q);
  return c;
}

}  // namespace

any_array multiply_matrices(dtype type, const any_array& a, const any_array& b) {
  const device on_device = a.device();
  if (a.dtype() != type) {
    if (any_array c = multiply_matrices(epilogue{type}, a, b); c.rep()) return c;
    return multiply_matrices(type, detail::as_type(a, type), detail::as_type(b, type));
  }
  const auto multiply = [&](const matmul_plan& plan, queue q) {
    backend_of(on_device).matmul(plan, q);
    return true;
  };
  return multiply_by(multiply, type, a, b);
}

any_array multiply_matrices(const epilogue& after, const any_array& a, const any_array& b) {
  const device on_device = a.device();
  const auto multiply = [&](const matmul_plan& plan, queue q) {
    linalg_engine* const library = backend_of(on_device).linalg();
    return library && library->matmul(plan, after, q);
  };
  return multiply_by(multiply, after.result, a, b);
}

any_array sum_of_products(dtype type, const any_array& a, const any_array& b, int n_axes) {
  // Halves are multiplied and added in float32, as a matrix product does it.
  const dtype loop = is_floating(type) && itemsize(type) == 2 ? dtype::float32 : type;
  const detail::argument factors[] = {temporary(a), temporary(b)};
  const any_array products = detail::make_expression(ufunc::multiply, loop, factors);
  dims last;
  for (int axis = -n_axes; axis < 0; ++axis) last.push_back(axis);
  const auto op = type == dtype::bool_ ? reduction::any : reduction::sum;
  any_array sum = detail::reduce(op, temporary(products), loop, &last, {});
  return sum.dtype() == type ? sum : detail::astype(temporary(sum), type, false).eval();
}

any_array insert_axis(const any_array& a, std::size_t axis) {
  const array_rep* rep = computed(a);
  dims shape = rep->shape, strides = rep->strides;
  shape.insert(axis, 1);
  strides.insert(axis, 0);
  return make_view(rep, rep->type, shape, strides, 0);
}

any_array remove_axis(const any_array& a, std::size_t axis) {
  const array_rep* rep = computed(a);
  dims shape = rep->shape, strides = rep->strides;
  shape.erase(axis);
  strides.erase(axis);
  return make_view(rep, rep->type, shape, strides, 0);
}

any_array permute_axes(const any_array& a, const dims& axes) {
  const array_rep* rep = computed(a);
  dims shape, strides;
  for (std::int64_t axis : axes) {
    shape.push_back(rep->shape[static_cast<std::size_t>(axis)]);
    strides.push_back(rep->strides[static_cast<std::size_t>(axis)]);
  }
  return make_view(rep, rep->type, shape, strides, 0);
}

any_array reshaped(const any_array& a, const dims& shape) {
  const array_rep* rep = computed(a);
  if (const std::optional<dims> strides =
          reshape_strides(rep->shape, rep->strides, itemsize(rep->type), shape))
    return make_view(rep, rep->type, shape, *strides, 0);
  const any_array copy = allocate(rep->type, rep->shape, rep->device_);
  copy_elements(copy.rep(), rep);
  return make_view(copy.rep(), rep->type, shape, c_strides(shape, itemsize(rep->type)), 0);
}

}  // namespace core
GPARRAY_END_NAMESPACE
