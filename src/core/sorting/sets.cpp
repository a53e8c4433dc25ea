// Vectors as sets: what a table finds sooner than a search.
#include <limits>

#include <core/array/temporary.hpp>
#include <core/creation/typed.hpp>
#include <core/indexing/number_range.hpp>
#include <core/math/typed.hpp>
#include <core/runtime/stream_state.hpp>
#include <core/sorting/sort_plans.hpp>
#include <core/sorting/typed.hpp>
#include <gparray/sorting/sets.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

any_array found_in_table(const any_array& a, const any_array& b) {
  if (a.device() != b.device() || a.size() == 0 || b.size() == 0) return {};
  // The range is waited for: on a GPU that takes longer than to sort a few, and a recording cannot.
  constexpr std::int64_t worth_a_wait = 1'000'000;
  if (a.device().is_cuda() && (a.size() + b.size() < worth_a_wait || recording_on(any_device))) return {};
  // Numbers that are used several times are stored.
  const ndarray<std::int64_t> values = typed<std::int64_t>(any_array(a.eval())),
                              wanted = typed<std::int64_t>(any_array(b.eval()));
  const number_range range = range_of(wanted);
  // As many bytes as NumPy takes, and only where a search of b would take longer than to fill them.
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min() + 1,
                         greatest = std::numeric_limits<std::int64_t>::max() - 1;
  std::int64_t span = 0;
  if (range.least < least || range.greatest > greatest ||
      __builtin_sub_overflow(range.greatest, range.least, &span) || span / 6 > a.size() + b.size())
    return {};
  // With a place on either side for what is below and above.
  const ndarray<bool> table = zeros<bool>(span + 3, {.device = a.device()});
  table(wanted - (range.least - 1)) = true;
  return table(clip(values, range.least - 1, range.greatest + 1) - (range.least - 1)).eval();
}

any_array found_among(const any_array& sorted, const any_array& values, gparray::dtype common) {
  if (sorted.device() != values.device()) throw_device_mismatch("isin", sorted.device(), values.device());
  return are_among(astype(named(sorted), common, false), astype(named(values), common, false));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
