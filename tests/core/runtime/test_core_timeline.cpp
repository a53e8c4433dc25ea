// GPARRAY_TRACE on a fake GPU.
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include <core/runtime/debug.hpp>
#include <core/runtime/timeline.hpp>
#include <gparray/linalg.hpp>
#include <gparray/ufunc/operators.hpp>

#include "core/support/fake_gpu.hpp"
#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace gp = gparray;

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("operations of a stream and of the thread that enqueued them") {
  const temporary_folder folder;
  const std::string path = folder.file("trace.json");
  const gp::device_guard on_cpu(gp::device::cpu());
  fake::installed fake;
  gp::core::timeline trace(path.c_str());
  gp::core::debug_settings settings;
  settings.trace = &trace;
  const auto events_before = fake.gpu.live_events;
  {
    const auto looked_at = gp::core::debugged(fake.gpu, settings, false);
    gp::core::exchange_gpu_backend(looked_at.get());
    const gp::ndarray<float> a{1, 2, 3};
    CHECK((a + a).eval().to_vector() == std::vector<float>{2, 4, 6});
    gp::core::exchange_gpu_backend(&fake.gpu);
    trace.add("of the \"program\"", 7, 1, 3);
    trace.finish();
  }
  CHECK(fake.gpu.live_events == events_before);
  const std::string text = contents(path);
  CAPTURE(text);
  CHECK(text.starts_with("[\n{"));
  CHECK(text.ends_with("}\n]\n"));
  CHECK(
      contains(text, R"("name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"cuda:0 fake GPU"})"));
  CHECK(contains(text, R"({"name":"add","ph":"X","pid":1,"tid":0,"ts":)"));
  CHECK(contains(text, R"({"name":"add","ph":"X","pid":0,"tid":)"));
  CHECK(contains(text,
                 R"("dur":1000.000,"args":{"elements":3}})"));  // the fake's clock: one step is a millisecond
  CHECK(contains(text, R"({"name":"of the \"program\"","ph":"X","pid":0,)"));
  CHECK(contains(text, R"("ts":1.000,"dur":2.000,"args":{"elements":7}})"));
}

TEST_CASE("a file that cannot be written is left out") {
  gp::core::timeline trace("/nowhere/trace.json");
  trace.add("nothing", 1, 0, 1);
  trace.finish();
}
