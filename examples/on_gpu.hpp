// For examples that need a GPU: which one, and how long work takes there.
#pragma once
#include <gparray/gparray.hpp>

#include "options.hpp"

/// The GPU that --device names, as the default device. Says what is missing and ends the program with status
/// 77, "skipped", if there is none.
inline gparray::device gpu_of(command_line& options) {
  const std::string name = options.value("-d/--device", "cuda:0", "the GPU to run on");
  options.finish();
  const gparray::device gpu(name);
  try {
    if (gpu.is_cpu()) throw gparray::device_error("CUDA kernels run on GPUs: choose --device cuda:0");
    gparray::set_default_device(gpu);
    return gpu;
  } catch (const gparray::error& e) {
    fmt::print("Skipped: {}\n", e.what());
    std::exit(77);
  }
}

/// Milliseconds on the GPU: the least of several runs, after one to warm up.
template<class Work>
double milliseconds_on_gpu(Work work, int runs = 5) {
  work();
  double best = 0;
  for (int run = 0; run < runs; ++run) {
    gparray::event start, end;
    start.record();
    work();
    end.record();
    const double elapsed = gparray::elapsed_time(start, end);
    best = run == 0 ? elapsed : std::min(best, elapsed);
  }
  return best;
}
