// Kernels that take rows through several stages: run on the CPU thread by thread, and compiled for a GPU.
#include <memory>
#include <set>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/device/row_chain_params.hpp>
#include <cuda/fusion/jit_kernels.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <gparray/gparray.hpp>
#include <plan/compiler.hpp>

#include "cuda/support/emulated_kernels.hpp"
#include "cuda/support/fake_runtime.hpp"

namespace gp = gparray;
using namespace gparray::core;

namespace {

temporary_folder* folder;
std::vector<cuda::chain_key> made;
std::set<const void*> chains;
int n_chains, n_others;

/// What g++ makes of a chain's text.
cuda::loaded_kernel emulated_chain(const cuda::chain_key& key) {
  made.push_back(key);
  const std::string text =
      cuda::chain_source(key) + emulation::entry +
      "void run(const void* params, unsigned blocks, unsigned threads) {\n"
      "  emulated::run_blocks(&gparray::core::cuda::row_chain, params, blocks, threads);\n}\n";
  cuda::loaded_kernel result;
  result.kernel = dlsym(emulation::load(*folder, text), "run");
  REQUIRE(result.kernel);
  chains.insert(result.kernel);
  return result;
}

/// The CUDA backend on the fake runtime as the default device, which runs chains and nothing else.
struct fixture {
  fixture() : before(gp::default_device()), mode(gp::jit_mode()) {
    folder = &files;
    made.clear();
    chains.clear();
    n_chains = n_others = 0;
    exchange_gpu_backend(gpu.get());
    gp::set_default_device(gp::device::cpu());
    cuda::exchange_chain_kernels(&table);
    gp::set_jit_mode(gp::jit::sync);
    fake_cuda::model.on_launch = [](const fake_cuda::launch_record& l) {
      if (!chains.contains(l.kernel)) return void(++n_others);
      ++n_chains;
      reinterpret_cast<emulation::run_function>(const_cast<void*>(l.kernel))(l.params, l.blocks, l.threads);
    };
  }
  ~fixture() {
    cuda::exchange_chain_kernels(nullptr);
    exchange_gpu_backend(nullptr);
    gp::set_default_device(before);
    gp::set_jit_mode(mode);
  }

  fake_cuda::session session;
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);
  cuda::chain_table table{64, emulated_chain};
  temporary_folder files;
  gp::device before;
  gp::jit mode;
};

/// Small whole numbers, of which sums are exact in any order.
template<class T>
gp::ndarray<T> whole_numbers(std::int64_t rows, std::int64_t columns) {
  return (gp::arange<std::int64_t>(rows * columns) * 7 % 13 - 5)
      .template astype<T>()
      .reshape({rows, columns})
      .copy();
}

template<class T>
gp::ndarray<T> moved(const gp::ndarray<T>& x, const gp::ndarray<T>& weight) {
  const gp::ndarray<T> largest = gp::max(x, {1}, {.keepdims = true});
  const gp::ndarray<T> below = largest - x;
  const gp::ndarray<T> sum = gp::sum(below * weight, {1}, {.keepdims = true}).template astype<T>();
  const gp::ndarray<T> twice = sum * T(2) + largest;
  return below * weight - twice;
}

template<class T>
void check_chain(fixture&, std::int64_t rows, std::int64_t columns, int factor = 1) {
  CAPTURE(rows);
  CAPTURE(columns);
  const gp::ndarray<T> x = (whole_numbers<T>(rows, columns) * T(factor)).eval(),
                       weight = whole_numbers<T>(1, columns)(0).copy();
  const gp::ndarray<T> expected = moved(x, weight);
  expected.eval();
  const auto there = gp::device::cuda(0);
  const gp::ndarray<T> on_gpu = gp::asarray(x, {.device = there}),
                       weight_there = gp::asarray(weight, {.device = there});
  const int before = n_chains, others = n_others;
  const gp::ndarray<T> actual = moved(on_gpu, weight_there);
  CHECK(gp::array_equal(gp::asnumpy(actual), expected));
  CHECK(n_chains == before + 1);
  CHECK(n_others == others);
}

}  // namespace

