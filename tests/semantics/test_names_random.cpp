// Random programs of names, on the default device.
#include "support/random_names.hpp"

// A GPU compiles kernels for most of them, and a sanitizer takes ten times as long.
TEST_CASE("names: random programs leave the bits of single steps") {
  const bool are_quick = gparray::default_device().is_cpu() && wanted_sample() == 1;
  random_names::check_programs(are_quick ? 10'000 : 2000);
}

// Of names that are used three times each, 3^20 steps are below the last one.
TEST_CASE("names: more uses than an int counts") { random_names::check_program(1380); }
