// Picking elements by number as the CUDA backend does it: its launches run on the CPU, with the kernels as
// g++ compiles them.
#include <cuda/device/index_params.hpp>

#include "cuda/support/emulated_launches.hpp"
#include "cuda/support/twin.hpp"

using namespace twin;

namespace {

emulation::kernel_map compile_kernels() {
  static emulation::program program;
  program.include("cuda/indexing/gather_kernels.cuh");
  std::vector<std::pair<const void*, std::size_t>> wanted;
  for (const auto& [bytes, type] : {std::pair<std::size_t, std::string>{1, "std::uint8_t"},
                                    {4, "std::uint32_t"},
                                    {16, "gparray::core::cuda::sixteen_bytes"}}) {
    const auto want = [&](const void* kernel, const std::string& expression) {
      wanted.emplace_back(kernel, program.add("gparray::core::cuda::" + expression, false));
    };
    want(cuda::find_index_kernel(bytes, false), "move_indexed<" + type + ", false>");
    want(cuda::find_line_kernel(bytes), "gather_line<" + type + ">");
    want(cuda::find_index_kernel(bytes, true), "move_indexed<" + type + ", true>");
    want(cuda::find_placing_kernel(bytes), "place_winners<" + type + ">");
  }
  for (const auto& [kernel, name] :
       {std::pair{cuda::winner_kernel(), "find_winners"}, {cuda::line_winner_kernel(), "find_line_winners"}})
    wanted.emplace_back(kernel, program.add(std::string("gparray::core::cuda::") + name, false));
  return emulation::built(program, wanted);
}

struct fixture : emulation::launching_device<&compile_kernels> {
  random_numbers random;
};

constexpr std::int64_t length = 50;

/// Elements that tell where they come from, `stride` bytes apart.
struct indexed_array {
  indexed_array(std::size_t item, std::int64_t stride)
      : bytes(static_cast<std::size_t>(length * stride)), item_bytes(item) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
  }
  std::vector<std::byte> bytes;
  std::size_t item_bytes;
};

index_plan line_plan(const indexed_array& from, std::int64_t stride, const std::vector<std::int64_t>& index,
                     std::vector<std::byte>& to) {
  index_plan plan{};
  plan.ndim = 1;
  plan.size = plan.shape[0] = static_cast<std::int64_t>(index.size());
  plan.item_bytes = from.item_bytes;
  plan.from = from.bytes.data();
  to.assign(index.size() * from.item_bytes, std::byte{0xee});
  plan.to = to.data();
  plan.to_strides[0] = static_cast<std::int64_t>(from.item_bytes);
  plan.index = index.data();
  plan.index_strides[0] = sizeof(std::int64_t);
  plan.wrap = plan.count = length;
  plan.stride = stride;
  return plan;
}

}  // namespace

TEST_CASE_FIXTURE(fixture, "a line of elements is picked as the CPU picks it, and indices are checked") {
  for (const std::size_t item : {1, 4, 16})
    for (const std::int64_t step : {1, 3})
      for (const std::int64_t n : {1, 2047, 2048, 5000}) {
        CAPTURE(item);
        CAPTURE(n);
        const std::int64_t stride = step * static_cast<std::int64_t>(item);
        const indexed_array from(item, stride);
        std::vector<std::int64_t> index(static_cast<std::size_t>(n));
        for (std::int64_t& i : index) i = static_cast<std::int64_t>(random() * 2 * length) - length;
        std::vector<std::byte> expected, picked;
        host_backend().gather(line_plan(from, stride, index, expected), {});
        index_plan plan = line_plan(from, stride, index, picked);
        gpu.gather(plan, {});
        CHECK((picked == expected));
        std::int32_t outside = 7;
        plan = line_plan(from, stride, index, picked);
        plan.any_outside = &outside;
        gpu.gather(plan, {});
        CHECK((picked == expected));
        CHECK(outside == 0);
        // A bad one anywhere is found, and forgotten by the next launch.
        for (const std::int64_t bad : {length, -length - 1, std::int64_t{1} << 40}) {
          const auto at = static_cast<std::size_t>(random() * static_cast<double>(n));
          const std::int64_t good = std::exchange(index[at], bad);
          gpu.gather(plan, {});
          CHECK(outside == 1);
          index[at] = good;
          gpu.gather(plan, {});
          CHECK(outside == 0);
        }
      }
}

