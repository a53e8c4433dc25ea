// All that show_config() says.
#pragma once
#include <cstdint>

#include <gparray/runtime/jit.hpp>
#include <plan/configuration.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct device_facts {
  std::string name, title;         ///< "cuda:0", "NVIDIA H100 80GB HBM3"
  std::string compute_capability;  ///< "9.0"; empty for the CPU
  std::uint64_t free_bytes = 0, total_bytes = 0;
  std::string problem;  ///< what asking it threw
};

struct variable_facts {
  std::string name;
  bool is_set;
  std::string value, values, meaning;
};

struct configuration {
  std::string version, commit, compiler, build_type;
  processor_facts processor;
  int processors, threads;
  std::vector<device_facts> devices;  ///< the CPU first
  cuda_facts cuda;
  std::string cuda_problem;  ///< why there is no GPU; empty if there is one
  std::vector<library_facts> libraries;
  std::string cache_folder;
  std::uint64_t cache_limit;
  jit_counters kernels;
  std::vector<variable_facts> environment;
};

std::string as_text(const configuration& c);
std::string as_json(const configuration& c);

}  // namespace core
GPARRAY_END_NAMESPACE
