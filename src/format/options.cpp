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

namespace {

struct options_of_thread {
  print_options value = print_options::defaults();
};

print_options& mine() { return core::of_this_thread<options_of_thread>().value; }

}  // namespace

// All by name: what is not named would be asked of the thread, whose first options these are.
print_options print_options::defaults() {
  return {.precision = 8,
          .threshold = 1000,
          .edgeitems = 3,
          .linewidth = 75,
          .suppress = false,
          .nanstr = "nan",
          .infstr = "inf",
          .sign = '-',
          .floatmode = "maxprec"};
}

const print_options& detail::thread_printoptions() { return mine(); }

void set_printoptions(const print_options& options) {
  core::check_print_options(options);
  // NumPy keeps its options in a context variable, which is per thread too.
  mine() = options;
}

print_options get_printoptions() { return mine(); }

GPARRAY_END_NAMESPACE
