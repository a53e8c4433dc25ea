// The same plan on the CPU and on the GPU, and a comparison of what they make.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <core/array/plan_builder.hpp>
#include <plan/backend.hpp>

namespace twin {

using namespace gparray;
using namespace gparray::core;

/// The GPU, or null with a message: these tests then have nothing to run on.
inline backend* gpu() {
  backend* found = cuda_backend();
  if (!found) MESSAGE("skipped: " << cuda_missing_reason());
  return found;
}

inline double read(dtype type, const std::byte* from) {
  scalar_bits bits{};
  std::memcpy(&bits, from, itemsize(type));
  const scalar_bits wide = convert_scalar(bits, type, dtype::float64);
  double value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

inline void write(dtype type, std::byte* to, double value) {
  scalar_bits bits{};
  std::memcpy(&bits, &value, sizeof value);
  const scalar_bits converted = convert_scalar(bits, dtype::float64, type);
  std::memcpy(to, &converted, itemsize(type));
}

/// A repeatable stream of numbers in [0, 1).
struct random_numbers {
  std::uint64_t state = 88172645463325252u;
  double operator()() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-53;
  }
};

inline double machine_epsilon(dtype type) {
  switch (real_dtype(type)) {
    case dtype::float16:
      return 0x1p-10;
    case dtype::bfloat16:
      return 0x1p-7;
    case dtype::float32:
      return 0x1p-23;
    default:
      return 0x1p-52;
  }
}

inline double smallest_normal(dtype type) {
  switch (real_dtype(type)) {
    case dtype::float16:
      return 0x1p-14;
    case dtype::float64:
      return 0x1p-1022;
    default:
      return 0x1p-126;
  }
}

/// Memory that exists on both sides under one name: the host address.
class memory {
 public:
  explicit memory(backend& gpu) : gpu_(gpu) {}
  ~memory() {
    for (block_pair& b : blocks_) gpu_.pool(memory_space::device, 0)->deallocate(b.device);
  }
  std::byte* allocate(std::size_t bytes) {
    blocks_.push_back({std::vector<std::byte>(bytes + 256),
                       gpu_.pool(memory_space::device, 0)->allocate(bytes + 256, nullptr)});
    auto& host = blocks_.back().host;
    std::fill(host.begin(), host.end(), std::byte{0x5a});
    blocks_.back().shift = (512 - reinterpret_cast<std::uintptr_t>(host.data()) % 256) % 256;
    return host.data() + blocks_.back().shift;
  }
  void upload() {
    for (block_pair& b : blocks_)
      gpu_.copy(b.device->pointer, b.host.data() + b.shift, b.host.size() - 256, {});
  }
  void* on_device(const void* host) const {
    for (const block_pair& b : blocks_) {
      const std::byte* begin = b.host.data() + b.shift;
      const auto at = static_cast<const std::byte*>(host) - begin;
      if (at >= 0 && at < static_cast<std::ptrdiff_t>(b.host.size() - 256))
        return static_cast<std::byte*>(b.device->pointer) + at;
    }
    return nullptr;
  }
  /// What the GPU has where `host` points.
  std::vector<std::byte> download(const void* host, std::size_t bytes) {
    std::vector<std::byte> data(bytes);
    gpu_.copy(data.data(), on_device(host), bytes, {});
    gpu_.synchronize_device(0);
    return data;
  }

