// What the backend leaves to CUB, on a real GPU against the host backend: to the bit, from the first size on
// that goes there, also in a graph.
#include <cuda/cub/cub_calls.hpp>
#include <gparray/gparray.hpp>
#include <plan/order_plan.hpp>

#include "cuda/support/twin.hpp"
#include "support/same_bits.hpp"

using namespace twin;

namespace {

/// Elements of any bits: NaN of all kinds among them.
std::vector<std::byte> random_bytes(dtype type, std::int64_t n, random_numbers& random) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(n) * itemsize(type) + 8);
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    random();
    std::uint64_t word = random.state;
    if (type == dtype::bool_) word &= 0x0101010101010101;
    std::memcpy(&bytes[i], &word, 8);
  }
  bytes.resize(static_cast<std::size_t>(n) * itemsize(type));
  return bytes;
}

/// Replaces every thousandth element by zeros of both signs and infinities.
void plant_specials(dtype type, std::vector<std::byte>& bytes) {
  if (kind(type) != 'f') return;
  const std::size_t item = itemsize(type);
  constexpr double specials[] = {0.0, -0.0, INFINITY, -INFINITY};
  for (std::size_t i = 0, k = 0; i < bytes.size(); i += 1000 * item, ++k)
    write(type, &bytes[i], specials[k % 4]);
}

void check_sort(backend& on_gpu, dtype type, std::int64_t rows, std::int64_t n, random_numbers& random) {
  CAPTURE(name(type));
  CAPTURE(rows);
  CAPTURE(n);
  std::vector<std::byte> values = random_bytes(type, rows * n, random);
  plant_specials(type, values);
  std::vector<std::byte> expected(values.size()), found(values.size());
  host_backend().sort({type, rows, n, values.data(), expected.data(), nullptr}, {});

  const dims shape{rows, n};
  const any_array in = gparray::detail::from_host(values.data(), shape, type, device::cuda(0)),
                  out = gparray::detail::empty(shape, type, order::C, memory_space::device, device::cuda(0));
  on_gpu.sort({type, rows, n, in.raw_data(), out.raw_data(), nullptr}, {});
  gparray::detail::copy_to_host(out, found.data());
  CHECK((found == expected));
  gparray::detail::copy_to_host(in, found.data());
  CHECK((found == values));
  on_gpu.sort({type, rows, n, in.raw_data(), in.raw_data(), nullptr}, {});
  gparray::detail::copy_to_host(in, found.data());
  CHECK((found == expected));
}

/// The same array on the CPU and on the GPU.
template<class V>
struct both {
  explicit both(std::int64_t n, random_numbers& random) {
    const std::vector<std::byte> bytes = random_bytes(dtype_of<V>, n, random);
    host = ndarray<V>(gparray::detail::from_host(bytes.data(), {n}, dtype_of<V>, device::cpu()));
    there = ndarray<V>(gparray::detail::from_host(bytes.data(), {n}, dtype_of<V>, device::cuda(0)));
  }
  ndarray<V> host, there;
};

template<class V>
void check_selection(std::int64_t n, random_numbers& random) {
  CAPTURE(name(dtype_of<V>));
  const both<V> x(n, random);
  const both<bool> mask(n, random);
  CHECK(same_bits(ndarray<V>(x.host(mask.host)), ndarray<V>(x.there(mask.there))));
  // What is not side by side takes our own way.
  CHECK(same_bits(ndarray<V>(x.host("::-1")(mask.host)), ndarray<V>(x.there("::-1")(mask.there))));
}

}  // namespace

TEST_CASE("long rows are sorted by CUB as the CPU sorts them") {
  backend* const g = gpu();
  if (!g) return;
  CHECK(cuda::has_cub());
  random_numbers random;
  constexpr std::int64_t n = 1 << 23;
  for (const dtype type :
       {dtype::bool_, dtype::int8, dtype::uint8, dtype::int16, dtype::uint16, dtype::int32, dtype::uint32,
        dtype::int64, dtype::uint64, dtype::float16, dtype::bfloat16, dtype::float32, dtype::float64})
    check_sort(*g, type, 1, n + 5, random);
  check_sort(*g, dtype::float32, 1, n - 1, random);  // ours
  check_sort(*g, dtype::float32, 1, n, random);
}

