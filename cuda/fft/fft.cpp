#include <algorithm>
#include <cstring>
#include <numeric>

#include <cuda/fft/cufft.hpp>
#include <cuda/fft/fft.hpp>
#include <cuda/map/elementwise.hpp>
#include <cuda/runtime/runtime.hpp>
#include <cuda/runtime/scratch.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

using dimensions = std::vector<fft_dimension>;
dtype element_type(const fft_plan& plan, bool of_input) {
  return plan.kind == (of_input ? fft_kind::real_forward : fft_kind::real_inverse) ? plan.real
                                                                                   : complex_dtype(plan.real);
}

scalar_bits bits_of(dtype real, double value) {
  scalar_bits bits{};
  const auto narrow = static_cast<float>(value);
  if (real == dtype::float32) std::memcpy(&bits, &narrow, sizeof narrow);
  else std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// Element-wise work over the dimensions, `count` of each.
struct element_space {
  int ndim = 0;
  std::int64_t shape[max_ndim + 1], to[max_ndim + 1], from[max_ndim + 1], size = 1;

  void append(std::int64_t n, std::int64_t to_stride, std::int64_t from_stride) {
    shape[ndim] = n;
    to[ndim] = to_stride;
    from[ndim++] = from_stride;
    size *= n;
  }
};

/// The dimensions in the order of what is written, which is how tiles of a transposition are recognised.
element_space in_order_of_writes(const element_space& s) {
  int order[max_ndim + 1];
  std::iota(order, order + s.ndim, 0);
  std::stable_sort(order, order + s.ndim, [&](int a, int b) { return s.to[a] > s.to[b]; });
  element_space sorted;
  for (int d = 0; d < s.ndim; ++d) sorted.append(s.shape[order[d]], s.to[order[d]], s.from[order[d]]);
  return sorted;
}

void copy(const element_space& given, void* to, const void* from, dtype type, queue q) {
  const element_space s = in_order_of_writes(given);
  input in;
  in.kind = input_kind::array;
  in.type = type;
  in.data = from;
  std::copy_n(s.from, s.ndim, in.strides);
  run_elementwise({ufunc::cast, type, {&in}, to, type, s.to, s.ndim, s.shape, s.size}, q);
}

/// The plan of a layout, for the current device.
fft_cache::handle find_plan(const cufft_layout& layout, fft_cache& cache, memory_pool& pool) {
  return cache.find_or_make(layout.key(), [&]() -> fft_cache::handle {
    try {
      return std::make_shared<cufft_plan>(layout);
    } catch (const out_of_memory&) {  // cuFFT's tables are not from the pool, which may hold what they need
      pool.free_all_blocks();
      return std::make_shared<cufft_plan>(layout);
    }
  });
}

class execution {
 public:
  execution(const fft_plan& plan, queue q, memory_pool& pool, fft_cache& cache)
      : plan_(plan), q_(q), pool_(pool), cache_(cache), program_(program_of(plan)), in_(plan.in) {}

  void run() {
    if (program_.copies_input) copy_input();
    if (plan_.kind == fft_kind::real_inverse) clear_imaginary_ends();
    for (const fft_step& step : program_.steps) {
      if (step.transposed) run_transposed(step);
      else execute(step.layout, step.call.repeats, in_, plan_.out);
      in_ = plan_.out;
    }
    if (plan_.scale != 1) scale_output();
  }

 private:
  void copy_input() {
    element_space s;
    std::int64_t bytes = plan_.in_item();
    for (std::size_t d = 0; d < program_.given.size(); ++d) {
      const fft_dimension& from = program_.given[d];
      s.append(from.in_count, program_.dimensions[d].in, from.in);
      bytes *= from.in_count;
    }
    own_input_ = scratch(pool_, static_cast<std::size_t>(bytes), q_.stream);
    cuda::copy(s, own_input_.data(), in_, element_type(plan_, true), q_);
    in_ = own_input_.data();
  }

  /// cuFFT assumes Hermitian symmetry; NumPy ignores the imaginary parts that would break it.
  void clear_imaginary_ends() {
    const auto transformed = std::ranges::find_if(program_.dimensions, &fft_dimension::transformed);
    element_space s;
    for (const fft_dimension& d : program_.dimensions)
      if (!d.transformed) s.append(d.in_count, d.in, 0);
    input zero;
    zero.kind = input_kind::constant;
    zero.type = plan_.real;
    zero.value = bits_of(plan_.real, 0);
    char* const first = static_cast<char*>(const_cast<void*>(in_)) + itemsize(plan_.real);
    const auto clear = [&](std::int64_t position) {
      run_elementwise({ufunc::cast,
                       plan_.real,
                       {&zero},
                       first + position * transformed->in,
                       plan_.real,
                       s.to,
                       s.ndim,
                       s.shape,
                       s.size},
                      q_);
    };
    clear(0);
    if (transformed->n % 2 == 0) clear(transformed->n / 2);
  }

  void run_transposed(const fft_step& step) {
    dimensions all = step.call.across;
    all.insert(all.end(), step.call.along.begin(), step.call.along.end());
    std::int64_t in_step = plan_.in_item(), out_step = plan_.out_item();
    for (const fft_dimension& d : all) {
      in_step *= d.in_count;
      out_step *= d.out_count;
    }
    const bool in_place = !is_real(plan_.kind);
    scratch source, target;
    try {
      source = scratch(pool_, static_cast<std::size_t>(in_step), q_.stream);
      if (!in_place) target = scratch(pool_, static_cast<std::size_t>(out_step), q_.stream);
    } catch (const out_of_memory&) {  // slower beats not at all
      source.release();
      if (!step.aligned) throw;
      return execute(step.call.layout, step.call.repeats, in_, plan_.out);
    }
    void* const result = in_place ? source.data() : target.data();
    element_space read, write;
    for (const fft_dimension& d : all) {
      in_step /= d.in_count;
      out_step /= d.out_count;
      read.append(d.in_count, in_step, d.in);
      write.append(d.out_count, d.out, out_step);
    }
    cuda::copy(read, source.data(), in_, element_type(plan_, true), q_);
    execute(step.layout, loop_nest(), source.data(), result);
    cuda::copy(write, plan_.out, result, element_type(plan_, false), q_);
  }

  void execute(const cufft_layout& layout, const loop_nest& repeats, const void* in, void* out) {
    const fft_cache::handle handle = find_plan(layout, cache_, pool_);
    auto& plan = static_cast<cufft_plan&>(*handle);
    // The launches of a graph read the plan's tables.
    if (recording* const r = recording_on(q_.device)) r->kept.keep(handle);
    const scratch work = plan.work_bytes() > 0 ? scratch(pool_, plan.work_bytes(), q_.stream) : scratch();
    const bool forward = plan_.kind == fft_kind::forward || plan_.kind == fft_kind::real_forward;
    std::int64_t done = 0;
    plan.execute(forward ? -1 : 1, work.data(), q_.stream, [&](const void*& from, void*& to) {
      if (done == repeats.size) return false;
      std::int64_t offsets[2] = {}, rest = done++;
      for (int d = repeats.ndim - 1; d >= 0; --d) {
        for (int i = 0; i < 2; ++i) offsets[i] += rest % repeats.shape[d] * repeats.strides[i][d];
        rest /= repeats.shape[d];
      }
      to = static_cast<char*>(out) + offsets[0];
      from = static_cast<const char*>(in) + offsets[1];
      return true;
    });
  }

  void scale_output() {
    element_space s;
    for (const fft_dimension& d : program_.dimensions) s.append(d.out_count, d.out, d.out);
    const auto part = static_cast<std::int64_t>(itemsize(plan_.real));
    if (plan_.out_item() != part) s.append(2, part, part);
    input numbers, factor;
    numbers.kind = input_kind::array;
    numbers.type = factor.type = plan_.real;
    numbers.data = plan_.out;
    std::copy_n(s.from, s.ndim, numbers.strides);
    factor.kind = input_kind::constant;
    factor.value = bits_of(plan_.real, plan_.scale);
    run_elementwise({ufunc::multiply,
                     plan_.real,
                     {&numbers, &factor},
                     plan_.out,
                     plan_.real,
                     s.to,
                     s.ndim,
                     s.shape,
                     s.size},
                    q_);
  }

  const fft_plan& plan_;
  queue q_;
  memory_pool& pool_;
  fft_cache& cache_;
  fft_program program_;
  const void* in_;
  scratch own_input_;
};

}  // namespace

cuda_fft_engine::cuda_fft_engine(const std::vector<std::unique_ptr<device_state>>& states, int n_devices)
    : states_(states), caches_(static_cast<std::size_t>(n_devices)) {}

void cuda_fft_engine::run(const fft_plan& plan, queue q) {
  use_device(q.device);
  memory_pool& pool = states_[static_cast<std::size_t>(q.device)]->scratch_pool();
  execution(plan, q, pool, cache(q.device)).run();
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
