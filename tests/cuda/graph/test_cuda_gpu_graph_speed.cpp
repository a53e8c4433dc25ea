// A graph's launch on a real GPU, beside those of the kernels that it holds.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>
#include <plan/backend.hpp>

namespace gp = gparray;

TEST_CASE("cuda gpu: the launch of a graph costs less than its operations one by one") {
  if (gp::core::cuda_backend() == nullptr) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  gp::ndarray<float> x = gp::zeros<float>({1000});
  const auto work = [&] {
    for (int i = 0; i < 100; ++i) x += 1.f;
  };
  gp::graph g = gp::capture(work);
  const auto milliseconds = [&](const auto& call) {
    call(), gp::synchronize();
    const gp::event start = gp::current_stream().record();
    for (int i = 0; i < 20; ++i) call();
    return gp::elapsed_time(start, gp::current_stream().record()) / 20;
  };
  const double plain = milliseconds(work), launched = milliseconds([&] { g.launch(); });
  MESSAGE("100 kernels: " << plain * 1e3 << " us one by one, " << launched * 1e3 << " us as a graph");
  CHECK(launched < plain);
}
