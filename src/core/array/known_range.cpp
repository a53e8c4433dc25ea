#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <core/array/evaluate.hpp>
#include <core/array/known_range.hpp>
#include <core/array/loads.hpp>
#include <core/runtime/known_reals.hpp>
#include <plan/convert_scalar.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

using integers = std::optional<number_range>;

/// Between two numbers that are finite, so that none is a NaN.
struct real_range {
  double least, greatest;
};
using reals = std::optional<real_range>;

integers of_dtype(dtype type) {
  switch (type) {
    case dtype::int8:
      return number_range{-128, 127};
    case dtype::uint8:
      return number_range{0, 255};
    case dtype::int16:
      return number_range{-32768, 32767};
    case dtype::uint16:
      return number_range{0, 65535};
    default:
      return std::nullopt;
  }
}

/// Whether the elements are whole numbers of the storage, as it was looked at.
bool is_aligned(const array_rep* rep) {
  const auto item = static_cast<std::int64_t>(itemsize(rep->type));
  return (rep->data - static_cast<const std::byte*>(rep->memory->data)) % item == 0 &&
         std::ranges::all_of(rep->strides, [item](std::int64_t s) { return s % item == 0; });
}

integers of_memory(const array_rep* rep) {
  if (!is_aligned(rep)) return std::nullopt;
  return rep->type == dtype::int64 ? known_numbers(rep->memory) : known_reals(rep->memory, rep->type);
}

bool is_real(dtype type) { return type == dtype::float32 || type == dtype::float64; }

/// From the results at the corners: of an operation that goes one way along each of its operands. Ends that
/// are no numbers of 64 bits are not known.
template<class Overflows>
integers of_corners(const number_range& a, const number_range& b, Overflows overflows) {
  integers result;
  for (const std::int64_t x : {a.least, a.greatest})
    for (const std::int64_t y : {b.least, b.greatest}) {
      std::int64_t value;
      if (overflows(x, y, &value)) return std::nullopt;
      if (!result) result = number_range{value, value};
      *result = {std::min(result->least, value), std::max(result->greatest, value)};
    }
  return result;
}

/// A result of dtype `loop` as it is rounded: of float32 as well after it was rounded to double.
reals rounded(double least, double greatest, dtype loop) {
  const double most =
      loop == dtype::float32 ? double{std::numeric_limits<float>::max()} : std::numeric_limits<double>::max();
  if (!(least >= -most) || !(greatest <= most)) return std::nullopt;
  if (loop == dtype::float64) return real_range{least, greatest};
  return real_range{static_cast<float>(least), static_cast<float>(greatest)};
}
template<class Operation>
reals of_corners(const real_range& a, const real_range& b, dtype loop, Operation f) {
  const auto [least, greatest] = std::minmax(
      {f(a.least, b.least), f(a.least, b.greatest), f(a.greatest, b.least), f(a.greatest, b.greatest)});
  return rounded(least, greatest, loop);
}

