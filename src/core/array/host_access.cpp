// Elements where the CPU reads and writes them: host_iterator and host_view.
#include <cstring>

#include <core/array/pending_list.hpp>
#include <core/runtime/pending.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/array/host_iterator.hpp>
#include <gparray/array/host_view.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

bool is_reachable(const array_rep* rep) { return rep->memory->space != memory_space::device; }

/// The array computed, and what writes to its memory done; if the host `writes`, what reads it, too.
const array_rep* at_rest(const any_array& a, bool writes) {
  const array_rep* rep = computed(a);
  writes ? effect() : effect_of_waiting();
  if (rep->device_.is_cuda()) backend_of(rep->device_).synchronize_stream(current_queue(rep->device_));
  return rep;
}

/// Of the bytes, so that a write shows; their order counts.
std::uint64_t digest(const array_rep* rep) {  // in C order
  const std::size_t bytes = static_cast<std::size_t>(rep->size) * itemsize(rep->type);
  std::uint64_t sum = bytes;
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, rep->data + i, std::min<std::size_t>(8, bytes - i));
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    sum ^= sum >> 29;
  }
  return sum;
}

}  // namespace

void throw_refused_write(device on_device) {
  if (on_device.is_cpu()) throw_read_only();
  fail<device_error>(
      "the elements of an array on {} cannot be written through iterators or views of the CPU: write with "
      "expressions and a(...) = x, or to asnumpy(array), and bring that back with to_device",
      on_device.str());
}

}  // namespace core

namespace detail {

using namespace core;

struct host_copy {
  host_copy(const any_array& a, bool guarded)
      : device_(described(a)->read_only ? device::cpu() : a.device()),
        elements(copy_in_order(a)),
        before(guarded ? digest(elements.rep()) : 0),
        armed(guarded) {}
  host_copy(const host_copy&) = delete;
  host_copy& operator=(const host_copy&) = delete;
  ~host_copy() {
    if (armed && before != digest(elements.rep())) refuse_at_next_effect(device_);
  }

  static any_array copy_in_order(const any_array& a) {
    const any_array result = empty(a.shape(), a.dtype(), order::C, memory_space::host, device::cpu());
    if (result.size() > 0) copy_to_host(a, result.rep()->data);
    return result;
  }

  device device_;  // the CPU for arrays that are read-only
  any_array elements;
  std::uint64_t before;
  mutable bool armed;
};

host_elements elements_to_read(const any_array& a) {
  const array_rep* rep = at_rest(a, false);
  if (is_reachable(rep)) return {rep, nullptr};
  auto copy = std::make_shared<const host_copy>(a, false);
  return {copy->elements.rep(), std::move(copy)};
}

host_elements elements_to_write(const any_array& a) {
  const array_rep* rep = at_rest(a, true);
  if (is_reachable(rep) && !rep->read_only) {
    expose_for_good(rep->memory);
    return {rep, nullptr};
  }
  auto copy = std::make_shared<const host_copy>(a, true);
  return {copy->elements.rep(), std::move(copy)};
}

const array_rep* host_layout(const any_array& a) {
  const array_rep* rep = computed(a);
  return is_reachable(rep) ? rep : nullptr;
}

void check_unwritten(const host_copy& copy) {
  if (!copy.armed || copy.before == digest(copy.elements.rep())) return;
  copy.armed = false;
  throw_refused_write(copy.device_);
}

void throw_behind_copy() {
  throw device_error(
      "end() of an array in a GPU's memory has no elements before it: go forward from begin(), or iterate "
      "asnumpy(array)");
}

void host_access::expose_again(any_array array) { core::expose(array.rep()->memory); }
void host_access::end_exposure(any_array array) noexcept { core::end_exposure(array.rep()->memory); }

host_view_layout open_host_view(const any_array& a, int ndim, bool writes, std::int64_t* shape,
                                std::int64_t* strides) {
  if (a.ndim() != ndim)
    fail<value_error>("view_host: the array has {} dimensions, and the view {}", a.ndim(), ndim);
  const array_rep* rep = at_rest(a, writes);
  if (writes && rep->read_only) throw_read_only("cview_host() reads");
  any_array elements = a;
  const bool in_place = is_reachable(rep);
  if (!in_place) {
    if (writes) throw_refused_write(rep->device_);
    elements = host_copy::copy_in_order(a);
    rep = elements.rep();
  }
  const auto item = static_cast<std::int64_t>(itemsize(rep->type));
  for (std::size_t d = 0; d < rep->shape.size(); ++d) {
    if (rep->strides[d] % item != 0 && rep->shape[d] > 1)
      fail<value_error>("view_host: the elements are {} bytes apart and have {}; copy() the array first",
                        rep->strides[d], item);
    shape[d] = rep->shape[d];
    strides[d] = rep->strides[d] / item;
  }
  const bool exposes = writes && elements.rep();
  if (exposes) core::expose(rep->memory);
  return {rep->data, {elements, exposes}};
}

void throw_outside_view(std::int64_t index, int axis, std::int64_t size) {
  fail<index_error>("index {} is out of bounds for axis {} with size {}", index, axis, size);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
