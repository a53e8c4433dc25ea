// Making arrays, casting them, and moving elements between an array and host memory.
#include <core/array/alignment.hpp>
#include <core/array/array_rep.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_list.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE

const dims& any_array::shape() const { return core::shaped(*this)->shape; }
std::int64_t any_array::size() const { return core::shaped(*this)->size; }
// No rep is made for a handle without one (core::described), as these functions cannot throw.
gparray::dtype any_array::dtype() const noexcept { return rep_ ? rep()->type : gparray::dtype::float64; }
gparray::device any_array::device() const noexcept { return rep_ ? rep()->device_ : device::cpu(); }
const dims& any_array::strides() const { return core::computed(*this)->strides; }
memory_space any_array::space() const { return core::computed(*this)->memory->space; }
bool any_array::is_c_contiguous() const { return core::computed(*this)->c_contiguous; }
bool any_array::is_f_contiguous() const { return core::computed(*this)->f_contiguous; }
bool any_array::pending() const noexcept { return rep_ && rep()->pending.load(std::memory_order_acquire); }

std::int64_t any_array::shape(int axis) const {
  return shape()[static_cast<std::size_t>(core::normalize_axis(axis, ndim()))];
}

void* any_array::raw_data() const {
  void* const address = core::address(*this);
  core::expose_for_good(core::computed(*this)->memory);
  return address;
}

bool may_share_memory(const any_array& a, const any_array& b) {
  const core::array_rep *x = core::computed(a), *y = core::computed(b);
  const core::extent p = core::byte_extent(x->shape, x->strides, itemsize(x->type));
  const core::extent q = core::byte_extent(y->shape, y->strides, itemsize(y->type));
  return p.begin != p.end && q.begin != q.end && x->data + p.begin < y->data + q.end &&
         y->data + q.begin < x->data + p.end;
}

namespace detail {

using namespace core;

any_array empty(const dims& shape, gparray::dtype type, order layout, memory_space space, device where) {
  checked_size(shape, itemsize(type));
  const dims strides =
      layout == order::F ? f_strides(shape, itemsize(type)) : c_strides(shape, itemsize(type));
  return allocate(type, shape, strides, space, where);
}

any_array borrow(void* data, const dims& shape, const dims& strides, gparray::dtype type, memory_space space,
                 device where, std::function<void()> release, bool constant) {
  if (checked_size(shape, itemsize(type)) > 0 && !data)
    fail<value_error>("cannot make an array of shape {} from a null pointer", text(shape));
  if (strides.size() != shape.size())
    fail<value_error>("strides {} do not match the number of dimensions of shape {}", text(strides),
                      text(shape));
  const extent e = checked_extent(shape, strides, itemsize(type));
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  std::uintptr_t end;
  if (__builtin_add_overflow(address, e.begin, &end) || __builtin_add_overflow(address, e.end, &end))
    throw_beyond_addresses(shape, strides);
  check_alignment("an array in borrowed memory", where, type, data, shape, strides);
  array_rep* rep = new_rep(type, where, shape);
  const any_array owner = any_array::adopt(rep);
  rep->read_only = constant;
  // The storage begins at the lowest address, which is not the first element if a stride is negative.
  auto* const first = static_cast<std::byte*>(data);
  storage* memory = new_borrowed(e.begin == 0 ? first : first + e.begin,
                                 static_cast<std::size_t>(e.end - e.begin), space, where, std::move(release));
  memory->constant = constant;
  set_layout(rep, kept_strides(shape, strides), first, memory);
  return owner;
}

any_array astype(const argument& source, gparray::dtype to, bool copy) {
  if (source.array->dtype() == to && !copy) return *source.array;
  if (source.array->dtype() != to || source.array->pending()) {
    const argument arguments[] = {source};
    return make_expression(ufunc::cast, to, arguments);
  }
  const array_rep* rep = computed(*source.array);
  dims order = memory_order(rep->shape, {&rep->strides, 1});
  any_array result = allocate(to, rep->shape, strides_in_order(rep->shape, itemsize(to), order),
                              default_space(rep->device_), rep->device_);
  copy_elements(result.rep(), rep);
  return result;
}

any_array in_c_order(const any_array& a) {
  const array_rep* rep = computed(a);
  if (rep->c_contiguous) return a;
  const any_array copy = allocate(rep->type, rep->shape, rep->device_);
  copy_elements(copy.rep(), rep);
  return copy;
}

void copy_to_host(const any_array& a, void* to) {
  if (a.size() > 0 && !to) throw value_error("cannot copy an array to a null pointer");
  const any_array packed = in_c_order(a);
  effect_of_waiting();
  const array_rep* rep = packed.rep();
  if (!rep || rep->size == 0) return;
  backend_of(rep->device_)
      .read(to, rep->data, static_cast<std::size_t>(rep->size) * itemsize(rep->type),
            current_queue(rep->device_));
}

any_array from_host(const void* from, const dims& shape, gparray::dtype type, device where) {
  const std::int64_t size = checked_size(shape, itemsize(type));
  if (size > 0 && !from)
    fail<value_error>("cannot make an array of shape {} from a null pointer", text(shape));
  const any_array result = allocate(type, shape, where);
  if (size > 0)
    backend_of(where).copy(result.rep()->data, from, static_cast<std::size_t>(size) * itemsize(type),
                           current_queue(where));
  return result;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
