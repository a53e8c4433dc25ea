// Building expressions: every check of shapes, devices and dtypes happens here, at the caller's line.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <optional>
#include <string_view>

#include <core/array/array_rep.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/exponents.hpp>
#include <core/array/few_elements.hpp>
#include <core/array/layout.hpp>
#include <core/array/loads.hpp>
#include <core/array/operands.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/plain_step.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/replaced.hpp>
#include <core/array/rolled.hpp>
#include <core/array/row_fusion.hpp>
#include <core/array/step_log.hpp>
#include <core/array/temporary.hpp>
#include <core/array/turns.hpp>
#include <core/array/unstored_names.hpp>
#include <core/runtime/debug.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/array/operand.hpp>
#include <gparray/runtime/jit.hpp>
#include <plan/convert_scalar.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The rep of an operand, maybe pending: element by element, or a reduction that can wait.
const array_rep* operand_of(const any_array& a) {
  const array_rep* rep = shaped(a);
  if (rep->pending.load(std::memory_order_acquire) && rep->computed_by &&
      !become_steps(const_cast<array_rep*>(rep)) && !can_wait(rep))
    evaluate(const_cast<array_rep*>(rep));
  return rep;
}

/// The rep of an argument; null for a constant.
array_rep* operand_of(const detail::argument& a) {
  return a.array ? const_cast<array_rep*>(operand_of(*a.array)) : nullptr;
}

/// The reps of the arguments of an element-wise operation.
struct operand_list {
  explicit operand_list(std::span<const detail::argument> arguments) : count(arguments.size()) {
    std::ranges::transform(arguments, reps, [](const detail::argument& a) { return operand_of(a); });
  }
  std::span<array_rep* const> all() const { return {reps, count}; }

  std::size_t count;
  array_rep* reps[max_arity];
};

/// The device that all operand(i) are on; operation() is the name for an error.
template<class Operand, class Name>
device device_of(std::size_t count, Operand operand, Name operation) {
  const array_rep* first = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const array_rep* const rep = operand(i);
    if (!rep) continue;
    if (!first) {
      first = rep;
    } else if (rep->device_ != first->device_) {
      if (reachable_everywhere(first)) first = rep;
      else if (!reachable_everywhere(rep)) throw_device_mismatch(operation(), first->device_, rep->device_);
    }
  }
  return first ? first->device_ : default_device();
}

dims shape_of(std::span<array_rep* const> operands) {
  const dims* shapes[max_arity];
  std::size_t count = 0;
  bool all_equal = true;
  for (const array_rep* rep : operands) {
    if (!rep) continue;
    shapes[count++] = &rep->shape;
    all_equal = all_equal && rep->shape == *shapes[0];
  }
  if (count == 0) return {};
  return all_equal ? *shapes[0] : broadcast_shapes({shapes, count});
}

}  // namespace

device common_device(std::string_view operation, std::span<const detail::argument> arguments) {
  return device_of(
      arguments.size(), [&](std::size_t i) { return operand_of(arguments[i]); },
      [operation] { return operation; });
}

dims common_shape(std::span<const detail::argument> arguments) {
  return shape_of(operand_list(arguments).all());
}

