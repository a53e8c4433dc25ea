// New arrays of the same elements: in an order, in a dtype.
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

bool is_fortran(const array_rep* rep, order layout) {
  return layout == order::F || (layout == order::A && rep->f_contiguous && !rep->c_contiguous);
}

any_array without_leading_ones(const any_array& a, std::size_t ndim) {
  const array_rep* rep = computed(a);
  const dims shape = without_leading_ones(rep->shape, ndim);
  dims strides;
  for (std::size_t d = rep->shape.size() - shape.size(); d < rep->shape.size(); ++d)
    strides.push_back(rep->strides[d]);
  return make_view(rep, rep->type, shape, strides, 0);
}

}  // namespace core

namespace detail {

using namespace core;

any_array copy(const any_array& a, order layout) {
  const array_rep* rep = computed(a);
  const std::size_t item = itemsize(rep->type);
  const dims strides = layout == order::K
                           ? strides_in_order(rep->shape, item, memory_order(rep->shape, {&rep->strides, 1}))
                       : is_fortran(rep, layout) ? f_strides(rep->shape, item)
                                                 : c_strides(rep->shape, item);
  const any_array result = allocate(rep->type, rep->shape, strides, rep->memory->space, rep->device_);
  copy_elements(result.rep(), rep);
  return result;
}

any_array in_order(const any_array& a, order layout) {
  const array_rep* rep = computed(a);
  return (layout == order::F ? rep->f_contiguous : rep->c_contiguous) ? a : copy(a, layout);
}

any_array as_type(const any_array& a, gparray::dtype type) { return astype(named(a), type, false).eval(); }

}  // namespace detail
GPARRAY_END_NAMESPACE
