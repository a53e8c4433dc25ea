#include <fmt/format.h>

#include <cuda/random/curand.hpp>
#include <cuda/runtime/library.hpp>
#include <cuda/runtime/runtime.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

using gparray::detail::curand_draw;
using random::curand_kind;

curand_table load() {
  const table_loader load_row("cuRAND", {"libcurand.so.10"},
                              "the CUDA toolkit's libcurand, or the Python package nvidia-curand");
  curand_table table;
#define GPARRAY_CURAND_CALL(name) load_row(table.name, #name);
#include <cuda/random/curand_calls.def>
#undef GPARRAY_CURAND_CALL
  return table;
}

const char* status_name(curandStatus_t status) {
  switch (status) {
    case CURAND_STATUS_VERSION_MISMATCH:
      return "header and library versions differ";
    case CURAND_STATUS_NOT_INITIALIZED:
      return "generator not initialized";
    case CURAND_STATUS_ALLOCATION_FAILED:
      return "memory allocation failed";
    case CURAND_STATUS_TYPE_ERROR:
      return "generator is of the wrong type";
    case CURAND_STATUS_OUT_OF_RANGE:
      return "argument out of range";
    case CURAND_STATUS_LENGTH_NOT_MULTIPLE:
      return "the size is not a multiple of the dimensions";
    case CURAND_STATUS_DOUBLE_PRECISION_REQUIRED:
      return "the GPU has no double precision";
    case CURAND_STATUS_LAUNCH_FAILURE:
      return "kernel launch failure";
    case CURAND_STATUS_PREEXISTING_FAILURE:
      return "an error before this call";
    case CURAND_STATUS_INITIALIZATION_FAILED:
      return "CUDA initialization failed";
    case CURAND_STATUS_ARCH_MISMATCH:
      return "the GPU is not supported";
    default:
      return "internal error";
  }
}

void check(const char* call, curandStatus_t status) {
  if (status == CURAND_STATUS_SUCCESS) return;
  constexpr const char* operation = "drawing random numbers";
  throw_if_kernel_fault(call, operation);
  const std::string text = fmt::format("{} failed while {}: {} ({})", call, operation, status_name(status),
                                       static_cast<int>(status));
  if (status == CURAND_STATUS_ALLOCATION_FAILED) throw out_of_memory(text);
  throw cuda_error(text, static_cast<int>(status));
}

/// Calls a row of the table by its name, which an error has too.
#define GPARRAY_CURAND(name, ...) check(#name, curand().name(__VA_ARGS__))

constexpr curandRngType_t types[] = {
    CURAND_RNG_PSEUDO_XORWOW,           CURAND_RNG_PSEUDO_MRG32K3A,      CURAND_RNG_PSEUDO_MTGP32,
    CURAND_RNG_PSEUDO_MT19937,          CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64,        CURAND_RNG_QUASI_SCRAMBLED_SOBOL64};

}  // namespace

const curand_table& curand() { return lazy_table<load>::get(); }

const curand_table* exchange_curand(const curand_table* substitute) noexcept {
  return lazy_table<load>::exchange(substitute);
}

void* curand_library::create(curand_kind kind, std::uint64_t seed, std::uint64_t offset, unsigned dimensions,
                             int device) {
  use_device(device);
  note_library_stream(std::nullopt);
  curandGenerator_t generator = nullptr;
  GPARRAY_CURAND(curandCreateGenerator, &generator, types[static_cast<int>(kind)]);
  try {
    if (kind < curand_kind::Sobol32) GPARRAY_CURAND(curandSetPseudoRandomGeneratorSeed, generator, seed);
    else GPARRAY_CURAND(curandSetQuasiRandomGeneratorDimensions, generator, dimensions);
    if (offset > 0) GPARRAY_CURAND(curandSetGeneratorOffset, generator, offset);
  } catch (...) {
    destroy(generator, device);
    throw;
  }
  return generator;
}

void curand_library::destroy(void* generator, int device) noexcept {
  if (is_gone(device)) return;
  // At exit the driver may be gone; then both calls fail harmlessly.
  try_call<&rt::cudaSetDevice>(device);
  curand().curandDestroyGenerator(static_cast<curandGenerator_t>(generator));
}

void curand_library::draw(void* handle, curand_draw what, dtype type, void* out, std::int64_t size,
                          double first, double second, queue q) {
  use_device(q.device);
  note_library_stream(q.stream);
  const auto g = static_cast<curandGenerator_t>(handle);
  const auto n = static_cast<std::size_t>(size);
  const bool single = type == dtype::float32;
  auto* const floats = static_cast<float*>(out);
  auto* const doubles = static_cast<double*>(out);
  auto* const words = static_cast<unsigned*>(out);
  const auto a = static_cast<float>(first), b = static_cast<float>(second);
  GPARRAY_CURAND(curandSetStream, g, stream_of(q.stream));
  switch (what) {
    case curand_draw::bits:
      if (type == dtype::uint32) GPARRAY_CURAND(curandGenerate, g, words, n);
      else GPARRAY_CURAND(curandGenerateLongLong, g, static_cast<unsigned long long*>(out), n);
      return;
    case curand_draw::uniform:
      if (single) GPARRAY_CURAND(curandGenerateUniform, g, floats, n);
      else GPARRAY_CURAND(curandGenerateUniformDouble, g, doubles, n);
      return;
    case curand_draw::normal:
      if (single) GPARRAY_CURAND(curandGenerateNormal, g, floats, n, a, b);
      else GPARRAY_CURAND(curandGenerateNormalDouble, g, doubles, n, first, second);
      return;
    case curand_draw::lognormal:
      if (single) GPARRAY_CURAND(curandGenerateLogNormal, g, floats, n, a, b);
      else GPARRAY_CURAND(curandGenerateLogNormalDouble, g, doubles, n, first, second);
      return;
    case curand_draw::poisson:
      GPARRAY_CURAND(curandGeneratePoisson, g, words, n, first);
      return;
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
