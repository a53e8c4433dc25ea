// Whether arrays share memory; arrays as required; what the library is.
#include <algorithm>
#include <numeric>

#include <core/array/array_rep.hpp>
#include <core/array/layout.hpp>
#include <gparray/array/questions.hpp>
#include <plan/backend.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// One term of a sum: coefficient * x with 0 <= x <= last.
struct term {
  std::int64_t coefficient, last;
};

/// Whether the terms from `first` on add up to `sum`. Largest coefficients come first; `largest_sum` and
/// `divisor` are the largest sum of the terms from each on, and the greatest common divisor of their
/// coefficients.
bool has_solution(const std::vector<term>& terms, const std::vector<std::int64_t>& largest_sum,
                  const std::vector<std::int64_t>& divisor, std::size_t first, std::int64_t sum) {
  if (sum == 0) return true;
  if (first == terms.size() || sum < 0 || sum > largest_sum[first] || sum % divisor[first] != 0) return false;
  const term& t = terms[first];
  const std::int64_t rest = first + 1 < terms.size() ? largest_sum[first + 1] : 0;
  // Only so many x leave a sum that the others can reach.
  const std::int64_t least = sum > rest ? (sum - rest + t.coefficient - 1) / t.coefficient : 0;
  for (std::int64_t x = std::min(t.last, sum / t.coefficient); x >= least; --x)
    if (has_solution(terms, largest_sum, divisor, first + 1, sum - x * t.coefficient)) return true;
  return false;
}

void add_terms(std::vector<term>& terms, const array_rep* a) {
  for (std::size_t d = 0; d < a->shape.size(); ++d)
    if (a->shape[d] > 1 && a->strides[d] != 0) terms.push_back({std::abs(a->strides[d]), a->shape[d] - 1});
  terms.push_back({1, static_cast<std::int64_t>(itemsize(a->type)) - 1});
}

}  // namespace

}  // namespace core

using namespace core;

bool shares_memory(const any_array& a, const any_array& b) {
  if (!may_share_memory(a, b)) return false;
  const array_rep *x = computed(a), *y = computed(b);
  const extent p = byte_extent(x->shape, x->strides, itemsize(x->type)),
               q = byte_extent(y->shape, y->strides, itemsize(y->type));
  // A byte of a is its first byte plus terms; a byte of b its last byte minus terms. They are one where all
  // terms add up to the distance.
  const std::int64_t distance = (y->data + q.end - 1) - (x->data + p.begin);
  std::vector<term> terms;
  add_terms(terms, x);
  add_terms(terms, y);
  std::erase_if(terms, [](const term& t) { return t.last == 0; });
  std::sort(terms.begin(), terms.end(),
            [](const term& s, const term& t) { return s.coefficient > t.coefficient; });
  std::vector<std::int64_t> largest_sum(terms.size()), divisor(terms.size());
  std::int64_t reached = 0, common = 0;
  for (std::size_t i = terms.size(); i-- > 0;) {
    largest_sum[i] = reached += terms[i].coefficient * terms[i].last;
    divisor[i] = common = std::gcd(common, terms[i].coefficient);
  }
  return has_solution(terms, largest_sum, divisor, 0, distance);
}

std::pair<const std::byte*, const std::byte*> byte_bounds(const any_array& a) {
  a.raw_data();
  const array_rep* x = computed(a);
  const extent p = byte_extent(x->shape, x->strides, itemsize(x->type));
  return {x->data + p.begin, x->data + p.end};
}

bool isdtype(dtype type, std::string_view kind_name) {
  // Which of the letters of kind() a name stands for.
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"bool", "b"},          {"signed integer", "i"},   {"unsigned integer", "u"}, {"integral", "iu"},
      {"real floating", "f"}, {"complex floating", "c"}, {"numeric", "iufc"}};
  for (const auto& [known, letters] : kinds)
    if (known == kind_name) return letters.find(kind(type)) != std::string_view::npos;
  fail<value_error>(
      "kind argument is a string, but '{}' is not a known kind name. Use one of: bool, signed integer, "
      "unsigned integer, integral, real floating, complex floating, numeric",
      kind_name);
}

bool issubdtype(dtype type, std::string_view of) {
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"generic", "biufc"},   {"number", "iufc"},       {"integer", "iu"},
      {"signedinteger", "i"}, {"unsignedinteger", "u"}, {"inexact", "fc"},
      {"floating", "f"},      {"complexfloating", "c"}, {"bool", "b"}};
  for (const auto& [known, letters] : kinds)
    if (known == of) return letters.find(kind(type)) != std::string_view::npos;
  for (const detail::dtype_row& row : detail::dtype_rows)
    if (row.name == of) return name(type) == of;
  fail<value_error>("data type '{}' not understood", of);
}

std::string show_config() {
  std::string text =
      fmt::format("gparray {}.{}.{}\n", GPARRAY_VERSION_MAJOR, GPARRAY_VERSION_MINOR, GPARRAY_VERSION_PATCH);
  text += "cpu: " + host_backend().device_name(0) + "\n";
  if (backend* gpu = cuda_backend())
    for (int i = 0; i < gpu->device_count(); ++i)
      text += fmt::format("cuda:{}: {}\n", i, gpu->device_name(i));
  else text += "cuda: " + cuda_missing_reason() + "\n";
  return text;
}

namespace detail {

any_array require(const any_array& a, std::string_view requirements) {
  bool c = false, f = false, w = false, o = false;
  for (const char letter : requirements) {
    switch (letter) {
      case 'C':
        c = true;
        break;
      case 'F':
        f = true;
        break;
      case 'W':
        w = true;
        break;
      case 'O':
        o = true;
        break;
      case 'A':
      case 'E':
        break;
      default:
        fail<value_error>("unknown requirement '{}'; known are C, F, A, W, O and E", letter);
    }
  }
  if (c && f) throw value_error("Cannot specify both \"C\" and \"F\" order");
  const order layout = c ? order::C : f ? order::F : order::K;
  const array_rep* rep = computed(a);
  for (std::size_t d = 0; d < rep->shape.size(); ++d)
    if (w && rep->shape[d] > 1 && rep->strides[d] == 0) return copy(a, layout);
  if (o || (w && rep->read_only)) return copy(a, layout);
  return c || f ? in_order(a, layout) : a;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