TEST_CASE("chains: one kernel takes rows of any length through all stages") {
  fixture f;
  for (const std::int64_t columns : {5, 16, 37, 130, 1000, 3000})
    check_chain<float>(f, 5000 / columns + 70, columns);
  // No shape is in the key, but how much of a row a thread keeps, 4, 8 or 12 packs, and whether that is all.
  CHECK(f.table.counts().made <= 4);
  check_chain<double>(f, 900, 33);
  check_chain<std::int16_t>(f, 900, 33);
}

TEST_CASE(
    "chains: rows that several stages read are in shared memory, or in registers if there is too little") {
  fixture f;
  const auto mixed = [](const gp::ndarray<float>& x, const gp::ndarray<float>& y,
                        const gp::ndarray<float>& z) {
    const gp::ndarray<float> sum = gp::sum(x * y, {1}, {.keepdims = true}),
                             largest = gp::max(z - x, {1}, {.keepdims = true});
    return gp::ndarray<float>(x * largest + y - z * sum);
  };
  for (const std::int64_t columns : {130, 3000}) {
    const gp::ndarray<float> x = whole_numbers<float>(71, columns), y = x("::-1").copy(), z = (x * y).eval();
    const gp::ndarray<float> expected = mixed(x, y, z).eval();
    const auto on_gpu = [](const gp::ndarray<float>& a) {
      return gp::asarray(a, {.device = gp::device::cuda(0)});
    };
    CHECK(gp::array_equal(gp::asnumpy(mixed(on_gpu(x), on_gpu(y), on_gpu(z))), expected));
  }
  REQUIRE(made.size() == 2);
  CHECK(made[0].slots == 3);
  CHECK(made[1].slots == 0);  // three times 16 KB
}

TEST_CASE("chains: of rows that are whole packs for each thread, nothing is asked of any pack") {
  fixture f;
  check_chain<float>(f, 71, 4096);
  check_chain<float>(f, 9000, 16);
  check_chain<double>(f, 71, 2048);
  CHECK(made.size() == 3);
  for (const cuda::chain_key& key : made) CHECK(key.log_row >= 0);
  // Large ones from the beginning to the end and back; of other numbers each time, as memory is used again.
  for (int turn = 0; turn < 2; ++turn) check_chain<float>(f, 300, 4096, turn + 2);
  made.clear();
  check_chain<float>(f, 71, 4092);
  // As long, but not aligned.
  const gp::ndarray<float> x = whole_numbers<float>(71, 4097), y = x(":, 1:");
  const gp::ndarray<float> on_gpu = gp::asarray(x, {.device = gp::device::cuda(0)})(":, 1:");
  const auto chain = [](const gp::ndarray<float>& a) {
    const gp::ndarray<float> largest = gp::max(a, {1}, {.keepdims = true});
    return gp::ndarray<float>(a - largest).eval();
  };
  CHECK(gp::array_equal(gp::asnumpy(chain(on_gpu)), chain(y)));
  REQUIRE(made.size() == 2);
  for (const cuda::chain_key& key : made) CHECK(key.log_row == -1);
}

TEST_CASE("chains: those that do not fit one kernel run stage by stage") {
  fixture f;
  const gp::ndarray<float> x =
      gp::asarray(whole_numbers<float>(3, 50000), {.device = gp::device::cuda(0)});  // splits
  const gp::ndarray<float> y = x - gp::max(x, {1}, {.keepdims = true});
  y.eval();
  CHECK(made.empty());
  CHECK(n_others > 0);
}

#ifdef GPARRAY_TEST_NVRTC
TEST_CASE("chains: the run-time compiler takes them") {
  fixture f;
  check_chain<float>(f, 300, 64);
  check_chain<std::int16_t>(f, 300, 64);
  for (const cuda::chain_key& key : made)
    for (const char* architecture : {"sm_75", "sm_90"}) {
      const compile_request request = cuda::kernel_request(key, architecture);
      CAPTURE(request.source);
      CHECK(compile(request).lowered_names.size() == 1);
    }
}
#endif
