// NVRTC, the run-time compiler, loaded at first use. It needs no GPU.
#pragma once
#include <nvrtc.h>
#include <string>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct nvrtc_table {
#define GPARRAY_NVRTC_CALL(name) decltype(&::name) name;
#include <cuda/compiler/nvrtc_calls.def>
#undef GPARRAY_NVRTC_CALL
  std::string file;  ///< that it was loaded from
};

/// Loads the library at the first call. Throws library_error.
const nvrtc_table& nvrtc();
/// Fakes for tests; nullptr ends that. The previous table is returned.
const nvrtc_table* exchange_nvrtc(const nvrtc_table* substitute) noexcept;

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
