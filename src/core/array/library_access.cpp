#include <core/array/array_rep.hpp>
#include <core/runtime/storage.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/array/library_access.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

void* address_for(const any_array& a, const stream_view& on, bool writes) {
  const core::array_rep* const rep = core::computed(a);
  if (writes) {
    core::check_writeable(rep);
    core::effect_on(rep);
  }
  core::record_use(rep->memory, core::queue_of(on));
  return rep->data;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
