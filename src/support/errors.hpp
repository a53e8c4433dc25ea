// Texts for exceptions, built out of line so that checks stay small.
#pragma once
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <gparray/array/any_array.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// NumPy's spelling of a shape: (2,3), (2,), ().
std::string text(const dims& shape);

[[noreturn]] void throw_not_broadcastable(std::span<const dims* const> shapes);
[[noreturn]] void throw_axis(std::int64_t axis, int ndim);
[[noreturn]] void throw_device_mismatch(std::string_view operation, device a, device b);

template<class Error, class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace core
GPARRAY_END_NAMESPACE
