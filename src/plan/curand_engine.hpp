// What a backend offers for the generators of its vendor's library.
#pragma once
#include <gparray/random/curand_generator.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Errors are library_error, cuda_error and out_of_memory.
class curand_engine {
 public:
  virtual ~curand_engine() = default;

  virtual void* create(random::curand_kind kind, std::uint64_t seed, std::uint64_t offset,
                       unsigned dimensions, int device) = 0;
  virtual void destroy(void* generator, int device) noexcept = 0;
  /// Writes `size` numbers of `type`, which must be even for normal variates of pseudo-random kinds.
  virtual void draw(void* generator, detail::curand_draw what, dtype type, void* out, std::int64_t size,
                    double first, double second, queue q) = 0;
};

}  // namespace core
GPARRAY_END_NAMESPACE