 private:
  struct block_pair {
    std::vector<std::byte> host;
    core::block* device;
    std::size_t shift = 0;
  };
  backend& gpu_;
  std::list<block_pair> blocks_;
};

inline map_plan translated(const map_plan& plan, const memory& m) {
  map_plan moved = plan;
  for (int i = 0; i < plan.n_inputs; ++i)
    if (plan.inputs[i].kind == input_kind::array) moved.inputs[i].data = m.on_device(plan.inputs[i].data);
  moved.out.data = m.on_device(plan.out.data);
  return moved;
}

/// Strides of a C-contiguous array times `step`.
inline void fill_strides(int ndim, const std::int64_t* shape, std::int64_t size, std::int64_t* strides) {
  for (int d = ndim - 1; d >= 0; --d) {
    strides[d] = size;
    size *= shape[d];
  }
}

inline bool has_loop(ufunc f, dtype d) {
  const auto domain = gparray::detail::row(f).domain;
  if (domain.find('w') != std::string_view::npos && d != dtype::float64 && d != dtype::complex128)
    return false;
  return domain.find(kind(d) == 'u' ? 'i' : kind(d)) != std::string_view::npos;
}

inline bool has_reduction(reduction r, dtype d) {
  return gparray::detail::row(r).domain.find(kind(d) == 'u' ? 'i' : kind(d)) != std::string_view::npos;
}

/// Numbers in most functions' domains, small integers, and for real dtypes the special values first.
inline void fill_argument(dtype type, std::byte* to, std::int64_t n, int operand, random_numbers& random) {
  static constexpr double special[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 2, -2, 0.5, -0.5, 3};
  for (std::int64_t i = 0; i < n; ++i) {
    double value = 0.1 + 0.8 * random();
    if (kind(type) == 'i') value = std::floor(operand == 0 ? 100 * random() - 50 : 8 * random());
    if (kind(type) == 'u') value = std::floor(operand == 0 ? 100 * random() : 8 * random());
    if (kind(type) == 'b') value = random() < 0.5;
    if (is_floating(type) && i < 144) value = special[operand == 0 ? i % 12 : i / 12];
    if (is_complex(type)) {
      const auto part = static_cast<std::int64_t>(itemsize(type)) / 2;
      write(real_dtype(type), to + i * 2 * part, value);
      write(real_dtype(type), to + i * 2 * part + part, random() - 0.5);
    } else {
      write(type, to + i * static_cast<std::int64_t>(itemsize(type)), value);
    }
  }
}

/// How far `actual` is from `expected`, in units of the dtype's epsilon at the larger of the two; the parts
/// of a complex number count against its magnitude. 0 for equal integers, infinite for different ones or one
/// NaN.
inline double distance(dtype type, const std::byte* expected, const std::byte* actual) {
  if (std::memcmp(expected, actual, itemsize(type)) == 0) return 0;
  if (!is_inexact(type)) return INFINITY;
  const dtype part = real_dtype(type);
  const int n_parts = is_complex(type) ? 2 : 1;
  double magnitude = smallest_normal(type), difference = 0;
  for (int i = 0; i < n_parts; ++i) {
    const double e = read(part, expected + i * itemsize(part)), a = read(part, actual + i * itemsize(part));
    if (std::isnan(e) && std::isnan(a)) continue;
    if (e == a) {
      if (std::isfinite(e)) magnitude = std::max(magnitude, std::abs(e));
      continue;
    }
    if (!std::isfinite(e) || !std::isfinite(a)) return INFINITY;
    magnitude = std::max({magnitude, std::abs(e), std::abs(a)});
    difference = std::max(difference, std::abs(e - a));
  }
  return difference / magnitude / machine_epsilon(type);
}

/// Checks n elements side by side; reports the first that is too far off.
inline void check_close(dtype type, const void* expected, const std::vector<std::byte>& actual,
                        std::int64_t n, double tolerance, const std::string& what) {
  const auto* e = static_cast<const std::byte*>(expected);
  const auto size = static_cast<std::int64_t>(itemsize(type));
  for (std::int64_t i = 0; i < n; ++i) {
    const double d = distance(type, e + i * size, actual.data() + i * size);
    if (d <= tolerance) continue;
    FAIL_CHECK(what << " " << name(type) << ": element " << i << " is "
                    << read(type, actual.data() + i * size) << ", on the CPU " << read(type, e + i * size)
                    << " (" << d << " epsilon)");
    return;
  }
  CHECK(n > 0);
}

}  // namespace twin
