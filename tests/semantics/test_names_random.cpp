// Random programs of names, on the default device.
#include "support/random_names.hpp"

TEST_CASE("names: random programs leave the bits of single steps") { random_names::check_programs(2000); }
