#include <fmt/format.h>

#include <cuda/fft/cufft.hpp>
#include <cuda/runtime/library.hpp>
#include <cuda/runtime/runtime.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* planning = "planning a Fourier transform";
constexpr const char* computing = "computing a Fourier transform";

cufft_table load() {
  const table_loader load_row("cuFFT", {"libcufft.so.12"},
                              "the CUDA toolkit's libcufft, or the Python package nvidia-cufft");
  cufft_table table;
#define GPARRAY_CUFFT_CALL(name) load_row(table.name, #name);
#include <cuda/fft/cufft_calls.def>
#undef GPARRAY_CUFFT_CALL
  return table;
}

/// cuFFT has no function that names its codes.
const char* status_name(cufftResult status) {
  switch (status) {
#define GPARRAY_STATUS(name) \
  case name:                 \
    return #name;
    GPARRAY_STATUS(CUFFT_INVALID_PLAN)
    GPARRAY_STATUS(CUFFT_ALLOC_FAILED)
    GPARRAY_STATUS(CUFFT_INVALID_TYPE)
    GPARRAY_STATUS(CUFFT_INVALID_VALUE)
    GPARRAY_STATUS(CUFFT_INTERNAL_ERROR)
    GPARRAY_STATUS(CUFFT_EXEC_FAILED)
    GPARRAY_STATUS(CUFFT_SETUP_FAILED)
    GPARRAY_STATUS(CUFFT_INVALID_SIZE)
    GPARRAY_STATUS(CUFFT_UNALIGNED_DATA)
    GPARRAY_STATUS(CUFFT_INVALID_DEVICE)
    GPARRAY_STATUS(CUFFT_NO_WORKSPACE)
    GPARRAY_STATUS(CUFFT_NOT_IMPLEMENTED)
    GPARRAY_STATUS(CUFFT_NOT_SUPPORTED)
#undef GPARRAY_STATUS
    default:
      return "unknown status";
  }
}

void check(const char* call, cufftResult status, const char* operation) {
  if (status == CUFFT_SUCCESS) return;
  throw_if_kernel_fault(call, operation);
  const std::string text = fmt::format("{} failed while {}: {} ({})", call, operation, status_name(status),
                                       static_cast<int>(status));
  if (status == CUFFT_ALLOC_FAILED) throw out_of_memory(text);
  throw cuda_error(text, static_cast<int>(status));
}

}  // namespace

const cufft_table& cufft() { return lazy_table<load>::get(); }

const cufft_table* exchange_cufft(const cufft_table* substitute) noexcept {
  return lazy_table<load>::exchange(substitute);
}

cufft_plan::cufft_plan(const cufft_layout& layout) : calls_(cufft()), device_(device_in_use()) {
  note_library_stream(std::nullopt);
  cufft_layout l = layout;  // cuFFT's parameters are not const
  check("cufftCreate", calls_.cufftCreate(&handle_), planning);
  try {
    check("cufftSetAutoAllocation", calls_.cufftSetAutoAllocation(handle_, 0), planning);
    check("cufftMakePlanMany64",
          calls_.cufftMakePlanMany64(handle_, l.rank, l.n, l.in.embed, l.in.stride, l.in.distance,
                                     l.out.embed, l.out.stride, l.out.distance,
                                     static_cast<cufftType>(l.type), l.batch, &bytes),
          planning);
  } catch (...) {
    calls_.cufftDestroy(handle_);
    throw;
  }
}

// At exit the driver may be gone, and then the call fails harmlessly.
cufft_plan::~cufft_plan() {
  if (!is_gone(device_)) calls_.cufftDestroy(handle_);
}

void cufft_plan::bind(void* work, stream_handle stream) {
  note_library_stream(stream);
  if (!is_bound_ || stream != stream_) {
    is_bound_ = false;
    check("cufftSetStream", calls_.cufftSetStream(handle_, stream_of(stream)), computing);
  }
  if (bytes > 0 && (!is_bound_ || work != work_))
    check("cufftSetWorkArea", calls_.cufftSetWorkArea(handle_, work), computing);
  is_bound_ = true;
  stream_ = stream;
  work_ = work;
}

void cufft_plan::transform(const void* in, void* out, int direction) {
  check("cufftXtExec", calls_.cufftXtExec(handle_, const_cast<void*>(in), out, direction), computing);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
