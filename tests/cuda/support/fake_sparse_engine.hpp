// The CUDA backend's sparse engine on fakes of the runtime and of cuSPARSE.
#pragma once
#include <exception>
#include <thread>

#include <cuda/backend.hpp>

#include "cuda/support/fake_cusparse.hpp"
#include "cuda/support/fake_runtime.hpp"

namespace fake_cusparse {

/// prepare(table of the fake cuSPARSE), then body(engine of the fake GPU) in a thread of its own, whose
/// handles are gone when this returns. Checks that nothing is left behind, also where body throws.
template<class Prepare, class Body>
void with_engine(Prepare prepare, Body body) {
  std::exception_ptr error;
  {
    const fake_cuda::session runtime;
    session library;
    prepare(library.table);
    const auto gpu = std::make_unique<gparray::core::cuda::cuda_backend_type>(1);
    std::thread([&] {
      try {
        body(*gpu->sparse());
      } catch (...) {
        error = std::current_exception();
      }
    }).join();
    fake_cuda::model.on_launch = nullptr;
    CHECK(gpu->pool(gparray::memory_space::device, 0)->stats().used_bytes == 0);
  }
  CHECK(model.live == 0);
  if (error) std::rethrow_exception(error);
}

}  // namespace fake_cusparse
