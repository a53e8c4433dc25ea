// Generated kernels of random expressions: the run-time compiler takes all of them (which needs no GPU), and
// on a GPU they give the bits of the steps one by one.
#include <cuda/fusion/jit_kernels.hpp>
#include <cuda/fusion/jit_plan.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <gparray/runtime/jit.hpp>
#include <plan/compiler.hpp>

#include "cuda/support/random_plans.hpp"
#include "support/sampler.hpp"

using namespace twin;

namespace {

constexpr int n_maps = 40, n_reductions = 24;

struct jit_scope {
  explicit jit_scope(jit mode) : before(jit_mode()) { set_jit_mode(mode); }
  ~jit_scope() { set_jit_mode(before); }
  jit before;
};

/// Memory that is never read on the device.
struct plain_memory {
  operand_source source() {
    return [this](dtype type, std::int64_t n) {
      blocks.emplace_back(static_cast<std::size_t>(n) * itemsize(type));
      return blocks.back().data();
    };
  }
  std::list<std::vector<std::byte>> blocks;
};

/// Many kernels of one form in one program: the headers are read once.
void compile_together(const std::vector<cuda::kernel_key>& keys) {
  if (keys.empty()) return;
  compile_request request = cuda::kernel_request(keys[0], "sm_90");
  request.source.clear();
  std::set<cuda::kernel_form> forms;
  for (const cuda::kernel_key& key : keys)
    if (forms.insert(key.form).second) request.source += cuda::kernel_includes(key.form);
  request.source += "\nnamespace gparray::core::cuda {\n";
  request.name_expressions.clear();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string name = "expression" + std::to_string(i);
    request.source += cuda::kernel_struct(keys[i], name);
    request.name_expressions.push_back(cuda::kernel_expression(keys[i], name));
  }
  request.source += "}\n";
  CAPTURE(request.source);
  const compiled_program program = compile(request);
  CHECK(program.lowered_names.size() == keys.size());
  CHECK(
      program.image.starts_with("\x7f"
                                "ELF"));
}

/// Runs `work` on the GPU from the same memory in both ways and compares what it leaves at `out`.
template<class Work>
bool same_bits(memory& data, const void* out, std::size_t bytes, Work work) {
  std::vector<std::byte> results[2];
  for (const jit mode : {jit::off, jit::sync}) {
    const jit_scope scope(mode);
    data.upload();
    work();
    results[mode == jit::sync] = data.download(out, bytes);
  }
  return results[0] == results[1];
}

/// Some have more numbers than a kernel has operands.
map_plan map_number(int n, plan_maker maker) { return n % 8 == 7 ? maker.make_of_numbers() : maker.make(); }

operand_source device_memory(memory& data, random_numbers& random) {
  return [&data, &random, operand = 0](dtype type, std::int64_t n) mutable {
    std::byte* to = data.allocate(static_cast<std::size_t>(n) * itemsize(type));
    fill_argument(type, to, n, operand++ % 2, random);
    return to;
  };
}

}  // namespace

#ifdef GPARRAY_TEST_NVRTC
TEST_CASE("kernels of random maps and reductions compile") {
  random_numbers random;
  std::vector<cuda::kernel_key> maps, inner, columns;
  bool has[2] = {false, false};
  for (int n = 0; n < n_maps; ++n) {
    plain_memory memory;
    cuda::fused_plan fused;
    REQUIRE(cuda::plan_map(map_number(n, plan_maker(random, memory.source())), 0, fused));
    maps.push_back(fused.key);
    has[fused.key.form == cuda::kernel_form::jumping] = true;
    if (maps.size() == 20 || n + 1 == n_maps) {
      compile_together(maps);
      maps.clear();
    }
  }
  CHECK((has[0] && has[1]));
  for (int n = 0; n < n_reductions; ++n) {
    plain_memory memory;
    const bool jumps = n % 4 == 0, by_columns = n % 2 == 1;
    const auto plan = plan_maker(random, memory.source()).make_reduction(jumps);
    jumping_plan map;
    static_cast<jump_list&>(map) = plan->jumping;
    map.map = plan->map;
    const auto form = by_columns ? cuda::kernel_form::columns : cuda::kernel_form::inner;
    cuda::fused_plan fused;
    REQUIRE(cuda::plan_source(map, {&plan->op, 1}, plan->element, form, 0, fused));
    (by_columns ? columns : inner).push_back(fused.key);
  }
  compile_together(inner);
  compile_together(columns);
}

TEST_CASE("a program of one kernel, as it is compiled when the kernel is wanted") {
  random_numbers random;
  plain_memory memory;
  cuda::fused_plan fused;
  REQUIRE(cuda::plan_map(plan_maker(random, memory.source()).make(), 0, fused));
  CHECK(compile(cuda::kernel_request(fused.key, "sm_80")).lowered_names.size() == 1);
}
#endif

TEST_CASE("jit gpu: fused maps give the bits of the steps") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  random_numbers random;
  const std::size_t made = cuda::fused_kernels().counts().made;
  sampler taken;
  int n_taken = 0;
  for (int n = 0; n < n_maps; ++n) {
    memory data(*gpu);
    const map_plan plan = map_number(n, plan_maker(random, device_memory(data, random)));
    if (!taken()) continue;
    ++n_taken;
    CAPTURE(n);
    // From the first element to the end of the last, gaps included.
    const auto bytes = static_cast<std::size_t>(plan.out.strides[0] * plan.shape[0]);
    CHECK(same_bits(data, plan.out.data, bytes, [&] { gpu->map(translated(plan, data), {}); }));
  }
  CHECK(cuda::fused_kernels().counts().failed == 0);
  CHECK(cuda::fused_kernels().counts().made - made > static_cast<std::size_t>(n_taken) / 2);
}

TEST_CASE("jit gpu: fused reductions give the bits of the steps") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  random_numbers random;
  const std::size_t made = cuda::fused_kernels().counts().made;
  sampler taken;
  int n_taken = 0;
  for (int n = 0; n < n_reductions; ++n) {
    memory data(*gpu);
    const auto plan = plan_maker(random, device_memory(data, random)).make_reduction();
    if (!taken()) continue;
    ++n_taken;
    CAPTURE(n);
    CAPTURE(name(plan->op));
    const auto moved = std::make_unique<reduce_plan>(*plan);
    moved->map = translated(plan->map, data);
    moved->out.data = data.on_device(plan->out.data);
    const auto bytes = static_cast<std::size_t>(plan->n_out) * result_bytes(plan->op, plan->element);
    CHECK(same_bits(data, plan->out.data, bytes, [&] { gpu->reduce(*moved, {}); }));
  }
  CHECK(cuda::fused_kernels().counts().failed == 0);
  CHECK(cuda::fused_kernels().counts().made - made > static_cast<std::size_t>(n_taken) / 2);
}
