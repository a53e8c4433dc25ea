// Building expressions: every check of shapes, devices and dtypes happens here, at the caller's line.
#include <algorithm>
#include <complex>
#include <cstring>
#include <optional>

#include <core/array/array_rep.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/exponents.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/rolled_boxes.hpp>
#include <core/array/row_fusion.hpp>
#include <core/array/temporary.hpp>
#include <core/array/turns.hpp>
#include <core/array/unstored_names.hpp>
#include <plan/convert_scalar.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The rep of an operand, maybe pending: element by element, or a reduction that can wait.
const array_rep* operand_of(const any_array& a) {
  const array_rep* rep = shaped(a);
  if (rep->pending.load(std::memory_order_acquire) && rep->computed_by && !can_wait(rep))
    evaluate(const_cast<array_rep*>(rep));
  return rep;
}

}  // namespace

device common_device(std::string_view operation, std::span<const detail::argument> arguments) {
  const array_rep* first = nullptr;
  for (const detail::argument& a : arguments) {
    if (!a.array) continue;
    const array_rep* rep = operand_of(*a.array);
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
    shapes[count++] = &operand_of(*a.array)->shape;
    all_equal = all_equal && *shapes[count - 1] == *shapes[0];
  }
  if (count == 0) return {};
  return all_equal ? *shapes[0] : broadcast_shapes({shapes, count});
}

