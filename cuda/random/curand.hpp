// cuRAND's host interface, loaded at first use.
#pragma once
#include <curand.h>

#include <plan/curand_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct curand_table {
#define GPARRAY_CURAND_CALL(name) decltype(&::name) name;
#include <cuda/random/curand_calls.def>
#undef GPARRAY_CURAND_CALL
};

/// Loads the library at the first call. Throws library_error.
const curand_table& curand();
/// Calls that tests put in the library's place; null for the library. The previous one is returned.
const curand_table* exchange_curand(const curand_table* substitute) noexcept;

class curand_library final : public curand_engine {
 public:
  void* create(random::curand_kind kind, std::uint64_t seed, std::uint64_t offset, unsigned dimensions,
               int device) override;
  void destroy(void* generator, int device) noexcept override;
  void draw(void* generator, gparray::detail::curand_draw what, dtype type, void* out, std::int64_t size,
            double first, double second, queue q) override;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
