// Which matrices of a GPU are factored on the host: on a fake GPU that has no factorisations of its own,
// where those that stay there are an error.
#include <gparray/linalg/factor.hpp>
#include <plan/recording.hpp>

#include "core/support/fake_gpu.hpp"
#include "support/linalg.hpp"

using namespace golden_linalg;

namespace {

const gp::device gpu = gp::device::cuda(0);

template<class V>
gp::ndarray<V> symmetric(std::int64_t n) {
  const gp::ndarray<V> a = gp::sin(gp::arange<double>(n * n)).reshape({n, n}).template astype<V>();
  return a + a.T() + gp::eye<V>(n) * V(100);
}

/// Whether each of the results stands on the GPU and is what the CPU makes.
template<class V, class Factor>
bool made_on_host(const gp::ndarray<V>& a, Factor factor) {
  const auto want = factor(a);
  fake::installed fake;
  try {
    const auto have = factor(gp::to_device(a, gpu));
    for (std::size_t i = 0; i < want.size(); ++i) {
      CHECK(have[i].device() == gpu);
      CHECK(gp::array_equal(gp::asnumpy(have[i]), want[i]));
    }
    CHECK(fake.gpu.misuses == 0);
    return true;
  } catch (const gp::device_error&) {
    return false;
  }
}

/// The largest size of `sizes` whose matrix is factored on the host, and that those above are not.
template<class V, class Factor>
std::int64_t limit_of(Factor factor, std::initializer_list<std::int64_t> sizes) {
  std::int64_t largest = 0;
  bool all = true;
  for (const std::int64_t n : sizes) {
    const bool on_host = made_on_host(symmetric<V>(n), factor);
    CHECK((all || !on_host));
    all = on_host;
    if (on_host) largest = n;
  }
  return largest;
}

template<class V>
void check_limits() {
  using arrays = std::vector<gp::ndarray<V>>;
  const auto qr = [](const gp::ndarray<V>& a) { return arrays{gp::linalg::qr(a).Q}; };
  const auto eigh = [](const gp::ndarray<V>& a) { return arrays{gp::linalg::eigh(a).eigenvectors}; };
  const auto solve = [](const gp::ndarray<V>& a) { return arrays{gp::linalg::solve(a, a(0)).eval()}; };
  const auto svd = [](const gp::ndarray<V>& a) { return arrays{gp::linalg::svd(a).Vh}; };
  const auto eig = [](const gp::ndarray<V>& a) { return std::vector{gp::linalg::eig(a).eigenvectors}; };
  const bool is_complex = gp::is_complex(gp::dtype_of<V>);
  for (const std::int64_t limit : {128, 0}) {
    gp::linalg::set_host_limit(limit);
    CHECK(limit_of<V>(qr, {1, 2}) == 0);
    CHECK(limit_of<V>(eigh, {64, 65, 112, 113}) == limit * (is_complex ? 4 : 7) / 8);
    CHECK(limit_of<V>(solve, {128, 129, 192, 193}) == limit * (is_complex ? 8 : 12) / 8);
    CHECK(limit_of<V>(svd, {128, 129}) == limit);
    CHECK(limit_of<V>(eig, {128, 129}) == limit);
  }
  gp::linalg::set_host_limit(128);
}

/// Begins and ends, and has nothing to say of what is between.
class no_graphs final : public gp::core::graph_engine {
 public:
  explicit no_graphs(fake::gpu_backend& gpu) : gpu_(gpu) {}
  gp::core::stream_handle acquire_stream(int device) override { return gpu_.create_stream(device, true, 0); }
  void release_stream(int device, gp::core::stream_handle stream) noexcept override {
    gpu_.destroy_stream(device, stream);
  }
  void begin_capture(gp::core::queue) override {}
  std::unique_ptr<gp::core::recorded_graph> end_capture(gp::core::queue) override { return nullptr; }
  bool is_captured(gp::core::queue) override { return true; }
  void begin_loop(gp::core::queue, gp::core::queue, gp::core::loop_control&) override {}
  std::size_t end_loop(gp::core::queue, const gp::core::loop_control&) override { return 0; }
  void abandon(gp::core::queue, bool) noexcept override {}

 private:
  fake::gpu_backend& gpu_;
};

}  // namespace

TEST_CASE("eigh, solve, svd and eig of small matrices are the host's, qr of none") {
  const gp::device_guard on_cpu(gp::device::cpu());  // the GPU is a fake
  check_limits<float>();
  check_limits<double>();
  check_limits<std::complex<float>>();
  check_limits<std::complex<double>>();
}

TEST_CASE("batches stay on the GPU") {
  const gp::device_guard on_cpu(gp::device::cpu());
  fake::installed fake;
  const gp::ndarray<float> two = gp::to_device(gp::ones<float>({2, 3, 3}), gpu);
  CHECK_THROWS_AS((void)gp::linalg::qr(two), gp::device_error);
  CHECK_THROWS_AS((void)gp::linalg::eigh(two), gp::device_error);
}

TEST_CASE("what is recorded is the GPU's") {
  const gp::device_guard on_cpu(gp::device::cpu());
  fake::installed fake;
  no_graphs graphs(fake.gpu);
  fake.gpu.graphs_of_tests = &graphs;
  const gp::ndarray<double> a = gp::to_device(symmetric<double>(2), gpu);
  {
    gp::core::recording r(gpu);
    r.begin();
    CHECK_THROWS_WITH_AS(gp::linalg::eigh(a),
                         "the backend of cuda:0 has no factorisations; move the array to the CPU",
                         gp::device_error);
  }
  CHECK(gp::linalg::eigh(a).eigenvalues.shape() == gp::dims{2});
}
