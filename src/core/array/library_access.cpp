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

void copy_pitched(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t bytes,
                  std::size_t rows, const stream_view& on) {
  if (bytes == 0 || rows == 0) return;
  core::backend_of(on.device())
      .copy_pitched({to, to_pitch, from, from_pitch, bytes, rows}, core::queue_of(on));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
