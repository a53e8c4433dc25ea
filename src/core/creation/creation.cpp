// Empty, filled and copied arrays, and memory owned elsewhere.
#include <core/array/evaluate.hpp>
#include <core/array/filled.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/creation/creation.hpp>
#include <core/runtime/stream_state.hpp>
#include <plan/recording.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

struct placement {
  memory_space space;
  device where;
};

placement placement_of(std::optional<memory_space> space, std::optional<device> where) {
  const bool of_cpu = space == memory_space::host || space == memory_space::pinned;
  const bool of_gpu = space == memory_space::device || space == memory_space::managed;
  if (!where) {
    where = of_cpu ? device::cpu() : default_device();
    if (of_gpu && where->is_cpu()) where = device::cuda();
  }
  if (space && ((of_cpu && where->is_cuda()) || (of_gpu && where->is_cpu())))
    fail<value_error>("{} memory holds no arrays of {}; leave one of space and device out", name(*space),
                      where->str());
  return {space.value_or(default_space(*where)), *where};
}

any_array allocate_at(const dims& shape, dtype type, order layout, const placement& at) {
  return detail::empty(shape, type, layout, at.space, at.where);
}

void set_all(const any_array& target, const detail::argument& value) {
  const array_rep* out = target.rep();
  if (!value.array) return fill(out, value.type, bits_of(value));
  check_target(out, value.array->shape());
  assign_array(out, *value.array);
}

/// A new array in the memory order that `layout` means for `like`.
any_array allocate_like(const array_rep* like, const dims& shape, dtype type, order layout,
                        const placement& at) {
  if (layout != order::K || shape.size() != like->shape.size() || like->c_contiguous)
    return allocate_at(shape, type, is_fortran(like, layout) ? order::F : order::C, at);
  checked_size(shape, itemsize(type));
  const dims order = memory_order(like->shape, {&like->strides, 1});
  return allocate(type, shape, strides_in_order(shape, itemsize(type), order), at.space, at.where);
}

placement placement_like(const array_rep* like, std::optional<memory_space> space,
                         std::optional<device> where) {
  if (!space && !where) return {like->memory->space, like->device_};
  return placement_of(space, where);
}

/// Whether an array of a number, made like another one, may stay pending: on a GPU, where to fill it would be
/// a kernel. What its order follows need not be computed for that.
bool may_wait(const array_rep* like, const like_options& options) {
  if (like->device_.is_cpu() || recording_on(any_device)) return false;
  if (options.order == order::F || options.space || options.device) return false;
  if (is_pending(like)) return will_be_c_order(like);
  return like->c_contiguous && like->memory->space == default_space(like->device_);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array create(const dims& shape, gparray::dtype type, const array_options& options) {
  return allocate_at(shape, type, options.order, placement_of(options.space, options.device));
}

any_array create_zeros(const dims& shape, gparray::dtype type, const array_options& options) {
  const any_array result = create(shape, type, options);
  fill_zero(result.rep());
  return result;
}

any_array create_full(const dims& shape, gparray::dtype type, const array_options& options,
                      const argument& value) {
  const any_array result = create(shape, type, options);
  set_all(result, value);
  return result;
}

any_array create_like(const any_array& a, gparray::dtype type, const like_options& options) {
  const array_rep* like = computed(a);
  return allocate_like(like, options.shape.value_or(like->shape), type, options.order,
                       placement_like(like, options.space, options.device));
}

any_array create_like(const any_array& a, gparray::dtype type, const like_options& options,
                      const argument& value) {
  if (!value.array && value.type == type && may_wait(shaped(a), options))
    return filled_later(options.shape.value_or(a.shape()), type, a.device(), bits_of(value));
  const any_array result = create_like(a, type, options);
  set_all(result, value);
  return result;
}

any_array create_copy(const any_array& a, gparray::dtype type, const array_options& options) {
  const array_rep* source = computed(a);
  const any_array result = allocate_like(source, source->shape, type, options.order,
                                         placement_like(source, options.space, options.device));
  assign_array(result.rep(), a);
  return result;
}

any_array create_from_host(const void* from, const dims& shape, gparray::dtype type,
                           const array_options& options) {
  const std::int64_t size = checked_size(shape, itemsize(type));
  if (size > 0 && !from)
    fail<value_error>("cannot make an array of shape {} from a null pointer", text(shape));
  const any_array packed = create(shape, type, {.space = options.space, .device = options.device});
  const array_rep* out = packed.rep();
  const queue q = current_queue(out->device_);
  if (size > 0)
    backend_of(out->device_).copy(out->data, from, static_cast<std::size_t>(size) * itemsize(type), q);
  return options.order == order::F ? create_copy(packed, type, options) : packed;
}

any_array create_borrowed(void* data, const dims& shape, gparray::dtype type, buffer_options options) {
  checked_size(shape, itemsize(type));  // before strides are computed from it
  const dims strides = options.strides ? *options.strides : c_strides(shape, itemsize(type));
  return borrow(data, shape, strides, type, options.space.value_or(default_space(options.device)),
                options.device, std::move(options.release), options.read_only);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
