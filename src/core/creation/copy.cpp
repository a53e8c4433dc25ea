#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <gparray/creation/copy.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

any_array copy(const any_array& a, order layout) {
  const array_rep* rep = computed(a);
  const std::size_t item = itemsize(rep->type);
  const bool fortran = layout == order::F || (layout == order::A && rep->f_contiguous && !rep->c_contiguous);
  const dims strides = layout == order::K
                           ? strides_in_order(rep->shape, item, memory_order(rep->shape, {&rep->strides, 1}))
                       : fortran ? f_strides(rep->shape, item)
                                 : c_strides(rep->shape, item);
  const any_array result = allocate(rep->type, rep->shape, strides, rep->memory->space, rep->device_);
  copy_elements(result.rep(), rep);
  return result;
}

any_array in_order(const any_array& a, order layout) {
  const array_rep* rep = computed(a);
  return (layout == order::F ? rep->f_contiguous : rep->c_contiguous) ? a : copy(a, layout);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
