// The CUDA backend on the fake runtime as the default device, for as long as the object lives.
#pragma once
#include <memory>

#include <cuda/backend.hpp>
#include <gparray/gparray.hpp>

#include "cuda/support/fake_runtime.hpp"

struct fake_default_device {
  explicit fake_default_device(int n_devices = 1)
      : gpu(std::make_unique<gparray::core::cuda::cuda_backend_type>(n_devices)) {
    gparray::core::exchange_gpu_backend(gpu.get());
    gparray::set_default_device(gparray::device::cuda(0));
  }
  ~fake_default_device() {
    gparray::core::exchange_gpu_backend(nullptr);  // first: the fake may be gone already
    gparray::set_default_device(before);
  }

  // First: the library looks for the real devices once, and must not find the fake.
  gparray::device before = gparray::default_device();
  fake_cuda::session session;
  std::unique_ptr<gparray::core::cuda::cuda_backend_type> gpu;
};