namespace {

/// Counts the arguments that a node has so far into a new count of what is pending, in which it is not yet.
void count_arguments(everything_pending& all, const node& n) {
  for (int i = 0; i < n.count; ++i) {
    const node_argument& a = n.arguments[i];
    if (!a.array) count_constant(all, a);
    else if (!is_pending(a.array)) count_array(all, a.array);
  }
}

/// Computes what another thread has left pending of the operands: its steps are that thread's.
void compute_foreign(std::span<array_rep* const> operands, const pending_list* own) {
  for (array_rep* const rep : operands)
    if (rep && is_pending(rep) && rep->home != own) evaluate(rep);
}

/// Whether a pending operand that is stored for an expression has so few elements that the names in it cost
/// nothing.
bool is_broadcast_on_gpu(const array_rep* operand, const array_rep* rep) {
  return is_pending(operand) && !operand->computed_by && rep->device_.is_cuda() &&
         operand->size <= rep->size / 8 && operand->home == rep->home && !recording_on(any_device);
}

/// Whether an operand that is broadcast is a name that a kernel has computed with what read it then, and that
/// is read once more, as in a loop: each turn would compute it again, and it is in the way of a log.
bool is_read_again(const array_rep* operand, const dims& shape, bool is_temporary) {
  return is_pending(operand) && !is_temporary && operand->was_used.load(std::memory_order_relaxed) &&
         operand->shape != shape && !operand->computed_by && !operand->roll && !recording_on(any_device);
}

/// A range that is broadcast is a row of an array, as what reduces rows and what goes along with it read it.
/// The steps are held if the shapes differ.
bool is_broadcast_range(const array_rep* operand, const dims& shape) {
  return operand->shape != shape && is_pending(operand) && is_range(operand);
}

/// What else a pending array is made of than its operands.
struct origin {
  const rolled_index* roll = nullptr;
  const any_array* loads_from = nullptr;
  std::int64_t offset = 0;  // into what it loads from: neighbours are other lines of a program
  void (*compute_alone)(array_rep*) = nullptr;
  const std::shared_ptr<const selection>* selected = nullptr;
  const std::shared_ptr<const row_places>* places = nullptr;
};

/// A pending array for the operation, or, with a roll, for the one argument read so; shapes and devices are
/// checked.
any_array build(ufunc f, dtype loop, const detail::user_loop* user,
                std::span<const detail::argument> arguments, const origin& from = {}) {
  const operand_list operands(arguments);
  const device on_device = device_of(
      operands.count, [&](std::size_t i) { return operands.reps[i]; },
      [&] { return user ? std::string_view(user->function->name) : name(f); });
  const dtype type = output_dtype(f, loop, user);
  const dims shape = from.roll     ? from.roll->shape
                     : from.places ? (*from.places)->shape
                                   : shape_of(operands.all());
  const bool has_elements = std::ranges::find(shape, 0) == shape.end();
  if (f == ufunc::power && kind(loop) == 'i' && has_elements) check_exponents(arguments[1]);
  array_rep* rep = new_rep(type, on_device, shape);
  const any_array owner = any_array::adopt(rep);
  node& n = rep->operation;
  n.op = f;
  n.loop = loop;
  n.user = user;
  n.statement = statement_of(f, loop, user);
  if (from.roll) {
    rep->roll = std::make_unique<const rolled_index>(*from.roll);
    n.rolls = true;
    for (const rolled_index::axis& axis : from.roll->axes)
      n.statement = mixed(n.statement, static_cast<std::uint64_t>(axis.offset));
  }
  pending_list* const own = rep->home = own_pending_list();
  everything_pending& all = own->all;
  rep->birth = ++own->births;
  begin_count(own);
  compute_foreign(operands.all(), own);
  if (from.loads_from) {
    n.statement = mixed(n.statement, static_cast<std::uint64_t>(from.offset));
    rep->loads_from = *from.loads_from;
    rep->compute_alone = from.compute_alone;
    if (from.selected) rep->selected = *from.selected;
    if (from.places) rep->places = *from.places;
    note_reader(from.loads_from->rep()->memory, own);
  }
  array_rep* fused[max_arity];
  std::size_t n_fused = 0;
  std::unique_lock<std::recursive_mutex> held;
  n.inputs = n.numbers = 0;
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
      ++n.numbers;
      ++n.count;
      continue;
    }
    array_rep* const array = operands.reps[n.count];
    const bool fuses = is_temporary(a, array);
    const int conversions = a.type != wanted_dtype(n, n.count);
    own_steps += conversions;
    int inputs = n.inputs + 1, numbers = n.numbers, steps = n.steps + conversions;
    bool wait = false, fuse = false;
    if (is_pending(array)) {
      // What is pending is fused if it has the result's shape, or is cheap enough to be computed once for
      // each repetition, and all of it stays within the bounds of a plan. Each argument to come may need an
      // input and a cast, and the result a cast.
      const int left = static_cast<int>(arguments.size()) - 1 - n.count;
      // What reduces rows of that shape is read like an array, and computed with the result.
      const auto waits = [&] {
        if (!is_pending(array) || n.reductions + reductions_in(array) > most_reductions_below) return false;
        if (is_apart(array, rep)) return feeds_rows(array, rep->shape);
        return array->shape == rep->shape || is_cheap_to_broadcast(array, rep->size, fuses);
      };
      if (!held && array->shape != shape) held = hold_steps(own);
      if (is_read_again(array, shape, fuses) || is_broadcast_range(array, shape)) evaluate(array);
      wait = waits();
      if (!wait && is_broadcast_on_gpu(array, rep)) {
        compute_small_names(array, fuses);
        wait = waits();
      }
      if (wait && !fuses) {  // other threads may compute what has a name
        if (!held) held = hold_steps(own);
        const std::uint64_t counted = all.number;
        if (is_pending(array)) end_turns(array);
        if (all.number != counted) count_arguments(all, n);
        wait = waits();
      }
      fuse = wait && !is_apart(array, rep);
      const bool is_map =
          n.reductions + array->operation.reductions == 0 && !n.rolls && !array->operation.rolls;
      const auto fits = [&](int more_inputs, int more_numbers, int more_steps) {
        const bool rolls = n.rolls || array->operation.rolls;
        return have_room(on_device, rolls, more_inputs + left, more_numbers) &&
               have_room(on_device, rolls, more_inputs, more_numbers + left) &&
               more_steps + left + 1 <= (is_map ? most_steps(*own) : max_kernel_steps);
      };
      if (fuse) {
        inputs = n.inputs + array->operation.inputs;
        numbers = n.numbers + array->operation.numbers;
        steps += array->operation.steps;
        const bool is_sure_to_fit = fits(inputs, numbers, steps);
        if (!is_sure_to_fit && fits(all.inputs, all.numbers, all.steps + own_steps)) {
          inputs = all.inputs;
          numbers = all.numbers;
          steps = all.steps + own_steps;
        } else if (!is_sure_to_fit) {  // some of it may be shared
          if (!held) held = hold_steps(own);
          count_anew(own);
          count_arguments(all, n);
          plan_size exact(own);
          exact.add(array);
          for (int i = 0; i < n.count; ++i) exact.add(n, i, rep);
          inputs = exact.inputs;
          numbers = exact.numbers;
          steps = exact.steps + own_steps;
          fuse = fits(inputs, numbers, steps);
        }
      }
    }
    if (!fuse) {
      wait = wait && is_apart(array, rep);
      if (!wait) {
        if (is_pending(array)) evaluate(array);
        note_reader(array->memory, own);
      }
      count_array(all, array);
      inputs = n.inputs + 1;
      numbers = n.numbers;
      steps = n.steps + conversions;
    }
    if (wait && fuses) fused[n_fused++] = array;  // from now on only this expression computes it
    n.statement = mixed(n.statement, part_of_statement(a, wait && fuses ? array : nullptr));
    n.reductions += reductions_in(array);
    n.rolls = n.rolls || (wait && array->operation.rolls);
    if (array->shape.size() == shape.size())
      n.c_order = n.c_order && (!wait ? (array->c_contiguous || leaves_c_order(array->shape, array->strides))
                                      : array->computed_by || array->operation.c_order);
    n.inputs = inputs;
    n.numbers = numbers;
    n.steps = steps;
    retain(array);
    to.array = array;
    ++n.count;
  }
  if (from.places) {
    own_steps += steps_to_places;
    n.steps += steps_to_places;
    for (const node_argument& end : (*from.places)->ends) count_constant(all, end);
    n.numbers += static_cast<int>(std::size((*from.places)->ends));
    ++n.inputs;
    ++all.inputs;
  }
  all.steps += own_steps;
  if (from.roll) ++all.inputs;  // however often its source is read
  rep->pending.store(true, std::memory_order_relaxed);
  enlist(rep, {fused, n_fused});
  if (held) held.unlock();
  // The arguments are the caller's, and stay; those of the rep are gone if another thread's write has just
  // had it computed.
  const auto exposed = [](array_rep* a) { return a && !is_pending(a) && is_exposed(a->memory); };
  if (std::ranges::any_of(operands.all(), exposed) || (from.loads_from && exposed(from.loads_from->rep())))
      [[unlikely]]
    evaluate(rep);
  return owner;
}

