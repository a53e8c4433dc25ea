// The target GPARRAY_FUZZ_TARGET as a program of libFuzzer's.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::target* const t = fuzz::find_target(GPARRAY_FUZZ_TARGET);
  if (!t) std::abort();
  (void)fuzz::is_read(*t, {reinterpret_cast<const char*>(data), size});
  return 0;
}
