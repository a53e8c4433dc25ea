// The CUDA backend on the fake runtime as the default device, where loops become persistent kernels.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/graph/persistent_loop.hpp>
#include <gparray/gparray.hpp>

#include "cuda/support/fake_runtime.hpp"

namespace persistent {

namespace gp = gparray;
using namespace gparray::core;
using fake_cuda::model;

/// Sources that were asked for, in order.
inline std::vector<std::string> sources;
inline int kernel_stand_in;
inline int driver_version, n_made;

inline cuda::loaded_kernel stand_in_for_fused(const cuda::kernel_key&) {
  return {&kernel_stand_in, {}, {}, 0};
}
inline cuda::loaded_kernel write_down(const compile_request& request, int) {
  sources.push_back(request.source);
  return {&kernel_stand_in, {}, {}, 0};
}

struct fixture {
  explicit fixture(cuda::persistent_maker maker = write_down) : before(gp::default_device()) {
    sources.clear();
    driver_version = 13000;
    n_made = 0;
    exchange_gpu_backend(gpu.get());
    gp::set_default_device(gp::device::cuda(0));
    gp::set_jit_mode(gp::jit::async);
    cuda::runtime.cudaDriverGetVersion = [](int* version) { return *version = driver_version, cudaSuccess; };
    cuda::exchange_fused_kernels(&table);
    cuda::exchange_persistent_maker(maker);
    count_before = cuda::counted_loops();
  }
  ~fixture() {
    gp::wait_for_kernels();  // where a call has failed that asks whether a stream is captured
    cuda::exchange_persistent_maker(nullptr);
    cuda::exchange_fused_kernels(nullptr);
    exchange_gpu_backend(nullptr);  // first: the fake may be gone already
    gp::set_default_device(before);
  }
  std::size_t persistent() const { return cuda::counted_loops().persistent - count_before.persistent; }
  std::size_t conditional() const { return cuda::counted_loops().conditional - count_before.conditional; }
  std::string reason() const { return cuda::counted_loops().reason; }

  fake_cuda::session session;
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);
  cuda::kernel_table table{1024, stand_in_for_fused};
  gp::device before;
  cuda::loop_counts count_before{};
};

}  // namespace persistent
