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

namespace {

/// What the number of a rank or an axis means to an operation.
std::string_view meaning_of_root(std::string_view operation) {
  for (const std::string_view of_one : {"broadcast", "gather", "gather_to", "scatter"})
    if (operation == of_one) return "with root";
  if (operation == "send" || operation == "send_recv") return "to rank";
  if (operation == "recv") return "from rank";
  return operation == "item" ? "of rank" : "along axis";
}

}  // namespace

std::string signature::text() const {
  std::string text = operation;
  if (number > 0) text += fmt::format(" #{}", number);
  if (with_array) {
    const std::size_t shown = std::min<std::size_t>(ndim, known_axes);
    const std::string shape = ndim > known_axes
                                  ? fmt::format("({},...)", fmt::join(sizes, sizes + shown, ","))
                                  : core::text(dims(std::span<const std::int64_t>(sizes, shown)));
    text += fmt::format(" of {} {}", name(static_cast<dtype>(type)), shape);
  }
  if (root >= 0) text += fmt::format(" {} {}", meaning_of_root(operation), root);
  if (option) text += fmt::format(", option {}", option);
  return text;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
