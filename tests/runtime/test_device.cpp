// Devices: their names, the default one, and what is said when one is missing.
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;

TEST_CASE("device: names") {
  CHECK(gp::device("cpu") == gp::device::cpu());
  CHECK(gp::device("cuda") == gp::device::cuda(0));
  CHECK(gp::device("cuda:3") == gp::device::cuda(3));
  CHECK(gp::device::cuda(3).str() == "cuda:3");
  CHECK(gp::device().str() == "cpu");
  CHECK(gp::device::cuda(1) != gp::device::cuda(0));
  for (const char* bad : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1 ", "cuda:40000", "cuda1", "CPU"}) {
    CAPTURE(bad);
    CHECK_THROWS_WITH_AS(
        gp::device{std::string_view(bad)},
        ("\"" + std::string(bad) + "\" is not a device; write \"cpu\", \"cuda\" or \"cuda:0\"").c_str(),
        gp::value_error);
  }
}

TEST_CASE("device: what it is") {
  const gp::device d = gp::default_device();
  CHECK(!d.name().empty());
  const auto [free, total] = d.memory_info();
  CHECK(total > 0);
  CHECK(free <= total);
  CHECK((d.compute_capability().first > 0) == d.is_cuda());
  d.synchronize();
}

TEST_CASE("device: the default is a thread's own, and a guard restores it") {
  const gp::device before = gp::default_device();
  {
    const gp::device_guard on_cpu(gp::device::cpu());
    CHECK(gp::default_device() == gp::device::cpu());
    CHECK(gp::ndarray<float>{1}.device() == gp::device::cpu());
  }
  CHECK(gp::default_device() == before);
  gp::set_default_device(gp::device::cpu());
  gp::device other = gp::device::cuda(7);
  std::thread([&] { other = gp::default_device(); }).join();
  CHECK(other == before);
  gp::set_default_device(before);
}

TEST_CASE("device: one that is not there is refused by every call, with the reason, and nothing changes") {
  const gp::device missing = gp::device::cuda(gp::device_count());
  const gp::device before = gp::default_device();
  const gp::ndarray<float> a{1, 2, 3};
  const std::string reason = gp::device_count()
                                 ? "this machine has " + std::to_string(gp::device_count()) + " GPU(s)"
                                 : missing.str();
  const auto refused = [&](auto call) {
    const std::string text = error_of<gp::device_error>(call);
    CAPTURE(text);
    CHECK(contains(text, missing.str()));
    CHECK(contains(text, reason));
  };
  refused([&] { gp::set_default_device(missing); });
  refused([&] { gp::device_guard{missing}; });
  refused([&] { gp::stream{missing}; });
  refused([&] { gp::event{missing}; });
  refused([&] { (void)gp::default_stream(missing); });
  refused([&] { (void)gp::current_stream(missing); });
  refused([&] { (void)gp::stream::borrow(nullptr, missing); });
  refused([&] { gp::to_device(a, missing); });
  refused([&] { gp::asarray(a, {.device = missing}); });
  refused([&] { (void)gp::asarray(std::vector<float>{1}, {.device = missing}); });
  refused([&] { (void)gp::default_memory_pool(gp::memory_space::device, missing); });
  refused([&] { gp::set_allocator(gp::memory_space::device, missing, nullptr); });
  refused([&] { gp::allocator_guard(gp::memory_space::device, missing, nullptr); });
  refused([&] { gp::cuda_async_allocator{missing}; });
  refused([&] { missing.synchronize(); });
  refused([&] { (void)missing.name(); });
  refused([&] { (void)missing.memory_info(); });
  CHECK(gp::default_device() == before);
  CHECK(a.to_vector() == std::vector<float>{1, 2, 3});
}

TEST_CASE("device: without a GPU the text says why and what to do") {
  if (gp::device_count() > 0) return;
  const std::string text = error_of<gp::device_error>([] { gp::set_default_device(gp::device::cuda()); });
  CAPTURE(text);
  CHECK(contains(text, "cuda:0 cannot be used: "));
  CHECK(text.size() > std::string("cuda:0 cannot be used: ").size() + 20);
}
