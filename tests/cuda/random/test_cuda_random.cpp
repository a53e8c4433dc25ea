// What the CUDA backend makes of draws of random numbers and of cuRAND's generators, on a fake device.
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/random/random_params.hpp>
#include <gparray/error.hpp>
#include <gparray/random/curand_generator.hpp>
#include <kernel/random_row.hpp>
#include <plan/random_plan.hpp>

#include "cuda/support/fake_runtime.hpp"

using namespace gparray;
using namespace gparray::core;
using fake_cuda::model;

namespace {

cuda::random_params seen;

struct fixture {
  fixture() {
    exchange_gpu_backend(gpu.get());
    model.on_launch = [](const fake_cuda::launch_record& l) {
      std::memcpy(static_cast<void*>(&seen), l.params, sizeof seen);
    };
  }
  ~fixture() {
    model.on_launch = nullptr;
    exchange_gpu_backend(nullptr);
  }
  fake_cuda::session session;
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);
};

TEST_CASE("every distribution has one kernel, which makes as many elements as its source") {
  std::set<const void*> kernels;
  int distributions = 0;
  const auto check = [&](distribution d, dtype type, int lanes) {
    const cuda::random_kernel elements = cuda::find_element_kernel(d);
    for (const bool arrays : {false, true}) {
      const cuda::random_kernel blocks = cuda::find_block_kernel(d, type, arrays);
      CHECK((blocks.kernel == nullptr) != (elements.kernel == nullptr));
      CHECK((blocks.kernel ? blocks : elements).lanes == lanes);
      if (!blocks.kernel && arrays) continue;  // the same kernel
      kernels.insert(blocks.kernel ? blocks.kernel : elements.kernel);
      ++distributions;
    }
  };
  const auto lanes_of = []<class Source>(Source*) {
    if constexpr (requires { Source::lanes; }) return Source::lanes;
    else return 1;
  };
#define GPARRAY_DISTRIBUTION(name, source_, result, p1, p2, p3, expression, doc) \
  check(distribution::name, dtype::float64,                                      \
        lanes_of(static_cast<kernel::name##_row::source<double>*>(nullptr)));
#define GPARRAY_ROW_DISTRIBUTION(name, result, expression) check(distribution::name, dtype::float64, 1);
#include <gparray/tables/random.def>
  CHECK(kernels.size() == static_cast<std::size_t>(distributions));
  CHECK(cuda::find_block_kernel(distribution::normal, dtype::float32, false).lanes == 4);
}

TEST_CASE("blocks of threads inside of an aligned array store without a test") {
  fixture f;
  alignas(32) char memory[64];
  random_plan plan;
  plan.op = distribution::standard_normal;
  plan.type = dtype::float32;
  constexpr std::int64_t span = std::int64_t{4} * cuda::random_threads * cuda::random_rounds;
  const auto inner = [&](int offset, std::uint64_t position, std::int64_t size) {
    plan.out = memory + offset;
    plan.position = position;
    plan.size = size;
    f.gpu->random(plan, {0, nullptr});
    return std::pair(seen.inner_begin, seen.inner_count);
  };
  using pair = std::pair<unsigned, unsigned>;
  CHECK(inner(0, 0, 300 * span) == pair{0, 300});
  CHECK(inner(0, 4, 300 * span) == pair{0, 300});
  CHECK(inner(0, 0, 300 * span - 1) == pair{0, 299});
  CHECK(inner(0, 0, 200 * span).second == 0);  // one round
  CHECK(inner(4, 0, 300 * span).second == 0);
  CHECK(inner(0, 1, 300 * span).second == 0);
  // The first block of Philox begins three elements before the array, which is where it would be aligned.
  CHECK(inner(12, 3, 300 * span) == pair{1, 299});
  CHECK(inner(12, 3, 300 * span - 3) == pair{1, 299});
  CHECK(inner(12, 3, 300 * span - 4) == pair{1, 298});
}

TEST_CASE("a launch covers all elements and no block that has none") {
  fixture f;
  char out[16];
  random_plan plan;
  plan.out = out;
  plan.key = 0x0123456789abcdef;
  for (const auto& [d, type, lanes] : {std::tuple{distribution::uniform, dtype::float32, 4},
                                       {distribution::uniform, dtype::float64, 2},
                                       {distribution::gamma, dtype::float64, 1}})
    for (const std::uint64_t position : {0u, 1u, 2u, 3u, 5u})
      for (const std::int64_t size :
           {std::int64_t{1}, std::int64_t{4}, std::int64_t{1023}, std::int64_t{1} << 33}) {
        plan.op = d;
        plan.type = type;
        plan.position = position;
        plan.size = size;
        f.gpu->random(plan, {0, nullptr});
        const auto first = static_cast<std::int64_t>(position) / lanes;
        const std::int64_t last = (static_cast<std::int64_t>(position) + size - 1) / lanes;
        CHECK(seen.blocks == last - first + 1);
        CHECK(model.launches.back().threads == cuda::random_threads);
        const std::int64_t span = cuda::random_threads * seen.rounds;
        CHECK(seen.rounds == (lanes > 1 && size > 1023 ? cuda::random_rounds : 1));
        const std::int64_t launched = (seen.blocks + span - 1) / span;
        CHECK(model.launches.back().blocks == launched);
        // The inner ones begin where the array does or later, and end where it does or earlier.
        const std::int64_t skipped = static_cast<std::int64_t>(position) % lanes;
        CHECK(seen.inner_count <= launched);
        if (seen.inner_count > 0) {
          CHECK(lanes > 1);
          CHECK(std::int64_t{seen.inner_begin} * span * lanes >= skipped);
          CHECK((std::int64_t{seen.inner_begin} + seen.inner_count) * span * lanes <= skipped + size);
        }
        CHECK(seen.size == size);
        CHECK(seen.position == position);
        CHECK(seen.key.low == 0x89abcdef);
        CHECK(seen.key.high == 0x01234567);
        CHECK(seen.narrow == (type == dtype::float32));
      }
}

// cuRAND with everything written down.
std::vector<std::string> said;
curandStatus_t answer = CURAND_STATUS_SUCCESS;
int alive = 0;

template<class... Arguments>
curandStatus_t say(const char* what, Arguments... numbers) {
  std::string line = what;
  ((line += " " + std::to_string(numbers)), ...);
  said.push_back(line);
  return answer;
}

const cuda::curand_table fake_table = [] {
  cuda::curand_table t{};
  t.curandCreateGenerator = [](curandGenerator_t* g, curandRngType_t type) {
    *g = reinterpret_cast<curandGenerator_t>(&alive);
    ++alive;
    say("create", static_cast<int>(type));
    return CURAND_STATUS_SUCCESS;
  };
  t.curandDestroyGenerator = [](curandGenerator_t) {
    --alive;
    return CURAND_STATUS_SUCCESS;
  };
  t.curandSetPseudoRandomGeneratorSeed = [](curandGenerator_t, unsigned long long s) {
    return say("seed", s);
  };
  t.curandSetGeneratorOffset = [](curandGenerator_t, unsigned long long s) { return say("offset", s); };
  t.curandSetQuasiRandomGeneratorDimensions = [](curandGenerator_t, unsigned n) {
    return say("dimensions", n);
  };
  t.curandSetStream = [](curandGenerator_t, cudaStream_t) { return say("stream"); };
  t.curandGenerate = [](curandGenerator_t, unsigned*, std::size_t n) { return say("words", n); };
  t.curandGenerateUniform = [](curandGenerator_t, float*, std::size_t n) { return say("floats", n); };
  t.curandGenerateNormalDouble = [](curandGenerator_t, double*, std::size_t n, double a, double b) {
    return say("normal doubles", n, static_cast<int>(a), static_cast<int>(b));
  };
  t.curandGeneratePoisson = [](curandGenerator_t, unsigned*, std::size_t n, double lam) {
    return say("poisson", n, static_cast<int>(lam));
  };
  return t;
}();

struct curand_fixture : fixture {
  curand_fixture() {
    said.clear();
    cuda::exchange_curand(&fake_table);
  }
  ~curand_fixture() {
    cuda::exchange_curand(nullptr);
    answer = CURAND_STATUS_SUCCESS;
  }
};

TEST_CASE("cuRAND's generators") {
  curand_fixture f;
  using random::curand_kind;
  const random::curand_options on_gpu{.offset = 40, .device = device::cuda(0)};
  {
    random::curand_generator rng(curand_kind::MRG32k3a, 7, on_gpu);
    CHECK(said == std::vector<std::string>{"create 121", "seed 7", "offset 40"});
    said.clear();
    CHECK(rng.random<float>({3, 4}).shape() == dims{3, 4});
    CHECK(rng.normal(2, 3, 5).shape() == dims{5});
    CHECK(rng.poisson(9, 5).dtype() == dtype::uint32);
    CHECK(rng.bits(0).size() == 0);
    // Normal variates come in pairs.
    CHECK(said == std::vector<std::string>{"stream", "floats 12", "stream", "normal doubles 6 2 3", "stream",
                                           "poisson 5 9"});
    const random::curand_generator copy = rng;
    CHECK(alive == 1);
  }
  CHECK(alive == 0);
  said.clear();
  random::curand_generator sobol(curand_kind::Sobol32, 7, {.dimensions = 3, .device = device::cuda(0)});
  CHECK(said == std::vector<std::string>{"create 201", "dimensions 3"});
  said.clear();
  (void)sobol.normal(2, 3, 5);
  CHECK(said.back() == "normal doubles 5 2 3");
  answer = CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  CHECK_THROWS_WITH_AS(
      (void)sobol.bits(4),
      "curandSetStream failed while drawing random numbers: the size is not a multiple of the "
      "dimensions (105)",
      cuda_error);
  CHECK_THROWS_AS(random::curand_generator(curand_kind::XORWOW, 7, on_gpu), cuda_error);
  CHECK(alive == 1);  // the one that could not be made is gone
  CHECK_THROWS_AS(random::curand_generator(curand_kind::XORWOW, 1, {.device = device::cpu()}), device_error);
  CHECK_THROWS_AS(
      random::curand_generator(curand_kind::Sobol64, 1, {.dimensions = 0, .device = device::cuda(0)}),
      value_error);
}

}  // namespace
