#include "options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <gparray/error.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace core {

void check_print_options(const print_options& options) {
  constexpr std::array<std::string_view, 4> modes{"fixed", "unique", "maxprec", "maxprec_equal"};
  if (std::find(modes.begin(), modes.end(), options.floatmode) == modes.end())
    throw value_error(
        "floatmode option must be one of \"fixed\", \"unique\", \"maxprec\", \"maxprec_equal\"");
  if (options.sign != '-' && options.sign != '+' && options.sign != ' ')
    throw value_error("sign option must be one of ' ', '+', or '-'");
  if (options.precision < 0 && options.floatmode != "unique") throw value_error("precision must be >= 0");
  if (options.edgeitems < 0) throw value_error("edgeitems must be >= 0");
}

}  // namespace core

void set_printoptions(const print_options& options) {
  core::check_print_options(options);
  // NumPy keeps its options in a context variable, which is per thread too.
  core::of_this_thread<print_options>() = options;
}

print_options get_printoptions() { return core::of_this_thread<print_options>(); }

GPARRAY_END_NAMESPACE
