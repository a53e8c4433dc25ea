// Gathers as operands: elements at computed addresses, which are read where they are used.
#pragma once
#include <memory>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A pending array of the elements at `addresses`, int64 numbers that are only computed with it; all are of
/// elements of `source`, which is computed. With `compute_alone` and what it reads, `selected`, where another
/// way is quicker as long as nothing is made of the elements.
any_array loaded_later(const any_array& source, const any_array& addresses,
                       void (*compute_alone)(array_rep*) = nullptr,
                       std::shared_ptr<const selection> selected = {});

}  // namespace core
GPARRAY_END_NAMESPACE
