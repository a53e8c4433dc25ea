// Plan objects, and the cache of a device as users see it.
#include <core/array/evaluate.hpp>
#include <core/array/temporary.hpp>
#include <core/fft/fft.hpp>
#include <gparray/fft/plan.hpp>
#include <plan/recording.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

struct held_fft {
  fft_function function;
  dims shape;
  gparray::dtype type;
  optional_dims s, axes;
  std::string norm;
  device device_;
  std::vector<fft_cache::handle> plans;

  any_array run(const argument& a, const any_array* out) const {
    return fftn(function, a, s, axes, norm, out);
  }
};

std::shared_ptr<const held_fft> hold_fft(fft_function f, const dims& shape, gparray::dtype type,
                                         const optional_dims& s, const optional_dims& axes,
                                         std::string_view norm, device where) {
  if (where.is_cuda()) refuse_while_recording("planning a transform", where.index());
  auto held = std::make_shared<held_fft>(held_fft{f, shape, type, s, axes, std::string(norm), where, {}});
  checked_size(shape, itemsize(type));
  const any_array zeros = allocate(type, shape, where);
  fill(zeros.rep(), type, scalar_bits{});
  fft_plan_holder holder;
  held->run(temporary(zeros), nullptr);
  held->plans = std::move(holder.plans);
  return held;
}

any_array run_held_fft(const held_fft& plan, const argument& a, const any_array* out) {
  if (a.array->shape() != plan.shape)
    fail<value_error>("this plan is for arrays of shape {}, not {}", text(plan.shape),
                      text(a.array->shape()));
  if (a.array->device() != plan.device_)
    throw_device_mismatch("a planned transform", plan.device_, a.array->device());
  return plan.run(a, out);
}

std::size_t held_fft_bytes(const held_fft& plan) {
  std::size_t bytes = 0;
  for (const fft_cache::handle& p : plan.plans) bytes += p->bytes;
  return bytes;
}

}  // namespace detail

namespace fft {

namespace {

core::fft_cache& cache_of(device where) {
  return core::fft_engine_of(where).cache(where.is_cuda() ? where.index() : 0);
}

}  // namespace

plan_cache::plan_cache(device where) : where_(where) { cache_of(where); }

plan_cache_info plan_cache::info() const {
  const core::fft_cache::statistics now = cache_of(where_).info();
  return {now.hits, now.misses, now.n_plans, now.max_plans, now.bytes, now.max_bytes, now.largest_work};
}
void plan_cache::set_max_plans(std::int64_t count) { cache_of(where_).set_max_plans(count); }
void plan_cache::set_max_bytes(std::size_t bytes) { cache_of(where_).set_max_bytes(bytes); }
void plan_cache::clear() { cache_of(where_).clear(); }

}  // namespace fft
GPARRAY_END_NAMESPACE
