// Sorting, selecting, searching and reducing runs as the CUDA backend does it: its launches run on the CPU,
// with the kernels as g++ compiles them, and must leave what the CPU backend leaves.
#include <bit>
#include <numeric>
#include <unordered_map>

#include <cuda/backend.hpp>
#include <cuda/cub/cub_calls.hpp>
#include <cuda/device/index_params.hpp>
#include <cuda/sorting/order_params.hpp>
#include <cuda/sorting/radix_params.hpp>
#include <cuda/sorting/select_params.hpp>
#include <plan/order_plan.hpp>

#include "cuda/support/emulated_kernels.hpp"
#include "cuda/support/repeating_values.hpp"

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
};
constexpr typed_case cases[] = {{dtype::bool_, "bool"},
                                {dtype::int8, "signed char"},
                                {dtype::uint16, "unsigned short"},
                                {dtype::float16, "gparray::float16"},
                                {dtype::int32, "int"},
                                {dtype::float32, "float"},
                                {dtype::float64, "double"},
                                {dtype::uint64, "unsigned long"}};

/// What the kernels of a compaction do, which are not those under test: the first is done by the second.
void count_flags(const void*, unsigned, unsigned) {}
void write_selected(const void* params, unsigned, unsigned) {
  const auto& p = *static_cast<const cuda::compact_params*>(params);
  REQUIRE(p.in == nullptr);
  auto* to = reinterpret_cast<std::int64_t*>(p.out);
  for (std::uint32_t i = 0; i < p.size; ++i)
    if (p.mask[i]) *to++ = p.first + i;
}

