// Building expressions: every check of shapes, devices and dtypes happens here, at the caller's line.
#include <cstring>

#include <core/array/array_rep.hpp>
#include <core/array/exponents.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/pending_list.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

device common_device(std::string_view operation, std::span<const detail::argument> arguments) {
  const array_rep* first = nullptr;
  for (const detail::argument& a : arguments) {
    if (!a.array) continue;
    const array_rep* rep = rep_of(*a.array);
    if (!first) {
      first = rep;
    } else if (rep->device_ != first->device_) {
      if (reachable_everywhere(first)) {
        first = rep;
      } else if (!reachable_everywhere(rep)) {
        throw_device_mismatch(operation, first->device_, rep->device_);
      }
    }
  }
  return first ? first->device_ : default_device();
}

dims common_shape(std::span<const detail::argument> arguments) {
  const dims* shapes[max_arity];
  std::size_t count = 0;
  bool all_equal = true;
  for (const detail::argument& a : arguments) {
    if (!a.array) continue;
    shapes[count++] = &rep_of(*a.array)->shape;
    all_equal = all_equal && *shapes[count - 1] == *shapes[0];
  }
  if (count == 0) return {};
  return all_equal ? *shapes[0] : broadcast_shapes({shapes, count});
}

namespace {

/// A pending array for the operation; shapes and devices are checked.
any_array build(ufunc f, dtype loop, const detail::user_loop* user,
                std::span<const detail::argument> arguments) {
  const device on_device = common_device(user ? user->function->name : name(f), arguments);
  const dtype type = output_dtype(f, loop, user);
  const dims shape = common_shape(arguments);
  const bool has_elements = std::ranges::find(shape, 0) == shape.end();
  if (f == ufunc::power && kind(loop) == 'i' && has_elements) check_exponents(arguments[1]);
  array_rep* rep = new_rep(type, on_device, shape);
  const any_array owner = any_array::adopt(rep);
  node& n = rep->operation;
  n.op = f;
  n.loop = loop;
  n.user = user;
  array_rep* fused[max_arity];
  std::size_t n_fused = 0;
  pending_list* const own = own_pending_list();
  n.inputs = 0;
  n.steps = 1;
  for (const detail::argument& a : arguments) {
    node_argument& to = n.arguments[n.count];
    to.array = nullptr;
    to.type = a.type;
    if (!a.array) {
      std::memcpy(&to.value, a.value, sizeof to.value);
      n.inputs += 2;  // the constant and, if it must be cast, its converted twin
      ++n.count;
      continue;
    }
    auto* array = const_cast<array_rep*>(rep_of(*a.array));
    // A temporary is fused if it has the result's shape (else its elements would be computed once for each
    // repetition) and the tree stays within the bounds of a plan. Each argument to come may need two inputs
    // (a constant) or an input and a step, and the result a cast.
    const int reserved = 2 * (static_cast<int>(arguments.size()) - 1 - n.count);
    const bool fuse = a.fuse && array->pending.load(std::memory_order_acquire) &&
                      array->shape == rep->shape &&
                      n.inputs + array->operation.inputs + reserved <= max_inputs &&
                      n.steps + array->operation.steps + 2 + reserved / 2 <= max_steps;
    if (fuse) fused[n_fused++] = array;  // from now on this expression's business alone
    else note_reader(computed(*a.array)->memory, own);
    n.inputs += fuse ? array->operation.inputs : 1;
    n.steps += 1 + (fuse ? array->operation.steps : 0);  // one for a cast
    retain(array);
    to.array = array;
    ++n.count;
  }
  rep->pending.store(true, std::memory_order_relaxed);
  enlist(rep, {fused, n_fused});
  // The arguments are the caller's, and stay; those of the rep are gone if another thread's write has just
  // had it computed.
  const auto exposed = [&] {
    for (const detail::argument& a : arguments)
      if (a.array && !a.array->pending() && is_exposed(a.array->rep()->memory)) return true;
    return false;
  };
  if (exposed()) [[unlikely]]
    evaluate(rep);
  return owner;
}

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

any_array make_expression(ufunc f, gparray::dtype loop, std::span<const argument> arguments) {
  return build(f, loop, nullptr, arguments);
}

any_array make_expression(const user_loop& loop, std::span<const argument> arguments) {
  return build(ufunc::user, loop.type, &loop, arguments);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