TEST_CASE_FIXTURE(fixture, "rows are picked with checked indices") {
  constexpr std::int64_t width = 13, n = 700;
  const indexed_array from(4, width * 4);
  std::vector<std::int64_t> index(n);
  for (std::int64_t& i : index) i = static_cast<std::int64_t>(random() * 2 * length) - length;
  std::vector<std::byte> to(n * width * 4), expected = to;
  index_plan plan{};
  plan.ndim = 2;
  plan.size = n * width;
  plan.shape[0] = n;
  plan.shape[1] = width;
  plan.item_bytes = 4;
  plan.from = from.bytes.data();
  plan.from_strides[1] = plan.to_strides[1] = 4;
  plan.to_strides[0] = width * 4;
  plan.index = index.data();
  plan.index_strides[0] = sizeof(std::int64_t);
  plan.wrap = plan.count = length;
  plan.stride = width * 4;
  plan.to = expected.data();
  host_backend().gather(plan, {});
  plan.to = to.data();
  std::int32_t outside = 7;
  plan.any_outside = &outside;
  gpu.gather(plan, {});
  CHECK((to == expected));
  CHECK(outside == 0);
  index[n - 1] = length;
  gpu.gather(plan, {});
  CHECK(outside == 1);
  CHECK(fake_cuda::model.launches.size() == 2);
}

TEST_CASE_FIXTURE(fixture,
                  "the last of several values stays, whether they are put value by value or place by place") {
  for (const std::size_t item : {1, 4, 16})
    for (const std::int64_t places : {1, 50, 2049, 20000})  // of the last there are more than are looked at
      for (const std::int64_t n : {1, 30, 2500})
        for (const std::int64_t step : {1, 3}) {  // of the index, the values and the places
          CAPTURE(item);
          CAPTURE(places);
          CAPTURE(n);
          CAPTURE(step);
          const auto size = static_cast<std::int64_t>(item);
          std::vector<std::byte> values(static_cast<std::size_t>(n * step * size)),
              expected(static_cast<std::size_t>(places * step * size), std::byte{0xee}), actual = expected;
          for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::byte>(i * 7 + i / 256);
          std::vector<std::int64_t> index(static_cast<std::size_t>(n * step));
          for (std::int64_t& i : index)
            i = static_cast<std::int64_t>(random() * 2 * static_cast<double>(places)) - places;
          index_plan plan{};
          plan.ndim = 1;
          plan.size = plan.shape[0] = n;
          plan.item_bytes = item;
          plan.from = values.data();
          plan.from_strides[0] = step * size;
          plan.index = index.data();
          plan.index_strides[0] = step * static_cast<std::int64_t>(sizeof(std::int64_t));
          plan.wrap = plan.count = places;
          // Backwards, too.
          plan.stride = step == 1 ? size : -step * size;
          const std::int64_t begin = step == 1 ? 0 : (places - 1) * step * size;
          plan.to = expected.data() + begin;
          host_backend().scatter(plan, {});
          plan.to = actual.data() + begin;
          gpu.scatter(plan, {});
          CHECK((actual == expected));
        }
}

TEST_CASE_FIXTURE(fixture, "rows are put where indices say, of a part of an axis") {
  constexpr std::int64_t width = 13, n = 700;
  std::vector<std::byte> values(n * width * 4), expected(length * width * 4, std::byte{0xee}),
      actual = expected;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::byte>(i * 7 + i / 256);
  std::vector<std::int64_t> index(n);
  for (std::int64_t& i : index) i = 3 + static_cast<std::int64_t>(random() * (length - 7));
  index_plan plan{};
  plan.ndim = 2;
  plan.size = n * width;
  plan.shape[0] = n;
  plan.shape[1] = width;
  plan.item_bytes = 4;
  plan.from = values.data();
  plan.from_strides[1] = plan.to_strides[1] = 4;
  plan.from_strides[0] = width * 4;
  plan.index = index.data();
  plan.index_strides[0] = sizeof(std::int64_t);
  plan.first = 3;
  plan.count = length - 7;
  plan.stride = width * 4;
  plan.to = expected.data();
  host_backend().scatter(plan, {});
  plan.to = actual.data();
  gpu.scatter(plan, {});
  CHECK((actual == expected));
}
