// The k-th call of a library fails, for every k: of one that is used for the first time, whose handle has to
// be made, and of one that was used before. The error is the documented one, nothing is lost, and the next
// try gives what it would have given.
#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <gparray/error.hpp>
#include <plan/epilogue.hpp>
#include <plan/linalg_engine.hpp>

#include "cuda/support/failing_calls.hpp"
#include "cuda/support/fake_blas_lt.hpp"
#include "cuda/support/fake_cufft.hpp"
#include "cuda/support/fake_curand.hpp"
#include "cuda/support/fake_cusolver.hpp"
#include "cuda/support/fake_cusparse.hpp"
#include "cuda/support/fake_runtime.hpp"
#include "cuda/support/fake_spsm.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using failing_calls::calls;
using std::int64_t;
using z = std::complex<double>;
using gpu_type = cuda::cuda_backend_type;

const queue stream{0, nullptr};

/// Numbers in memory of the device.
template<class T>
class on_device {
 public:
  on_device(gpu_type& gpu, const std::vector<T>& values)
      : pool_(*gpu.pool(memory_space::device, 0)),
        block_(pool_.allocate(values.size() * sizeof(T), nullptr)),
        size_(values.size()) {
    std::copy(values.begin(), values.end(), data());
  }
  on_device(gpu_type& gpu, std::size_t n) : on_device(gpu, std::vector<T>(n)) {}
  ~on_device() { pool_.deallocate(block_); }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;
  T* data() const { return static_cast<T*>(block_->pointer); }
  std::string bytes() const { return {reinterpret_cast<const char*>(data()), size_ * sizeof(T)}; }

 private:
  core::memory_pool& pool_;
  core::block* block_;
  std::size_t size_;
};

template<class T>
std::vector<T> numbers(int64_t count) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<T>((i * i * 5 + i * 7 + 3) % 17 - 8));
  return values;
}

/// Symmetric and positive definite, one after the other.
std::vector<double> definite(int64_t n, int64_t count) {
  std::vector<double> a(static_cast<std::size_t>(n * n * count), 1);
  for (int64_t i = 0; i < n * count; ++i) a[static_cast<std::size_t>(i / n * n * n + i % n * (n + 1))] = 20;
  return a;
}

matrix_stack stack(double* data, int64_t rows, int64_t columns, int64_t count) {
  return {data, rows, columns, count};
}

/// Of more summands than a kernel of our own takes.
std::string product(gpu_type& gpu, int64_t count) {
  const on_device<float> a(gpu, numbers<float>(2 * 40 * count)), b(gpu, numbers<float>(40 * 4 * count)),
      c(gpu, static_cast<std::size_t>(8 * count));
  matmul_plan plan{};
  plan.type = dtype::float32;
  plan.m = 2;
  plan.n = 4;
  plan.k = 40;
  plan.batch_ndim = count > 1;
  plan.batch_shape[0] = count;
  plan.a = {a.data(), 160, 4, {320}};
  plan.b = {b.data(), 16, 4, {640}};
  plan.c = {c.data(), 16, 4, {32}};
  gpu.matmul(plan, stream);
  return c.bytes();
}

std::string layer(gpu_type& gpu, int64_t count) {
  const on_device<float> a(gpu, numbers<float>(6 * count)), b(gpu, numbers<float>(12 * count)),
      bias(gpu, numbers<float>(4)), c(gpu, static_cast<std::size_t>(8 * count));
  matmul_plan plan{};
  plan.type = dtype::float32;
  plan.m = 2;
  plan.n = 4;
  plan.k = 3;
  plan.batch_ndim = count > 1;
  plan.batch_shape[0] = count;
  plan.a = {a.data(), 12, 4, {24}};
  plan.b = {b.data(), 16, 4, {48}};
  plan.c = {c.data(), 16, 4, {32}};
  const bool done = gpu.linalg()->matmul(plan, {dtype::float32, bias.data(), activation::relu}, stream);
  REQUIRE(done);
  return c.bytes();
}

