// What permutations and samples share.
#pragma once
#include <gparray/random_arguments.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A uint64 array of random words on the CPU.
any_array random_words(random::generator_state& state, const dims& shape);

/// An array of the CPU, or its copy on another device.
any_array moved_to(const any_array& on_host, device where);

}  // namespace core
GPARRAY_END_NAMESPACE
