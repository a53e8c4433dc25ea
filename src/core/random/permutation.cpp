// Permutations: the order of random words.
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/indexing/indexing.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/random/permutation.hpp>
#include <core/random/random.hpp>
#include <core/sorting/sorting.hpp>
#include <plan/random_order.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

any_array random_words(random::generator_state& state, const dims& shape, device where) {
  return detail::draw_integers(state, where, std::numeric_limits<std::uint64_t>::min(),
                               std::numeric_limits<std::uint64_t>::max(), shape, dtype::uint64, true);
}

/// The order of each line of random words.
any_array orders(random::generator_state& state, const dims& shape, device where) {
  return order_of_words(random_words(state, shape, where));
}

}  // namespace

any_array moved_to(const any_array& on_host, device where) {
  if (where.is_cpu()) return on_host;
  return detail::from_host(address(on_host), on_host.shape(), on_host.dtype(), where);
}

any_array first_permuted(random::generator_state& state, std::int64_t n, std::int64_t count, device where) {
  if (!where.is_cpu()) return detail::copy(slice_along(orders(state, dims(n), where), 0, 0, count), order::C);
  const any_array words = random_words(state, dims(n), where);
  const any_array result = allocate(dtype::int64, dims(count), where);
  order_first_words(static_cast<const std::uint64_t*>(address(words)), n, count,
                    static_cast<std::int64_t*>(address(result)));
  return result;
}

namespace {

/// Whether an array is a line of elements of the CPU, which are moved while their words are put in order:
/// they are then read in sequence, instead of at random.
bool is_line(const any_array& x) { return x.ndim() == 1 && x.device().is_cpu(); }

void move_line(random::generator_state& state, const array_rep* from, const array_rep* to) {
  const any_array words = random_words(state, from->shape, device::cpu());
  const void* const numbers = address(words);
  effect_on(to);
  move_by_words(static_cast<const std::uint64_t*>(numbers), from->size, {from->data, from->strides[0]},
                {to->data, to->strides[0]}, itemsize(from->type));
}

void check_sized(const any_array& x) {
  if (x.ndim() == 0) throw type_error("len() of unsized object");
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array permuted_range(random::generator_state& state, const generator_device& on_device, std::int64_t n) {
  const std::int64_t count = std::max<std::int64_t>(n, 0);
  return orders(state, dims(count), on_device.value_or(default_device()));
}

any_array permuted_slices(random::generator_state& state, const any_array& x, int axis_argument) {
  const int axis = normalize_axis(axis_argument, x.ndim());
  if (is_line(x)) {
    const array_rep* const from = computed(x);
    const any_array result = allocate_beside(from, from->shape);
    move_line(state, from, result.rep());
    return result;
  }
  return take(x, orders(state, dims(x.shape(axis)), x.device()), axis, index_mode::raise);
}

void shuffle_slices(random::generator_state& state, const any_array& x, int axis) {
  check_sized(x);
  check_target(computed(x), x.shape());
  if (is_line(x)) {
    normalize_axis(axis, 1);
    return move_line(state, x.rep(), x.rep());
  }
  const any_array shuffled = permuted_slices(state, x, axis);
  assign(x, named(shuffled));
}

any_array permuted_elements(random::generator_state& state, const any_array& x,
                            const random::permuted_options& options) {
  check_sized(x);
  const any_array& out = options.out;
  if (out.rep() && out.dtype() != x.dtype())
    fail<type_error>("Cannot cast array data from {} to {}", name(x.dtype()), name(out.dtype()));
  if (out.rep() && out.shape() != x.shape()) throw value_error("out must have the same shape as x");
  if (out.rep()) check_target(computed(out), x.shape());  // before numbers are drawn
  any_array result;
  if (options.axis.given) {
    const int axis = normalize_axis(options.axis.value, x.ndim());
    const any_array lines = moveaxis(x, axis, -1);
    const any_array order = orders(state, lines.shape(), x.device());
    result = moveaxis(take_along_axis(lines, order, -1), -1, axis);
  } else {
    const any_array flat = reshape(x, x.size(), order::C);
    result = reshape(permuted_slices(state, flat, 0), x.shape(), order::C);
  }
  if (!out.rep()) return result;
  assign(out, named(result));
  return out;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
