// Two GPUs: run with GPARRAY_DEVICE=cuda:1, so that everything that forgets a device uses the wrong one.
#include <numeric>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

const gp::device first = gp::device::cuda(0), second = gp::device::cuda(1);

gp::ndarray<float> ramp(gp::device on_device, std::int64_t n) {
  const gp::device_guard on(on_device);
  return gp::arange<float>(static_cast<float>(n));
}

}  // namespace

TEST_CASE("peers: arrays are made and computed on the device that is asked for") {
  const auto a = ramp(first, 1000), b = ramp(second, 1000);
  CHECK(a.device() == first);
  CHECK(b.device() == second);
  CHECK((a + 1.f).eval().device() == first);
  CHECK((b + 1.f).eval().device() == second);
  CHECK(gp::sum(a).item() == 499500.f);
  CHECK(gp::sum(b).item() == 499500.f);
  CHECK(gp::default_device() == second);
}

TEST_CASE("peers: copies between GPUs, whole, cut and turned around") {
  // Large enough to be still on its way when the next line is enqueued.
  constexpr std::int64_t n = 1 << 24;
  const auto a = ramp(first, n);
  const auto b = gp::to_device(a, second);
  CHECK(b.device() == second);
  CHECK(gp::all(b == ramp(second, n)).item());
  const auto back = gp::to_device(b * 2.f, first);
  CHECK(back.device() == first);
  CHECK(gp::all(back == a * 2.f).item());

  const auto matrix = a.reshape({4096, 4096});
  const auto view = gp::to_device(matrix("::-3, 5::7").T(), second);
  CHECK(gp::asnumpy(view).to_vector() == gp::asnumpy(matrix("::-3, 5::7").T()).to_vector());
}

TEST_CASE("peers: copyto between GPUs into a view") {
  const auto a = ramp(first, 60);
  gp::ndarray<float> b;
  {
    const gp::device_guard on(second);
    b = gp::zeros<float>({10, 20});
  }
  gp::copyto(b("2:8, ::2"), a.reshape({6, 10}));
  std::vector<float> expected(200, 0.f);
  for (std::size_t i = 0; i < 60; ++i) expected[(2 + i / 10) * 20 + 2 * (i % 10)] = static_cast<float>(i);
  CHECK(b.to_vector() == expected);
}

TEST_CASE("peers: operands on two GPUs are refused, with both names") {
  const auto a = ramp(first, 4), b = ramp(second, 4);
  std::string text;
  try {
    (void)(a + b);
  } catch (const gp::device_error& e) {
    text = e.what();
  }
  CHECK(text.find("cuda:0") != text.npos);
  CHECK(text.find("cuda:1") != text.npos);
  CHECK_THROWS_AS(gp::matmul(a, b), gp::device_error);
}

TEST_CASE("peers: streams of two GPUs wait for each other") {
  constexpr std::int64_t n = 1 << 22;
  gp::stream s(first), t(second);
  gp::ndarray<float> a, b;
  gp::device_guard on(first);
  {
    const gp::stream_guard current(s);
    a = gp::ones<float>({n});
    for (int i = 0; i < 20; ++i) a += 1.f;
  }
  t.wait(s);
  {
    const gp::stream_guard current(t);
    b = gp::to_device(a, second);
    b += 1.f;
  }
  t.synchronize();
  CHECK(gp::all(b == 22.f).item());
}

TEST_CASE("peers: matmul and pools are the device's own") {
  const gp::device_guard on(second);
  const auto a = gp::ones<float>({64, 32}), b = gp::ones<float>({32, 16});
  CHECK(gp::all(gp::matmul(a, b) == 32.f).item());
  const std::size_t others = gp::default_memory_pool(gp::memory_space::device, first).used_bytes();
  const std::size_t own = gp::default_memory_pool(gp::memory_space::device, second).used_bytes();
  const auto big = gp::empty<float>({1 << 20});
  CHECK(gp::default_memory_pool(gp::memory_space::device, second).used_bytes() >= own + (4u << 20));
  CHECK(gp::default_memory_pool(gp::memory_space::device, first).used_bytes() == others);
}
