// arange, linspace and their relatives: plans over the index generator.
#include <algorithm>
#include <cmath>

#include <core/array/evaluate.hpp>
#include <core/array/filled.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/temporary.hpp>
#include <core/creation/creation.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/reduction/reduction.hpp>
#include <core/runtime/known_reals.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr double largest_length = 9.2e18;

/// i * step + start; `start`, `step` and the result have dtype `compute`.
int along(plan_builder& b, dtype compute, int i, int step, int start) {
  return b.apply(ufunc::add, compute, {b.apply(ufunc::multiply, compute, {i, step}), start});
}

/// Whether an argument is a number of a floating dtype and this one, its sign included.
bool is_real_number(const detail::argument& a, double value) {
  if (a.array || !is_floating(a.type)) return false;
  const scalar_bits wanted = constant_bits(value, a.type), given = bits_of(a);
  return std::memcmp(&wanted, &given, itemsize(a.type)) == 0;
}

/// The samples of linspace without its last: i times the step from `start` on, which two numbers tell once.
/// The values are those that the steps of a plan have.
template<class T>
int samples_between(plan_builder& b, int i, const detail::argument& start, const detail::argument& stop,
                    std::int64_t intervals) {
  constexpr dtype type = dtype_of<T>;
  const auto value_of = [](const detail::argument& a) {
    const scalar_bits bits = convert_scalar(bits_of(a), a.type, type);
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  const auto number = [&](T value) { return b.constant(type, constant_bits(value, type)); };
  const T from = value_of(start), distance = value_of(stop) - from,
          parts = static_cast<T>(static_cast<double>(intervals)), step = distance / parts;
  // A step that underflows to zero would lose the distance: then NumPy divides the index first.
  const int scaled = step == 0 ? b.apply(ufunc::multiply, type,
                                         {b.apply(ufunc::divide, type, {i, number(parts)}), number(distance)})
                               : b.apply(ufunc::multiply, type, {i, number(step)});
  // No multiple of a positive step is -0, so adding 0 changes none.
  const bool adds_nothing = from == 0 && !std::signbit(from) && step > 0;
  return adds_nothing ? scaled : b.apply(ufunc::add, type, {scaled, number(from)});
}

std::int64_t integer_of(const detail::argument& a) {
  std::int64_t number;
  std::memcpy(&number, a.value, sizeof number);
  return number;
}

/// The last of so many integers.
std::int64_t last_of(std::int64_t length, std::int64_t first, std::int64_t step) {
  return wrapping_sum(first, wrapping_product(length - 1, step));
}

/// Notes between what the numbers of an arange are, as it computes them: they make good indices.
void remember_ends(const array_rep* range, const detail::argument& first, const detail::argument& delta) {
  if (range->size == 0 || range->type != first.type || first.array || delta.array) return;
  const auto of = [&]<class T>(T) {
    T start, step;
    std::memcpy(&start, first.value, sizeof start);
    std::memcpy(&step, delta.value, sizeof step);
    return std::pair(start, step);
  };
  storage* const memory = range->memory;
  if (range->type == dtype::int64) {
    const std::int64_t start = integer_of(first), end = last_of(range->size, start, integer_of(delta));
    remember_numbers(memory, {std::min(start, end), std::max(start, end)});
    return;
  }
  const std::int64_t last = range->size - 1;
  // Rounded, the products and sums still go one way.
  const auto remember = [&](double start, double end) {
    constexpr double most = 0x1p30;
    if (!(std::abs(start) < most) || !(std::abs(end) < most)) return;
    remember_reals(memory, range->type,
                   {static_cast<std::int64_t>(std::floor(std::min(start, end))),
                    static_cast<std::int64_t>(std::ceil(std::max(start, end)))});
  };
  if (range->type == dtype::float32) {
    const auto [start, step] = of(float());
    remember(start, static_cast<float>(last) * step + start);
  } else if (range->type == dtype::float64) {
    const auto [start, step] = of(double());
    remember(start, static_cast<double>(last) * step + start);
  }
}

/// Whether a real range is 0, 1, 2, ...: no index is negative, so adding 0 changes none.
bool is_count(const detail::argument& first, const detail::argument& delta) {
  return is_real_number(first, 0) && is_real_number(delta, 1);
}

/// Whether sums and products of places in a range of integers stay within 64 bits.
bool has_small_ends(std::int64_t length, std::int64_t first, std::int64_t step) {
  constexpr std::int64_t most = std::int64_t{1} << 61;
  const auto is_small = [](std::int64_t number) { return number > -most && number < most; };
  return is_small(first) && is_small(step) && is_small(last_of(length, first, step));
}

/// An arange that stays pending, as numbers and what is made of them; no array if it does not.
any_array arange_later(std::int64_t length, dtype type, const detail::argument& first,
                       const detail::argument& delta, const array_options& options) {
  const device where = options.device.value_or(default_device());
  if (length == 0 || options.space || first.array || delta.array || !may_have_ranges(where)) return {};
  backend_of(where);  // throws for a device that is not there
  any_array range;
  if (first.type == dtype::int64) {
    if (!has_small_ends(length, integer_of(first), integer_of(delta))) return {};
    range = range_later(length, type, where, integer_of(first), integer_of(delta));
  } else if (type == first.type && is_floating(type)) {
    range = range_later(length, type, where, 0, 1);
    if (!is_count(first, delta)) {
      const detail::argument product[] = {temporary(range), delta};
      const any_array multiple = detail::make_expression(ufunc::multiply, type, product);
      const detail::argument sum[] = {temporary(multiple), first};
      range = detail::make_expression(ufunc::add, type, sum);
    }
  } else {
    return {};
  }
  detail::name_expression(range);
  return range;
}

int input_of(plan_builder& b, const detail::argument& a) {
  return a.array ? b.array(computed(*a.array)) : b.constant(a.type, bits_of(a));
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

std::int64_t arange_length(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step == 0) throw value_error("arange: division by zero, the step is 0");
  if (step > 0 ? start >= stop : start <= stop) return 0;
  // The distance of two 64-bit integers needs 65 bits unless it is taken as unsigned.
  const auto unsigned_of = [](std::int64_t i) { return static_cast<std::uint64_t>(i); };
  const std::uint64_t distance =
      step > 0 ? unsigned_of(stop) - unsigned_of(start) : unsigned_of(start) - unsigned_of(stop);
  const std::uint64_t stride = step > 0 ? unsigned_of(step) : 0 - unsigned_of(step);
  const std::uint64_t length = (distance - 1) / stride + 1;
  if (length > unsigned_of(std::numeric_limits<std::int64_t>::max()))
    throw value_error("Maximum allowed size exceeded");
  return static_cast<std::int64_t>(length);
}

std::int64_t arange_length(double start, double stop, double step) {
  if (step == 0) throw value_error("arange: float division by zero, the step is 0");
  const double length = std::ceil((stop - start) / step);
  if (std::isnan(length)) throw value_error("arange: cannot compute length");
  if (length > largest_length) throw value_error("Maximum allowed size exceeded");
  return length > 0 ? static_cast<std::int64_t>(length) : 0;
}

any_array arange(std::int64_t length, gparray::dtype type, const argument& first, const argument& delta,
                 const array_options& options) {
  if (type == gparray::dtype::bool_ && length > 2)
    throw type_error("arange() is only supported for booleans when the result has at most length 2.");
  if (any_array later = arange_later(length, type, first, delta, options); later.rep()) return later;
  const any_array result = create(length, type, options);
  generate(result, [&](plan_builder& b) {
    if (first.type == gparray::dtype::int64) return b.iota(integer_of(first), integer_of(delta));
    const int i = b.cast(b.iota(0, 1), first.type);
    if (is_count(first, delta)) return i;
    return along(b, first.type, i, input_of(b, delta), input_of(b, first));
  });
  remember_ends(result.rep(), first, delta);
  return result;
}

any_array linspace(const argument& start, const argument& stop, std::int64_t num, gparray::dtype compute,
                   gparray::dtype type, const linspace_options& options, const double* base) {
  if (num < 0) fail<value_error>("Number of samples, {}, must be non-negative.", num);
  const argument both[] = {start, stop};
  device where = options.device ? *options.device : common_device("linspace", both);
  if (options.device && (start.array || stop.array)) where = common_device("linspace", both);
  dims shape = common_shape(both);
  shape.insert(0, num);
  const auto axis =
      static_cast<int>(normalize_axis_list(options.axis, static_cast<int>(shape.size()), "destination")[0]);
  const any_array result = allocate(type, shape, where);
  // A CPU writes the one element afterwards sooner than it asks of each whether it is the last.
  const bool ends = options.endpoint && num > 1,
             ends_later = ends && where.is_cpu() && type == compute && !base && !start.array && !stop.array;
  generate(result, [&](plan_builder& b) {
    const auto number = [&](double value) { return b.constant(compute, constant_bits(value, compute)); };
    const int from = b.cast(input_of(b, start), compute), to = b.cast(input_of(b, stop), compute);
    dims units = dims::filled(shape.size(), 0);
    units[0] = 1;
    const int index = b.iota(0, units), i = b.cast(index, compute);
    const std::int64_t intervals = options.endpoint ? num - 1 : num;
    int value;
    const bool two_numbers = intervals > 0 && !start.array && !stop.array;
    if (two_numbers && compute == gparray::dtype::float64) {
      value = samples_between<double>(b, i, start, stop, intervals);
    } else if (two_numbers && compute == gparray::dtype::float32) {
      value = samples_between<float>(b, i, start, stop, intervals);
    } else if (intervals > 0) {
      const int distance = b.apply(ufunc::subtract, compute, {to, from});
      const int parts = number(static_cast<double>(intervals));
      const int step = b.apply(ufunc::divide, compute, {distance, parts});
      // A step that underflows to zero would lose the distance: then NumPy divides the index first.
      const int flat = b.apply(ufunc::equal, compute, {step, number(0)});
      const int fraction = b.apply(ufunc::divide, compute, {i, parts});
      const int scaled = b.apply(ufunc::multiply, compute, {fraction, distance});
      const int regular = b.apply(ufunc::multiply, compute, {i, step});
      value = b.apply(ufunc::where, compute, {flat, scaled, regular});
      value = b.apply(ufunc::add, compute, {value, from});
    } else {
      value = along(b, compute, i, b.apply(ufunc::subtract, compute, {to, from}), from);
    }
    if (ends && !ends_later) {
      const int last = b.constant(gparray::dtype::int64, bits_of(constant(num - 1)));
      const int at_end = b.apply(ufunc::equal, gparray::dtype::int64, {index, last});
      value = b.apply(ufunc::where, compute, {at_end, to, value});
    }
    if (base) value = b.apply(ufunc::power, compute, {number(*base), value});
    // NumPy rounds samples down, where a conversion would cut towards zero; logspace does convert.
    if (is_integer(type) && is_floating(compute) && !base) value = b.apply(ufunc::floor, compute, {value});
    return value;
  });
  if (ends_later) fill(slice_along(result, 0, num - 1, 1).rep(), stop.type, bits_of(stop));
  for (const argument& end : both)
    if (end.array) record_uses(rep_of(*end.array), current_queue(where));
  return axis == 0 ? result : moveaxis(result, dims{0}, dims{axis});
}

any_array linspace_step(const argument& start, const argument& stop, std::int64_t num, gparray::dtype compute,
                        bool endpoint) {
  const argument ends[] = {start, stop};
  const any_array result = allocate(compute, common_shape(ends), common_device("linspace", ends));
  const std::int64_t intervals = endpoint ? num - 1 : num;
  generate(result, [&](plan_builder& b) {
    const double parts = intervals > 0 ? static_cast<double>(intervals) : std::nan("");
    const int distance = b.apply(ufunc::subtract, compute, {input_of(b, stop), input_of(b, start)});
    return b.apply(ufunc::divide, compute, {distance, b.constant(compute, constant_bits(parts, compute))});
  });
  for (const argument& end : ends)
    if (end.array) record_uses(rep_of(*end.array), current_queue(result.device()));
  return result;
}

namespace {

void check_no_zero(const argument& end) {
  double value;
  std::memcpy(&value, end.value, sizeof value);
  std::uint8_t all = value != 0;
  if (end.array) item(reduce(reduction::all, end, end.type, nullptr, {}), &all);
  if (!all) throw value_error("Geometric sequence cannot include zero");
}

}  // namespace

any_array geomspace(const argument& start, const argument& stop, std::int64_t num, gparray::dtype compute,
                    gparray::dtype type, const linspace_options& options) {
  check_no_zero(start);
  check_no_zero(stop);
  // Logarithms of the ends, of the first one's sign, and the powers of ten between them.
  const argument ends[] = {start, stop};
  const device where =
      options.device && !start.array && !stop.array ? *options.device : common_device("geomspace", ends);
  const auto logarithm = [&](const argument& end) {
    const any_array result = allocate(compute, common_shape(ends), where);
    generate(result, [&](plan_builder& b) {
      const int sign = b.apply(ufunc::sign, compute, {b.cast(input_of(b, start), compute)});
      const int positive = b.apply(ufunc::multiply, compute, {b.cast(input_of(b, end), compute), sign});
      return b.apply(ufunc::log10, compute, {positive});
    });
    return result;
  };
  const any_array from = logarithm(start), to = logarithm(stop);
  const double base = 10;
  const any_array powers =
      linspace(named(from), named(to), num, compute, compute, {.endpoint = options.endpoint}, &base);
  const any_array result = allocate(type, powers.shape(), where);
  generate(result, [&](plan_builder& b) {
    dims units = dims::filled(powers.shape().size(), 0);
    units[0] = 1;
    const int index = b.iota(0, units);
    const auto is_at = [&](std::int64_t i) {
      return b.apply(ufunc::equal, gparray::dtype::int64,
                     {index, b.constant(gparray::dtype::int64, bits_of(constant(i)))});
    };
    const int first = b.cast(input_of(b, start), compute), last = b.cast(input_of(b, stop), compute);
    const int sign = b.apply(ufunc::sign, compute, {first});
    int value = b.apply(ufunc::multiply, compute, {b.array(powers.rep()), sign});
    value = b.apply(ufunc::where, compute, {is_at(0), first, value});
    if (options.endpoint && num > 1) value = b.apply(ufunc::where, compute, {is_at(num - 1), last, value});
    return value;
  });
  for (const argument& end : ends)
    if (end.array) record_uses(rep_of(*end.array), current_queue(where));
  const auto axis =
      normalize_axis_list(options.axis, static_cast<int>(result.shape().size()), "destination")[0];
  return axis == 0 ? result : moveaxis(result, dims{0}, dims{axis});
}

}  // namespace detail
GPARRAY_END_NAMESPACE
