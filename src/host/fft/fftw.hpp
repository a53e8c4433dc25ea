// FFTW 3, loaded at first use: it is under the GPL, and gparray is not.
#pragma once
#include <plan/fft_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// fftw_iodim64: strides count elements.
struct fftw_dimension {
  std::ptrdiff_t n, in_stride, out_stride;
};

struct fftw_table {
#define GPARRAY_FFTW_CALL(result, name, parameters) result(*name) parameters;
#include <host/fft/fftw_calls.def>
#undef GPARRAY_FFTW_CALL
};

/// The library of a precision, loaded at the first call. Throws library_error.
const fftw_table& fftw(dtype real);

/// One transform, not in place, of n elements side by side to elements side by side, whose addresses are
/// multiples of `alignment`. Any number of threads may execute it.
struct line_transform : core::prepared_fft {
  static constexpr std::size_t alignment = 16;

  /// real_inverse overwrites `in`.
  virtual void execute(void* in, void* out) const = 0;
};

/// FFTW's planner only estimates. Measuring would make the choice, and with it the last bits of results,
/// depend on what else the machine was doing; for transforms of one dimension it gains little.
class fftw_transform final : public line_transform {
 public:
  fftw_transform(core::fft_kind kind, dtype real, std::int64_t n);
  ~fftw_transform() override;
  void execute(void* in, void* out) const override { execute_(plan_, in, out); }

 private:
  const fftw_table& calls_;
  void* plan_;
  void (*execute_)(const void*, void*, void*);
};

}  // namespace host
GPARRAY_END_NAMESPACE