/// A function of a pending array of which some elements are replaced, and of numbers: the same of the others
/// and of those. No array if that is not what it is, or if elements would be of another size.
any_array of_replaced(ufunc f, dtype loop, std::span<const detail::argument> arguments) {
  const detail::argument* of = nullptr;
  for (const detail::argument& a : arguments) {
    if (!a.array) continue;
    if (of || !a.array->rep() || !is_replaced(a.array->rep())) return {};
    of = &a;
  }
  if (!of || itemsize(output_dtype(f, loop)) != itemsize(of->type)) return {};
  const array_rep* const rep = of->array->rep();
  pending_list* const own = own_pending_list();
  if (rep->home != own) return {};
  const auto held = hold_steps(own);
  if (!is_replaced(rep)) return {};
  any_array parts[2];
  for (int i = 0; i < 2; ++i) {
    retain(rep->operation.arguments[i].array);
    const any_array part = any_array::adopt(rep->operation.arguments[i].array);
    std::vector<detail::argument> of_part(arguments.begin(), arguments.end());
    of_part[static_cast<std::size_t>(of - arguments.data())] = named(part);
    parts[i] = build(f, loop, nullptr, of_part);
  }
  return replaced_later(parts[0], parts[1], rep->computed_by, rep->selected);
}

bool looks_at_exponents(ufunc f, dtype loop) { return f == ufunc::power && kind(loop) == 'i'; }

