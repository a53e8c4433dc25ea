// The checks of functions that are given functions.
#include <gparray/manipulation/functional.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

void throw_apply(std::string_view why) { throw value_error(std::string(why)); }

void check_piecewise(std::size_t conditions, std::size_t functions) {
  if (functions == conditions || functions == conditions + 1) return;
  core::fail<value_error>("with {} condition(s), either {} or {} functions are expected", conditions,
                          conditions, conditions + 1);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
