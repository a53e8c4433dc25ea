// Generators of cuRAND that count: the n-th number of a sequence is its seed and n.
#pragma once
#include <cstdint>
#include <map>
#include <memory>

#include <cuda/random/curand.hpp>

namespace fake_curand {

struct generator_model {
  std::uint64_t seed = 0, next = 0;
};

inline std::map<void*, std::unique_ptr<generator_model>> generators;

inline generator_model& of(curandGenerator_t generator) {
  return *reinterpret_cast<generator_model*>(generator);
}

template<class T>
curandStatus_t draw(curandGenerator_t generator, T* out, std::size_t n) {
  generator_model& g = of(generator);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<T>(g.seed * 1000 + g.next++);
  return CURAND_STATUS_SUCCESS;
}

struct session {
  session() {
    generators.clear();
    table.curandCreateGenerator = [](curandGenerator_t* made, curandRngType_t) {
      auto model = std::make_unique<generator_model>();
      *made = reinterpret_cast<curandGenerator_t>(model.get());
      generators[model.get()] = std::move(model);
      return CURAND_STATUS_SUCCESS;
    };
    table.curandDestroyGenerator = [](curandGenerator_t generator) {
      return generators.erase(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
    };
    table.curandSetPseudoRandomGeneratorSeed = [](curandGenerator_t g, unsigned long long seed) {
      of(g).seed = seed;
      return CURAND_STATUS_SUCCESS;
    };
    table.curandSetGeneratorOffset = [](curandGenerator_t g, unsigned long long offset) {
      of(g).next = offset;
      return CURAND_STATUS_SUCCESS;
    };
    table.curandSetQuasiRandomGeneratorDimensions = [](curandGenerator_t g, unsigned dimensions) {
      of(g).seed = dimensions;
      return CURAND_STATUS_SUCCESS;
    };
    table.curandSetStream = [](curandGenerator_t, cudaStream_t) { return CURAND_STATUS_SUCCESS; };
    table.curandGenerate = draw<unsigned>;
    table.curandGenerateLongLong = draw<unsigned long long>;
    table.curandGenerateUniform = draw<float>;
    table.curandGenerateUniformDouble = draw<double>;
    table.curandGenerateNormal = [](curandGenerator_t g, float* out, std::size_t n, float, float) {
      return draw(g, out, n);
    };
    table.curandGenerateNormalDouble = [](curandGenerator_t g, double* out, std::size_t n, double, double) {
      return draw(g, out, n);
    };
    table.curandGenerateLogNormal = table.curandGenerateNormal;
    table.curandGenerateLogNormalDouble = table.curandGenerateNormalDouble;
    table.curandGeneratePoisson = [](curandGenerator_t g, unsigned* out, std::size_t n, double) {
      return draw(g, out, n);
    };
    gparray::core::cuda::exchange_curand(&table);
  }
  ~session() {
    gparray::core::cuda::exchange_curand(nullptr);
    generators.clear();
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  gparray::core::cuda::curand_table table{};
};

}  // namespace fake_curand