std::string equations(gpu_type& gpu, int64_t count) {
  linalg_engine& engine = *gpu.linalg();
  const on_device<double> lu(gpu, definite(4, count)), lower(gpu, definite(4, count)),
      b(gpu, numbers<double>(8 * count));
  const on_device<std::int32_t> pivots(gpu, static_cast<std::size_t>(4 * count)),
      info(gpu, static_cast<std::size_t>(count));
  engine.lu(dtype::float64, stack(lu.data(), 4, 4, count), pivots.data(), info.data(), stream);
  if (count > 1)  // else a kernel converts the pivots
    engine.lu_solve(dtype::float64, stack(lu.data(), 4, 4, count), pivots.data(), transposition::none,
                    stack(b.data(), 4, 2, count), stream);
  engine.cholesky(dtype::float64, stack(lower.data(), 4, 4, count), info.data(), stream);
  engine.triangular_solve(dtype::float64, stack(lower.data(), 4, 4, count), {.lower = true},
                          stack(b.data(), 4, 2, count), stream);
  return lu.bytes() + lower.bytes() + b.bytes() + info.bytes();
}

std::string orthogonal(gpu_type& gpu, int64_t count) {
  linalg_engine& engine = *gpu.linalg();
  const on_device<double> a(gpu, numbers<double>(130 * 4 * count)),
      tau(gpu, static_cast<std::size_t>(4 * count));
  const matrix_stack all = stack(a.data(), 130, 4, count);
  engine.qr(dtype::float64, all, tau.data(), stream);
  engine.form_q(dtype::float64, all, 4, tau.data(), stream);
  return a.bytes() + tau.bytes();
}

std::string singular(gpu_type& gpu, int64_t count, double perturbation) {
  fake_solver::model.perturbation = perturbation;
  const auto n = static_cast<std::size_t>(count);
  const on_device<double> a(gpu, definite(4, count)), s(gpu, 4 * n), u(gpu, 16 * n), vh(gpu, 16 * n);
  const on_device<std::int32_t> info(gpu, n);
  gpu.linalg()->svd(dtype::float64, stack(a.data(), 4, 4, count), singular_vectors::thin, s.data(), u.data(),
                    vh.data(), info.data(), stream);
  return s.bytes() + info.bytes();
}

std::string eigenvalues(gpu_type& gpu, int64_t count) {
  const auto n = static_cast<std::size_t>(count);
  constexpr int64_t rows = 40;  // more than a kernel of our own takes
  const on_device<double> a(gpu, definite(rows, count)), general(gpu, numbers<double>(16 * count)),
      values(gpu, rows * n), right(gpu, 16 * n);
  const on_device<z> complex_values(gpu, 4 * n);
  const on_device<std::int32_t> info(gpu, n);
  gpu.linalg()->eigh(dtype::float64, stack(a.data(), rows, rows, count), true, values.data(), info.data(),
                     stream);
  gpu.linalg()->eig(dtype::float64, stack(general.data(), 4, 4, count), complex_values.data(), right.data(),
                    info.data(), stream);
  return a.bytes() + values.bytes() + complex_values.bytes() + right.bytes();
}

/// Of 3 rows of 8 numbers, along rows or columns.
std::string transform(gpu_type& gpu, fft_kind kind, bool along_columns) {
  const bool real_in = kind == fft_kind::real_forward, real_out = kind == fft_kind::real_inverse;
  const on_device<z> in(gpu, numbers<z>(64)), out(gpu, 64);
  const int64_t in_item = real_in ? 8 : 16, out_item = real_out ? 8 : 16;
  const int64_t in_row = (real_out ? 5 : 8) * in_item, out_row = (real_in ? 5 : 8) * out_item;
  fft_plan plan{};
  plan.kind = kind;
  plan.real = dtype::float64;
  plan.in = in.data();
  plan.out = out.data();
  plan.scale = 1;
  plan.rank = plan.batch_ndim = 1;
  plan.n[0] = along_columns ? 3 : 8;
  plan.batch_shape[0] = along_columns ? 8 : 3;
  plan.in_strides[0] = along_columns ? in_row : in_item;
  plan.out_strides[0] = along_columns ? out_row : out_item;
  plan.batch_in_strides[0] = along_columns ? in_item : in_row;
  plan.batch_out_strides[0] = along_columns ? out_item : out_row;
  gpu.fft()->run(plan, stream);
  return out.bytes();
}

