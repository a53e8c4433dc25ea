// Bits and bytes.
#include <algorithm>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/creation/typed.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/manipulation/bits.hpp>
#include <plan/backend.hpp>
#include <plan/bit_plan.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

bool is_little(std::string_view bitorder) {
  if (bitorder != "little" && bitorder != "big")
    throw value_error("'order' must be either 'little' or 'big'");
  return bitorder == "little";
}

/// Bits along the last axis, one by one or in bytes, in one step; `n_bits` of each line.
any_array moved_bits(const any_array& lines, bool packs, bool little, std::int64_t n_bits) {
  const any_array in = detail::in_order(lines, order::C);
  const array_rep* const from = computed(in);
  dims shape = from->shape;
  std::int64_t& n = shape[shape.size() - 1];
  const std::int64_t n_bytes = packs ? ceil_quotient(n_bits, 8) : n;
  n = packs ? n_bytes : n_bits;
  const any_array result = allocate(dtype::uint8, shape, from->device_);
  if (result.size() == 0) return result;
  const bit_plan plan{packs, little, result.size() / n, n_bits, n_bytes, from->data, result.rep()->data};
  const queue q = current_queue(from->device_);
  backend_of(from->device_).move_bits(plan, q);
  record_use(result.rep()->memory, q);
  record_uses(from, q);
  return result;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array packbits(const any_array& flags, const bits_options& options) {
  const bool little = is_little(options.bitorder);
  const any_array flat = options.axis.given ? flags : ravel(flags, order::C);
  const int axis = options.axis.given ? normalize_axis(options.axis.value, flat.ndim()) : 0;
  const any_array lines = moveaxis(flat, axis, -1);
  return moveaxis(moved_bits(lines, true, little, lines.shape(-1)), -1, axis);
}

any_array unpackbits(const any_array& packed, const unpackbits_options& options) {
  const bool little = is_little(options.bitorder);
  const any_array flat = options.axis.given ? packed : ravel(packed, order::C);
  const int axis = options.axis.given ? normalize_axis(options.axis.value, flat.ndim()) : 0;
  const any_array lines = moveaxis(flat, axis, -1);
  const std::int64_t n = lines.shape(-1) * 8, count = options.count.given ? options.count.value : n;
  if (count < -n) fail<value_error>("-count larger than number of elements");
  return moveaxis(moved_bits(lines, false, little, count < 0 ? n + count : count), -1, axis);
}

}  // namespace detail

namespace {

std::string digits_of(std::uint64_t magnitude, int base) {
  std::string text;
  do {
    text += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[magnitude % static_cast<unsigned>(base)];
    magnitude /= static_cast<unsigned>(base);
  } while (magnitude > 0);
  std::reverse(text.begin(), text.end());
  return text;
}

std::uint64_t magnitude_of(std::int64_t number) {
  return number < 0 ? -static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

}  // namespace

std::string binary_repr(std::int64_t number, std::optional<int> width) {
  const std::string text = digits_of(magnitude_of(number), 2);
  if (!width) return number < 0 ? "-" + text : text;
  const auto room = static_cast<std::size_t>(std::max(*width, 0));
  const auto check = [&](std::size_t needed) {
    if (needed > room)
      core::fail<value_error>("Insufficient bit width={} provided for binwidth={}", *width, needed);
  };
  if (number >= 0) {
    check(text.size());
    return std::string(room - text.size(), '0') + text;
  }
  // Two's complement needs a digit more, but for the powers of two.
  const std::size_t needed =
      magnitude_of(number) == std::uint64_t{1} << (text.size() - 1) ? text.size() : text.size() + 1;
  check(needed);
  const std::string tail =
      digits_of((needed < 64 ? std::uint64_t{1} << needed : 0) - magnitude_of(number), 2);
  return std::string(room - needed, '1') + std::string(needed - tail.size(), '0') + tail;
}

std::string base_repr(std::int64_t number, int base, int padding) {
  if (base > 36) throw value_error("Bases greater than 36 not handled in base_repr.");
  if (base < 2) throw value_error("Bases less than 2 not handled in base_repr.");
  std::string text = number == 0 ? "" : digits_of(magnitude_of(number), base);
  text.insert(0, static_cast<std::size_t>(std::max(padding, 0)), '0');
  if (text.empty()) text.assign(1, '0');
  return number < 0 ? "-" + text : text;
}

GPARRAY_END_NAMESPACE
