// What permutations and samples share.
#pragma once
#include <gparray/random/arguments.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The first `count` numbers of a permutation of n.
any_array first_permuted(random::generator_state& state, std::int64_t n, std::int64_t count, device where);

/// An array of the CPU, or its copy on another device.
any_array moved_to(const any_array& on_host, device where);

}  // namespace core
GPARRAY_END_NAMESPACE
