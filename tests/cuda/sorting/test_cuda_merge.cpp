// Merging two runs as the CUDA backend does it: its launches run on the CPU, with the kernels as g++ compiles
// them, and must leave what sorting all elements leaves.
#include <algorithm>
#include <numeric>

#include <cuda/backend.hpp>
#include <cuda/sorting/merge_params.hpp>
#include <plan/order_plan.hpp>

#include "cuda/support/emulated_launches.hpp"
#include "cuda/support/repeating_values.hpp"

using namespace twin;

namespace {

emulation::kernel_map compile_kernels() {
  static emulation::program program;
  program.include("cuda/sorting/merge_kernels.cuh");
  std::vector<std::pair<const void*, std::size_t>> wanted;
  const auto want = [&](const void* kernel, const std::string& expression) {
    wanted.emplace_back(kernel, program.add("gparray::core::cuda::" + expression, false));
  };
  for (const auto& [type, of_bits] :
       {std::pair{dtype::uint8, "<unsigned char"}, std::pair{dtype::float16, "<unsigned short"},
        std::pair{dtype::float32, "<unsigned"}, std::pair{dtype::float64, "<unsigned long"},
        std::pair{dtype::complex64, "<gparray::kernel::complex<float>"},
        std::pair{dtype::complex128, "<gparray::kernel::complex<double>"}})
    for (const bool with_numbers : {false, true}) {
      const cuda::merge_kernels kernels = cuda::find_merge_kernels(type, with_numbers);
      const std::string types = of_bits + std::string(with_numbers ? ", true>" : ", false>");
      want(kernels.find_cuts, "find_merge_cuts" + types);
      want(kernels.merge, "merge_tiles" + types);
    }
  return emulation::built(program, wanted);
}

struct fixture : emulation::launching_device<&compile_kernels> {
  random_numbers random;
};

/// Two runs, of which the second has so many elements, merged by both backends, and by std::stable_sort.
void check_merge(fixture& f, dtype type, std::int64_t n, std::int64_t n_second) {
  CAPTURE(name(type));
  CAPTURE(n);
  CAPTURE(n_second);
  const std::size_t item = itemsize(type);
  std::vector<std::byte> values = repeating_values(type, n, f.random);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 1000);
  const std::int64_t n_first = n - n_second;
  std::byte* const second = values.data() + static_cast<std::size_t>(n_first) * item;
  host_backend().sort({type, 1, n_first, values.data(), values.data(), nullptr}, {});
  host_backend().sort({type, 1, n_second, second, second, nullptr}, {});
  std::vector<std::byte> expected = values, sorted[2][2];
  host_backend().sort({type, 1, n, expected.data(), expected.data(), nullptr}, {});
  std::vector<std::int64_t> order(numbers), merged[2];
  host_backend().sort({type, 1, n, values.data(), nullptr, order.data()}, {});
  backend* const backends[] = {&host_backend(), &f.gpu};
  for (const std::size_t i : {0, 1})
    for (const bool with_numbers : {false, true}) {
      sorted[i][with_numbers].resize(values.size());
      merged[i].resize(numbers.size());
      sort_plan plan{
          type, 1, n, nullptr, sorted[i][with_numbers].data(), with_numbers ? merged[i].data() : nullptr};
      plan.first = {values.data(), n_first, with_numbers ? numbers.data() : nullptr};
      plan.second = {second, n_second, with_numbers ? numbers.data() + n_first : nullptr};
      backends[i]->sort(plan, {});
    }
  for (const std::size_t i : {0, 1}) {
    CAPTURE(i);
    CHECK((sorted[i][0] == expected));
    std::vector<std::int64_t> positions;
    for (const std::int64_t number : merged[i]) positions.push_back(number - 1000);
    CHECK((positions == order));
    std::vector<std::byte> by_number;
    for (const std::int64_t at : order)
      by_number.insert(by_number.end(), values.begin() + at * static_cast<std::int64_t>(item),
                       values.begin() + (at + 1) * static_cast<std::int64_t>(item));
    CHECK((sorted[i][1] == by_number));
  }
}

/// Complex numbers, of which many are equal and some have parts that are NaN.
template<class T>
void check_complex_merge(fixture& f, dtype type, std::size_t n_first, std::size_t n_second) {
  using number = gparray::kernel::complex<T>;
  const auto before = [](const number& a, const number& b) { return gparray::kernel::sorts_before(a, b); };
  std::vector<number> values;
  const auto part = [&] { return f.random() < .05 ? T(std::nan("")) : T(std::floor(f.random() * 20) - 10); };
  for (std::size_t i = 0; i < n_first + n_second; ++i) values.push_back({part(), part()});
  const auto second = values.begin() + static_cast<std::ptrdiff_t>(n_first);
  std::stable_sort(values.begin(), second, before);
  std::stable_sort(second, values.end(), before);
  std::vector<std::int64_t> numbers(values.size()), expected;
  std::iota(numbers.begin(), numbers.end(), 0);
  expected = numbers;
  std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
    return before(values[static_cast<std::size_t>(a)], values[static_cast<std::size_t>(b)]);
  });
  backend* const backends[] = {&host_backend(), &f.gpu};
  for (backend* const each : backends)
    for (const bool with_numbers : {false, true}) {
      CAPTURE(with_numbers);
      std::vector<number> sorted(values.size());
      std::vector<std::int64_t> merged(values.size());
      sort_plan plan{type,
                     1,
                     static_cast<std::int64_t>(values.size()),
                     nullptr,
                     sorted.data(),
                     with_numbers ? merged.data() : nullptr};
      plan.first = {values.data(), static_cast<std::int64_t>(n_first), numbers.data()};
      plan.second = {&*second, static_cast<std::int64_t>(n_second), numbers.data() + n_first};
      each->sort(plan, {});
      if (with_numbers) CHECK((merged == expected));
      bool same = true;
      for (std::size_t i = 0; i < sorted.size(); ++i)
        same &= std::memcmp(&sorted[i], &values[static_cast<std::size_t>(expected[i])], sizeof(number)) == 0;
      CHECK(same);
    }
}

}  // namespace

TEST_CASE_FIXTURE(fixture, "two runs are merged as sorting both together puts them") {
  check_merge(*this, dtype::float32, 2, 1);
  check_merge(*this, dtype::float32, 9000, 4000);  // several tiles
  check_merge(*this, dtype::float32, cuda::merge_tile<float>, 17);
  check_merge(*this, dtype::float32, 4000, 3999);
  check_merge(*this, dtype::bool_, 8000, 5000);  // of one number, and then of the other
  check_merge(*this, dtype::uint8, 4100, 2000);
  check_merge(*this, dtype::float16, 5000, 1000);
  check_merge(*this, dtype::float64, 6000, 2500);
  check_merge(*this, dtype::int64, 3000, 1);
  check_complex_merge<float>(*this, dtype::complex64, 2000, 1500);
  check_complex_merge<double>(*this, dtype::complex128, 1000, 2100);
}