/// NumPy's maximum(x, low), and then the minimum with high.
template<class Range>
Range clipped(const Range& x, const Range& low, const Range& high) {
  return {std::min(std::max(x.least, low.least), high.least),
          std::min(std::max(x.greatest, low.greatest), high.greatest)};
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

reals real_range_of(const number_range& numbers, dtype as) {
  const auto number = [as](std::int64_t i) {
    return as == dtype::float32 ? double{static_cast<float>(i)} : static_cast<double>(i);
  };
  return rounded(number(numbers.least), number(numbers.greatest), as);
}

/// A walk below an array, whose steps are held.
class range_walk {
 public:
  explicit range_walk(bool with_ends) : with_ends_(with_ends) {}

  integers whole(const array_rep* rep) {
    if (rep->type != dtype::int64) return of_dtype(rep->type);
    return is_pending(rep) ? of_step(rep) : with_zero(of_memory(rep));
  }

 private:
  /// Larger expressions are looked at as arrays.
  static constexpr int most_steps = 64;

  integers with_zero(integers range) const {
    if (range && with_ends_)
      return number_range{std::min<std::int64_t>(range->least, 0),
                          std::max<std::int64_t>(range->greatest, 0)};
    return range;
  }

  /// Threads compute less than this many elements beyond the ends of an array.
  static constexpr std::int64_t most_beyond = 1 << 17;

  integers range(const array_rep* rep) const {
    number_range ends = ends_of_range(rep);
    if (!with_ends_) return ends;
    for (const std::int64_t step : rep->places->strides) {
      std::int64_t beyond;
      if (__builtin_mul_overflow(std::abs(step), most_beyond, &beyond) ||
          __builtin_sub_overflow(ends.least, beyond, &ends.least) ||
          __builtin_add_overflow(ends.greatest, beyond, &ends.greatest))
        return std::nullopt;
    }
    return ends;
  }

  integers whole(const node_argument& a) {
    if (a.array) return whole(a.array);
    if (kind(a.type) != 'i' && kind(a.type) != 'u') return std::nullopt;
    if (a.type == dtype::uint64) return std::nullopt;
    std::int64_t value;
    const scalar_bits bits = convert_scalar(a.value, a.type, dtype::int64);
    std::memcpy(&value, &bits, sizeof value);
    return number_range{value, value};
  }

  bool may_look(const array_rep* rep) {
    return ++steps_ <= most_steps && !rep->computed_by && rep->operation.count > 0;
  }

  integers of_step(const array_rep* rep) {
    const node& n = rep->operation;
    if (is_range(rep)) return range(rep);
    if (!may_look(rep) || n.loop != dtype::int64) return std::nullopt;
    if (n.op == ufunc::cast && is_real(n.arguments[0].type)) {
      const reals x = real(n.arguments[0], n.arguments[0].type);
      constexpr double most = 0x1p62;
      if (!x || x->least < -most || x->greatest > most) return std::nullopt;
      return number_range{static_cast<std::int64_t>(x->least), static_cast<std::int64_t>(x->greatest)};
    }
    integers arguments[max_arity];
    const int first = n.op == ufunc::where ? 1 : 0;
    for (int i = first; i < n.count; ++i)
      if (arguments[i] = whole(n.arguments[i]); !arguments[i]) {
        // Whatever is clipped lies between the other two.
        if (n.op != ufunc::clip || i != first) return std::nullopt;
        using limits = std::numeric_limits<std::int64_t>;
        arguments[i] = number_range{limits::min(), limits::max()};
      }
    const number_range& a = *arguments[first];
    switch (n.op) {
      case ufunc::cast:
        return a;
      case ufunc::add:
        return of_corners(a, *arguments[1], [](auto... x) { return __builtin_add_overflow(x...); });
      case ufunc::subtract:
        return of_corners(a, *arguments[1], [](auto... x) { return __builtin_sub_overflow(x...); });
      case ufunc::multiply:
        return of_corners(a, *arguments[1], [](auto... x) { return __builtin_mul_overflow(x...); });
      case ufunc::minimum:
        return number_range{std::min(a.least, arguments[1]->least),
                            std::min(a.greatest, arguments[1]->greatest)};
      case ufunc::maximum:
        return number_range{std::max(a.least, arguments[1]->least),
                            std::max(a.greatest, arguments[1]->greatest)};
      case ufunc::clip:
        return clipped(a, *arguments[1], *arguments[2]);
      case ufunc::where:
        return number_range{std::min(a.least, arguments[2]->least),
                            std::max(a.greatest, arguments[2]->greatest)};
      case ufunc::floor_divide:
      case ufunc::remainder: {
        const number_range& by = *arguments[1];
        if (by.least <= 0) return std::nullopt;
        if (n.op == ufunc::remainder) {
          const bool is_same = a.least >= 0 && a.greatest < by.least;
          return is_same ? a : number_range{0, by.greatest - 1};
        }
        return of_corners(a, by, [](std::int64_t x, std::int64_t y, std::int64_t* quotient) {
          *quotient = floor_quotient(x, y);
          return false;
        });
      }
      default:
        return std::nullopt;
    }
  }

  /// As a number of this dtype, float32 or float64.
  reals real(const node_argument& a, dtype as) {
    if (!a.array) {
      double value;
      if (kind(a.type) == 'c') return std::nullopt;
      const scalar_bits bits = convert_scalar(convert_scalar(a.value, a.type, as), as, dtype::float64);
      std::memcpy(&value, &bits, sizeof value);
      return rounded(value, value, as);
    }
    if (!is_real(a.type)) {
      const integers x = whole(a.array);
      return x ? real_range_of(*x, as) : std::nullopt;
    }
    const reals x = is_pending(a.array) ? real_step(a.array) : real_memory(a.array);
    return x ? rounded(x->least, x->greatest, as) : x;
  }

  reals real_memory(const array_rep* rep) const {
    const integers ends = with_zero(of_memory(rep));
    if (!ends) return std::nullopt;
    return real_range{static_cast<double>(ends->least), static_cast<double>(ends->greatest)};
  }

  reals real_step(const array_rep* rep) {
    const node& n = rep->operation;
    const dtype loop = n.loop;
    if (is_range(rep)) {
      const integers ends = range(rep);
      return ends ? real_range_of(*ends, loop) : std::nullopt;
    }
    if (!may_look(rep) || !is_real(loop) || rep->type != loop) return std::nullopt;
    reals arguments[max_arity];
    const int first = n.op == ufunc::where ? 1 : 0;
    for (int i = first; i < n.count; ++i)
      if (arguments[i] = real(n.arguments[i], loop); !arguments[i]) return std::nullopt;
    const real_range& a = *arguments[first];
    switch (n.op) {
      case ufunc::cast:
        return a;
      case ufunc::add:
        return of_corners(a, *arguments[1], loop, std::plus<>());
      case ufunc::subtract:
        return of_corners(a, *arguments[1], loop, std::minus<>());
      case ufunc::multiply:
        return of_corners(a, *arguments[1], loop, std::multiplies<>());
      case ufunc::divide:
        if (arguments[1]->least <= 0 && arguments[1]->greatest >= 0) return std::nullopt;
        return of_corners(a, *arguments[1], loop, std::divides<>());
      case ufunc::minimum:
        return real_range{std::min(a.least, arguments[1]->least),
                          std::min(a.greatest, arguments[1]->greatest)};
      case ufunc::maximum:
        return real_range{std::max(a.least, arguments[1]->least),
                          std::max(a.greatest, arguments[1]->greatest)};
      case ufunc::clip:
        return clipped(a, *arguments[1], *arguments[2]);
      case ufunc::where:
        return real_range{std::min(a.least, arguments[2]->least),
                          std::max(a.greatest, arguments[2]->greatest)};
      case ufunc::negative:
        return real_range{-a.greatest, -a.least};
      case ufunc::floor:
        return real_range{std::floor(a.least), std::floor(a.greatest)};
      case ufunc::ceil:
        return real_range{std::ceil(a.least), std::ceil(a.greatest)};
      case ufunc::trunc:
        return real_range{std::trunc(a.least), std::trunc(a.greatest)};
      case ufunc::rint:
        return real_range{std::nearbyint(a.least), std::nearbyint(a.greatest)};
      default:
        return std::nullopt;
    }
  }

  bool with_ends_;
  int steps_ = 0;
};

integers range_of(const array_rep* index, bool with_ends) {
  if (index->type != dtype::int64) return of_dtype(index->type);
  const auto steps = hold_expression(index);
  return range_walk(with_ends).whole(index);
}

}  // namespace

number_range ends_of_range(const array_rep* range) {
  const row_places& places = *range->places;
  number_range ends{places.first, places.first};
  for (std::size_t d = 0; d < range->shape.size(); ++d) {
    const std::int64_t last = places.strides[d] * (range->shape[d] - 1);
    (last < 0 ? ends.least : ends.greatest) += last;
  }
  return ends;
}

integers known_range(const array_rep* index) { return range_of(index, false); }
integers known_range_with_ends(const array_rep* index) { return range_of(index, true); }

}  // namespace core
GPARRAY_END_NAMESPACE
