// Generated kernels on a fake device: g++ compiles them, the device launches them with the parameters that
// the launch code has filled, and they run.
#pragma once
#include <unordered_map>

#include <cuda/backend.hpp>
#include <cuda/fusion/jit_kernels.hpp>
#include <cuda/fusion/jit_plan.hpp>
#include <cuda/reduction/reduce.hpp>
#include <gparray/runtime/jit.hpp>

#include "cuda/support/emulated_kernels.hpp"
#include "cuda/support/random_plans.hpp"

namespace twin {

using cuda::kernel_key;

inline std::unordered_map<kernel_key, void*, cuda::kernel_key_hash>
    kernels;                                                               // what the table of kernels makes
inline std::unordered_map<const void*, emulation::run_function> launched;  // what stands behind a kernel
inline int n_emulated, n_missed;

inline cuda::loaded_kernel emulated_kernel(const kernel_key& key) {
  cuda::loaded_kernel made;
  made.kernel = kernels.at(key);
  return made;
}

inline void emulate(const fake_cuda::launch_record& r) {
  const auto found = launched.find(r.kernel);
  ++(found == launched.end() ? n_missed : n_emulated);
  if (found != launched.end()) found->second(r.params, r.blocks, r.threads);
}

/// A fake device that runs generated kernels.
struct fixture {
  fixture() {
    kernels.clear();
    launched.clear();
    n_emulated = n_missed = 0;
    fake_cuda::model.on_launch = emulate;
    cuda::exchange_fused_kernels(&table);
    set_jit_mode(jit::sync);
  }
  ~fixture() {
    cuda::exchange_fused_kernels(nullptr);
    for (core::block* b : blocks) gpu->pool(memory_space::device, 0)->deallocate(b);
  }
  void bind(const kernel_key& key, emulation::run_function run) {
    REQUIRE((run != nullptr));
    kernels[key] = reinterpret_cast<void*>(run);
    launched[reinterpret_cast<const void*>(run)] = run;
  }
  std::byte* allocate(std::size_t bytes) {
    blocks.push_back(gpu->pool(memory_space::device, 0)->allocate(bytes + 1, nullptr));
    std::memset(blocks.back()->pointer, 0x5a, bytes);
    return static_cast<std::byte*>(blocks.back()->pointer);
  }
  operand_source memory() {
    return [this, operand = 0](dtype type, std::int64_t n) mutable {
      std::byte* to = allocate(static_cast<std::size_t>(n) * itemsize(type));
      fill_argument(type, to, n, operand++ % 2, random);
      return to;
    };
  }

  fake_cuda::session session;
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);
  cuda::kernel_table table{1024, emulated_kernel};
  emulation::program program;
  random_numbers random;
  std::vector<core::block*> blocks;
};

/// The bytes that `work` leaves at `out`, which begin as they were.
template<class Work>
std::vector<std::byte> bytes_after(void* out, std::size_t n, Work work) {
  std::vector<std::byte> before(n), after(n);
  std::memcpy(before.data(), out, n);
  work();
  std::memcpy(after.data(), out, n);
  std::memcpy(out, before.data(), n);
  return after;
}

/// Whether the bytes are equal, but for the signs and payloads of NaNs at `stride`.
inline bool same(dtype type, std::int64_t stride, const std::vector<std::byte>& expected,
                 std::vector<std::byte> actual) {
  const std::size_t item = itemsize(type);
  for (std::size_t at = 0; at + item <= actual.size(); at += static_cast<std::size_t>(stride))
    if (distance(type, &expected[at], &actual[at]) == 0) std::memcpy(&actual[at], &expected[at], item);
  return actual == expected;
}

inline std::string type_name(dtype d) {
  static const char* const names[] = {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) #kernel_type,
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  };
  return names[static_cast<int>(d)];
}

/// Whether a map's kernel leaves the bits of a CPU in its result, or in what it stores beside it.
inline void check_as_on_cpu(fixture& f, const map_plan& map, void* values, dtype type) {
  const std::size_t item = itemsize(type), bytes = static_cast<std::size_t>(map.size) * item;
  const auto result = bytes_after(values, bytes, [&] { f.gpu->map(map, {}); });
  const auto expected = bytes_after(values, bytes, [&] { host_backend().map(map, {0, cpu_order}); });
  CHECK(same(type, static_cast<std::int64_t>(item), expected, result));
}

/// Builds the kernels of samples of maps, those that expect it of one form, and has check(fixture, map,
/// sample) look at what they do.
template<class Sample, class PlanOf, class Check>
void check_samples(const std::vector<Sample>& samples, cuda::kernel_form form, PlanOf plan_of, Check check) {
  fixture f;
  std::vector<map_plan> maps;
  std::vector<cuda::fused_plan> fused(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    CAPTURE(i);
    maps.push_back(plan_of(f, samples[i]));
    REQUIRE(cuda::plan_map(maps[i], 0, fused[i]));
    CHECK((fused[i].key.form == form) == samples[i].expects);
    f.program.add(fused[i].key);
  }
  f.program.build();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    CAPTURE(i);
    f.bind(fused[i].key, f.program.kernel(i));
    check(f, maps[i], samples[i]);
  }
  CHECK(n_missed == 0);
}

}  // namespace twin
