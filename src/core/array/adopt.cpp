#include <core/array/adopt.hpp>
#include <core/array/layout.hpp>
#include <core/runtime/stream_state.hpp>
#include <memory/host.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

any_array adopted(dtype type, std::int64_t size, owned_block memory) {
  auto own = std::make_unique<storage>();
  own->device_ = device::cpu();
  own->bytes = static_cast<std::size_t>(size) * itemsize(type);
  own->data = memory->pointer;
  own->home = {pool_owner(memory_space::host, own->device_), current_queue(own->device_).stream};
  array_rep* const rep = new_rep(type, own->device_, dims(size));
  own->memory = memory.release();
  set_layout(rep, c_strides(rep->shape, itemsize(type)), static_cast<std::byte*>(own->data), own.get());
  own.release();
  return any_array::adopt(rep);
}

}  // namespace core
GPARRAY_END_NAMESPACE
