// The precision of products of float32: GPARRAY_MATMUL_PRECISION and set_float32_matmul_precision().
#include <atomic>
#include <string_view>

#include <gparray/runtime/matmul_precision.hpp>
#include <support/environment.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

matmul_precision from_environment() {
  const char* const text = environment("GPARRAY_MATMUL_PRECISION");
  const std::string_view name = text ? text : "";
  return name == "tf32"         ? matmul_precision::tf32
         : name == "bfloat16x9" ? matmul_precision::bfloat16x9
                                : matmul_precision::float32;
}

std::atomic<matmul_precision>& current_precision() {
  static std::atomic<matmul_precision> precision{from_environment()};
  return precision;
}

}  // namespace
}  // namespace core

matmul_precision float32_matmul_precision() noexcept {
  return core::current_precision().load(std::memory_order_relaxed);
}

void set_float32_matmul_precision(matmul_precision precision) noexcept {
  core::current_precision().store(precision, std::memory_order_relaxed);
}

GPARRAY_END_NAMESPACE
