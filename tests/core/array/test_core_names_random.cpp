// Random programs of names by the rules of a GPU: which names it does not store, and that the size of arrays
// does not count.
#include "core/support/fake_gpu.hpp"
#include "support/random_names.hpp"

TEST_CASE("names: random programs leave the bits of single steps on a GPU") {
  const fake::installed fake;
  random_names::check_programs(600);
  CHECK(fake.gpu.loops > 20 / wanted_sample());
}
