// Transfers on whatever device the tests run on: the same program is right with a GPU and without.
#include <array>
#include <list>
#include <span>

#include "support/golden.hpp"

namespace gp = gparray;
using floats = std::vector<float>;

TEST_CASE("asarray: ranges of numbers") {
  const floats v{1, 2, 3};
  const auto a = gp::asarray(v);
  static_assert(std::is_same_v<decltype(a)::value_type, float>);
  CHECK(a.device() == gp::default_device());
  CHECK(a.to_vector() == v);
  CHECK(gp::asarray(std::span(v).first(2)).to_vector() == floats{1, 2});
  CHECK(gp::asarray(std::array<std::int64_t, 2>{7, 8}).to_vector() == std::vector<std::int64_t>{7, 8});
  CHECK(gp::asarray(std::list<double>{1, 2}).to_vector() == std::vector<double>{1, 2});
  CHECK(gp::asarray(std::vector<bool>{true, false}).to_vector() == std::vector<bool>{true, false});
  CHECK(gp::asarray(floats{}).shape() == gp::dims{0});
  const auto on_cpu = gp::asarray(v, {.device = gp::device::cpu()});
  CHECK(on_cpu.device() == gp::device::cpu());
  const auto on_stream = gp::asarray(v, {.stream = gp::current_stream()});
  CHECK(on_stream.to_vector() == v);
}

TEST_CASE("asarray and to_device: an array that is there is returned as it is") {
  const gp::ndarray<float> a{{1, 2}, {3, 4}};
  CHECK(gp::asarray(a).raw_data() == a.raw_data());
  CHECK(gp::to_device(a, a.device()).raw_data() == a.raw_data());
  const auto e = gp::to_device(a + 1.f, a.device());
  CHECK(!e.pending());
}

TEST_CASE("asnumpy: host memory") {
  const gp::ndarray<float> a{{1, 2, 3}, {4, 5, 6}};
  const auto host = gp::asnumpy(a("::-1, ::2"));
  CHECK(host.device() == gp::device::cpu());
  CHECK(host.to_vector() == floats{4, 6, 1, 3});
  CHECK(gp::asnumpy(a, gp::current_stream()).to_vector() == a.to_vector());
  CHECK(gp::asnumpy(gp::ndarray<float>(floats{})).size() == 0);
  CHECK(gp::asnumpy(gp::sum(a)).item() == 21.f);  // 0-d
}

TEST_CASE("asnumpy: into an array that is given") {
  const gp::ndarray<float> a{1, 2, 3};
  const auto out = gp::asarray(floats{0, 0, 0}, {.device = gp::device::cpu()});
  const auto result = gp::asnumpy(a, {.out = out});
  CHECK(result.raw_data() == out.raw_data());
  CHECK(out.to_vector() == floats{1, 2, 3});
  const auto short_one = gp::asarray(floats{9, 9}, {.device = gp::device::cpu()});
  CHECK_THROWS_WITH_AS(gp::asnumpy(a, {.out = short_one}),
                       "asnumpy: out has shape (2,) and the array (3,); they must be the same",
                       gp::value_error);
  CHECK(short_one.to_vector() == floats{9, 9});
  const auto doubles = gp::asarray(std::vector<double>{0, 0, 0}, {.device = gp::device::cpu()});
  CHECK_THROWS_WITH_AS(gp::asnumpy(a, {.out = doubles}),
                       "asnumpy: out holds float64 and the array float32; use copyto, which converts",
                       gp::type_error);
}

TEST_CASE("copyto: broadcasting, casting, masks, scalars, overlap") {
  gp::ndarray<double> m{{0, 0, 0}, {0, 0, 0}};
  gp::copyto(m, gp::ndarray<float>{1, 2, 3});
  CHECK(m.to_vector() == std::vector<double>{1, 2, 3, 1, 2, 3});
  gp::copyto(m(0), 9);
  CHECK(m.to_vector() == std::vector<double>{9, 9, 9, 1, 2, 3});
  gp::copyto(m, -1, {.where = m > 2});
  CHECK(m.to_vector() == std::vector<double>{-1, -1, -1, 1, 2, -1});
  gp::copyto(m, gp::ndarray<double>{5, 6, 7}, {.where = gp::ndarray<bool>{true, false, false}});
  CHECK(m.to_vector() == std::vector<double>{5, -1, -1, 5, 2, -1});
  gp::ndarray<float> a{1, 2, 3, 4};
  gp::copyto(a("1:"), a(":-1"));
  CHECK(a.to_vector() == floats{1, 1, 2, 3});
  gp::copyto(a, a + a);
  CHECK(a.to_vector() == floats{2, 2, 4, 6});
  const gp::ndarray<std::uint8_t> bytes{1, 2};
  CHECK_THROWS_AS(gp::copyto(bytes, 300), gp::overflow_error);
  CHECK_THROWS_AS(gp::copyto(bytes, gp::ndarray<std::uint8_t>{1, 2, 3}), gp::value_error);
  CHECK(bytes.to_vector() == std::vector<std::uint8_t>{1, 2});
}

