// Which bytes belong to an array, and whether some belong to two.
#include <algorithm>
#include <numeric>

#include <core/array/array_rep.hpp>
#include <core/array/layout.hpp>
#include <gparray/array/questions.hpp>

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

bool shares_memory(const any_array& a, const any_array& b) {
  if (!may_share_memory(a, b)) return false;
  const core::array_rep *x = core::computed(a), *y = core::computed(b);
  const core::extent p = core::byte_extent(x->shape, x->strides, itemsize(x->type)),
                     q = core::byte_extent(y->shape, y->strides, itemsize(y->type));
  // A byte of a is its first byte plus terms; a byte of b its last byte minus terms. They are one where all
  // terms add up to the distance.
  const std::int64_t distance = (y->data + q.end - 1) - (x->data + p.begin);
  std::vector<core::term> terms;
  core::add_terms(terms, x);
  core::add_terms(terms, y);
  std::erase_if(terms, [](const core::term& t) { return t.last == 0; });
  std::sort(terms.begin(), terms.end(),
            [](const core::term& s, const core::term& t) { return s.coefficient > t.coefficient; });
  std::vector<std::int64_t> largest_sum(terms.size()), divisor(terms.size());
  std::int64_t reached = 0, common = 0;
  for (std::size_t i = terms.size(); i-- > 0;) {
    largest_sum[i] = reached += terms[i].coefficient * terms[i].last;
    divisor[i] = common = std::gcd(common, terms[i].coefficient);
  }
  return core::has_solution(terms, largest_sum, divisor, 0, distance);
}

std::pair<const std::byte*, const std::byte*> byte_bounds(const any_array& a) {
  a.raw_data();
  const core::array_rep* x = core::computed(a);
  const core::extent p = core::byte_extent(x->shape, x->strides, itemsize(x->type));
  return {x->data + p.begin, x->data + p.end};
}

GPARRAY_END_NAMESPACE
