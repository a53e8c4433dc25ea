// Solvers on a fake GPU whose streams run nothing until somebody waits: how often they wait, and that sparse
// triangles are prepared once.
#include <core/sparse/linalg/lanczos.hpp>
#include <gparray/sparse/linalg.hpp>
#include <plan/sparse_engine.hpp>

#include "core/support/fake_gpu.hpp"
#include "support/linalg.hpp"

using namespace golden_linalg;
namespace core = gparray::core;
namespace sparse = gparray::sparse;
namespace ssl = gparray::sparse::linalg;

namespace {

/// x -> d x, by element-wise work only.
ssl::LinearOperator<double> scaling(const gp::ndarray<double>& d) {
  const auto scale = [d](const gp::ndarray<double>& x) -> gp::ndarray<double> { return d * x; };
  return ssl::LinearOperator<double>({d.size(), d.size()}, scale, {.rmatvec = scale});
}

/// The CPU's triangles as work of a stream; nothing else.
class delayed_triangles final : public core::sparse_engine {
 public:
  explicit delayed_triangles(fake::gpu_backend& gpu) : gpu_(gpu) {}

  std::unique_ptr<core::prepared_triangle> prepare_triangle(const core::compressed_rows& a,
                                                            core::triangle_use use, std::int64_t width,
                                                            core::queue q) override {
    ++prepared;
    if (!has_triangles) return nullptr;
    struct delayed final : core::prepared_triangle {
      void solve(void* x, core::queue where) override {
        gpu->enqueue(where, [own = on_cpu, x] { own->solve(x, {}); });
      }
      fake::gpu_backend* gpu = nullptr;
      std::shared_ptr<core::prepared_triangle> on_cpu;
    };
    auto made = std::make_unique<delayed>();
    made->gpu = &gpu_;
    made->on_cpu = core::host_backend().sparse()->prepare_triangle(a, use, width, q);
    return made;
  }

  bool times_dense(const core::compressed_rows&, std::int64_t, const void*, void*, core::queue) override {
    return false;
  }
  bool transposed_times_dense(const core::compressed_rows&, std::int64_t, const void*, void*,
                              core::queue) override {
    return false;
  }
  std::unique_ptr<core::counted_matrix> times_sparse(const core::compressed_rows&,
                                                     const core::compressed_rows&, void*, bool&,
                                                     core::queue) override {
    return nullptr;
  }
  std::unique_ptr<core::counted_matrix> combine(gp::ufunc, const core::compressed_rows&,
                                                const core::compressed_rows&, void*, core::queue) override {
    return nullptr;
  }
  void compress(const core::numbered_entries&, void*, void*, void*, core::queue) override {}
  void starts(const void*, std::int64_t, std::int64_t, gp::dtype, void*, core::queue) override {}
  void expand(const void*, std::int64_t, std::int64_t, gp::dtype, void*, core::queue) override {}
  void search(const std::int64_t*, std::int64_t, const std::int64_t*, std::int64_t, bool, std::int64_t*,
              core::queue) override {}
  void reduce_rows(gp::reduction, gp::dtype, const void*, const void*, gp::dtype, std::int64_t, void*,
                   core::queue) override {}

  int prepared = 0;
  bool has_triangles = true;

 private:
  fake::gpu_backend& gpu_;
};

/// The matrix in the memory of cuda:0, whose entries are checked and sorted on the CPU before.
sparse::csc_matrix<double> on_gpu(const gp::ndarray<double>& dense) {
  sparse::csc_matrix<double> a(dense);
  a.sum_duplicates();
  CHECK(a.has_canonical_format());
  return gp::to_device(a, gp::device::cuda(0));
}

/// Copies to the host that are as small as a scalar: the questions.
std::ptrdiff_t questions(const fake::gpu_backend& gpu, std::size_t bytes) {
  return std::ranges::count_if(gpu.copies, [=](const auto& c) { return c.bytes == bytes; });
}

}  // namespace

