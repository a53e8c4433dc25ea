// Bits put into bytes and taken out of them, by kernels that the fake device runs on the CPU.
#include <algorithm>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/map/bits_params.hpp>
#include <plan/bit_plan.hpp>

#include "cuda/support/emulated_launches.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using std::int64_t;

emulation::kernel_map compile_kernels() {
  static emulation::program program;
  program.include("cuda/map/bits.cuh");
  std::vector<std::pair<const void*, std::size_t>> wanted;
  for (const bool packs : {false, true})
    wanted.emplace_back(cuda::bit_kernel(packs), program.add(packs ? "gparray::core::cuda::move_bits<true>"
                                                                   : "gparray::core::cuda::move_bits<false>",
                                                             false));
  return emulation::built(program, wanted);
}

using fixture = emulation::launching_device<&compile_kernels>;

/// Bytes that begin so far behind a multiple of eight, and something beyond their end.
struct memory {
  memory(int64_t n, int64_t offset)
      : words(static_cast<std::size_t>((n + offset) / 8 + 2), 0xeeeeeeeeeeeeeeee) {
    begin = reinterpret_cast<unsigned char*>(words.data()) + offset;
  }
  std::vector<std::uint64_t> words;
  unsigned char* begin;
};

}  // namespace

TEST_CASE_FIXTURE(fixture, "bits move as on the CPU, wherever rows begin and however long they are") {
  for (const bool packs : {false, true})
    for (const bool little : {false, true})
      for (const int64_t rows : {1, 3, 40})
        for (const int64_t n_bits : {1, 7, 8, 24, 37, 1300})
          for (const int64_t more_bytes : {0, 2})  // that are not read
            for (const int64_t offset : {0, 3}) {
              if (packs && more_bytes > 0) continue;
              CAPTURE(packs);
              CAPTURE(rows);
              CAPTURE(n_bits);
              const int64_t n_bytes = (n_bits + 7) / 8 + more_bytes;
              const int64_t n_in = rows * (packs ? n_bits : n_bytes),
                            n_out = rows * (packs ? n_bytes : n_bits);
              memory in(n_in, offset), expected(n_out, offset), actual(n_out, offset);
              for (int64_t i = 0; i < n_in; ++i) {
                const auto random = static_cast<unsigned char>((i * 2654435761u) >> 13);
                in.begin[i] = packs ? random & 1 : random;
              }
              const bit_plan plan{packs, little, rows, n_bits, n_bytes, in.begin, expected.begin};
              host_backend().move_bits(plan, {});
              bit_plan on_gpu = plan;
              on_gpu.out = actual.begin;
              gpu.move_bits(on_gpu, {0, nullptr});
              CHECK((actual.words == expected.words));
            }
}

TEST_CASE_FIXTURE(fixture, "rows of more bits than their bytes have end in zeros") {
  memory in(3, 0), expected(60, 0), actual(60, 0);
  for (int i = 0; i < 3; ++i) in.begin[i] = static_cast<unsigned char>(0x5a + i);
  bit_plan plan{false, true, 3, 20, 1, in.begin, expected.begin};
  host_backend().move_bits(plan, {});
  plan.out = actual.begin;
  gpu.move_bits(plan, {0, nullptr});
  CHECK((actual.words == expected.words));
  CHECK(fake_cuda::model.launches.size() == 1);
}