TEST_CASE("copyto: between the host and the default device") {
  const auto host = gp::asarray(floats{1, 2, 3}, {.device = gp::device::cpu()});
  const gp::ndarray<double> m{{0, 0, 0}, {0, 0, 0}};
  gp::copyto(m("::-1"), host);
  CHECK(m.to_vector() == std::vector<double>{1, 2, 3, 1, 2, 3});
  const auto back = gp::asarray(floats{0, 0}, {.device = gp::device::cpu()});
  gp::copyto(back, gp::ndarray<float>{4, 5});
  CHECK(back.to_vector() == floats{4, 5});
}

TEST_CASE("asarray and copyto: on a stream that is given as CuPy's third argument is") {
  const gp::stream s;
  const floats v{1, 2, 3};
  const auto host = gp::asarray(v, {.device = gp::device::cpu()});
  s.wait(gp::current_stream());
  const auto a = gp::asarray(host, s), b = gp::asarray(v, s);
  const auto c = gp::asarray<double>(v, s);
  gp::ndarray<float> d = gp::zeros<float>({2, 3});
  gp::copyto(d, a, s);
  gp::copyto(d(0), 7, s);
  s.synchronize();
  CHECK(a.device() == s.device());
  CHECK(a.to_vector() == v);
  CHECK(b.to_vector() == v);
  CHECK(c.to_vector() == std::vector<double>{1, 2, 3});
  CHECK(d.to_vector() == floats{7, 7, 7, 1, 2, 3});
  // The stream is heeded: this one is no stream of the arrays, nor of a device that is there.
  const gp::stream_view nowhere(gp::device::cuda(77), nullptr);
  CHECK_THROWS_AS(gp::copyto(d, a, nowhere), gp::device_error);
  CHECK_THROWS_AS(gp::asarray(host, nowhere), gp::device_error);
  CHECK_THROWS_AS(gp::asarray(v, nowhere), gp::device_error);
  CHECK(d.to_vector() == floats{7, 7, 7, 1, 2, 3});
}

TEST_CASE("empty_in: the space it says") {
  const auto a = gp::empty_in<float>(gp::memory_space::host, {2, 3});
  CHECK(a.space() == gp::memory_space::host);
  CHECK(a.device() == gp::device::cpu());
  CHECK(a.shape() == gp::dims{2, 3});
}

TEST_CASE("pinned memory: the CPU computes on it") {
  if (gp::device_count() == 0) {
    CHECK_THROWS_AS(gp::empty_pinned<float>({3}), gp::device_error);
    return;
  }
  auto p = gp::zeros_pinned<float>({3});
  CHECK(p.space() == gp::memory_space::pinned);
  p += 2.f;
  const auto a = gp::asarray(p);
  gp::stream s;
  const auto q = gp::empty_like_pinned(p);
  s.wait(gp::current_stream());
  gp::asnumpy(a * 2.f, {.stream = s, .out = q});
  s.synchronize();
  CHECK(q.to_vector() == floats{4, 4, 4});
  CHECK(gp::zeros_like_pinned(q).to_vector() == floats{0, 0, 0});
}

TEST_CASE("copyto: parts of an array") {
  const auto b = gp::zeros<float>({2, 3});
  gp::copyto(b, gp::array<float>({1, 2, 3}));
  CHECK(b.to_vector() == std::vector<float>{1, 2, 3, 1, 2, 3});
  gp::copyto(b, 9, {.where = gp::array({true, false, false})});
  CHECK(b.to_vector() == std::vector<float>{9, 2, 3, 9, 2, 3});
  gp::copyto(b(0), 0.5);
  CHECK(b.item(0, 2) == 0.5f);
  GOLDEN_THROWS("np.copyto(np.ones(2), np.ones(3))", gp::copyto(gp::ones(2), gp::ones(3)));
}

TEST_CASE("copyto: leaves out leading axes of size 1, as assignment does") {
  auto a = gp::zeros<double>({4});
  gp::copyto(a, gp::ones<double>({1, 4}));
  CHECK(gp::sum(a).item() == 4.);
  gp::copyto(a, gp::full({1, 1, 4}, 5.), {.where = gp::array({true, false, false, true})});
  CHECK(gp::array_equal(a, gp::array({5., 1., 1., 5.})));
  CHECK_THROWS_AS(gp::copyto(a, gp::ones<double>({2, 4})), gp::value_error);
  CHECK_THROWS_AS(gp::copyto(a, gp::ones<double>({4, 1})), gp::value_error);
}
