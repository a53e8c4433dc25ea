// The CUDA backend's factorisations, on a fake device whose cuSOLVER and cuBLAS are LAPACK: leading
// dimensions, addresses of batches, work areas, handles and failures. What they compute must be the CPU's,
// bit for bit.
#include <thread>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <gparray/error.hpp>
#include <host/linalg/linalg.hpp>

#include "cuda/support/fake_cusolver.hpp"
#include "cuda/support/fake_runtime.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using fake_solver::z;
using std::int64_t;

template<class T>
constexpr dtype type_of = std::is_same_v<T, z> ? dtype::complex128 : dtype::float64;

template<class T>
std::vector<T> numbers(int64_t count) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i) {
    const double real = static_cast<double>((i * i * 5 + i * 7 + 3) % 17 - 8),
                 imaginary = static_cast<double>((i * i * 3 + i * 5 + 1) % 13 - 6);
    if constexpr (std::is_same_v<T, z>) values.push_back({real, imaginary});
    else values.push_back(real);
  }
  return values;
}

/// A Hermitian, positive definite matrix for each of the batch.
template<class T>
std::vector<T> definite(int64_t n, int64_t count) {
  std::vector<T> a = numbers<T>(n * n * count);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < n; ++j)
      a[static_cast<std::size_t>((i * n + j) * n + j)] = static_cast<double>(20 * n);
  return a;
}

/// Memory of the device, filled from the host and compared with it.
template<class T>
class on_device {
 public:
  on_device(core::memory_pool& pool, const std::vector<T>& values)
      : pool_(pool), block_(pool.allocate(values.size() * sizeof(T), nullptr)), size_(values.size()) {
    std::copy(values.begin(), values.end(), data());
  }
  ~on_device() { pool_.deallocate(block_); }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;
  T* data() const { return static_cast<T*>(block_->pointer); }
  bool operator==(const std::vector<T>& host) const {
    return std::equal(host.begin(), host.end(), data(), data() + size_);
  }

 private:
  core::memory_pool& pool_;
  core::block* block_;
  std::size_t size_;
};

/// body(engine of the fake GPU, its pool) in a thread of its own, whose handles are gone when this returns.
template<class Body>
void with_engine(Body body) {
  std::exception_ptr error;
  {
    const fake_cuda::session runtime;
    const fake_solver::session libraries;
    const auto gpu = std::make_unique<cuda::cuda_backend_type>(1);
    std::thread([&] {
      try {
        body(*gpu->linalg(), *gpu->pool(memory_space::device, 0));
      } catch (...) {
        error = std::current_exception();
      }
    }).join();
    CHECK(gpu->pool(memory_space::device, 0)->stats().used_bytes == 0);
  }
  CHECK(fake_solver::model.live_handles == 0);
  if (error) std::rethrow_exception(error);
}

const queue stream{0, nullptr}, cpu{};

template<class T>
matrix_stack stack(T* data, int64_t rows, int64_t columns, int64_t count) {
  return {data, rows, columns, count};
}

struct sizes {
  int64_t rows, columns, count;
};
// One matrix, several too large to be a batch of small ones, a batch.
const sizes all_sizes[] = {{5, 5, 1}, {300, 3, 2}, {4, 3, 3}, {3, 4, 3}, {1, 1, 2}};
// The same for QR, of which own kernels do what is smaller.
const sizes qr_sizes[] = {{130, 4, 1}, {300, 3, 2}, {130, 3, 3}, {3, 130, 3}};

template<class T>
void check_orthogonal(const sizes& s) {
  const int64_t k = std::min(s.rows, s.columns);
  std::vector<T> a = numbers<T>(s.rows * s.columns * s.count), tau(static_cast<std::size_t>(k * s.count));
  with_engine([&](linalg_engine& engine, core::memory_pool& pool) {
    const on_device<T> b(pool, a), own_tau(pool, tau);
    engine.qr(type_of<T>, stack(b.data(), s.rows, s.columns, s.count), own_tau.data(), stream);
    host::linalg().qr(type_of<T>, stack(a.data(), s.rows, s.columns, s.count), tau.data(), cpu);
    CHECK(b == a);
    CHECK(own_tau == tau);
    if (s.columns > s.rows) return;
    engine.form_q(type_of<T>, stack(b.data(), s.rows, s.columns, s.count), k, own_tau.data(), stream);
    host::linalg().form_q(type_of<T>, stack(a.data(), s.rows, s.columns, s.count), k, tau.data(), cpu);
    CHECK(b == a);
  });
}