/// The kernels of order_params.hpp as g++ compiles them, by the addresses that the backend launches.
std::unordered_map<const void*, emulation::run_function> compile_kernels() {
  static emulation::program program;
  program.include("cuda/sorting/complex_kernels.cuh");
  program.include("cuda/sorting/radix_kernels.cuh");
  program.include("cuda/sorting/row_sort.cuh");
  program.include("cuda/sorting/select_kernels.cuh");
  program.include("cuda/sorting/sort_kernels.cuh");
  program.include("cuda/sorting/run_kernels.cuh");
  program.include("cuda/sorting/bin_kernels.cuh");
  program.include("cuda/sorting/nan_tail.cuh");
  std::vector<std::pair<const void*, std::size_t>> wanted;
  const auto want = [&](const void* kernel, const std::string& expression) {
    wanted.emplace_back(kernel, program.add("gparray::core::cuda::" + expression, false));
  };
  for (const typed_case& c : cases)
    want(cuda::find_search_kernel(c.type), "find_positions<" + std::string(c.name) + ">");
  for (const bool keys_are_64_bit : {false, true}) {
    const std::string key = keys_are_64_bit ? "<unsigned long" : "<unsigned";
    want(cuda::find_digit_kernel(keys_are_64_bit), "count_digits" + key + ">");
    want(cuda::find_select_kernel(keys_are_64_bit), "select_digit" + key + ">");
    want(cuda::find_mark_kernel(keys_are_64_bit), "mark_top" + key + ">");
    for (const bool with_numbers : {false, true}) {
      const std::string types = key + (with_numbers ? ", true" : ", false");
      for (const bool few : {false, true}) {
        if (few && keys_are_64_bit) continue;
        const std::string shape = "gparray::core::cuda::pass_shape" + types + (few ? ", true>" : ", false>");
        want(cuda::find_pass_kernel(keys_are_64_bit, with_numbers, few ? 0 : cuda::few_keys).address,
             "sort_pass" + types + ", " + shape + ">");
      }
      want(cuda::find_row_kernel(keys_are_64_bit, with_numbers), "sort_rows" + types + ">");
    }
  }
  want(cuda::find_bin_kernel(true), "count_numbers<true>");
  want(cuda::find_bin_kernel(false), "count_numbers<false>");
  want(cuda::find_between_kernel(dtype::float32), "count_between<float>");
  want(cuda::find_between_kernel(dtype::int32), "count_between<int>");
  for (const auto& [type, real] :
       {std::pair{dtype::complex64, "float"}, std::pair{dtype::complex128, "double"}}) {
    const std::string element = std::string("<gparray::kernel::complex<") + real + ">>";
    want(cuda::find_complex_key_kernel(type), "complex_keys" + element);
    want(cuda::find_complex_pick_kernel(type), "pick_complex" + element);
  }
  want(cuda::rows_of_numbers_kernel(), "rows_of_numbers");
  want(cuda::pick_numbered_kernel(), "pick_numbered");
  want(cuda::ties_kernel(), "order_ties");
  want(cuda::nan_tail_kernel(), "canonicalize_nans");
  want(cuda::find_run_kernel(reduction::sum, dtype::int32),
       "reduce_run<gparray::kernel::sum_reduction<int>, int>");
  want(cuda::find_run_kernel(reduction::max, dtype::float32),
       "reduce_run<gparray::kernel::max_reduction<float>, float>");
  program.build();
  std::unordered_map<const void*, emulation::run_function> kernels;
  for (const auto& [kernel, number] : wanted) kernels[kernel] = program.kernel(number);
  kernels[cuda::count_kernel()] = count_flags;
  kernels[cuda::find_compact_kernel(sizeof(std::int64_t))] = write_selected;
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

void check_sort(fixture& f, dtype type, std::int64_t rows, std::int64_t n) {
  CAPTURE(name(type));
  CAPTURE(rows);
  CAPTURE(n);
  const std::vector<std::byte> values = repeating_values(type, rows * n, f.random);
  std::vector<std::byte> sorted[2] = {values, values};
  std::vector<std::int64_t> order[2], descending[2];
  backend* const backends[] = {&host_backend(), &f.gpu};
  for (int i = 0; i < 2; ++i) {
    // Complex numbers are not sorted in place.
    const void* const from = is_complex(type) ? values.data() : sorted[i].data();
    backends[i]->sort({type, rows, n, from, sorted[i].data(), nullptr}, {});
    order[i].assign(static_cast<std::size_t>(rows * n), -1);
    backends[i]->sort({type, rows, n, values.data(), nullptr, order[i].data()}, {});
    if (rows > 3) continue;  // the way through the rows is the same
    descending[i].assign(static_cast<std::size_t>(rows * n), -1);
    backends[i]->sort({type, rows, n, values.data(), nullptr, descending[i].data(), {}, false, true}, {});
  }
  CHECK((sorted[0] == sorted[1]));  // every NaN has the same bits, and complex numbers keep theirs
  CHECK((order[0] == order[1]));
  CHECK((descending[0] == descending[1]));
}

void check_selection(fixture& f, dtype type, std::int64_t rows, std::int64_t n,
                     std::initializer_list<std::int64_t> positions) {
  CAPTURE(name(type));
  CAPTURE(rows);
  CAPTURE(n);
  const std::vector<std::byte> values = repeating_values(type, rows * n, f.random);
  const std::size_t count = static_cast<std::size_t>(rows) * positions.size();
  std::vector<std::byte> sorted = values, expected, found(count * itemsize(type));
  host_backend().sort({type, rows, n, sorted.data(), sorted.data(), nullptr}, {});
  for (std::int64_t row = 0; row < rows; ++row)
    for (const std::int64_t position : positions) {
      const auto item = static_cast<std::int64_t>(itemsize(type));
      const auto at = sorted.begin() + (row * n + position) * item;
      expected.insert(expected.end(), at, at + item);
    }
  selection_plan plan{type, rows, n, values.data(), found.data(), static_cast<int>(positions.size()), {}};
  std::copy(positions.begin(), positions.end(), plan.positions);
  f.gpu.select(plan, {});
  CHECK((expected == found));
}

void check_top(fixture& f, dtype type, std::int64_t rows, std::int64_t n, std::int64_t k,
               bool all_same = false) {
  CAPTURE(name(type));
  CAPTURE(rows);
  CAPTURE(n);
  CAPTURE(k);
  std::vector<std::byte> values = repeating_values(type, rows * n, f.random);
  if (all_same) std::fill(values.begin(), values.end(), std::byte{1});
  for (const bool descending : {false, true}) {
    if (all_same && descending) continue;
    CAPTURE(descending);
    std::vector<std::int64_t> order(static_cast<std::size_t>(rows * n)), expected,
        found(static_cast<std::size_t>(rows * k), -1);
    host_backend().sort({type, rows, n, values.data(), nullptr, order.data(), {}, false, descending}, {});
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto begin = order.begin() + row * n;
      std::sort(begin, begin + k);
      for (std::int64_t i = 0; i < k; ++i) expected.push_back(row * n + begin[i]);
    }
    f.gpu.top({type, descending, rows, n, k, values.data(), found.data()}, {});
    CHECK((expected == found));
  }
}

}  // namespace