namespace {

std::uint64_t mixed(std::uint64_t statement, std::uint64_t part) {
  statement = (statement ^ part) * 0x9e3779b97f4a7c15u;
  return statement ^ (statement >> 32);
}

/// What an argument adds to a statement's number: all that it is, for a temporary; else its dtype.
std::uint64_t part_of_statement(const detail::argument& a, const array_rep* fused) {
  const auto type = static_cast<std::uint64_t>(a.type) + 1;
  if (!a.array) return type << 8;
  return a.fuse && fused ? fused->operation.statement : type;
}

/// Computes what another thread has left pending of the operands: its steps are that thread's.
void compute_foreign(std::span<const detail::argument> arguments, const pending_list* own) {
  for (const detail::argument& a : arguments) {
    if (!a.array) continue;
    array_rep* const array = a.array->rep();
    if (array && array->pending.load(std::memory_order_acquire) && array->home != own) evaluate(array);
  }
}

/// A pending array for the operation, or, with `roll`, for the one argument rolled; shapes and devices are
/// checked.
any_array build(ufunc f, dtype loop, const detail::user_loop* user,
                std::span<const detail::argument> arguments, const dims* roll = nullptr) {
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
  n.statement = mixed(reinterpret_cast<std::uintptr_t>(user),
                      static_cast<std::uint64_t>(f) << 8 | static_cast<std::uint64_t>(loop));
  if (roll) {
    rep->roll = std::make_unique<const dims>(*roll);
    n.rolls = true;
    for (const std::int64_t offset : *roll)
      n.statement = mixed(n.statement, static_cast<std::uint64_t>(offset));
  }
  pending_list* const own = rep->home = own_pending_list();
  everything_pending& all = own->all;
  if (own->bytes.load(std::memory_order_relaxed) == 0) count_nothing(all);
  compute_foreign(arguments, own);
  array_rep* fused[max_arity];
  std::size_t n_fused = 0;
  std::unique_lock<std::recursive_mutex> held;
  n.inputs = 0;
  n.steps = 1;
  int own_steps = 1;  // and for each argument that has to be converted
  for (const detail::argument& a : arguments) {
    node_argument& to = n.arguments[n.count];
    to.array = nullptr;
    to.type = a.type;
    if (!a.array) {
      n.statement = mixed(n.statement, part_of_statement(a, nullptr));
      std::memcpy(&to.value, a.value, sizeof to.value);
      count_constant(all, to);
      ++n.inputs;
      ++n.count;
      continue;
    }
    auto* array = const_cast<array_rep*>(operand_of(*a.array));
    // What is pending is fused if it has the result's shape, or is cheap enough to be computed once for each
    // repetition, and all of it stays within the bounds of a plan. Each argument to come may need an
    // input and a cast, and the result a cast.
    const int left = static_cast<int>(arguments.size()) - 1 - n.count;
    // What reduces rows of that shape is read like an array, and computed with the result.
    const auto waits = [&] {
      if (!array->pending.load(std::memory_order_acquire) ||
          n.reductions + reductions_in(array) > most_reductions_below)
        return false;
      if (is_apart(array, rep)) return feeds_rows(array, rep->shape);
      return array->shape == rep->shape || is_cheap_to_broadcast(array, rep->size);
    };
    if (!held && array->shape != shape && is_pending(array)) held = hold_steps(own);
    bool wait = waits();
    if (wait && !a.fuse) {  // other threads may compute what has a name
      if (!held) held = hold_steps(own);
      if (array->pending.load(std::memory_order_acquire)) end_turns(array);
      wait = waits();
    }
    bool fuse = wait && !is_apart(array, rep);
    const auto fits = [&](int inputs, int steps) {
      return inputs + left <= max_inputs && steps + left + 1 <= max_steps;
    };
    const int conversions = a.type != wanted_dtype(n, n.count);
    own_steps += conversions;
    int inputs = n.inputs + 1, steps = n.steps + conversions;
    if (fuse) {
      inputs = n.inputs + array->operation.inputs;
      steps += array->operation.steps;
      if (!fits(inputs, steps) && fits(all.inputs, all.steps + own_steps)) {
        inputs = all.inputs;
        steps = all.steps + own_steps;
      } else if (!fits(inputs, steps)) {  // some of it may be shared
        if (!held) held = hold_steps(own);
        count_anew(own);
        plan_size exact(own);
        exact.add(array);
        for (int i = 0; i < n.count; ++i) {
          exact.add(n, i, rep);
          if (!n.arguments[i].array) count_constant(all, n.arguments[i]);
          else if (!is_pending(n.arguments[i].array)) count_array(all, n.arguments[i].array);
        }
        inputs = exact.inputs;
        steps = exact.steps + own_steps;
        fuse = fits(inputs, steps);
      }
    }
    if (!fuse) {
      wait = wait && is_apart(array, rep);
      if (!wait) note_reader(computed(*a.array)->memory, own);
      count_array(all, array);
      inputs = n.inputs + 1;
      steps = n.steps + conversions;
    }
    if (wait && a.fuse) fused[n_fused++] = array;  // from now on only this expression computes it
    n.statement = mixed(n.statement, part_of_statement(a, wait ? array : nullptr));
    n.reductions += reductions_in(array);
    n.rolls = n.rolls || (wait && array->operation.rolls);
    if (array->shape.size() == shape.size())
      n.c_order = n.c_order && (!wait ? array->c_contiguous : array->computed_by || array->operation.c_order);
    n.inputs = inputs;
    n.steps = steps;
    retain(array);
    to.array = array;
    ++n.count;
  }
  all.steps += own_steps;
  if (roll) ++all.inputs;  // however often its source is read
  rep->pending.store(true, std::memory_order_relaxed);
  enlist(rep, {fused, n_fused});
  if (held) held.unlock();
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

/// The function that NumPy's operator ** takes for an exponent that is a number: in a few instructions what
/// pow() takes a hundred for.
std::optional<ufunc> function_of_exponent(dtype loop, const detail::argument& exponent) {
  if (exponent.array) return std::nullopt;
  scalar_bits bits;
  std::memcpy(&bits, exponent.value, sizeof bits);
  const scalar_bits converted = convert_scalar(bits, exponent.type, dtype::complex128);
  std::complex<double> value;
  std::memcpy(&value, &converted, sizeof value);
  if (value == 2.) return ufunc::square;
  if (!is_inexact(loop)) return std::nullopt;
  if (value == 0.5) return ufunc::sqrt;
  if (value == -1.) return ufunc::reciprocal;
  return std::nullopt;
}

}  // namespace

any_array rolled_later(const any_array& source, const dims& offset) {
  const dtype type = computed(source)->type;
  const detail::argument argument = named(source);
  return build(ufunc::cast, type, nullptr, {&argument, 1}, &offset);
}

}  // namespace core

namespace detail {

using namespace core;

any_array make_expression(ufunc f, gparray::dtype loop, std::span<const argument> arguments) {
  if (f == ufunc::power || f == ufunc::float_power)
    if (const std::optional<ufunc> same = function_of_exponent(loop, arguments[1]))
      return build(*same, loop, nullptr, arguments.first(1));
  return build(f, loop, nullptr, arguments);
}

any_array make_expression(const user_loop& loop, std::span<const argument> arguments) {
  return build(ufunc::user, loop.type, &loop, arguments);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
