// What matrices of a known form refuse.
#include <core/errors.hpp>
#include <core/shape_text.hpp>
#include <gparray/special_matrices.hpp>

#include <bit>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

void throw_matrix(std::string_view why) { throw value_error(std::string(why)); }

void check_hadamard(std::int64_t n) {
  if (n < 1 || !std::has_single_bit(static_cast<std::uint64_t>(n)))
    throw value_error("n must be an positive integer, and n must be a power of 2");
}

void check_helmert(std::int64_t n) {
  if (n < 1) fail<value_error>("helmert: n must be at least 1, not {}", n);
}

void check_leslie(const any_array& f, const any_array& s) {
  if (f.ndim() != 1 || s.ndim() != 1) throw value_error("leslie: f and s must be one-dimensional");
  if (f.size() != s.size() + 1)
    throw value_error(
        "Incorrect lengths for f and s. The length of s along the last axis must be one less than the length "
        "of f.");
  if (s.size() == 0) throw value_error("The length of s must be at least 1.");
}

void check_khatri_rao(const any_array& a, const any_array& b) {
  if (a.ndim() < 2 || b.ndim() < 2) throw value_error("Both arrays should be at least two-dimensional.");
  if (a.shape(-1) != b.shape(-1)) throw value_error("The number of columns for both arrays should be equal.");
}

std::pair<std::int64_t, std::int64_t> convolution_rows(const any_array& a, std::int64_t n,
                                                       std::string_view mode) {
  if (n <= 0) throw value_error("n must be a positive integer.");
  if (a.ndim() != 1) throw value_error("convolution_matrix expects a one-dimensional array as input");
  const std::int64_t m = a.size(), all = m + n - 1;
  if (m == 0) throw value_error("len(a) must be at least 1.");
  if (mode == "full") return {0, all};
  if (mode != "same" && mode != "valid")
    fail<value_error>("'mode' argument must be one of ('full', 'valid', 'same')");
  const std::int64_t kept = mode == "same" ? std::max(m, n) : std::max(m, n) - std::min(m, n) + 1;
  const std::int64_t first = mode == "same" ? (all - kept) / 2 : std::min(m, n) - 1;
  return {first, first + kept};
}

}  // namespace detail
GPARRAY_END_NAMESPACE
