#include <algorithm>

#include <distributed/runtime/signature.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

static_assert(sizeof(signature) == 64);

signature::signature(std::string_view name, int of_root, int of_option)
    : root(of_root), option(static_cast<std::uint8_t>(of_option)) {
  std::copy_n(name.begin(), std::min(name.size(), sizeof operation - 1), operation);
}

signature::signature(std::string_view name, dtype of_type, const dims& shape, int of_root, int of_option)
    : signature(name, of_root, of_option) {
  type = static_cast<std::uint8_t>(of_type);
  ndim = static_cast<std::uint8_t>(shape.size());
  with_array = 1;
  std::copy_n(shape.begin(), std::min(shape.size(), known_axes), sizes);
}

std::string signature::text() const {
  std::string text = fmt::format("{} #{}", operation, number);
  if (with_array) {
    const std::size_t shown = std::min<std::size_t>(ndim, known_axes);
    const std::string shape = ndim > known_axes
                                  ? fmt::format("({},...)", fmt::join(sizes, sizes + shown, ","))
                                  : core::text(dims(std::span<const std::int64_t>(sizes, shown)));
    text += fmt::format(" of {} {}", name(static_cast<dtype>(type)), shape);
  }
  if (root >= 0) text += fmt::format(" with root {}", root);
  if (option) text += fmt::format(", option {}", option);
  return text;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
