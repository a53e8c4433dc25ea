// Which tier runs when: the table of generated kernels with a compiler that is none, on a fake device.
#include <atomic>
#include <memory>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/fusion/jit_kernels.hpp>
#include <gparray/error.hpp>
#include <gparray/runtime/jit.hpp>

#include "cuda/support/fake_runtime.hpp"

using namespace gparray;
using namespace gparray::core;
using cuda::kernel_key;
using cuda::kernel_state;
using cuda::kernel_table;
using fake_cuda::model;

namespace {

char code;  // what stands for the code of every kernel
std::atomic<int> n_made;

cuda::loaded_kernel make_kernel(const kernel_key&) {
  ++n_made;
  return {&code, nullptr};
}

cuda::loaded_kernel fail_to_make(const kernel_key&) {
  ++n_made;
  throw compile_error("expression.cu(3): error: expected a ;");
}

kernel_key numbered_key(std::uint8_t n) {
  kernel_key key;
  key.n_inputs = n;
  return key;
}

struct mode_scope {
  explicit mode_scope(jit mode) : before(jit_mode()) {
    set_jit_mode(mode);
    n_made = 0;
  }
  ~mode_scope() {
    wait_for_kernels();
    set_jit_mode(before);
  }
  jit before;
};

/// A backend on the fake device whose generated kernels come from `make`.
struct fixture {
  explicit fixture(cuda::kernel_table::maker make) : table(16, make) { cuda::exchange_fused_kernels(&table); }
  ~fixture() {
    wait_for_kernels();
    cuda::exchange_fused_kernels(nullptr);
    gpu->pool(memory_space::device, 0)->deallocate(memory);
  }
  /// (a * b) + a on rows of float32; the number of launches it took.
  std::size_t run(std::int64_t n, std::int64_t stride = 4) {
    auto plan = std::make_unique<map_plan>();
    plan->ndim = 1;
    plan->shape[0] = plan->size = n;
    plan->n_inputs = plan->n_steps = 2;
    auto* data = static_cast<char*>(memory->pointer);
    for (int i = 0; i < 2; ++i) {
      plan->inputs[i].kind = input_kind::array;
      plan->inputs[i].type = dtype::float32;
      plan->inputs[i].data = data + i * (1 << 16);
      plan->inputs[i].strides[0] = stride;
    }
    plan->steps[0] = {ufunc::multiply, dtype::float32, {0, 1, 0}};
    plan->steps[1] = {ufunc::add, dtype::float32, {2, 0, 0}};
    plan->out.type = dtype::float32;
    plan->out.data = data + 2 * (1 << 16);
    plan->out.strides[0] = 4;
    model.launches.clear();
    gpu->map(*plan, {});
    return model.launches.size();
  }
  bool ran_fused() const { return model.launches.size() == 1 && model.launches[0].kernel == &code; }

  fake_cuda::session session;
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);
  core::block* memory = gpu->pool(memory_space::device, 0)->allocate(1 << 18, nullptr);
  kernel_table table;
};

}  // namespace

TEST_CASE("async: the steps first, the kernel when it is ready") {
  fixture f(make_kernel);
  const mode_scope mode(jit::async);
  CHECK(f.run(1000) == 2);
  wait_for_kernels();
  CHECK(f.run(1000) == 1);
  CHECK(f.ran_fused());
  CHECK(f.run(777) == 1);  // the same kernel for every length
  CHECK(n_made == 1);
  CHECK(f.run(500, 8) == 2);  // other strides along a row are another kernel
  wait_for_kernels();
  CHECK(f.run(500, 8) == 1);
  CHECK(n_made == 2);
}

TEST_CASE("sync: the kernel at once; off: never") {
  fixture f(make_kernel);
  {
    const mode_scope mode(jit::off);
    CHECK(f.run(1000) == 2);
    wait_for_kernels();
    CHECK(f.run(1000) == 2);
    CHECK(n_made == 0);
  }
  const mode_scope mode(jit::sync);
  CHECK(f.run(1000) == 1);
  CHECK(f.ran_fused());
  CHECK(n_made == 1);
  set_jit_mode(jit::off);
  CHECK(f.run(1000) == 2);
}

TEST_CASE("a kernel that does not compile is tried once, and the steps run") {
  for (const jit tier : {jit::async, jit::sync}) {
    fixture f(fail_to_make);
    const mode_scope mode(tier);
    for (int n = 0; n < 3; ++n) {
      CHECK(f.run(1000) == 2);
      wait_for_kernels();
    }
    CHECK(n_made == 1);
    CHECK(f.table.counts().failed == 1);
  }
}

TEST_CASE("what a kernel is told of its operands") {
  static cuda::vector_params<4> seen;
  fixture f(make_kernel);
  const mode_scope mode(jit::sync);
  model.on_launch = [](const fake_cuda::launch_record& r) {
    std::memcpy(static_cast<void*>(&seen), r.params, sizeof seen);
  };
  CHECK(f.run(500, 8) == 1);
  CHECK(seen.n_columns == 500);
  CHECK(seen.n_rows == 1);
  CHECK(seen.in[1] == static_cast<char*>(f.memory->pointer) + (1 << 16));
  std::int64_t distance;
  std::memcpy(&distance, seen.constants[1].bytes, sizeof distance);
  CHECK(distance == 8);
}

TEST_CASE("what is recorded into a graph is fused from the first launch, which is the one that counts") {
  fixture f(make_kernel);
  const mode_scope mode(jit::async);
  CHECK(f.table.find(numbered_key(1), true) != nullptr);
  CHECK(f.table.find(numbered_key(2), false) == nullptr);
}

TEST_CASE("a kernel that leaves the table is unloaded outside of its lock") {
  static kernel_table* small;
  static std::size_t seen;
  const mode_scope mode(jit::sync);
  // Unloading waits for the device, and other threads must find their kernels meanwhile.
  kernel_table table(1, [](const kernel_key&) {
    return cuda::loaded_kernel{&code,
                               std::shared_ptr<void>(&code, [](void*) { seen = small->counts().dropped; })};
  });
  small = &table;
  seen = 0;
  table.find(numbered_key(1), false);
  table.find(numbered_key(2), false);
  CHECK(seen == 1);
}

TEST_CASE("the table is bounded: the least recently used kernel leaves, a recorded one stays") {
  const mode_scope mode(jit::sync);
  kernel_table table(2, make_kernel);
  table.find(numbered_key(1), true);
  table.find(numbered_key(2), false);
  table.find(numbered_key(3), false);
  CHECK(table.look(numbered_key(1)).state == kernel_state::ready);
  CHECK(table.look(numbered_key(2)).state == kernel_state::none);
  CHECK(table.look(numbered_key(3)).state == kernel_state::ready);
  CHECK(table.counts().dropped == 1);
  CHECK(table.counts().kernels == 2);
  kernel_table broken(2, fail_to_make);
  CHECK(broken.find(numbered_key(1), false) == nullptr);
  CHECK(broken.look(numbered_key(1)).state == kernel_state::failed);
  CHECK(broken.look(numbered_key(1)).failure == "expression.cu(3): error: expected a ;");
}
