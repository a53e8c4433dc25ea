// Random programs of names, on the default device.
#include "support/random_names.hpp"

TEST_CASE("names: random programs leave the bits of single steps") { random_names::check_programs(2000); }

// Of names that are used three times each, 3^20 steps are below the last one.
TEST_CASE("names: more uses than an int counts") { random_names::check_program(1380); }
