// Cases about kernels that are made at run time: what a launch costs, and what a first use does. GPU only.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "suite.hpp"
#ifdef GPARRAY_BENCH_BARE_LAUNCH
#include "bare_launch.hpp"
#endif

namespace bench {

/// Names the case that a process is started for, which asks for kernels that it has not seen.
inline constexpr const char* first_use_variable = "GPARRAY_BENCH_FIRST_USE";

constexpr int n_elements = 1000;

inline void launches(const suite& s) {
#ifdef GPARRAY_BENCH_BARE_LAUNCH
  const auto bare = [&](const char* name, auto launch) {
    s.add(name,
          [launch] { return [=, x = gp::ones<float>(n_elements)] { launch(x.data(), 1.f, n_elements); }; });
  };
  bare("bare_launch", &bare_launch);
  bare("bare_launch_192", &bare_launch_of<192>);
  bare("bare_launch_2048", &bare_launch_of<2048>);
#endif
  s.add("raw_kernel_launch", [] {
    const gp::RawKernel scale(R"(extern "C" __global__ void scale(float* x, float by, int n) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) x[i] *= by;
      })",
                              "scale");
    return [scale, x = gp::ones<float>(n_elements)] { scale(4, 256, x, 1.f, n_elements); };
  });
  s.add("elementwise_kernel_launch", [] {
    const gp::ElementwiseKernel axpy("T a, T x", "T y", "y += a * x", "axpy");
    return [axpy, x = gp::ones<float>(n_elements), y = gp::ones<float>(n_elements)] { axpy(0.f, x, y); };
  });
  s.add("reduction_kernel_launch", [] {
    const gp::ReductionKernel norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
    return [norm, x = gp::ones<float>(n_elements)] { norm(x); };
  });
}

/// Eight operations: another kernel for each number below 128, which says what they are.
inline gp::ndarray<float> chain(const gp::ndarray<float>& x, const gp::ndarray<float>& y, unsigned number) {
  gp::expr<float> e = x + y;
  for (int i = 0; i < 7; ++i, number >>= 1) e = number & 1 ? std::move(e) * y : std::move(e) - x;
  return e;
}

/// Microseconds until the result of a chain is there.
inline double first_result(const gp::ndarray<float>& x, unsigned number) {
  const double start = seconds_now();
  chain(x, x, number);
  x.device().synchronize();
  return (seconds_now() - start) * 1e6;
}

inline void emit_median(const suite& s, const std::string& name, const std::vector<double>& us) {
  emit(s.peer(), name, {median(us), median(us)});
}

constexpr unsigned n_chains = 5;
constexpr const char* first_uses[] = {"jit_cold", "jit_warm_disk", "first_result_never_seen"};

/// What a chain takes for the first time in this process, beyond what it takes later.
inline void compile_case(const suite& s, const std::string& name) {
  const gp::ndarray<float> x = numbers<float>(1000);
  gp::set_jit_mode(gp::jit::sync);
  first_result(x, n_chains);  // starts CUDA, and loads what is loaded once
  std::vector<double> extra;
  for (unsigned i = 0; i < n_chains; ++i) {
    const double first = first_result(x, i);
    extra.push_back(first - first_result(x, i));
  }
  emit_median(s, name, extra);
}

/// In the default mode the first result comes step by step; beside it the same steps without a compiler at
/// work, after as long a pause as the compiler made: idle processors and GPUs need a while to be fast again.
inline void unseen_case(const suite& s) {
  const gp::ndarray<float> x = numbers<float>(10'000'000);
  std::vector<double> unseen, unfused;
  constexpr unsigned n_warm = 3;
  for (unsigned i = 0; i < n_warm + n_chains; ++i) {
    gp::set_jit_mode(gp::jit::async);
    const double first = first_result(x, n_chains + 1 + i);
    gp::wait_for_kernels();
    gp::set_jit_mode(gp::jit::off);
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    const double steps = first_result(x, n_chains + 1 + i);
    if (i < n_warm) continue;
    unseen.push_back(first);
    unfused.push_back(steps);
  }
  gp::set_jit_mode(gp::jit::async);
  emit_median(s, "first_result_unfused", unfused);
  emit_median(s, "first_result_never_seen", unseen);
}

inline void first_use_case(const suite& s, const std::string& name) {
  if (name == first_uses[2]) unseen_case(s);
  else compile_case(s, name);
}

/// Processes, one after the other, that share a new cache on disk: what the first has compiled, the second
/// finds.
inline void first_use_cases(const std::string& program, const std::string& device) {
  std::string folder = (std::filesystem::temp_directory_path() / "gparray-bench-XXXXXX").string();
  if (!mkdtemp(folder.data())) return fmt::print(stderr, "{} cannot be made\n", folder);
  for (const char* name : first_uses) {
    const std::string command = fmt::format("GPARRAY_CACHE_DIR='{}' {}={} '{}' --device {}", folder,
                                            first_use_variable, name, program, device);
    if (std::system(command.c_str()) != 0) fmt::print(stderr, "{} failed\n", command);
  }
  std::filesystem::remove_all(folder);
}

/// `program`: this one, to be started again for the cases that need a process of their own.
inline void kernel_cases(const suite& s, const std::string& program, const std::string& device) {
  launches(s);
  if (std::ranges::any_of(first_uses, [&](const char* name) { return s.wanted(name); }))
    first_use_cases(program, device);
}

}  // namespace bench