TEST_CASE("many rows are sorted by CUB as the CPU sorts them") {
  backend* const g = gpu();
  if (!g) return;
  random_numbers random;
  for (const dtype type : {dtype::float32, dtype::int32}) {
    check_sort(*g, type, 512, 1 << 14, random);
    check_sort(*g, type, 513, (1 << 14) + 3, random);
    check_sort(*g, type, 511, 1 << 14, random);  // ours
  }
  check_sort(*g, dtype::float64, 512, 1 << 14, random);  // ours
}

TEST_CASE("rows of numbers alone, of NaN alone and of one value") {
  backend* const g = gpu();
  if (!g) return;
  constexpr std::int64_t n = (1 << 23) + 1;
  for (const float value : {1.f, -0.f, std::nanf("1"), -std::nanf("2"), -INFINITY}) {
    const ndarray<float> x = full({n}, value, {.device = device::cuda(0)}).astype<float>();
    const ndarray<float> at_home = to_device(x, device::cpu());
    CHECK(same_bits(ndarray<float>(sort(x)), ndarray<float>(sort(at_home))));
  }
}

TEST_CASE("integers are added up by CUB as the CPU adds them") {
  if (!gpu()) return;
  random_numbers random;
  for (const std::int64_t n : {(1 << 22) - 1, 1 << 22, (1 << 22) + 3}) {
    const both<std::int64_t> x(n, random);
    CHECK(same_bits(ndarray<std::int64_t>(cumsum(x.host)), ndarray<std::int64_t>(cumsum(x.there))));
    const both<std::uint64_t> y(n, random);
    CHECK(same_bits(ndarray<std::uint64_t>(cumsum(y.host)), ndarray<std::uint64_t>(cumsum(y.there))));
    const both<std::int16_t> z(n, random);
    CHECK(same_bits(ndarray<std::int64_t>(cumsum(z.host)), ndarray<std::int64_t>(cumsum(z.there))));
  }
}

TEST_CASE("masks select by CUB what they select on the CPU") {
  if (!gpu()) return;
  random_numbers random;
  for (const std::int64_t n : {(1 << 18) - 1, 1 << 18, (1 << 20) + 7}) {
    check_selection<std::uint8_t>(n, random);
    check_selection<std::int16_t>(n, random);
    check_selection<float>(n, random);
    check_selection<std::int64_t>(n, random);
    check_selection<std::complex<double>>(n, random);
    const both<bool> mask(n, random);
    CHECK(same_bits(ndarray<std::int64_t>(flatnonzero(mask.host)),
                    ndarray<std::int64_t>(flatnonzero(mask.there))));
  }
  const ndarray<bool> none = zeros<bool>({1 << 20}, {.device = device::cuda(0)}),
                      all_of_them = ones<bool>({1 << 20}, {.device = device::cuda(0)});
  CHECK(flatnonzero(none).size() == 0);
  CHECK(array_equal(flatnonzero(all_of_them), arange(1 << 20, {.device = device::cuda(0)})));
}

TEST_CASE("a graph repeats CUB's sorts and sums") {
  if (!gpu()) return;
  const device_guard there(device::cuda(0));
  random_numbers random;
  const both<float> first((1 << 23) + 9, random), second((1 << 23) + 9, random);
  const both<std::int64_t> numbers(1 << 22, random);
  const ndarray<float> x = first.there.copy(), sorted = empty_like(x);
  const ndarray<std::int64_t> sums = empty_like(numbers.there);
  graph g = capture([&] {
    sorted(ellipsis) = sort(x);
    sums(ellipsis) = cumsum(numbers.there);
  });
  g.launch();
  CHECK(same_bits(sorted, ndarray<float>(sort(first.host))));
  CHECK(same_bits(sums, ndarray<std::int64_t>(cumsum(numbers.host))));
  x(ellipsis) = second.there;
  g.launch();
  CHECK(same_bits(sorted, ndarray<float>(sort(second.host))));
}
