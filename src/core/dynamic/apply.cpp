// Element-wise functions of arrays and numbers whose dtypes are known at run time.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <core/creation/creation.hpp>
#include <core/dynamic/numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace dynamic {

using core::fail;

std::optional<ufunc> find_ufunc(std::string_view name) noexcept {
  static constexpr std::pair<std::string_view, ufunc> names[] = {
#define GPARRAY_UFUNC_ROW(name, ...) {#name, ufunc::name},
#define GPARRAY_UFUNC_ALIAS(alias, name) {#alias, ufunc::name},
#include <gparray/tables/ufuncs.def>
  };
  const auto* const found = std::ranges::find(names, name, [](const auto& row) { return row.first; });
  return found == std::end(names) ? std::nullopt : std::optional(found->second);
}

std::optional<reduction> find_reduction(std::string_view name) noexcept {
  for (int i = 0; i < reduction_count; ++i)
    if (const auto r = static_cast<reduction>(i); gparray::name(r) == name) return r;
  return {};
}

std::optional<dtype> find_dtype(std::string_view name) noexcept {
  for (int i = 0; i < dtype_count; ++i)
    if (const auto d = static_cast<dtype>(i); gparray::name(d) == name) return d;
  return {};
}

namespace {

char kind_of_number(dtype type) { return kind(type) == 'u' ? 'i' : kind(type); }

/// The dtype that operands promote to; what each array counts as is asked of `counts_as`.
template<class CountsAs>
dtype common_dtype(std::span<const operand> operands, std::string_view signature, CountsAs counts_as) {
  dtype result = dtype::bool_;
  bool arrays = false, inexact = false;
  const auto counts = [&](std::size_t i) { return signature.empty() || signature[i] == 'T'; };
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!counts(i)) continue;
    arrays |= operands[i].is_array();
    inexact |= !operands[i].is_array() && is_inexact(operands[i].dtype());
    if (operands[i].is_array()) result = promote_types(result, counts_as(operands[i].dtype()));
  }
  // As detail::promote_number: whole numbers are weak beside floating ones.
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (counts(i) && !arrays && (!inexact || is_inexact(operands[i].dtype())))
      result = promote_types(result, operands[i].dtype());
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (counts(i) && !operands[i].is_array())
      result = detail::promote_weak(result, kind_of_number(operands[i].dtype()));
  return result;
}

[[noreturn]] void throw_no_loop(ufunc f, std::span<const operand> operands) {
  std::string types;
  for (const operand& x : operands) {
    if (!types.empty()) types += ", ";
    types += name(x.dtype());
  }
  fail<type_error>(
      "ufunc '{}' not supported for the input types ({}), and the inputs could not be safely coerced to any "
      "supported types according to the casting rule 'safe'",
      name(f), types);
}

any_array call(ufunc f, std::initializer_list<operand> operands);

/// Exponents that int32 holds: larger ones give the same result as its ends.
any_array exponents(const any_array& a) {
  using limits = std::numeric_limits<std::int32_t>;
  if (can_cast(a.dtype(), dtype::int32)) return a;
  return call(ufunc::clip, {a, kind(a.dtype()) == 'u' ? 0 : limits::min(), limits::max()});
}

any_array call(ufunc f, std::span<const operand> operands) {
  const std::string_view signature = detail::row(f).signature;
  const dtype common =
      common_dtype(operands, signature, [f](dtype d) { return detail::operand_dtype(f, d); });
  const detail::loop_resolution found = detail::resolve_loop(f, common);
  if (!found.valid) throw_no_loop(f, operands);
  detail::argument arguments[max_arity];
  any_array exponent;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const dtype input = input_dtype(f, static_cast<int>(i), found.loop);
    const bool takes = signature[i] == 'i' ? can_cast(operands[i].dtype(), dtype::int64)
                                           : can_cast(operands[i].dtype(), input, casting::same_kind);
    if (signature[i] != 'T' && !takes) throw_no_loop(f, operands);
    arguments[i] = operands[i].as_argument();
    if (!operands[i].is_array()) {
      arguments[i] = number_as(arguments[i], input, f == ufunc::clip || signature[i] == 'i');
    } else if (signature[i] == 'i') {
      exponent = exponents(operands[i].array());
      arguments[i] = core::named(exponent);
    }
  }
  return detail::make_expression(f, found.loop, {arguments, operands.size()});
}

any_array call(ufunc f, std::initializer_list<operand> operands) {
  return call(f, std::span(operands.begin(), operands.size()));
}

/// Whether a number is an integer that an integer dtype does not hold.
bool is_outside(const operand& number, dtype type) {
  return !number.is_array() && is_integer(type) && is_integer(number.dtype()) &&
         !fits(number.as_argument(), type);
}

/// Comparisons of int64 with uint64, and with integers outside an array's dtype, are exact as in NumPy 2
/// (ufunc/comparison.hpp).
any_array compare(ufunc f, const operand& a, const operand& b) {
  if (!a.is_array() && b.is_array()) return compare(detail::mirrored(f), b, a);
  if (a.is_array() && is_outside(b, a.dtype())) {
    const bool all = detail::outcome(f, is_negative(b.as_argument()) ? 1 : -1);
    return call(all ? ufunc::equal : ufunc::not_equal, {a, a});
  }
  const bool mixed = a.is_array() && b.is_array() && is_integer(a.dtype()) && is_integer(b.dtype()) &&
                     promote_types(a.dtype(), b.dtype()) == dtype::float64;
  if (!mixed) return call(f, {a, b});
  if (kind(a.dtype()) == 'u') return compare(detail::mirrored(f), b, a);
  // A negative left side is below everything unsigned; the others compare as uint64.
  const any_array as_unsigned = call(f, {astype(a.array(), dtype::uint64, false), b});
  if (detail::outcome(f, -1)) return call(ufunc::logical_or, {call(ufunc::less, {a, 0}), as_unsigned});
  return call(ufunc::logical_and, {call(ufunc::greater_equal, {a, 0}), as_unsigned});
}

}  // namespace

dtype result_type(std::span<const operand> operands) {
  return common_dtype(operands, {}, [](dtype d) { return d; });
}

any_array apply(ufunc function, std::span<const operand> operands, const ufunc_options& options) {
  if (function >= ufunc::cast) fail<type_error>("{} is no function of arrays", name(function));
  const auto count = static_cast<std::size_t>(arity(function));
  if (operands.size() != count)
    fail<type_error>("{}() takes {} argument{} but {} were given", name(function), count,
                     count == 1 ? "" : "s", operands.size());
  // Numbers alone make an array of no dimensions on the default device.
  std::vector<operand> arrays;
  if (std::ranges::none_of(operands, &operand::is_array)) {
    arrays.assign(operands.begin(), operands.end());
    arrays[0] = full(dims{}, operands[0], operands[0].dtype());
    operands = arrays;
  }
  const any_array result = detail::is_comparison(function) ? compare(function, operands[0], operands[1])
                                                           : call(function, operands);
  if (options.out.rep() || options.where.rep()) return detail::store_in(result, options);
  detail::name_expression(result);
  return result;
}

}  // namespace dynamic
GPARRAY_END_NAMESPACE