TEST_CASE_FIXTURE(fixture, "rows that fit into a block are sorted as the CPU sorts them") {
  check_sort(*this, dtype::float16, 1, 1);
  check_sort(*this, dtype::int8, 300, 17);  // several rows a block, some of which have fewer
  check_sort(*this, dtype::float64, 100, 130);
  check_sort(*this, dtype::bool_, 1100, 1);  // more rows in a block than a digit counts
  check_sort(*this, dtype::float32, 3, 1400);
  check_sort(*this, dtype::uint64, 2, 300);
  check_sort(*this, dtype::int32, 1, cuda::row_shape::tile);
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture, "longer rows are sorted as the CPU sorts them") {
  CHECK_FALSE(cuda::has_cub());               // on a fake device the kernels are ours
  check_sort(*this, dtype::bool_, 1, 20000);  // one pass
  check_sort(*this, dtype::uint16, 3, 4500);  // rows among the bits of the keys
  check_sort(*this, dtype::float16, 1, 4097);
  check_sort(*this, dtype::float32, 1, 17000);
  check_sort(*this, dtype::float32, 2, 4100);
  check_sort(*this, dtype::float64, 1, 5000);
  check_sort(*this, dtype::float64, 3, 4100);  // rows in a pass of their own
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture, "complex numbers are sorted as the CPU sorts them, in one step or two") {
  for (const dtype type : {dtype::complex64, dtype::complex128}) {
    check_sort(*this, type, 1, 1);
    check_sort(*this, type, 300, 17);
    check_sort(*this, type, 3, 1400);
    check_sort(*this, type, 1, cuda::row_shape::tile);
    check_sort(*this, type, 1, cuda::row_shape::tile + 1);
    check_sort(*this, type, 3, 4100);
  }
  CHECK(n_missed == 0);
}

namespace {

/// Random words of which every 64 have the same first half, and half of those agree in all bits.
std::vector<std::uint64_t> random_words(std::int64_t n, random_numbers& random) {
  std::vector<std::uint64_t> words;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto half = [&] { return static_cast<std::uint64_t>(random() * 0x1p32); };
    if (i % 64 != 33) words.push_back(half() << 32 | half());
    else if (i % 128 < 64)
      words.push_back(words[static_cast<std::size_t>(random() * static_cast<double>(i))]);
    else words.push_back(words[static_cast<std::size_t>(i / 2)] ^ half());
  }
  return words;
}

}  // namespace

