// Which arrays may be written to.
#include <core/array/array_rep.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

void throw_read_only(std::string_view remedy) {
  if (remedy.empty()) throw value_error("assignment destination is read-only");
  fail<value_error>("assignment destination is read-only: {}", remedy);
}

any_array read_only(any_array view) {
  view.rep()->read_only = true;
  return view;
}

}  // namespace core

array_flags any_array::flags() const {
  const core::array_rep* rep = core::computed(*this);
  return {.c_contiguous = rep->c_contiguous,
          .f_contiguous = rep->f_contiguous,
          .owndata = !rep->is_view && !rep->memory->borrowed,
          .writeable = !rep->read_only};
}

void any_array::setflags(const flag_changes& changes) const {
  if (!rep_ || !changes.write) return;
  auto* const rep = const_cast<core::array_rep*>(core::computed(*this));
  core::storage& memory = *rep->memory;
  const bool write = *changes.write;
  if (write && (memory.constant || (rep->is_view && memory.owner_is_read_only)))
    throw value_error("cannot set WRITEABLE flag to True of this array");
  rep->read_only = !write;
  if (!rep->is_view) memory.owner_is_read_only = !write;
}

GPARRAY_END_NAMESPACE