std::string draws(gpu_type& gpu, random::curand_kind kind) {
  struct generator {
    generator(gpu_type& g, random::curand_kind kind) : gpu(g), handle(g.curand()->create(kind, 5, 7, 2, 0)) {}
    ~generator() { gpu.curand()->destroy(handle, 0); }
    gpu_type& gpu;
    void* handle;
  } const g(gpu, kind);
  const on_device<double> doubles(gpu, 4 * 3);
  const on_device<float> floats(gpu, 4 * 3);
  const on_device<std::uint32_t> words(gpu, 8);
  const on_device<std::uint64_t> long_words(gpu, 4);
  using detail::curand_draw;
  int64_t at = 0;
  for (const curand_draw what : {curand_draw::uniform, curand_draw::normal, curand_draw::lognormal}) {
    gpu.curand()->draw(g.handle, what, dtype::float64, doubles.data() + at, 4, 0, 1, stream);
    gpu.curand()->draw(g.handle, what, dtype::float32, floats.data() + at, 4, 0, 1, stream);
    at += 4;
  }
  gpu.curand()->draw(g.handle, curand_draw::bits, dtype::uint32, words.data(), 4, 0, 1, stream);
  gpu.curand()->draw(g.handle, curand_draw::bits, dtype::uint64, long_words.data(), 4, 0, 1, stream);
  gpu.curand()->draw(g.handle, curand_draw::poisson, dtype::uint32, words.data() + 4, 4, 3, 1, stream);
  return doubles.bytes() + floats.bytes() + words.bytes() + long_words.bytes();
}

/// With entries in every `step`-th column, also on the diagonal. Rows that are long, or of many columns, are
/// cuSPARSE's.
class sparse_matrix {
 public:
  sparse_matrix(gpu_type& gpu, int64_t rows, int64_t columns, int64_t step)
      : sparse_matrix(gpu, rows, columns, pattern(rows, columns, step)) {}
  compressed_rows view() const {
    return {rows_,          columns_,       count_,          dtype::int32,
            dtype::float64, indptr_.data(), indices_.data(), data_.data()};
  }

 private:
  using lists = std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>;
  static lists pattern(int64_t rows, int64_t columns, int64_t step) {
    lists result{{0}, {}};
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = i % step; j < columns; j += step)
        result.second.push_back(static_cast<std::int32_t>(j));
      result.first.push_back(static_cast<std::int32_t>(result.second.size()));
    }
    return result;
  }
  sparse_matrix(gpu_type& gpu, int64_t rows, int64_t columns, const lists& where)
      : rows_(rows),
        columns_(columns),
        count_(static_cast<int64_t>(where.second.size())),
        indptr_(gpu, where.first),
        indices_(gpu, where.second),
        data_(gpu, std::vector<double>(where.second.size(), 2)) {}

  int64_t rows_, columns_, count_;
  on_device<std::int32_t> indptr_, indices_;
  on_device<double> data_;
};

std::string sparse_times_dense(gpu_type& gpu, int64_t width) {
  const sparse_matrix a(gpu, 3, 40, 1);
  const on_device<double> x(gpu, numbers<double>(40 * width)), y(gpu, static_cast<std::size_t>(3 * width));
  const bool done = gpu.sparse()->times_dense(a.view(), width, x.data(), y.data(), stream);
  REQUIRE(done);
  return y.bytes();
}

std::string sparse_times_sparse(gpu_type& gpu) {
  const sparse_matrix a(gpu, 3, 40, 1), b(gpu, 40, 6000, 1500);
  const on_device<std::int32_t> indptr(gpu, 4), indices(gpu, 3 * 160);
  const on_device<double> data(gpu, 3 * 160);
  bool sorted = false;
  const auto product = gpu.sparse()->times_sparse(a.view(), b.view(), indptr.data(), sorted, stream);
  REQUIRE(product);
  REQUIRE(product->count() == 3 * 160);
  product->write(indices.data(), data.data());
  return indptr.bytes() + indices.bytes() + data.bytes();
}

std::string sparse_solve(gpu_type& gpu, int64_t width) {
  const sparse_matrix a(gpu, 4, 4, 2);
  const on_device<double> x(gpu, numbers<double>(4 * width));
  const auto triangle = gpu.sparse()->prepare_triangle(a.view(), {.lower = true}, width, stream);
  REQUIRE(triangle);
  for (int turn = 0; turn < 2; ++turn) triangle->solve(x.data(), stream);
  return x.bytes();
}

struct operation {
  const char* name;
  std::function<std::string(gpu_type&)> run;
  int least_calls;  // that it makes of the libraries
};

