// Integers of a range, and bytes.
#include <limits>

#include <core/array/temporary.hpp>
#include <core/creation/typed.hpp>
#include <core/random/random.hpp>
#include <core/reduction/typed.hpp>
#include <gparray/ufunc/operators.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using detail::drawing_bound;
using int128 = __int128;  // holds any bound, and one more

struct integer_limits {
  int128 least, most;
};

integer_limits limits_of(dtype type) {
  if (type == dtype::bool_) return {0, 1};
  const int bits = static_cast<int>(8 * itemsize(type));
  if (kind(type) == 'u') return {0, (int128{1} << bits) - 1};
  return {-(int128{1} << (bits - 1)), (int128{1} << (bits - 1)) - 1};
}

/// The smallest and the largest number of a bound.
integer_limits extremes(const drawing_bound& b) {
  if (!b.is_array) {
    const int128 value = b.is_unsigned ? int128{static_cast<std::uint64_t>(b.value)} : int128{b.value};
    return {value, value};
  }
  const bool is_unsigned = b.array.dtype() == dtype::uint64;
  const auto reduced = [&](reduction r) {
    std::int64_t bits;
    detail::item(detail::reduce(r, named(b.array), is_unsigned ? dtype::uint64 : dtype::int64, nullptr, {}),
                 &bits);
    return is_unsigned ? int128{static_cast<std::uint64_t>(bits)} : int128{bits};
  };
  return {reduced(reduction::min), reduced(reduction::max)};
}

/// The 64-bit words of a bound, one for each element of `shape`.
ndarray<std::int64_t> words_of(const drawing_bound& b, const dims& shape, device where) {
  const any_array a =
      b.is_array ? b.array : any_array(full<std::int64_t>(dims{}, b.value, {.device = where}));
  return ndarray<std::int64_t>(broadcast_copy(a, dtype::int64, shape));
}

[[noreturn]] void throw_empty(const integer_limits& low, bool endpoint) {
  if (low.least == 0 && low.most == 0) throw value_error(endpoint ? "high < 0" : "high <= 0");
  throw value_error(endpoint ? "low > high" : "low >= high");
}

/// low and, one for each element, the largest number that may be added to it.
struct integer_ranges {
  ndarray<std::int64_t> low, largest;
};

/// Bounds that fit the type, the last numbers included; `lows` are the extremes of `low`.
integer_ranges ranges_of(const drawing_bound& low, const integer_limits& lows, const drawing_bound& high,
                         const dims& shape, device where, dtype type, bool endpoint) {
  integer_ranges r;
  r.low = words_of(low, shape, where);
  const ndarray<std::int64_t> last = words_of(high, shape, where) - std::int64_t{endpoint ? 0 : 1};
  // The order of uint64 is that of the words with the upper bit flipped.
  const std::int64_t flip = type == dtype::uint64 ? std::numeric_limits<std::int64_t>::min() : 0;
  if (gparray::any((last ^ flip) < (r.low ^ flip)).item()) throw_empty(lows, endpoint);
  r.largest = last - r.low;
  return r;
}

void draw_ranges(random_plan& plan, const integer_ranges& r, const any_array& result,
                 random::generator_state& state) {
  const std::uint64_t most =
      gparray::max(r.largest ^ std::numeric_limits<std::int64_t>::min()).item() ^ (std::uint64_t{1} << 63);
  plan.op = most <= 0xffffffffu ? distribution::integers32 : distribution::integers64;
  plan.parameters[0].data = static_cast<const std::uint64_t*>(address(r.low));
  plan.parameters[1].data = static_cast<const std::uint64_t*>(address(r.largest));
  const any_array* const read[] = {&r.low, &r.largest};
  run_draw(plan, result, 1, state, read);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array draw_integers(random::generator_state& state, const generator_device& on_device,
                        const drawing_bound& first, const drawing_bound& second, const sample_size& size,
                        gparray::dtype type, bool endpoint) {
  const drawing_bound zero(0);
  const drawing_bound& low = second.given ? first : zero;
  const drawing_bound& high = second.given ? second : first;
  if (!high.given || !low.given) throw type_error("integers needs a bound");
  const any_array* arrays[2] = {};
  const dims* shapes[2];
  std::size_t n = 0;
  for (const drawing_bound* b : {&low, &high}) {
    if (!b->is_array) continue;
    arrays[n] = &b->array;
    shapes[n++] = &b->array.shape();
  }
  const device where = drawing_device(on_device, arrays);
  const dims shape = drawing_shape(size, {shapes, n});
  const any_array result = allocate(type, shape, where);
  if (n > 0 && result.size() == 0) return result;

  const integer_limits of_type = limits_of(type), lows = extremes(low), highs = extremes(high);
  const int128 open = endpoint ? 0 : 1;
  const int128 least_last = highs.least - open, most_last = highs.most - open;
  if (lows.least < of_type.least) fail<value_error>("low is out of bounds for {}", name(type));
  if (most_last > of_type.most) fail<value_error>("high is out of bounds for {}", name(type));
  if (least_last < of_type.least || lows.most > of_type.most) throw_empty(lows, endpoint);
  random_plan plan;
  plan.type = type;
  if (n > 0) {
    draw_ranges(plan, ranges_of(low, lows, high, shape, where, type, endpoint), result, state);
    return result;
  }
  if (least_last < lows.least) throw_empty(lows, endpoint);
  const auto largest = static_cast<std::uint64_t>(least_last - lows.least);
  plan.op = largest <= 0xffffffffu ? distribution::integers32 : distribution::integers64;
  plan.parameters[0].bits = static_cast<std::uint64_t>(lows.least);
  plan.parameters[1].bits = largest;
  run_draw(plan, result, 1, state, {});
  return result;
}

std::vector<std::uint8_t> draw_bytes(random::generator_state& state, std::int64_t length) {
  if (length < 0) throw value_error("negative dimensions are not allowed");
  const std::int64_t n_words = ceil_quotient(length, 4);
  const any_array words = draw_integers(state, device::cpu(), drawing_bound(std::int64_t{1} << 32),
                                        drawing_bound(none), n_words, gparray::dtype::uint32, false);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(4 * n_words));
  copy_to_host(words, bytes.data());
  bytes.resize(static_cast<std::size_t>(length));
  return bytes;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