[[gnu::noinline]] any_array step_beside_log(pending_list* own, ufunc f, dtype loop,
                                            std::span<const detail::argument> arguments) {
  if (!looks_at_exponents(f, loop))
    if (any_array quick = plain_step(own, f, loop, arguments); quick.rep()) return quick;
  if (any_array replaced = of_replaced(f, loop, arguments); replaced.rep()) return replaced;
  return build(f, loop, nullptr, arguments);
}

/// A function of the library's on operands as they come.
inline any_array step_on(ufunc f, dtype loop, std::span<const detail::argument> arguments) {
  pending_list* const own = own_pending_list();
  if (is_in_log(*own) && !looks_at_exponents(f, loop))
    if (array_rep* const logged = log_step(*own, f, loop, arguments)) return any_array::adopt(logged);
  return step_beside_log(own, f, loop, arguments);
}

/// The value of an argument that is a number.
std::optional<std::complex<double>> number_of(const detail::argument& a) {
  if (a.array) return std::nullopt;
  scalar_bits bits;
  std::memcpy(&bits, a.value, sizeof bits);
  const scalar_bits converted = convert_scalar(bits, a.type, dtype::complex128);
  std::complex<double> value;
  std::memcpy(static_cast<void*>(&value), &converted, sizeof value);
  return value;
}

/// A power by what takes a few instructions where pow() takes a hundred; none if the exponent is no such
/// number. Those of NumPy's operator **, and the cube of a real number: two products, whose error is below
/// one ulp, and exact where the cube has room.
std::optional<any_array> short_power(dtype loop, const detail::argument& base,
                                     const detail::argument& exponent) {
  const auto value = number_of(exponent);
  if (!value) return std::nullopt;
  const auto of_base = [&](ufunc f) { return step_on(f, loop, {&base, 1}); };
  if (*value == 2.) return of_base(ufunc::square);
  if (!is_inexact(loop)) return std::nullopt;
  if (*value == 0.5) return of_base(ufunc::sqrt);
  if (*value == -1.) return of_base(ufunc::reciprocal);
  if (*value == 3. && base.array && (loop == dtype::float32 || loop == dtype::float64)) {
    detail::argument again = base;
    again.fuse = false;  // both products read it
    const any_array squared = step_on(ufunc::square, loop, {&again, 1});
    const detail::argument product[] = {temporary(squared), again};
    return step_on(ufunc::multiply, loop, product);
  }
  return std::nullopt;
}