TEST_CASE_FIXTURE(fixture, "random words are put in the CPU's order") {
  for (const auto& [rows, n] : {std::pair{1, 1}, std::pair{1, 4096}, std::pair{70, 33}, std::pair{1, 4097},
                                std::pair{1, 70000}, std::pair{3, 5000}, std::pair{17, 4500}}) {
    CAPTURE(rows);
    CAPTURE(n);
    const std::vector<std::uint64_t> words = random_words(std::int64_t{rows} * n, random);
    std::vector<std::int64_t> order[2];
    backend* const backends[] = {&host_backend(), &gpu};
    for (int i = 0; i < 2; ++i) {
      order[i].assign(words.size(), -1);
      backends[i]->sort({dtype::uint64, rows, n, words.data(), nullptr, order[i].data(), {}, true}, {});
    }
    CHECK((order[0] == order[1]));
  }
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture, "elements at positions are those of a sort") {
  check_selection(*this, dtype::float32, 1, 1, {0});
  check_selection(*this, dtype::float32, 1, 9000, {0, 1, 2250, 2251, 4500, 8998, 8999});
  check_selection(*this, dtype::float64, 3, 9001, {2250, 2251, 4500, 9000});
  check_selection(*this, dtype::uint64, 2, 5000, {100});
  check_selection(*this, dtype::float16, 5, 4097, {0, 2048, 2049, 4096});
  check_selection(*this, dtype::int8, 2, 5000, {17, 2500, 4999});
  check_selection(*this, dtype::bool_, 2, 5000, {0, 2500, 4999});
  check_selection(*this, dtype::int32, 30, 20, {3, 19});
  check_selection(*this, dtype::int32, 1, 20000,
                  {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 19999});
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture, "the top of rows is the beginning of a stable sort") {
  check_top(*this, dtype::float32, 1, 1, 1);
  check_top(*this, dtype::float32, 1, 9000, 100);
  check_top(*this, dtype::float32, 1, 9000, 8999);
  check_top(*this, dtype::float64, 3, 9001, 2000);
  check_top(*this, dtype::uint64, 2, 5000, 5000);
  check_top(*this, dtype::float16, 5, 4097, 700);
  check_top(*this, dtype::int8, 2, 5000, 1);
  check_top(*this, dtype::bool_, 1, 70000, 300);  // the numbers of equal elements have three digits
  check_top(*this, dtype::uint8, 1, 70000, 65536, true);
  check_top(*this, dtype::uint8, 1, 70000, 65537, true);
  check_top(*this, dtype::uint16, 30, 20, 3);
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture,
                  "a tile adds up the counts of earlier ones back to one that knows what is before it") {
  for (const auto& [with_numbers, size] :
       {std::pair{false, cuda::few_keys}, std::pair{true, cuda::few_keys}, std::pair{false, 1u}}) {
    CAPTURE(with_numbers);
    CAPTURE(size);
    const cuda::pass_kernel kernel = cuda::find_pass_kernel(false, with_numbers, size);
    const std::uint32_t tile = static_cast<std::uint32_t>(kernel.tile), n_tiles = 9, n = n_tiles * tile - 5;
    std::vector<std::uint32_t> keys(n), sorted(n), expected(n), numbers(n), expected_numbers(n);
    for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random() * 256);
    std::iota(expected_numbers.begin(), expected_numbers.end(), 0u);
    std::stable_sort(expected_numbers.begin(), expected_numbers.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    for (std::uint32_t i = 0; i < n; ++i) expected[i] = keys[expected_numbers[i]];
    std::vector<std::uint32_t> status(n_tiles * 256), next_status(n_tiles * 256, 7), begins(256);
    for (std::uint32_t d = 0; d < 256; ++d)
      begins[d] = static_cast<std::uint32_t>(std::lower_bound(expected.begin(), expected.end(), d) -
                                             expected.begin());
    unsigned counter = 0;
    cuda::pass_params p{};
    p.source.items = keys.data();
    p.source.item_bytes = p.result.item_bytes = 4;
    p.result.items = sorted.data();
    p.result.numbers = numbers.data();
    p.begins = begins.data();
    p.status = status.data();
    p.next_status = next_status.data();
    p.counter = &counter;
    p.size = n;
    const emulation::run_function pass = launched.at(kernel.address);
    for (std::uint32_t t = 0; t < n_tiles; ++t) {
      counter = t;
      pass(&p, 1, cuda::pass_threads);  // as the last block of a launch, which leaves zero
      CHECK(counter == 0);
      if (t == 0 || t == 3) continue;
      // As if this tile still waited.
      for (std::uint32_t d = 0; d < 256; ++d)
        status[t * 256 + d] = 1 + static_cast<std::uint32_t>(std::count(
                                      &keys[t * tile], keys.data() + std::min(n, (t + 1) * tile), d));
    }
    CHECK((sorted == expected));
    if (with_numbers) CHECK((numbers == expected_numbers));
    CHECK(std::count(next_status.begin(), next_status.end(), 0) == n_tiles * 256);
  }
}

