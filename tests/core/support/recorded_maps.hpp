// A fake GPU that says which maps it was given.
#pragma once
#include <vector>

#include <gparray/device.hpp>

#include "core/support/fake_gpu.hpp"

namespace fake {

using map_calls = std::vector<gpu_backend::map_call>;

struct recorded_maps {
  installed fake;

  /// Those that `work` gave to the backend.
  template<class Work>
  map_calls calls_of(Work&& work) {
    fake.gpu.maps.clear();
    work();
    return fake.gpu.maps;
  }
};

/// What the same program gives on the CPU, where each line is computed.
template<class Program>
auto on_cpu(Program program) {
  const device before = default_device();
  set_default_device(device::cpu());
  const auto result = program().to_vector();
  set_default_device(before);
  return result;
}

}  // namespace fake