/// By what a product is the quotient by a power of two: both are the same number, rounded once, and one takes
/// a single instruction. None if the divisor is none of which every floating dtype has the inverse.
std::optional<detail::argument> exact_inverse(dtype loop, const detail::argument& divisor) {
  constexpr int most = 14;
  const auto value = is_floating(loop) ? number_of(divisor) : std::nullopt;
  int exponent = 0;
  if (!value || std::abs(std::frexp(value->real(), &exponent)) != 0.5 || std::abs(exponent - 1) > most)
    return std::nullopt;
  return detail::constant(1 / value->real());
}

}  // namespace

any_array rolled_later(const any_array& source, const rolled_index& index) {
  array_rep* const from = source.rep();
  if (is_pending(from) && from->home == own_pending_list()) {
    const auto held = hold_steps(from->home);
    compute_with_unused_names(from);
  }
  const dtype type = computed(source)->type;
  const detail::argument argument = named(source);
  if (!index.moves()) return build(ufunc::cast, type, nullptr, {&argument, 1});
  return build(ufunc::cast, type, nullptr, {&argument, 1}, {.roll = &index});
}

bool may_load_later(device on_device) {
  // The step needs a plan, and a compiler for a GPU's; a graph's and a debugger's operations are single ones.
  return !recording_on(any_device) && !debug().any() && (on_device.is_cpu() || jit_mode() != jit::off);
}

any_array loaded_later(const any_array& source, const any_array& addresses, std::int64_t offset,
                       void (*compute_alone)(array_rep*), std::shared_ptr<const selection> selected) {
  const dtype type = computed(source)->type;
  const detail::argument argument = temporary(addresses);
  return build(
      ufunc::load, type, nullptr, {&argument, 1},
      {.loads_from = &source, .offset = offset, .compute_alone = compute_alone, .selected = &selected});
}

any_array rows_loaded_later(const any_array& source, const any_array& addresses,
                            std::shared_ptr<const row_places> places) {
  const dtype type = computed(source)->type;
  const detail::argument argument = temporary(addresses);
  return build(ufunc::load, type, nullptr, {&argument, 1},
               {.loads_from = &source, .offset = places->first, .places = &places});
}

}  // namespace core

namespace detail {

using namespace core;

namespace {

/// Which functions compute quotients, or powers, as their rows of ufuncs.def say. At namespace scope: a local
/// table is filled in by each call.
constexpr bool may_be_shortened[] = {
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) \
  std::string_view(#name) == "divide" || std::string_view(#expression) == "(power(a, b))",
#include <gparray/tables/ufuncs.def>
};

/// A power, or a quotient.
[[gnu::noinline]] any_array shortened(ufunc f, gparray::dtype loop, std::span<const argument> arguments) {
  if (f != ufunc::divide) {
    if (std::optional<any_array> product = short_power(loop, arguments[0], arguments[1]))
      return *std::move(product);
  } else if (const std::optional<argument> inverse = exact_inverse(loop, arguments[1])) {
    const argument product[] = {arguments[0], *inverse};
    return step_on(ufunc::multiply, loop, product);
  }
  return step_on(f, loop, arguments);
}

}  // namespace

any_array make_expression(ufunc f, gparray::dtype loop, std::span<const argument> arguments) {
  if (f < ufunc::cast && may_be_shortened[static_cast<int>(f)]) return shortened(f, loop, arguments);
  return step_on(f, loop, arguments);
}

any_array make_expression(const user_loop& loop, std::span<const argument> arguments) {
  return build(ufunc::user, loop.type, &loop, arguments);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
