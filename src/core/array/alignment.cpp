#include <core/array/alignment.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

void check_alignment(const char* operation, device on_device, dtype type, const void* data, const dims& shape,
                     const dims& strides) {
  const std::size_t size = itemsize(type);
  const auto wanted = static_cast<std::int64_t>(on_device.is_cpu() && is_complex(type) ? size / 2 : size);
  bool aligned = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data)) % wanted == 0,
       empty = false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    aligned = aligned && (shape[d] == 1 || strides[d] % wanted == 0);
    empty = empty || shape[d] == 0;
  }
  if (!aligned && !empty)
    fail<value_error>("{}: elements of {} must lie at multiples of {} bytes; copy the memory to such a place",
                      operation, name(type), wanted);
}

}  // namespace core
GPARRAY_END_NAMESPACE