template<class T>
void check_singular(const sizes& s, singular_vectors which, double perturbation) {
  if (s.rows < s.columns) return;
  const int64_t u_columns = which == singular_vectors::full ? s.rows : s.columns;
  const auto count = [&](int64_t n) { return static_cast<std::size_t>(n * s.count); };
  std::vector<T> a = numbers<T>(s.rows * s.columns * s.count), u(count(s.rows * u_columns)),
                 vh(count(s.columns * s.columns));
  std::vector<double> values(count(s.columns));
  std::vector<std::int32_t> info(count(1));
  with_engine([&](linalg_engine& engine, core::memory_pool& pool) {
    const on_device<T> b(pool, a), own_u(pool, u), own_vh(pool, vh);
    const on_device<double> own_values(pool, values);
    const on_device<std::int32_t> own_info(pool, info);
    fake_solver::model.perturbation = perturbation;
    engine.svd(type_of<T>, stack(b.data(), s.rows, s.columns, s.count), which, own_values.data(),
               own_u.data(), own_vh.data(), own_info.data(), stream);
    host::linalg().svd(type_of<T>, stack(a.data(), s.rows, s.columns, s.count), which, values.data(),
                       u.data(), vh.data(), info.data(), cpu);
    // Values computed with and without vectors differ in the last bits.
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(own_values.data()[i] == doctest::Approx(values[i]).epsilon(1e-13));
    const bool is_small_batch = s.count > 1 && s.rows <= 32, is_near_singular = perturbation != 0;
    const int one_by_one = is_small_batch ? 0 : static_cast<int>(s.count);
    CHECK(fake_solver::model.count("gesvdjBatched") == (is_small_batch ? 1 : 0));
    CHECK(fake_solver::model.count("Xgesvdp") == one_by_one);
    CHECK(fake_solver::model.count("Xgesvd") == (is_near_singular ? one_by_one : 0));
    if (is_small_batch || which == singular_vectors::none) return;
    CHECK(own_u == u);
    if (is_near_singular) CHECK(own_vh == vh);  // else a kernel transposes it
  });
}

}  // namespace

TEST_CASE("QR and singular values are the CPU's") {
  for (const sizes& s : qr_sizes) {
    CAPTURE(s.rows);
    CAPTURE(s.count);
    check_orthogonal<double>(s);
    check_orthogonal<z>(s);
  }
  for (const sizes& s : all_sizes) {
    CAPTURE(s.rows);
    CAPTURE(s.count);
    for (const auto which : {singular_vectors::none, singular_vectors::thin, singular_vectors::full}) {
      for (const double perturbation : {0., 1e-3, -1.}) {
        check_singular<double>(s, which, perturbation);
        check_singular<z>(s, which, perturbation);
      }
    }
  }
}

TEST_CASE_TEMPLATE("linear equations are the CPU's", T, double, z) {
  for (const sizes& s : {sizes{5, 2, 1}, sizes{4, 3, 3}, sizes{260, 2, 2}}) {
    CAPTURE(s.rows);
    std::vector<T> a = definite<T>(s.rows, s.count), b = numbers<T>(s.rows * s.columns * s.count), l = a;
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(s.rows * s.count), 0),
        info(static_cast<std::size_t>(s.count), 7);
    with_engine([&](linalg_engine& engine, core::memory_pool& pool) {
      const on_device<T> lu(pool, a), sides(pool, b), lower(pool, l);
      const on_device<std::int32_t> own_pivots(pool, pivots), own_info(pool, info);
      const bool is_batch = s.count > 1 && s.rows <= 256;
      engine.lu(type_of<T>, stack(lu.data(), s.rows, s.rows, s.count), own_pivots.data(), own_info.data(),
                stream);
      host::linalg().lu(type_of<T>, stack(a.data(), s.rows, s.rows, s.count), pivots.data(), info.data(),
                        cpu);
      CHECK(lu == a);
      CHECK(own_info == info);
      CHECK(fake_solver::model.count("getrfBatched") == (is_batch ? 1 : 0));
      if (is_batch) {  // else a kernel converts the pivots, which a fake device does not run
        CHECK(own_pivots == pivots);
        engine.lu_solve(type_of<T>, stack(lu.data(), s.rows, s.rows, s.count), own_pivots.data(),
                        transposition::none, stack(sides.data(), s.rows, s.columns, s.count), stream);
        host::linalg().lu_solve(type_of<T>, stack(a.data(), s.rows, s.rows, s.count), pivots.data(),
                                transposition::none, stack(b.data(), s.rows, s.columns, s.count), cpu);
        CHECK(sides == b);
      }
      engine.cholesky(type_of<T>, stack(lower.data(), s.rows, s.rows, s.count), own_info.data(), stream);
      host::linalg().cholesky(type_of<T>, stack(l.data(), s.rows, s.rows, s.count), info.data(), cpu);
      // The host's engine clears the other triangle, cuSOLVER leaves it as it was.
      for (std::size_t i = 0; i < l.size(); ++i)
        if (l[i] == T(0)) lower.data()[i] = T(0);
      CHECK(lower == l);
      CHECK(own_info == info);
      for (const triangle_use use : {triangle_use{true}, triangle_use{true, transposition::adjoint},
                                     triangle_use{false, transposition::transpose, true}}) {
        engine.triangular_solve(type_of<T>, stack(lower.data(), s.rows, s.rows, s.count), use,
                                stack(sides.data(), s.rows, s.columns, s.count), stream);
        host::linalg().triangular_solve(type_of<T>, stack(l.data(), s.rows, s.rows, s.count), use,
                                        stack(b.data(), s.rows, s.columns, s.count), cpu);
        CHECK(sides == b);
      }
    });
  }
}

