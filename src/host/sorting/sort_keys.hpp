// Sorting unsigned keys that carry nothing: equal ones are indistinguishable, so every algorithm gives the
// same result.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Whether sort_keys wants room for as many keys beside them.
template<class K>
bool wants_spare(std::int64_t n);

template<class K>
void sort_keys(K* keys, K* spare, std::int64_t n);

}  // namespace host
GPARRAY_END_NAMESPACE