const operation operations[] = {
    {"product", [](gpu_type& g) { return product(g, 1); }, 5},
    {"batch of products", [](gpu_type& g) { return product(g, 3); }, 5},
    {"layer", [](gpu_type& g) { return layer(g, 1); }, 21},
    {"batch of layers", [](gpu_type& g) { return layer(g, 3); }, 27},
    {"equations", [](gpu_type& g) { return equations(g, 1); }, 8},
    {"batch of equations", [](gpu_type& g) { return equations(g, 3); }, 8},
    {"QR", [](gpu_type& g) { return orthogonal(g, 1); }, 7},
    {"batch of QR", [](gpu_type& g) { return orthogonal(g, 3); }, 7},
    {"singular values", [](gpu_type& g) { return singular(g, 1, 0); }, 5},
    {"singular values, nearly singular", [](gpu_type& g) { return singular(g, 1, 1e-3); }, 7},
    {"batch of singular values", [](gpu_type& g) { return singular(g, 3, 0); }, 5},
    {"eigenvalues", [](gpu_type& g) { return eigenvalues(g, 1); }, 7},
    {"batch of eigenvalues", [](gpu_type& g) { return eigenvalues(g, 3); }, 7},
    {"fft", [](gpu_type& g) { return transform(g, fft_kind::forward, false); }, 6},
    {"ifft of columns", [](gpu_type& g) { return transform(g, fft_kind::inverse, true); }, 6},
    {"rfft", [](gpu_type& g) { return transform(g, fft_kind::real_forward, false); }, 6},
    {"irfft", [](gpu_type& g) { return transform(g, fft_kind::real_inverse, false); }, 6},
    {"pseudo-random", [](gpu_type& g) { return draws(g, random::curand_kind::XORWOW); }, 21},
    {"quasi-random", [](gpu_type& g) { return draws(g, random::curand_kind::Sobol32); }, 21},
    {"sparse by a vector", [](gpu_type& g) { return sparse_times_dense(g, 1); }, 7},
    {"sparse by a matrix", [](gpu_type& g) { return sparse_times_dense(g, 3); }, 7},
    {"sparse by sparse", [](gpu_type& g) { return sparse_times_sparse(g); }, 12},
    {"sparse triangle", [](gpu_type& g) { return sparse_solve(g, 1); }, 9},
    {"sparse triangle, several sides", [](gpu_type& g) { return sparse_solve(g, 3); }, 9},
};

/// Handles, plans, generators.
std::size_t library_objects() {
  return static_cast<std::size_t>(fake_solver::model.live_handles + fake_cusparse::model.live +
                                  fake_blas_lt::model.live) +
         fake_cufft::model.plans.size() + fake_curand::generators.size();
}

/// All libraries, whose calls can fail, and a thread that has no handles yet.
template<class Body>
void with_libraries(Body body) {
  {
    const fake_cuda::session runtime;
    fake_solver::session solvers;
    fake_blas_lt::session epilogues;
    fake_cufft::session transforms;
    fake_curand::session generators;
    fake_cusparse::session sparse;
    fake_cusparse::add_triangles(sparse.table);
    failing_calls::wrap(solvers.blas);
    failing_calls::wrap(epilogues.table);
    failing_calls::wrap(solvers.solver);
    failing_calls::wrap(transforms.calls);
    failing_calls::wrap(generators.table);
    failing_calls::wrap(sparse.table);
    failing_calls::fail(0);
    fake_cuda::bring_back_devices();
    auto gpu = std::make_unique<gpu_type>(1);
    std::size_t held = 0;
    std::thread([&] {
      try {
        body(*gpu);
      } catch (const std::exception& e) {
        FAIL_CHECK(e.what());
      }
      held = library_objects();
    }).join();
    gpu.reset();
    if (is_lost(0)) {  // the driver takes what is there
      CHECK(library_objects() == held);
      return;
    }
    CHECK(fake_cuda::model.is_empty());
    CHECK(fake_cufft::model.plans.empty());
    CHECK(fake_curand::generators.empty());
  }
  CHECK(fake_solver::model.live_handles == 0);
  CHECK(fake_blas_lt::model.live == 0);
  CHECK(fake_cusparse::model.live == 0);
}

/// What is alive: memory, handles, plans, events.
auto living(gpu_type& gpu) {
  return std::tuple(gpu.pool(memory_space::device, 0)->stats().used_bytes, fake_solver::model.live_handles,
                    fake_cusparse::model.live, fake_cufft::model.plans.size(), fake_curand::generators.size(),
                    fake_cuda::model.events.size(), fake_cuda::model.streams.size());
}

