// Names that wait while their stream is waited for, and are computed on it later, on a fake GPU whose work
// waits until it is asked for.
#include <thread>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;
using floats = std::vector<float>;

namespace {

gp::ndarray<float> stored() {
  gp::ndarray<float> x{1, 2, 3};
  gp::synchronize();
  return x;
}

/// A name that something computed has used, and that is cheap: it need not be stored.
struct used_name {
  gp::ndarray<float> doubled, more;
  explicit used_name(const gp::ndarray<float>& x) : doubled(x * 2.f), more(doubled + 1.f) {}
};

/// Another stream writes what names have read.
void overwrite(gp::ndarray<float>& x, const gp::stream& s) {
  const gp::stream_guard on(s);
  x(gp::all) = 9.f;
  s.synchronize();
}

}  // namespace

TEST_CASE("fake GPU: an event comes after the names that were written before it, used ones too") {
  fake::installed fake;
  gp::ndarray<float> x = stored();
  gp::stream s;
  const used_name t(x);
  const gp::event written = gp::current_stream().record();
  s.wait(written);
  overwrite(x, s);
  gp::synchronize();
  CHECK(t.doubled.to_vector() == floats{2, 4, 6});
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("fake GPU: an event from before the first stream orders that stream behind names, too") {
  fake::installed fake;
  gp::ndarray<float> x = stored();
  const used_name t(x);
  const gp::event written = gp::current_stream().record();
  gp::stream s;
  s.wait(written);
  overwrite(x, s);
  gp::synchronize();
  CHECK(t.doubled.to_vector() == floats{2, 4, 6});
}

TEST_CASE("fake GPU: once the host has waited for a stream, another one may write what names have read") {
  fake::installed fake;
  gp::ndarray<float> x = stored();
  gp::stream s;
  const used_name t(x);
  SUBCASE("by synchronize()") { gp::current_stream().synchronize(); }
  SUBCASE("of a device") { gp::synchronize(); }
  SUBCASE("by an element") { CHECK(t.more(1).item() == 5); }
  SUBCASE("by an event") {
    gp::event e;
    e.record();
    e.synchronize();
  }
  overwrite(x, s);
  gp::synchronize();
  CHECK(t.doubled.to_vector() == floats{2, 4, 6});
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("fake GPU: a stream's event comes after what another thread has left pending on it") {
  fake::installed fake;
  gp::ndarray<float> x = stored();
  const gp::device gpu = x.device();
  gp::stream s, of_other;
  s.wait(gp::default_stream());
  gp::ndarray<float> doubled, more;
  bool is_pending = true;
  const auto other_writes = [&] {
    std::thread([&] {
      gp::set_default_device(gpu);
      of_other.wait(s);
      const gp::stream_guard on(of_other);
      is_pending = doubled.pending() || more.pending();
      x(gp::all) = 9.f;
    }).join();
  };
  {
    const gp::stream_guard on(s);
    doubled = x * 2.f;
    more = doubled + 1.f;
    other_writes();
    of_other.synchronize();
    CHECK(!is_pending);
  }
  gp::current_stream().wait(s);
  CHECK(doubled.to_vector() == floats{2, 4, 6});
  CHECK(more.to_vector() == floats{3, 5, 7});
  CHECK(fake.gpu.misuses == 0);
}
