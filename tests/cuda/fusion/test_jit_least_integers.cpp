// The negative of the least narrow integer, which is itself, when a generated kernel goes on computing with
// it. ptxas 13.0 keeps what neg.s16 and abs.s16 give in 32 bits and takes it to fit 16: 32768 comes out.
#include <cuda/fusion/jit_plan.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <gparray/runtime/jit.hpp>
#include <plan/compiler.hpp>

#include "cuda/support/twin.hpp"

using namespace twin;

namespace {

struct expression {
  ufunc f;
  dtype type;
  step then;
};

std::vector<expression> expressions() {
  std::vector<expression> all;
  for (const ufunc f : {ufunc::negative, ufunc::absolute})
    for (const dtype type : {dtype::int8, dtype::int16})
      for (const step& then :
           {step{ufunc::cast, dtype::int64, {1, 0, 0}}, step{ufunc::right_shift, type, {1, 0, 0}},
            step{ufunc::maximum, type, {1, 0, 0}}, step{ufunc::less, type, {1, 0, 0}}})
        all.push_back({f, type, then});
  return all;
}

/// f of each integer that there is, and what is made of that.
map_plan plan_of(const expression& e, memory* data) {
  map_plan plan;
  plan.ndim = 1;
  plan.size = plan.shape[0] = std::int64_t{1} << (8 * itemsize(e.type));
  plan.n_inputs = 1;
  plan.inputs[0].kind = input_kind::array;
  plan.inputs[0].type = e.type;
  plan.inputs[0].strides[0] = static_cast<std::int64_t>(itemsize(e.type));
  plan.n_steps = 2;
  plan.steps[0] = {e.f, e.type, {0, 0, 0}};
  plan.steps[1] = e.then;
  plan.out.type = output_dtype(e.then);
  plan.out.strides[0] = static_cast<std::int64_t>(itemsize(plan.out.type));
  plan.inputs[0].data = plan.out.data = nullptr;
  if (data) {
    std::byte* all = data->allocate(static_cast<std::size_t>(plan.size) * itemsize(e.type));
    for (std::int64_t i = 0; i < plan.size; ++i)
      std::memcpy(all + i * plan.inputs[0].strides[0], &i, itemsize(e.type));
    plan.inputs[0].data = all;
    plan.out.data = data->allocate(static_cast<std::size_t>(plan.size * plan.out.strides[0]));
  }
  return plan;
}

}  // namespace

#ifdef GPARRAY_TEST_NVRTC
TEST_CASE("generated kernels negate narrow integers in 32 bits") {
  for (const expression& e : expressions()) {
    cuda::fused_plan fused;
    REQUIRE(cuda::plan_map(plan_of(e, nullptr), 0, fused));
    compile_request request = cuda::kernel_request(fused.key, "compute_90");
    const std::string text = compile(request).image;
    CAPTURE(name(e.f));
    CAPTURE(name(e.type));
    CAPTURE(name(e.then.op));
    REQUIRE(text.find(".entry") != std::string::npos);
    CHECK(text.find("neg.s16") == std::string::npos);
    CHECK(text.find("abs.s16") == std::string::npos);
  }
}
#endif

TEST_CASE("jit gpu: negatives of the least integers") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  const jit before = jit_mode();
  set_jit_mode(jit::sync);
  for (const expression& e : expressions()) {
    memory data(*gpu);
    const map_plan plan = plan_of(e, &data);
    data.upload();
    gpu->map(translated(plan, data), {});
    const auto actual =
        data.download(plan.out.data, static_cast<std::size_t>(plan.size * plan.out.strides[0]));
    host_backend().map(plan, {0, cpu_order});
    check_close(plan.out.type, plan.out.data, actual, plan.size, 0,
                std::string(name(e.f)) + ", then " + std::string(name(e.then.op)) + " of");
  }
  set_jit_mode(before);
}
