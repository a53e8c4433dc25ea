// Small matrices on a GPU that are factored on the host: LAPACK, including the transfers there and back,
// takes less time than cuSOLVER.
#pragma once
#include <array>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Up to which part of linalg::host_limit() the host is done first, for real and for complex matrices:
/// measured on an H100 and its host.
struct host_share {
  double real, complex;
};
inline constexpr host_share solve_share{1.5, 1}, eigh_share{0.875, 0.5}, eig_share{1, 1}, svd_share{1, 1};

/// Whether `a` is one matrix, or one right-hand side, on a GPU, with at most `share` * host_limit() rows and
/// columns. Not while a graph is recorded.
bool suits_host(const any_array& a, double share);

/// An argument moved to the host.
class on_host {
 public:
  explicit on_host(const detail::argument& a)
      : array_(detail::to_device(*a.array, device::cpu(), nullptr)), moved_(a) {
    moved_.array = &array_;
  }
  on_host(const on_host&) = delete;
  on_host& operator=(const on_host&) = delete;
  const detail::argument& operator*() const { return moved_; }

 private:
  any_array array_;
  detail::argument moved_;
};

/// A result moved to `to`; one that was not asked for stays empty.
any_array moved_back(const any_array& result, device to);
template<std::size_t N>
std::array<any_array, N> moved_back(std::array<any_array, N> results, device to) {
  for (any_array& r : results) r = moved_back(r, to);
  return results;
}

/// Says so to those who asked for messages.
void note_host(const any_array& a) noexcept;

/// f of the arguments moved to the host, and its array, or std::array of them, moved back to the first one's
/// device.
template<class F, class... A>
auto computed_on_host(const F& f, const detail::argument& first, const A&... others) {
  note_host(*first.array);
  return moved_back(f(*on_host(first), *on_host(others)...), first.array->device());
}

/// The same if all arguments suit the host; else f of them where they are.
template<class F, class... A>
auto with_best_engine(host_share share, dtype type, const F& f, const A&... arguments) {
  const double part = is_complex(type) ? share.complex : share.real;
  if ((suits_host(*arguments.array, part) && ...)) return computed_on_host(f, arguments...);
  return f(arguments...);
}

}  // namespace core
GPARRAY_END_NAMESPACE
