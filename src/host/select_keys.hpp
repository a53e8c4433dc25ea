// Putting some unsigned keys where they would stand if all were in order.
#pragma once
#include <gparray/config.hpp>

#include <cstdint>
#include <span>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// For every place (ascending, each once): the key that belongs there, none larger before and none smaller
/// behind. `spare` has room for n keys.
template<class K>
void select_keys(K* keys, K* spare, std::int64_t n, std::span<const std::int64_t> places);

}  // namespace host
GPARRAY_END_NAMESPACE
