#include <array>
#include <memory>
#include <new>

#include <fmt/format.h>

#include <host/fft/fftw.hpp>
#include <support/errors.hpp>
#include <support/fork.hpp>
#include <support/shared_library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using core::fft_kind;

fftw_table load(const char* name, const std::string& prefix, const char* package) {
  const std::string remedy = fmt::format("Transforms on the CPU need FFTW 3: install {}", package);
  const std::array<std::string, 1> folders;
  void* const library = core::open_library({name}, folders, remedy);
  fftw_table table;
#define GPARRAY_FFTW_CALL(result, function, parameters)    \
  table.function = reinterpret_cast<result(*) parameters>( \
      core::find_symbol(library, (prefix + #function).c_str(), "FFTW", remedy));
#include <host/fft/fftw_calls.def>
#undef GPARRAY_FFTW_CALL
  return table;
}

// The planner keeps its state in variables of the library, so one thread at a time may plan.
std::mutex& planner() {
  static std::mutex& lock = []() -> std::mutex& {
    auto made = std::make_unique<std::mutex>();
    core::hold_across_fork(*made);
    return *made.release();
  }();
  return lock;
}

constexpr unsigned destroy_input = 1u << 0, preserve_input = 1u << 4, estimate = 1u << 6;

/// Memory to plan for: the planner looks at its address alone, so no page of it is ever touched.
class untouched_memory {
 public:
  explicit untouched_memory(std::size_t bytes) : data_(::operator new(bytes, alignment)) {}
  ~untouched_memory() { ::operator delete(data_, alignment); }
  untouched_memory(const untouched_memory&) = delete;
  untouched_memory& operator=(const untouched_memory&) = delete;
  void* data() const { return data_; }

 private:
  static constexpr std::align_val_t alignment{64};
  void* data_;
};

}  // namespace

const fftw_table& fftw(dtype real) {
  if (real == dtype::float32) {
    static const fftw_table table =
        load("libfftw3f.so.3", "fftwf_", "libfftw3-single3 (Debian, Ubuntu) or fftw (others)");
    return table;
  }
  static const fftw_table table =
      load("libfftw3.so.3", "fftw_", "libfftw3-double3 (Debian, Ubuntu) or fftw (others)");
  return table;
}

fftw_transform::fftw_transform(fft_kind kind, dtype real, std::int64_t n) : calls_(fftw(real)) {
  bytes = static_cast<std::size_t>(n) * 2 * itemsize(real);  // the twiddle factors, about
  const untouched_memory in(bytes + 64), out(bytes + 64);
  const fftw_dimension length{n, 1, 1};
  const std::lock_guard guard(planner());
  switch (kind) {
    case fft_kind::real_forward:
      plan_ = calls_.plan_guru64_dft_r2c(1, &length, 0, nullptr, in.data(), out.data(),
                                         estimate | preserve_input);
      execute_ = calls_.execute_dft_r2c;
      break;
    case fft_kind::real_inverse:
      plan_ =
          calls_.plan_guru64_dft_c2r(1, &length, 0, nullptr, in.data(), out.data(), estimate | destroy_input);
      execute_ = calls_.execute_dft_c2r;
      break;
    default:
      plan_ = calls_.plan_guru64_dft(1, &length, 0, nullptr, in.data(), out.data(),
                                     kind == fft_kind::forward ? -1 : 1, estimate | preserve_input);
      execute_ = calls_.execute_dft;
  }
  if (!plan_) core::fail<library_error>("FFTW has no plan for a transform of {} points", n);
}

fftw_transform::~fftw_transform() {
  const std::lock_guard guard(planner());
  calls_.destroy_plan(plan_);
}

}  // namespace host
GPARRAY_END_NAMESPACE
