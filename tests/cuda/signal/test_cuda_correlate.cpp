// Convolution on the CUDA backend: its launches run on the CPU, with the kernel as g++ compiles it, and must
// leave the bits of the CPU backend.
#include <unordered_map>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/signal/correlate_params.hpp>
#include <plan/correlation_plan.hpp>

#include "cuda/support/emulated_launches.hpp"
#include "cuda/support/twin.hpp"

using namespace twin;

namespace {

emulation::kernel_map compile_kernels() {
  static emulation::program program;
  program.include("cuda/signal/correlate.cuh");
  std::vector<std::pair<const void*, std::size_t>> wanted;
  for (const auto& [type, name] : {std::pair{dtype::bool_, "bool"}, std::pair{dtype::int16, "unsigned short"},
                                   std::pair{dtype::float32, "float"}, std::pair{dtype::float64, "double"},
                                   std::pair{dtype::complex128, "gparray::kernel::complex<double>"}})
    wanted.emplace_back(
        cuda::find_correlate_kernel(type),
        program.add("gparray::core::cuda::correlate_tile_of<" + std::string(name) + ">", false));
  return emulation::built(program, wanted);
}

struct fixture : emulation::launching_device<&compile_kernels> {
  random_numbers random;

  std::vector<std::byte> values(dtype type, std::int64_t n) {
    const std::size_t item = itemsize(type);
    std::vector<std::byte> made(static_cast<std::size_t>(n) * item);
    for (std::int64_t i = 0; i < n; ++i)
      write(type, &made[static_cast<std::size_t>(i) * item],
            kind(type) == 'f' || kind(type) == 'c' ? random() - .5 : std::floor(random() * 300));
    return made;
  }
};

}  // namespace

TEST_CASE_FIXTURE(fixture, "sums of products have the CPU's bits, at the ends and between them") {
  for (const dtype type : {dtype::bool_, dtype::int16, dtype::float32, dtype::float64, dtype::complex128})
    for (const auto& [size, width] : {std::pair{5, 1}, std::pair{700, 700}, std::pair{1100, 3},
                                      std::pair{5000, 65}, std::pair{4000, 200}})
      for (const bool reversed : {false, true})
        for (const std::int64_t beyond : {0, width / 2, width - 1}) {
          CAPTURE(name(type));
          CAPTURE(size);
          CAPTURE(width);
          const std::vector<std::byte> x = values(type, size), weights = values(type, width);
          const std::int64_t count = size - width + 1 + 2 * beyond;
          std::vector<std::byte> out[2];
          backend* const backends[] = {&host_backend(), &gpu};
          for (int i = 0; i < 2; ++i) {
            out[i].assign(static_cast<std::size_t>(count) * itemsize(type), std::byte{7});
            backends[i]->correlate(
                {type, x.data(), weights.data(), out[i].data(), size, width, beyond, count, reversed}, {});
          }
          CHECK((out[0] == out[1]));
        }
}