/// The name as errors have it: X for the type, which is double here, and without the version.
std::string stem(std::string name) {
  for (const std::string library : {"cublas", "cusolverDn"})
    if (name.starts_with(library + "D")) name[library.size()] = 'X';
  for (const char* end : {"_v2", "_64"})
    if (const std::size_t at = name.find(end); at != name.npos) name.resize(at);
  return name;
}

/// False if it makes fewer calls than k.
bool fails_well(const operation& op, int k, bool warm, bool of_memory) {
  CAPTURE(k);
  bool happened = false;
  with_libraries([&](gpu_type& gpu) {
    const std::string expected = [&] {
      std::string result;  // of another thread, so that this one has no handles
      std::thread([&] { result = op.run(gpu); }).join();
      gpu.fft()->cache(0).clear();
      return result;
    }();
    if (warm) CHECK(op.run(gpu) == expected);
    const auto before = living(gpu);
    failing_calls::fail(k, of_memory);
    try {
      const std::string result = op.run(gpu);
      CHECK(result == expected);  // nothing failed, or there was another way
      if (!of_memory) CHECK(calls.failed.empty());
    } catch (const out_of_memory& e) {
      CHECK(of_memory);
      CHECK(std::string(e.what()).find(stem(calls.failed)) != std::string::npos);
    } catch (const cuda_error& e) {
      CHECK_FALSE(of_memory);
      CHECK(std::string(e.what()).find(stem(calls.failed) + " failed while ") == 0);
    }
    happened = !calls.failed.empty();
    failing_calls::fail(0);
    if (warm) CHECK(living(gpu) == before);
    CHECK(gpu.pool(memory_space::device, 0)->stats().used_bytes == 0);
    CHECK(op.run(gpu) == expected);
    const auto after = living(gpu);
    if (warm) CHECK(after == before);
    CHECK(op.run(gpu) == expected);
    CHECK(living(gpu) == after);
  });
  return happened;
}

/// A kernel has failed, and the library's k-th call is the first to be refused: whether the fault's stream is
/// known. Nothing if the operation makes fewer calls.
std::optional<bool> notices_fault(const operation& op, int k) {
  bool happened = false, knows_stream = false;
  with_libraries([&](gpu_type& gpu) {
    failing_calls::fail(k);
    calls.on_failure = [] { fake_cuda::model.lost[0] = cudaErrorIllegalAddress; };
    try {
      op.run(gpu);
    } catch (const device_fault& e) {
      happened = true;
      CHECK(std::string(e.what()).find(stem(calls.failed) + " failed while " + e.operation()) == 0);
      CHECK(e.device() == device::cuda(0));
      CHECK(e.code() == cudaErrorIllegalAddress);
      // Making handles and plans is no work on a stream.
      knows_stream = e.stream().has_value();
      if (knows_stream) CHECK(*e.stream() == stream.stream);
    } catch (const std::exception& e) {
      happened = true;
      FAIL_CHECK(e.what());
    }
    CHECK(happened == !calls.failed.empty());
    if (!happened) return;
    CHECK(is_lost(0));
    CHECK_THROWS_AS(op.run(gpu), device_fault);
    CHECK(calls.n == k);
    CHECK(fake_cuda::model.asked_in_vain == 0);
  });
  return happened ? std::optional(knows_stream) : std::nullopt;
}

}  // namespace

TEST_CASE("a fault that a library notices is a device_fault") {
  for (const operation& op : operations) {
    CAPTURE(std::string(op.name));
    int k = 1;
    bool knows_stream = false;
    while (const std::optional<bool> noticed = notices_fault(op, k)) {
      knows_stream = *noticed;
      ++k;
    }
    CHECK(k > op.least_calls);
    CHECK(knows_stream);  // of the last call, which computes
  }
}

TEST_CASE("whichever call of a library fails, the next try is as if it had not") {
  for (const operation& op : operations)
    for (const bool warm : {false, true})
      for (const bool of_memory : {false, true}) {
        CAPTURE(std::string(op.name));
        CAPTURE(warm);
        CAPTURE(of_memory);
        int k = 1;
        while (fails_well(op, k, warm, of_memory)) ++k;
        if (!warm) CHECK(k > op.least_calls);
      }
}
