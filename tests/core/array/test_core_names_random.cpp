// Random programs of names by the rules of a GPU: which names it does not store, and that the size of arrays
// does not count.
#include <core/array/pending_list.hpp>

#include "core/support/fake_gpu.hpp"
#include "support/random_names.hpp"

TEST_CASE("names: random programs leave the bits of single steps on a GPU") {
  const fake::installed fake;
  random_names::check_programs(600);
  CHECK(fake.gpu.loops > 20 / wanted_sample());
}

TEST_CASE("names: random programs whose pending steps may keep next to nothing leave the same bits") {
  struct keeping_little {
    const std::int64_t before = gparray::core::little_kept.exchange(1 << 10);
    ~keeping_little() { gparray::core::little_kept = before; }
  } little;
  SUBCASE("on a GPU") {
    const fake::installed fake;
    random_names::check_programs(200);
  }
  SUBCASE("on a CPU") { random_names::check_programs(200); }
}
