// The transforms of numpy.fft: what each makes of an argument, and the passes it consists of.
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/temporary.hpp>
#include <core/fft/fft.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/products/products.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using detail::fft_function;

namespace {

/// The elements that the request uses, as a view.
any_array cropped(const any_array& a, const fft_request& r) {
  any_array view = a;
  for (std::size_t i = 0; i < r.axes.size(); ++i) {
    const int axis = static_cast<int>(r.axes[i]);
    if (r.used(i) < view.shape(axis)) view = slice_along(view, axis, 0, r.used(i));
  }
  return view;
}

any_array padded(const any_array& a, const fft_request& r, gparray::dtype type) {
  const array_rep* from = computed(a);
  dims shape = from->shape;
  for (std::size_t i = 0; i < r.axes.size(); ++i) shape[static_cast<std::size_t>(r.axes[i])] = r.used(i);
  const any_array result = allocate(type, shape, from->device_);
  const array_rep* to = result.rep();
  if (to->size == 0) return result;
  const queue q = current_queue(to->device_);
  backend_of(to->device_).fill_zero(to->data, static_cast<std::size_t>(to->size) * itemsize(type), q);
  if (from->size > 0) copy_elements(make_view(to, type, from->shape, to->strides, 0).rep(), from);
  return result;
}

/// The argument as the transform reads it: computed, cropped or padded, of this type; conjugated for hfft.
any_array prepared(const detail::argument& a, const fft_request& r, gparray::dtype type) {
  const bool conjugate = r.function == fft_function::hfft && is_complex(a.type);
  bool crops = false, pads = false;
  for (std::size_t i = 0; i < r.axes.size(); ++i) {
    const std::int64_t size = a.array->shape(static_cast<int>(r.axes[i]));
    crops = crops || r.used(i) < size;
    pads = pads || r.used(i) > size;
  }
  const any_array view = crops ? cropped(*a.array, r) : *a.array;
  const detail::argument source = crops ? temporary(view) : a;
  if (pads && !conjugate) return padded(view, r, type);
  const any_array x = product_operand(source, type, conjugate);
  if (pads) return padded(x, r, type);
  return is_regular(computed(x)) ? x : detail::astype(temporary(x), type, true).eval();
}

dims without_last(const dims& axes) {
  dims result = axes;
  result.resize(axes.size() - 1);
  return result;
}

/// to = conj(from), for disjoint elements whose address ranges may overlap.
void copy_conjugated(const any_array& to, const any_array& from) {
  const array_rep *target = to.rep(), *source = from.rep();
  if (target->size == 0) return;
  map_plan plan;
  plan_builder builder(plan, target->shape);
  const int value = builder.apply(ufunc::conjugate, source->type, {builder.array(source)});
  builder.store_to(target->data, target->type, target->strides);
  builder.finish(value);
  backend_of(target->device_).map(plan, current_queue(target->device_));
}

/// The transform of real numbers at -k is the conjugate of that at k: completes `result`, of which the first
/// half along axes[last] is there.
void mirror(const any_array& to, const any_array& from, const dims& axes, std::size_t number) {
  const int axis = static_cast<int>(axes[number]);
  const std::int64_t n = to.shape(axis);
  if (number + 1 == axes.size()) {
    const std::int64_t count = (n - 1) / 2;
    return copy_conjugated(slice_along(to, axis, n - count, count),
                           slice_along(from, axis, count, count, -1));
  }
  mirror(slice_along(to, axis, 0, 1), slice_along(from, axis, 0, 1), axes, number + 1);
  if (n > 1)
    mirror(slice_along(to, axis, 1, n - 1), slice_along(from, axis, n - 1, n - 1, -1), axes, number + 1);
}

/// fft of real numbers costs half of what it costs for complex ones.
void transform_real(const any_array& x, const any_array& result, const fft_request& r) {
  const int last = static_cast<int>(r.axes.back());
  const any_array half = slice_along(result, last, 0, r.lengths.back() / 2 + 1);
  const dims others = without_last(r.axes);
  run_fft(fft_kind::real_forward, x.rep(), half.rep(), last, others.empty() ? r.scale : 1);
  if (!others.empty()) run_fft(fft_kind::forward, half.rep(), half.rep(), others, r.scale);
  mirror(result, result, r.axes, 0);
}

// Each axis that a mirror image is made along doubles the number of copies.
constexpr std::size_t most_mirrored_axes = 3;

bool is_mirrored(const fft_request& r, gparray::dtype type) {
  return r.function == fft_function::fft && !is_complex(type) && r.axes.size() <= most_mirrored_axes;
}

/// Writes the transform of x, of distinct axes and not empty, to `result`.
void transform(const any_array& x, const any_array& result, const fft_request& r) {
  const array_rep *in = x.rep(), *out = result.rep();
  const dims last = r.axes.back(), others = without_last(r.axes);
  switch (r.function) {
    case fft_function::fft:
      if (!is_complex(in->type)) return transform_real(x, result, r);
      return run_fft(fft_kind::forward, in, out, r.axes, r.scale);
    case fft_function::ifft:
      return run_fft(fft_kind::inverse, in, out, r.axes, r.scale);
    case fft_function::rfft:
    case fft_function::ihfft:
      run_fft(fft_kind::real_forward, in, out, last, others.empty() ? r.scale : 1);
      if (!others.empty()) run_fft(fft_kind::forward, out, out, others, r.scale);
      return;
    case fft_function::irfft:
    case fft_function::hfft:
      if (others.empty()) return run_fft(fft_kind::real_inverse, in, out, last, r.scale);
      const any_array between = allocate(in->type, in->shape, in->device_);
      run_fft(fft_kind::inverse, in, between.rep(), others, 1);
      run_fft(fft_kind::real_inverse, between.rep(), out, last, r.scale, true);
  }
}

/// One axis after the other, as axes that occur twice demand.
any_array transform_in_turn(const detail::argument& a, const fft_request& r) {
  const bool real_last = gives_real(r.function);
  fft_function before_last = r.function;
  if (real_last) before_last = fft_function::ifft;
  else if (takes_real(r.function)) before_last = fft_function::fft;
  const auto step = [&](const detail::argument& x, std::size_t i) {
    const fft_function f = i + 1 == r.axes.size() ? r.function : before_last;
    return detail::fft(f, x, r.lengths[i], static_cast<int>(r.axes[i]), r.norm, nullptr);
  };
  any_array result;
  for (std::size_t done = 0; done < r.axes.size(); ++done)
    result = step(done == 0 ? a : temporary(result), real_last ? done : r.axes.size() - 1 - done);
  return result;
}

any_array store(const any_array* out, const any_array& result) {
  if (!out) return result;
  detail::assign(*out, temporary(result));
  return *out;
}

/// A result of dtype `type`, or `out`.
any_array run(const detail::argument& a, const fft_request& r, gparray::dtype type, const any_array* out) {
  const gparray::dtype precision = detail::fft_precision(a.type);
  const dims shape = r.result_shape(a.array->shape());
  if (out) {
    const detail::argument both[] = {a, temporary(*out)};
    common_device("fft", both);
    if (out->shape() != shape) throw value_error("output array has wrong shape.");
    check_target(computed(*out), shape);
  }
  if (r.axes.empty()) return store(out, detail::astype(a, type, true).eval());
  if (r.repeats_axes()) return store(out, transform_in_turn(a, r));
  checked_size(shape, itemsize(complex_dtype(precision)));

  const bool reads_real = takes_real(r.function) || is_mirrored(r, a.type);
  const any_array x = prepared(a, r, reads_real ? precision : complex_dtype(precision));
  // What is transformed in half precision, or conjugated at the end, goes through an array of its own.
  const gparray::dtype computed_type = gives_real(r.function) ? precision : complex_dtype(precision);
  const bool direct = out && out->dtype() == computed_type && r.function != fft_function::ihfft &&
                      out->is_c_contiguous() && is_regular(computed(*out)) && !may_share_memory(*out, x);
  if (direct) effect_on(computed(*out));
  any_array result = direct ? *out : allocate(computed_type, shape, computed(x)->device_);
  if (result.size() > 0) transform(x, result, r);
  if (direct) return result;
  if (r.function == fft_function::ihfft) {
    const detail::argument source = temporary(result);
    result = any_array(detail::make_expression(ufunc::conjugate, computed_type, {&source, 1}).eval());
  }
  if (type != computed_type && !out) return detail::astype(temporary(result), type, true).eval();
  return store(out, result);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array fft(fft_function f, const argument& a, slice_end n, int axis, std::string_view norm,
              const any_array* out) {
  return run(a, checked_fft(f, a.array->shape(), n, axis, norm), fft_result(f, a.type), out);
}

any_array fftn(fft_function f, const argument& a, const optional_dims& s, const optional_dims& axes,
               std::string_view norm, const any_array* out) {
  return run(a, checked_fftn(f, a.array->shape(), s, axes, norm), fftn_result(f, a.type), out);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
