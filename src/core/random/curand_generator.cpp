// cuRAND's generators, for streams of numbers that are those of CuPy or of CUDA programs.
#include <mutex>

#include <core/array/array_rep.hpp>
#include <core/array/layout.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/random/curand_generator.hpp>
#include <plan/curand_engine.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct curand_state {
  curand_engine* engine;
  void* generator;
  device device_;
  random::curand_kind kind;
  std::mutex lock;  // cuRAND's generators take one caller at a time

  curand_state(curand_engine* e, void* g, device d, random::curand_kind k)
      : engine(e), generator(g), device_(d), kind(k) {}
  ~curand_state() { engine->destroy(generator, device_.index()); }
};

}  // namespace core

namespace detail {

using namespace core;

curand_handle create_curand(random::curand_kind kind, std::uint64_t seed,
                            const random::curand_options& options) {
  const device on_device =
      options.device.value_or(default_device().is_cuda() ? default_device() : device::cuda());
  if (on_device.is_cpu())
    throw device_error("cuRAND's generators are on GPUs; gp::random::default_rng(seed) draws on the CPU too");
  if (options.dimensions < 1 || options.dimensions > 20000)
    fail<value_error>("Sobol sequences have 1 to 20000 dimensions, not {}", options.dimensions);
  curand_engine* const engine = backend_of(on_device).curand();
  if (!engine) fail<device_error>("{} has no cuRAND", on_device.str());
  void* const generator = engine->create(kind, seed, options.offset, options.dimensions, on_device.index());
  return std::make_shared<curand_state>(engine, generator, on_device, kind);
}

any_array draw_curand(const curand_handle& generator, curand_draw what, gparray::dtype type,
                      const dims& shape, double first, double second) {
  curand_state& state = *generator;
  const std::int64_t size = checked_size(shape, itemsize(type));
  // Box-Muller makes pairs: an odd number is the even one above, less its last.
  const bool pairs = (what == curand_draw::normal || what == curand_draw::lognormal) &&
                     state.kind < random::curand_kind::Sobol32;
  const std::int64_t drawn = pairs ? size + size % 2 : size;
  const any_array all = allocate(type, drawn, state.device_);
  if (drawn > 0) {
    const queue q = current_queue(state.device_);
    const std::lock_guard guard(state.lock);
    state.engine->draw(state.generator, what, type, all.rep()->data, drawn, first, second, q);
    record_use(all.rep()->memory, q);
  }
  return make_view(all.rep(), type, shape, c_strides(shape, itemsize(type)), 0);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
