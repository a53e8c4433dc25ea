// A fake GPU that says which maps it was given.
#pragma once
#include <vector>

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

}  // namespace fake