TEST_CASE_TEMPLATE("eigenvalues are the CPU's", T, double, z) {
  // An own kernel has what is smaller.
  for (const sizes& s : {sizes{33, 33, 1}, sizes{40, 40, 3}, sizes{260, 260, 2}})
    for (const bool vectors : {true, false}) {
      CAPTURE(s.rows);
      const auto n = static_cast<std::size_t>(s.rows * s.count);
      std::vector<T> a = definite<T>(s.rows, s.count), general = numbers<T>(16 * 2), right(32);
      std::vector<double> values(n);
      std::vector<z> complex_values(8);
      std::vector<std::int32_t> info(static_cast<std::size_t>(std::max<int64_t>(s.count, 2)));
      with_engine([&](linalg_engine& engine, core::memory_pool& pool) {
        const on_device<T> b(pool, a), own_general(pool, general), own_right(pool, right);
        const on_device<double> own_values(pool, values);
        const on_device<z> own_complex(pool, complex_values);
        const on_device<std::int32_t> own_info(pool, info);
        engine.eigh(type_of<T>, stack(b.data(), s.rows, s.rows, s.count), vectors, own_values.data(),
                    own_info.data(), stream);
        host::linalg().eigh(type_of<T>, stack(a.data(), s.rows, s.rows, s.count), vectors, values.data(),
                            info.data(), cpu);
        CHECK(own_values == values);
        if (vectors) CHECK(b == a);
        CHECK(fake_solver::model.count("XsyevBatched") == (s.count > 1 && s.rows <= 256 ? 1 : 0));
        engine.eig(type_of<T>, stack(own_general.data(), 4, 4, 2), own_complex.data(),
                   vectors ? own_right.data() : nullptr, own_info.data(), stream);
        host::linalg().eig(type_of<T>, stack(general.data(), 4, 4, 2), complex_values.data(),
                           vectors ? right.data() : nullptr, info.data(), cpu);
        CHECK(own_complex == complex_values);
        CHECK(own_right == right);
      });
    }
}

TEST_CASE("whichever call fails, its error is reported and nothing is lost") {
  int n_calls = 0;
  for (int k = 0; k <= n_calls; ++k) {
    CAPTURE(k);
    const auto run = [&] {
      with_engine([&](linalg_engine& engine, core::memory_pool& pool) {
        fake_solver::model.fail_at = k;
        const on_device<double> a(pool, definite<double>(4, 2)), tall(pool, numbers<double>(130 * 4)),
            u(pool, numbers<double>(32)), vh(pool, numbers<double>(32)), s(pool, numbers<double>(8));
        const on_device<std::int32_t> pivots(pool, std::vector<std::int32_t>(8)),
            info(pool, std::vector<std::int32_t>(2));
        engine.cholesky(dtype::float64, stack(a.data(), 4, 4, 2), info.data(), stream);
        engine.cholesky(dtype::float64, stack(a.data(), 4, 4, 1), info.data(), stream);
        engine.lu(dtype::float64, stack(a.data(), 4, 4, 2), pivots.data(), info.data(), stream);
        engine.lu(dtype::float64, stack(a.data(), 4, 4, 1), pivots.data(), info.data(), stream);
        engine.qr(dtype::float64, stack(tall.data(), 130, 4, 1), s.data(), stream);
        engine.form_q(dtype::float64, stack(tall.data(), 130, 4, 1), 4, s.data(), stream);
        engine.svd(dtype::float64, stack(a.data(), 4, 4, 2), singular_vectors::thin, s.data(), u.data(),
                   vh.data(), info.data(), stream);
        engine.eig(dtype::float64, stack(a.data(), 2, 2, 2), s.data(), nullptr, info.data(), stream);
        n_calls = static_cast<int>(fake_solver::model.calls.size());
      });
    };
    if (k == 0) run();
    else CHECK_THROWS_AS(run(), cuda_error);
  }
  CHECK(n_calls > 15);
}