TEST_CASE_FIXTURE(fixture, "NaN at the end of sorted rows become the same, and nothing else does") {
  const emulation::run_function canonicalize = launched.at(cuda::nan_tail_kernel());
  constexpr std::int64_t n = 1000, rows = 5;
  for (const bool one_row : {true, false}) {
    std::vector<std::uint32_t> items(n * rows, std::bit_cast<std::uint32_t>(1.5f)), expected;
    const auto plant = [&](std::int64_t row, std::int64_t from) {
      for (std::int64_t i = row * n + from; i < (row + 1) * n; ++i)
        items[static_cast<std::size_t>(i)] = i % 2 == 0 ? 0xffc00001 : 0x7f800001;
    };
    if (one_row) {
      std::fill(items.begin(), items.end() - 777, std::bit_cast<std::uint32_t>(INFINITY));
      plant(4, n - 777);
    } else {
      plant(0, 0), plant(2, n - 1), plant(3, 300);  // all, one, some; none in the others
    }
    for (const std::uint32_t each : items)
      expected.push_back((each & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : each);
    const cuda::nan_tail_params p{items.data(),           4,      0x80000000, 0x7f800000, 0x7fffffff,
                                  one_row ? n * rows : n, one_row};
    canonicalize(&p, one_row ? cuda::nan_tail_blocks : rows, cuda::nan_tail_threads);
    CHECK((items == expected));
  }
}

TEST_CASE_FIXTURE(fixture, "places are found as the CPU finds them") {
  for (const typed_case& c : cases) {
    CAPTURE(name(c.type));
    const std::vector<std::byte> values = repeating_values(c.type, 700, random);
    std::vector<std::byte> sorted = repeating_values(c.type, 1000, random);
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
    const std::vector<std::byte> values = repeating_values(type, 3 * 300, random);
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
    host_backend().count_bins({9000, n_bins, numbers.data(), expected.data()}, {});
    gpu.count_bins({9000, n_bins, numbers.data(), found.data()}, {});
    CHECK((expected == found));
  }
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture, "what lies between edges is counted as the CPU counts it") {
  for (const dtype type : {dtype::float32, dtype::int32})
    for (const std::int64_t n_bins : {1, 7, 1024}) {
      CAPTURE(name(type));
      CAPTURE(n_bins);
      const std::vector<std::byte> values = repeating_values(type, 9000, random);
      std::vector<float> single;
      std::vector<double> edges;
      for (std::int64_t i = 0; i <= n_bins; ++i) {
        edges.push_back(-1200 + 2000. * static_cast<double>(i) / static_cast<double>(n_bins));
        single.push_back(static_cast<float>(edges.back()));
      }
      std::vector<std::int64_t> expected(static_cast<std::size_t>(n_bins), -1), found = expected;
      bin_plan plan{9000, n_bins, nullptr, expected.data(), type, values.data(), edges.data()};
      if (type == dtype::float32) plan.edges = single.data();
      host_backend().count_bins(plan, {});
      plan.out = found.data();
      gpu.count_bins(plan, {});
      CHECK((expected == found));
      CHECK(std::accumulate(found.begin(), found.end(), std::int64_t{0}) > 3000);
    }
  CHECK(n_missed == 0);
}

TEST_CASE_FIXTURE(fixture, "a row that is too long is an error before anything is launched") {
  std::int64_t order = 0;
  CHECK_THROWS_AS(gpu.sort({dtype::int8, 1, (std::int64_t{1} << 31) + 1, &order, nullptr, &order}, {}),
                  value_error);
  CHECK_THROWS_AS(gpu.select({dtype::int8, 1, (std::int64_t{1} << 31) + 1, &order, &order, 1, {}}, {}),
                  value_error);
  CHECK_THROWS_AS(gpu.top({dtype::int8, true, 1, (std::int64_t{1} << 31) + 1, 1, &order, &order}, {}),
                  value_error);
  CHECK(fake_cuda::model.launches.empty());
}