TEST_CASE("cg and bicgstab ask a GPU rarely, and give what they give the CPU") {
  const gp::device_guard on_cpu(gp::device::cpu());  // the GPU is a fake
  const gp::ndarray<double> spectrum = gp::linspace(1.0, 1000.0, 200);
  const gp::ndarray<double> b = gp::ones<double>({200});
  int iterations = 0;
  const auto want =
      ssl::cg(scaling(spectrum), b, {.rtol = 1e-8, .callback = [&](const auto&) { ++iterations; }});
  const auto other = ssl::bicgstab(scaling(spectrum), b, {.rtol = 1e-8});
  REQUIRE(want.info == 0);
  REQUIRE(iterations > 60);

  fake::installed fake;
  const gp::ndarray<double> d = gp::to_device(spectrum, gp::device::cuda(0)),
                            side = gp::to_device(b, gp::device::cuda(0));
  fake.gpu.copies.clear();
  const auto have = ssl::cg(scaling(d), side, {.rtol = 1e-8});
  // The flag is one byte. It is asked for in each of 16 iterations, and then after an eighth of those done:
  // 33 times in 89 iterations.
  const auto asked = questions(fake.gpu, 1) + fake.gpu.results_taken;
  CHECK(asked > 0);
  CHECK(2 * asked < iterations);
  CHECK(have.info == 0);
  CHECK(gp::asnumpy(have.x).to_vector() == want.x.to_vector());
  CHECK(gp::asnumpy(ssl::bicgstab(scaling(d), side, {.rtol = 1e-8}).x).to_vector() == other.x.to_vector());
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("minres, gmres, lsqr, eigsh and svds on a GPU give what they give the CPU") {
  const gp::device_guard on_cpu(gp::device::cpu());  // the GPU is a fake
  const gp::ndarray<double> spectrum = gp::linspace(-3.0, 40.0, 60);
  const gp::ndarray<double> b = F({60});
  const auto results = [](const ssl::LinearOperator<double>& a, const gp::ndarray<double>& side,
                          const gp::ndarray<double>& v0) {
    std::vector<std::vector<double>> all;
    const auto add = [&](const gp::ndarray<double>& x) { all.push_back(gp::asnumpy(x).to_vector()); };
    add(ssl::minres(a, side, {.rtol = 1e-9}).x);
    add(ssl::gmres(a, side, {.restart = 8, .maxiter = 5}).x);
    add(ssl::lsqr(a, side).x);
    const auto [w, v] = ssl::eigsh(a, 3, {.v0 = v0});
    add(w);
    add(v);
    return all;
  };
  const auto want = results(scaling(spectrum), b, b);
  fake::installed fake;
  const gp::device gpu = gp::device::cuda(0);
  const gp::ndarray<double> side = gp::to_device(b, gpu);
  CHECK(results(scaling(gp::to_device(spectrum, gpu)), side, side) == want);
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("an LU factorisation on a GPU prepares its triangles once for each number of columns") {
  const gp::device_guard on_cpu(gp::device::cpu());        // the GPU is a fake
  const gp::ndarray<double> dense = N(30)("::-1").copy();  // pivots are off the diagonal: P_r is not P_c
  const auto b = F({30}), sides = F({30, 3});
  const auto lu = ssl::splu(sparse::csc_matrix<double>(dense));
  const auto want = lu.solve(b).to_vector(), transposed = lu.solve(b, 'T').to_vector();
  const auto want_all = lu.solve(sides).to_vector();

  fake::installed fake;
  delayed_triangles engine(fake.gpu);
  fake.gpu.sparse_of_tests = &engine;
  gp::set_default_device(gp::device::cpu());
  const auto a = on_gpu(dense);
  const gp::ndarray<double> one = gp::to_device(b, gp::device::cuda(0)),
                            many = gp::to_device(sides, gp::device::cuda(0));
  const auto check_near = [](const gp::ndarray<double>& have, const std::vector<double>& expected) {
    // Both solve with the same factors: rounding of 30 rows, each of a condition number below 7.
    const auto values = gp::asnumpy(have).to_vector();
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(std::abs(values[i] - expected[i]) < 30 * 7 * epsilon<double>() * 10);
  };
  for (const bool has_triangles : {true, false}) {
    engine.has_triangles = has_triangles;
    engine.prepared = 0;
    const auto there = ssl::splu(a);
    check_near(there.solve(one), want);
    check_near(there.solve(one), want);
    if (has_triangles) CHECK(engine.prepared == 2);
    check_near(there.solve(one, 'T'), transposed);
    check_near(there.solve(many), want_all);
    check_near(there.solve(one), want);
    if (has_triangles) CHECK(engine.prepared == 6);
  }
  CHECK_THROWS_AS((void)ssl::splu(a).solve(b), gp::device_error);
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("which eigenvalues are wanted first, and of equal ones the first") {
  const auto order = [](const std::vector<double>& values, const char* which) {
    return core::by_preference(values, core::parse_wanted(which));
  };
  using numbers = std::vector<std::size_t>;
  CHECK(order({-3, -1, 2, 5}, "LM") == numbers{3, 0, 2, 1});
  CHECK(order({-3, -1, 2, 5}, "SM") == numbers{1, 2, 0, 3});
  CHECK(order({-3, -1, 2, 5}, "LA") == numbers{3, 2, 1, 0});
  CHECK(order({5, -1, 2, -3}, "SA") == numbers{3, 1, 2, 0});
  CHECK(order({-3, -1, 2, 5, 7}, "BE") == numbers{4, 0, 3, 1, 2});
  CHECK(order({-3, -1, 2, 5}, "BE") == numbers{3, 0, 2, 1});
  for (const char* const which : {"LM", "SM", "LA", "SA"})
    CHECK(order({2, 1, 2, 2, 1}, which) ==
          (which[0] == 'L' ? numbers{0, 2, 3, 1, 4} : numbers{1, 4, 0, 2, 3}));
}
