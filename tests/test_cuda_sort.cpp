// Sorting, searching and reducing runs as the CUDA backend does it: its launches run on the CPU, with the
// kernels as g++ compiles them, and must leave what the CPU backend leaves.
#include <core/order_plan.hpp>
#include <cuda/backend.hpp>
#include <cuda/order_params.hpp>
#include <unordered_map>

#include "cuda_twin.hpp"
#include "emulated_kernels.hpp"

using namespace twin;

namespace {

std::unordered_map<const void*, emulation::run_function> launched;
int n_missed;

void emulate(const fake_cuda::launch_record& r) {
  const auto found = launched.find(r.kernel);
  if (found == launched.end()) ++n_missed;
  else found->second(r.params, r.blocks, r.threads);
}

struct typed_case {
  dtype type;
  const char* name;
  bool wide_only;
};
constexpr typed_case cases[] = {{dtype::bool_, "bool", false},
                                {dtype::int8, "signed char", false},
                                {dtype::uint16, "unsigned short", false},
                                {dtype::float16, "gparray::float16", false},
                                {dtype::int32, "int", false},
                                {dtype::float32, "float", false},
                                {dtype::float64, "double", true},
                                {dtype::uint64, "unsigned long", true}};

/// The kernels of order_params.hpp as g++ compiles them, by the addresses that the backend launches.
std::unordered_map<const void*, emulation::run_function> compile_kernels() {
  static emulation::program program;
  program.include("sort_kernels.cuh");
  program.include("run_kernels.cuh");
  std::vector<std::pair<const void*, std::size_t>> wanted;
  const auto want = [&](const void* kernel, const std::string& expression) {
    wanted.emplace_back(kernel, program.add("gparray::core::cuda::" + expression, false));
  };
  for (const typed_case& c : cases) {
    const std::string type = c.name;
    for (const bool wide : {false, true}) {
      if (c.wide_only && !wide) continue;
      const std::string key = wide ? ", unsigned long>" : ", unsigned>";
      want(cuda::make_keys_kernel(c.type, wide), "make_keys<" + type + key);
      want(cuda::take_elements_kernel(c.type, wide), "take_elements<" + type + key);
    }
    want(cuda::find_search_kernel(c.type), "find_places<" + type + ">");
  }
  for (const bool wide : {false, true}) {
    const cuda::radix_kernels k = cuda::find_radix_kernels(wide);
    const std::string key = wide ? "<unsigned long>" : "<unsigned>";
    want(k.count, "count_digits" + key);
    want(k.scatter, "scatter_keys" + key);
    if (wide) want(k.offsets, "digit_offsets");
  }
  want(cuda::find_bin_kernel(true), "count_numbers<true>");
  want(cuda::find_bin_kernel(false), "count_numbers<false>");
  want(cuda::rows_of_numbers_kernel(), "rows_of_numbers");
  want(cuda::numbers_in_rows_kernel(), "numbers_in_rows");
  want(cuda::pick_numbered_kernel(8), "pick_numbered<std::uint64_t>");
  want(cuda::find_run_kernel(reduction::sum, dtype::int32),
       "reduce_run<gparray::kernel::sum_reduction<int>, int>");
  want(cuda::find_run_kernel(reduction::max, dtype::float32),
       "reduce_run<gparray::kernel::max_reduction<float>, float>");
  program.build();
  std::unordered_map<const void*, emulation::run_function> kernels;
  for (const auto& [kernel, number] : wanted) kernels[kernel] = program.kernel(number);
  return kernels;
}

/// A fake device that runs them.
struct fixture {
  fixture() {
    static const std::unordered_map<const void*, emulation::run_function> kernels = compile_kernels();
    launched = kernels;
    n_missed = 0;
    fake_cuda::model.on_launch = emulate;
  }

