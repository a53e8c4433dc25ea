// What is in use, and who asked for it.
#include <cstdio>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include <gparray/creation.hpp>
#include <gparray/memory_hooks.hpp>
#include <gparray/runtime/memory_report.hpp>

namespace gp = gparray;

namespace {

gp::memory_pool host_pool() { return gp::default_memory_pool(gp::memory_space::host, gp::device::cpu()); }

template<class Hook>
struct hooked {
  explicit hooked(std::shared_ptr<Hook> h) : hook(std::move(h)) { host_pool().add_hook(hook); }
  ~hooked() { host_pool().remove_hook(hook.get()); }
  std::shared_ptr<Hook> hook;
};

void make(std::int64_t n) { (void)gp::zeros(n, {.device = gp::device::cpu()}); }

}  // namespace

TEST_CASE("memory_report has the largest blocks first") {
  const auto a = gp::zeros({3000, 1000}, {.device = gp::device::cpu()});
  const auto b = gp::zeros({1000, 1000}, {.device = gp::device::cpu()});
  const std::string report = gp::memory_report(2);
  CAPTURE(report);
  CHECK(report.find("host             ") == 0);
  CHECK(report.find(" in arrays, of ") != report.npos);
  CHECK(report.find("no limit") != report.npos);
  const auto larger = report.find("22.89 MiB  at 0x"), smaller = report.find(" 7.63 MiB  at 0x");
  REQUIRE(larger != report.npos);
  REQUIRE(smaller != report.npos);
  CHECK(larger < smaller);
  CHECK(gp::memory_report(1).find(" 7.63 MiB  at 0x") == report.npos);
  CHECK(gp::memory_report(1).find("smaller ones") != report.npos);
  CHECK(gp::memory_report(0).find(" at 0x") == report.npos);
  CHECK_THROWS_AS((void)gp::memory_report(-1), gp::value_error);
}

TEST_CASE("DebugPrintHook prints a line for each event") {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file);
  {
    const hooked scope(std::make_shared<gp::memory_hooks::DebugPrintHook>(file));
    make(100);
  }
  std::rewind(file);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  CAPTURE(text);
  const auto allocated = text.find("{\"hook\":\"malloc\",\"size\":800,\"mem_size\":"),
             freed = text.find("{\"hook\":\"free\",\"size\":800,\"mem_size\":");
  CHECK(allocated != text.npos);
  CHECK(freed != text.npos);
  CHECK(allocated < freed);
}

TEST_CASE("LineProfileHook adds up by places") {
  const hooked scope(std::make_shared<gp::memory_hooks::LineProfileHook>());
  for (int i = 0; i < 4; ++i) make(1 << 20);
  make(16);
  const std::string report = scope.hook->report();
  CAPTURE(report);
  // All of them are asked for in make(): without -g its name stands for its line.
  CHECK(report.find("32.00 MiB in 5 blocks, ") == 0);
  CHECK(report.find('\n') == report.size() - 1);
}
