// Gathers as operands: elements at computed addresses, which are read where they are used.
#pragma once
#include <memory>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Whether elements of a device may be loaded where they are used.
bool may_load_later(device on_device);
/// A pending array of the elements at `addresses`, int64 numbers that are only computed with it, and into
/// which `offset` went; all are of elements of `source`, which is computed. With `compute_alone` and what it
/// reads, `selected`, where another way is quicker as long as nothing is made of the elements.
any_array loaded_later(const any_array& source, const any_array& addresses, std::int64_t offset,
                       void (*compute_alone)(array_rep*) = nullptr,
                       std::shared_ptr<const selection> selected = {});

}  // namespace core
GPARRAY_END_NAMESPACE