  fake_cuda::session session;
  cuda::cuda_backend_type gpu{1};
  random_numbers random;
};

/// Numbers that often repeat, NaN and zeros of both signs among them.
std::vector<std::byte> make_values(dtype type, std::int64_t n, random_numbers& random) {
  const std::size_t item = itemsize(type);
  std::vector<std::byte> values(static_cast<std::size_t>(n) * item);
  for (std::int64_t i = 0; i < n; ++i) {
    const double u = random();
    double value = std::floor(u * 3000) - (kind(type) == 'u' ? 0 : 1500);
    if (kind(type) == 'f' && u < .02) value = std::nan("");
    else if (kind(type) == 'f' && u < .05) value = -0.0;
    write(type, &values[static_cast<std::size_t>(i) * item], value);
  }
  return values;
}

void check_sort(fixture& f, dtype type, std::int64_t rows, std::int64_t n) {
  CAPTURE(name(type));
  CAPTURE(rows);
  CAPTURE(n);
  const std::vector<std::byte> values = make_values(type, rows * n, f.random);
  std::vector<std::byte> sorted[2] = {values, values};
  std::vector<std::int64_t> order[2];
  backend* const backends[] = {&host_backend(), &f.gpu};
  for (int i = 0; i < 2; ++i) {
    backends[i]->sort({type, rows, n, sorted[i].data(), sorted[i].data(), nullptr}, {});
    order[i].assign(static_cast<std::size_t>(rows * n), -1);
    backends[i]->sort({type, rows, n, values.data(), nullptr, order[i].data()}, {});
  }
  std::size_t different = 0;
  for (std::size_t i = 0; i < sorted[0].size(); i += itemsize(type))
    different += distance(type, &sorted[0][i], &sorted[1][i]) != 0;
  CHECK(different == 0);
  CHECK((order[0] == order[1]));
}

}  // namespace

TEST_CASE_FIXTURE(fixture, "rows are sorted as the CPU sorts them") {
  check_sort(*this, dtype::bool_, 1, 4500);  // a tile and a part of one
  check_sort(*this, dtype::int8, 300, 17);   // rows among the bits of the keys
  check_sort(*this, dtype::uint16, 3, 1400);
  check_sort(*this, dtype::float16, 1, 1);
  check_sort(*this, dtype::float32, 2, 4100);
  check_sort(*this, dtype::int32, 1, 300);
  check_sort(*this, dtype::float64, 60, 17);  // rows in a pass of their own
  check_sort(*this, dtype::uint64, 1, 300);
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture, "places are found as the CPU finds them") {
  for (const typed_case& c : cases) {
    CAPTURE(name(c.type));
    const std::vector<std::byte> values = make_values(c.type, 700, random);
    std::vector<std::byte> sorted = make_values(c.type, 1000, random);
    host_backend().sort({c.type, 1, 1000, sorted.data(), sorted.data(), nullptr}, {});
    for (const bool right : {false, true}) {
      std::vector<std::int64_t> expected(700, -1), found(700, -2);
      host_backend().search({c.type, right, 1000, 700, sorted.data(), values.data(), expected.data()}, {});
      gpu.search({c.type, right, 1000, 700, sorted.data(), values.data(), found.data()}, {});
      CHECK((expected == found));
    }
  }
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture, "runs are reduced as the CPU reduces them") {
  const std::vector<std::int64_t> begins{0, 5, 5, 100, 3}, ends{5, 5, 90, 300, 4};
  for (const auto& [op, type] :
       {std::pair{reduction::sum, dtype::int32}, std::pair{reduction::max, dtype::float32}}) {
    const std::vector<std::byte> values = make_values(type, 3 * 300, random);
    std::vector<std::byte> expected(15 * 8), found(15 * 8);
    host_backend().reduce_runs(
        {op, type, 3, 300, 5, values.data(), begins.data(), ends.data(), expected.data()}, {});
    gpu.reduce_runs({op, type, 3, 300, 5, values.data(), begins.data(), ends.data(), found.data()}, {});
    std::size_t different = 0;
    const dtype result = result_dtype(op, type);
    for (std::size_t i = 0; i < 15 * itemsize(result); i += itemsize(result))
      different += distance(result, &expected[i], &found[i]) != 0;
    CHECK(different == 0);
  }
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture, "numbers are counted as the CPU counts them") {
  for (const std::int64_t n_bins : {3, 100000}) {
    std::vector<std::int64_t> numbers(9000), expected(static_cast<std::size_t>(n_bins), -1), found = expected;
    for (std::int64_t& number : numbers)
      number = static_cast<std::int64_t>(random() * random() * static_cast<double>(n_bins));
    host_backend().count_bins({9000, n_bins, numbers.data(), nullptr, expected.data()}, {});
    gpu.count_bins({9000, n_bins, numbers.data(), nullptr, found.data()}, {});
    CHECK((expected == found));
  }
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture, "a row that is too long is an error before anything is launched") {
  std::int64_t order = 0;
  CHECK_THROWS_AS(gpu.sort({dtype::int8, 1, (std::int64_t{1} << 31) + 1, &order, nullptr, &order}, {}),
                  value_error);
  CHECK(fake_cuda::model.launches.empty());
}
