// A cuFFT that computes transforms by their definition, for the advanced data layout, in host memory; writes
// down what it is asked for; and can be made to fail.
#pragma once
#include <complex>
#include <map>
#include <numbers>
#include <vector>

#include <cuda/fft/cufft.hpp>

namespace fake_cufft {

using gparray::core::cuda::cufft_table;

struct plan_model {
  int rank = 0, type = 0;
  long long n[3] = {1, 1, 1}, in_embed[3] = {1, 1, 1}, out_embed[3] = {1, 1, 1};
  long long in_stride = 0, in_distance = 0, out_stride = 0, out_distance = 0, batch = 0;
  void *work = nullptr, *stream = nullptr;
  bool allocates = true;
};

struct library_model {
  std::map<int, plan_model> plans;
  int made = 0, executions = 0;
  std::size_t work_bytes = 4096;
  int fail_at = 0, calls = 0;  // the number of the call that fails, counted from 1
  cufftResult error = CUFFT_INTERNAL_ERROR;
  std::vector<void*> streams, works;  // of each execution
};

inline library_model model;

inline bool fails() { return ++model.calls == model.fail_at; }

template<class T>
void transform(const plan_model& p, const void* from, void* to, int sign) {
  using complex = std::complex<T>;
  const bool real_in = p.type == CUFFT_R2C || p.type == CUFFT_D2Z,
             real_out = p.type == CUFFT_C2R || p.type == CUFFT_Z2D;
  const long long last = p.n[p.rank - 1], points = p.n[0] * p.n[1] * p.n[2];
  const auto at = [&](const long long* embed, long long stride, long long distance, long long b,
                      const std::array<long long, 3>& i) {
    long long position = i[0];
    for (int d = 1; d < p.rank; ++d) position = position * embed[d] + i[static_cast<std::size_t>(d)];
    return b * distance + position * stride;
  };
  const auto index = [&](long long number) {
    std::array<long long, 3> i{};
    for (int d = p.rank - 1; d >= 0; --d) {
      i[static_cast<std::size_t>(d)] = number % p.n[d];
      number /= p.n[d];
    }
    return i;
  };
  const auto read = [&](long long b, std::array<long long, 3> i) -> std::complex<double> {
    if (real_in) return static_cast<const T*>(from)[at(p.in_embed, p.in_stride, p.in_distance, b, i)];
    auto& k = i[static_cast<std::size_t>(p.rank - 1)];
    const bool mirrored = real_out && k > last / 2;
    if (mirrored) k = last - k;
    const complex v = static_cast<const complex*>(from)[at(p.in_embed, p.in_stride, p.in_distance, b, i)];
    return mirrored ? std::conj(std::complex<double>(v)) : std::complex<double>(v);
  };
  // Everything is read before anything is written, as in a transform in place.
  std::vector<std::complex<double>> results;
  for (long long b = 0; b < p.batch; ++b)
    for (long long k = 0; k < points; ++k) {
      const auto out = index(k);
      std::complex<double> sum = 0;
      for (long long j = 0; j < points; ++j) {
        const auto in = index(j);
        double turns = 0;
        for (std::size_t d = 0; d < 3; ++d)
          turns += static_cast<double>(out[d] * in[d] % p.n[d]) / static_cast<double>(p.n[d]);
        sum += read(b, in) * std::polar(1.0, sign * 2 * std::numbers::pi * turns);
      }
      results.push_back(sum);
    }
  for (long long b = 0; b < p.batch; ++b)
    for (long long k = 0; k < points; ++k) {
      const auto out = index(k);
      if (real_in && out[static_cast<std::size_t>(p.rank - 1)] > last / 2) continue;
      const auto position = at(p.out_embed, p.out_stride, p.out_distance, b, out);
      const auto& value = results[static_cast<std::size_t>(b * points + k)];
      if (real_out) static_cast<T*>(to)[position] = static_cast<T>(value.real());
      else static_cast<complex*>(to)[position] = complex(value);
    }
}

inline cufft_table table() {
  cufft_table t{};
  t.cufftCreate = [](cufftHandle* handle) {
    if (fails()) return model.error;
    *handle = ++model.made;
    model.plans[*handle] = {};
    return CUFFT_SUCCESS;
  };
  t.cufftDestroy = [](cufftHandle handle) {
    return model.plans.erase(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
  };
  t.cufftSetAutoAllocation = [](cufftHandle handle, int automatic) {
    if (fails()) return model.error;
    model.plans.at(handle).allocates = automatic;
    return CUFFT_SUCCESS;
  };
  t.cufftMakePlanMany64 = [](cufftHandle handle, int rank, long long* n, long long* in_embed,
                             long long in_stride, long long in_distance, long long* out_embed,
                             long long out_stride, long long out_distance, cufftType type, long long batch,
                             std::size_t* bytes) {
    if (fails()) return model.error;
    plan_model& p = model.plans.at(handle);
    p.rank = rank;
    p.type = type;
    for (int d = 0; d < rank; ++d) {
      p.n[d] = n[d];
      p.in_embed[d] = in_embed[d];
      p.out_embed[d] = out_embed[d];
    }
    p.in_stride = in_stride;
    p.in_distance = in_distance;
    p.out_stride = out_stride;
    p.out_distance = out_distance;
    p.batch = batch;
    *bytes = model.work_bytes;
    return CUFFT_SUCCESS;
  };
  t.cufftSetStream = [](cufftHandle handle, cudaStream_t stream) {
    if (fails()) return model.error;
    model.plans.at(handle).stream = stream;
    return CUFFT_SUCCESS;
  };
  t.cufftSetWorkArea = [](cufftHandle handle, void* work) {
    if (fails()) return model.error;
    model.plans.at(handle).work = work;
    return CUFFT_SUCCESS;
  };
  t.cufftXtExec = [](cufftHandle handle, void* in, void* out, int direction) {
    if (fails()) return model.error;
    const plan_model& p = model.plans.at(handle);
    if (p.allocates || (model.work_bytes > 0 && !p.work)) return CUFFT_NO_WORKSPACE;
    ++model.executions;
    model.streams.push_back(p.stream);
    model.works.push_back(p.work);
    const bool single = p.type == CUFFT_C2C || p.type == CUFFT_R2C || p.type == CUFFT_C2R;
    if (single) transform<float>(p, in, out, direction);
    else transform<double>(p, in, out, direction);
    return CUFFT_SUCCESS;
  };
  return t;
}

/// The fake in place of the library.
struct session {
  session() : calls(table()) {
    model = {};
    gparray::core::cuda::exchange_cufft(&calls);
  }
  ~session() { gparray::core::cuda::exchange_cufft(nullptr); }
  cufft_table calls;
};

}  // namespace fake_cufft
