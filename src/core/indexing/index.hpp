// One item of an index, resolved for an axis of a known size.
#pragma once
#include <vector>

#include <gparray/indexing/index.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct resolved_slice {
  std::int64_t start, step, count;
};

/// Python's slice.indices(): ends out of range are clamped. Throws value_error for a step of 0.
resolved_slice resolve_slice(const slice& s, std::int64_t n);
/// i, or i + n if it is negative. Throws index_error if that is outside of an axis of n elements.
std::int64_t resolve_index(std::int64_t i, std::int64_t n, int axis);

/// The items of an index in text: "1:-1, ::2, 3". Throws value_error for text that is no index.
std::vector<detail::index_item> parse_index(std::string_view text);

}  // namespace core
GPARRAY_END_NAMESPACE
