// Small matrices on a GPU that are factored on the host.
#pragma once
#include <array>

#include <core/array/array_rep.hpp>
#include <gparray/transfer.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Whether `a` is one matrix, or one right-hand side, on a GPU and no larger than linalg::host_limit():
/// LAPACK is done with it, the ways there and back included, before cuSOLVER is. Not while a graph is
/// recorded.
/// `share`: of the limit, in eighths, for a factorisation in which both are level at another size than at
/// 128: measured on an H100 and its host.
enum class host_share { half = 4, most = 7, all = 8, half_more = 12 };
bool suits_host(const any_array& a, host_share share = host_share::all);

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

/// A result moved to `place`; one that was not asked for stays empty.
any_array moved_back(const any_array& result, device place);
template<std::size_t N>
std::array<any_array, N> moved_back(std::array<any_array, N> results, device place) {
  for (any_array& r : results) r = moved_back(r, place);
  return results;
}

}  // namespace core
GPARRAY_END_NAMESPACE
