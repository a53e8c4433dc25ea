// The cache of plans: which stay, which go, and what is counted. And libraries that are not there.
#include <thread>

#include <doctest/doctest.h>

#include <gparray/error.hpp>
#include <plan/fft_cache.hpp>
#include <support/shared_library.hpp>

using namespace gparray;
using core::fft_cache;

namespace {

int alive = 0;

struct counted_plan final : core::prepared_fft {
  explicit counted_plan(std::size_t size) {
    bytes = size;
    ++alive;
  }
  ~counted_plan() override { --alive; }
};

fft_cache::handle get(fft_cache& cache, std::int64_t number, std::size_t bytes = 10) {
  return cache.find_or_make({number}, [&] { return std::make_shared<counted_plan>(bytes); });
}

bool has(fft_cache& cache, std::int64_t number) {
  bool made = false;
  const core::fft_plan_holder anything_stays;  // so that asking makes no difference to limits of 0
  cache.find_or_make({number}, [&] {
    made = true;
    return std::make_shared<counted_plan>(0);
  });
  return !made;
}

}  // namespace

TEST_CASE("the plan that was not used for longest leaves first") {
  {
    fft_cache cache;
    cache.set_max_plans(2);
    get(cache, 1);
    get(cache, 2);
    get(cache, 1);
    get(cache, 3);
    CHECK(alive == 2);
    CHECK(cache.info().n_plans == 2);
    CHECK(cache.info().bytes == 20);
    CHECK(cache.info().hits == 1);
    CHECK(cache.info().misses == 3);
    CHECK(has(cache, 1));
    CHECK(has(cache, 3));
    CHECK_FALSE(has(cache, 2));
  }
  CHECK(alive == 0);
}

TEST_CASE("bytes are limited, too") {
  fft_cache cache;
  cache.set_max_bytes(100);
  get(cache, 1, 60);
  get(cache, 2, 50);
  CHECK(cache.info().bytes == 50);
  CHECK(cache.info().largest_work == 50);
  get(cache, 3, 101);  // larger than everything that may be kept: the others need not go for it
  CHECK(cache.info().n_plans == 1);
  cache.set_max_bytes(49);
  CHECK(cache.info().n_plans == 0);
  CHECK(alive == 0);
}

TEST_CASE("a lower limit takes what is there at once") {
  fft_cache cache;
  for (std::int64_t number = 1; number <= 4; ++number) get(cache, number);
  cache.set_max_plans(2);
  CHECK(alive == 2);
  CHECK(cache.info().bytes == 20);
  cache.set_max_bytes(20);
  CHECK(alive == 2);
  cache.set_max_bytes(19);
  CHECK(alive == 1);
  CHECK(has(cache, 4));
  cache.set_max_plans(-1);  // as 0
  CHECK(alive == 0);
}

TEST_CASE("a plan that somebody holds stays, limits or not") {
  fft_cache cache;
  const fft_cache::handle first = get(cache, 1);
  cache.set_max_plans(1);
  get(cache, 2);
  get(cache, 3);
  CHECK(has(cache, 1));
  cache.clear();
  CHECK(cache.info().hits == 0);
  CHECK(cache.info().n_plans == 1);
  CHECK(has(cache, 1));
}

TEST_CASE("a holder takes all plans of its thread, even where none would be kept") {
  fft_cache cache;
  cache.set_max_plans(0);
  get(cache, 1);
  CHECK(alive == 0);
  {
    core::fft_plan_holder holder;
    get(cache, 1);
    get(cache, 2);
    CHECK(holder.plans.size() == 2);
    std::thread([&] { get(cache, 3); }).join();
    CHECK(holder.plans.size() == 2);
    CHECK(cache.info().n_plans == 2);
    get(cache, 1);
    CHECK(cache.info().hits == 1);
  }
  cache.clear();
  CHECK(alive == 0);
}

TEST_CASE("what making a plan throws leaves the cache as it was") {
  fft_cache cache;
  CHECK_THROWS_AS(cache.find_or_make({1}, []() -> fft_cache::handle { throw out_of_memory("no"); }),
                  out_of_memory);
  CHECK(cache.info().n_plans == 0);
  CHECK_FALSE(has(cache, 1));
}

TEST_CASE("a library that is not there is an error that names the remedy") {
  const std::string folders[] = {"", "/nowhere"};
  std::string text;
  try {
    core::open_library({"libgparray_missing.so.3"}, folders, "Install gparray-missing");
  } catch (const library_error& e) {
    text = e.what();
  }
  CHECK(text.find("libgparray_missing.so.3 could not be loaded (") == 0);
  CHECK(text.ends_with("). Install gparray-missing"));
  const std::string here[] = {""};
  void* const c_library = core::open_library({"libc.so.6"}, here, "");
  CHECK(core::find_symbol(c_library, "memcpy", "C", "") != nullptr);
  CHECK_THROWS_WITH_AS(core::find_symbol(c_library, "gparray_missing", "C", "Install a newer one"),
                       "C has no function gparray_missing: it is too old. Install a newer one",
                       library_error);
}
