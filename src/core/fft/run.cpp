// From computed arrays to a plan for the backend.
#include <core/array/evaluate.hpp>
#include <core/fft/fft.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

fft_engine& fft_engine_of(device on_device) {
  if (fft_engine* engine = backend_of(on_device).fft()) return *engine;
  fail<device_error>("the backend of {} has no Fourier transforms", on_device.str());
}

bool is_regular(const array_rep* a) {
  const auto item = static_cast<std::int64_t>(itemsize(a->type));
  bool regular = reinterpret_cast<std::uintptr_t>(a->data) % static_cast<std::uintptr_t>(item) == 0;
  for (std::int64_t stride : a->strides) regular = regular && stride % item == 0;
  return regular;
}

fft_plan make_fft_plan(fft_kind kind, const array_rep* in, const array_rep* out, const dims& axes,
                       double scale) {
  const array_rep* whole = kind == fft_kind::real_forward ? in : out;  // has all points of each axis
  fft_plan plan;
  plan.kind = kind;
  plan.real = real_dtype(in->type);
  plan.rank = plan.batch_ndim = 0;
  plan.in = in->data;
  plan.out = out->data;
  plan.input_is_scratch = false;
  plan.scale = scale;
  for (std::size_t d = 0; d < whole->shape.size(); ++d) {
    if (std::ranges::find(axes, static_cast<std::int64_t>(d)) != axes.end()) {
      plan.n[plan.rank] = whole->shape[d];
      plan.in_strides[plan.rank] = in->strides[d];
      plan.out_strides[plan.rank++] = out->strides[d];
    } else if (whole->shape[d] > 1) {
      plan.batch_shape[plan.batch_ndim] = whole->shape[d];
      plan.batch_in_strides[plan.batch_ndim] = in->strides[d];
      plan.batch_out_strides[plan.batch_ndim++] = out->strides[d];
    }
  }
  return plan;
}

void run_fft(fft_kind kind, const array_rep* in, const array_rep* out, const dims& axes, double scale,
             bool scratch) {
  fft_plan plan = make_fft_plan(kind, in, out, axes, scale);
  plan.input_is_scratch = scratch;
  const queue q = current_queue(out->device_);
  fft_engine_of(out->device_).run(plan, q);
  record_use(out->memory, q);
  record_use(in->memory, q);
}

}  // namespace core
GPARRAY_END_NAMESPACE
