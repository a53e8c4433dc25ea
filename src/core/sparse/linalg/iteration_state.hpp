// How an iteration stands whose numbers stay on the device.
#pragma once
#include <limits>

#include <core/creation/typed.hpp>
#include <core/reduction/typed.hpp>
#include <gparray/ufunc/operators.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Below this a divisor has broken down: SciPy's number, which was that of the Fortran templates.
template<class R>
inline constexpr R breakdown_bound = std::numeric_limits<R>::epsilon() * std::numeric_limits<R>::epsilon();

/// What has become of an iteration, on the device: 0 while it runs, then SciPy's info, which stays.
class iteration_state {
 public:
  static constexpr std::int32_t converged = 1, rho_broke_down = -10, omega_broke_down = -11;

  explicit iteration_state(device on_device) : code_(zeros<std::int32_t>({}, {.device = on_device})) {}
  /// Ends the iteration with `code` if it still runs and the condition is true.
  void end_if(const ndarray<bool>& condition, std::int32_t code) {
    code_ = where(logical_and(code_ == 0, condition), code, code_);
    running_ = code_ == 0;
  }
  /// `number` while the iteration runs, then 0, so that what it multiplies changes nothing any more.
  template<class X>
  auto masked(X&& number) const {
    using V = detail::element_t<X>;
    return ndarray<V>(where(running_, std::forward<X>(number), V(0)));
  }
  /// Waits for the device.
  std::int32_t code() const { return code_.item(); }
  /// SciPy's `info`: 0 if the iteration has converged, maxiter if it still runs.
  static std::int64_t info(std::int32_t code, std::int64_t maxiter) {
    return code == 0 ? maxiter : code == converged ? 0 : code;
  }

 private:
  ndarray<std::int32_t> code_;
  ndarray<bool> running_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
