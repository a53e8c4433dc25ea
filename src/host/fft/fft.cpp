#include <host/fft/bluestein.hpp>
#include <host/fft/cosine.hpp>
#include <host/fft/fft.hpp>
#include <host/fft/pass.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using core::fft_cache;
using core::fft_kind;
using core::fft_plan;

class engine final : public core::fft_engine {
 public:
  engine() { cache_.keep_across_fork(); }
  void run(const fft_plan& plan, core::queue) override;
  bool takes(fft_kind kind, std::int64_t n) const override {
    return core::cosine_type(kind) != 4 || n % 2 == 0;
  }
  fft_cache& cache(int) override { return cache_; }

 private:
  fft_cache::handle prepare_axis(const fft_plan& plan, int axis) {
    const std::int64_t n = plan.n[axis];
    return cache_.find_or_make({static_cast<int>(plan.kind), static_cast<int>(plan.real), n},
                               [&]() -> fft_cache::handle {
                                 if (core::is_cosine_or_sine(plan.kind))
                                   return make_cosine(plan.kind, plan.real, n);
                                 return make_line(plan.kind, plan.real, n);
                               });
  }

  fft_cache cache_;
};

void engine::run(const fft_plan& plan, core::queue) {
  char* source = static_cast<char*>(const_cast<void*>(plan.in));  // written to only if it is scratch
  const std::int64_t *in_batch = plan.batch_in_strides, *in_strides = plan.in_strides;
  // The last axis first; the others then work in place on the result.
  for (int axis = plan.rank; axis-- > 0;) {
    const fft_cache::handle transform = prepare_axis(plan, axis);
    const std::int64_t n = plan.n[axis], half = n / 2 + 1;
    fft_pass pass;
    pass.transform = static_cast<const line_transform*>(transform.get());
    pass.real = plan.real;
    pass.in.data = source;
    pass.in.item = plan.in_item();
    pass.in.count = plan.kind == fft_kind::real_inverse ? half : n;
    pass.in.stride = in_strides[axis];
    pass.out.data = static_cast<char*>(plan.out);
    pass.out.item = plan.out_item();
    pass.out.count = plan.kind == fft_kind::real_forward ? half : n;
    pass.out.stride = plan.out_strides[axis];
    pass.copies_input = source == plan.out || (plan.kind == fft_kind::real_inverse && !plan.input_is_scratch);
    pass.scale = axis == 0 ? plan.scale : 1;
    for (int d = 0; d < plan.batch_ndim; ++d)
      pass.append(plan.batch_shape[d], in_batch[d], plan.batch_out_strides[d]);
    for (int other = 0; other < plan.rank; ++other)
      if (other != axis) pass.append(plan.n[other], in_strides[other], plan.out_strides[other]);
    pass.run();
    source = static_cast<char*>(plan.out);
    in_batch = plan.batch_out_strides;
    in_strides = plan.out_strides;
  }
}

}  // namespace

// Never destroyed: transforms of static objects may come later.
core::fft_engine& fft_engine() {
  static auto* const made = new engine;
  return *made;
}

}  // namespace host
GPARRAY_END_NAMESPACE
