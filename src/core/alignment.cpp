#include <core/alignment.hpp>
#include <core/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

void check_alignment(const char* operation, device place, dtype type, const void* data, const dims& shape,
                     const dims& strides) {
  if (!place.is_cuda()) return;
  const auto item = static_cast<std::int64_t>(itemsize(type));
  bool aligned = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data)) % item == 0, empty = false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    aligned = aligned && (shape[d] == 1 || strides[d] % item == 0);
    empty = empty || shape[d] == 0;
  }
  if (!aligned && !empty)
    fail<value_error>(
        "{}: on a GPU, elements of {} must lie at multiples of {} bytes; copy the memory to such a place, or "
        "to "
        "the CPU",
        operation, name(type), item);
}

}  // namespace core
GPARRAY_END_NAMESPACE
