// program CASE, with GPARRAY_DEBUG set: what it prints is compared by CMakeLists.txt.
#include <cstdio>
#include <limits>
#include <string_view>

#include <gparray/gparray.hpp>

#include "support/wanted_device.hpp"

namespace gp = gparray;

namespace {

/// The root of a negative number, between steps that make none.
void expression() {
  const auto a = gp::array<double>({4, 1, 9}), b = gp::array<double>({1, 2, 3});
  std::printf("%s\n", gp::array2string(gp::exp(gp::sqrt(a - b) + 1.)).c_str());
}
void in_place() {
  auto a = gp::array<double>({4, -1, 9});
  a = gp::sqrt(a);
}
void reduction() {
  const double inf = std::numeric_limits<double>::infinity();
  std::printf("%g\n", gp::sum(gp::array<double>({inf, -inf})).item());
}
void scan() {
  const double inf = std::numeric_limits<double>::infinity();
  const auto a = gp::array<double>({{1, inf, -inf}, {1, 2, 3}});
  std::printf("%s\n", gp::array2string(gp::cumsum(a, 1)).c_str());
}
void product() {
  const double inf = std::numeric_limits<double>::infinity();
  const auto a = gp::array<double>({{inf, inf}, {1, 2}}), b = gp::array<double>({{1, 0}, {-1, 1}});
  std::printf("%s\n", gp::array2string(gp::matmul(a, b)).c_str());
}
/// Nothing made these NaN: they were there.
void given() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto a = gp::array<double>({nan, 1});
  const double sum = gp::sum(gp::where(a > 0, a * 2., nan)).item();
  std::printf("%s\n", sum != sum ? "NaN was given" : "no NaN");
}
void unwritten() {
  const auto a = gp::empty<double>({3});
  const auto i = gp::empty<std::int32_t>({2});
  std::printf("%s\n", gp::isnan(a).all().item() && gp::array_equal(i, gp::full({2}, -1))
                          ? "nothing was written"
                          : "old memory");
}
void freed() {
  const double* p = nullptr;
  {
    const auto a = gp::ones<double>({1000});
    p = a.data();
  }
  std::printf("%s\n", *p != *p ? "it was freed" : "it is still there");
}
/// A kernel that writes where it must not; the next operation is told.
void fault() {
  const gp::RawKernel bad("extern \"C\" __global__ void wild(float* x) { x[1LL << 40] = 1; }", "wild");
  gp::ndarray<float> x = gp::zeros<float>({4});
  bad(1, 1, x);
  x += 1.f;
  x *= 2.f;
  std::printf("%g\n", static_cast<double>(x.item(0)));
}
void plain() {
  const auto a = gp::linspace(0., 1., 101);
  std::printf("%.6f %.6f\n", gp::sum(gp::sin(a)).item(), gp::linalg::norm(gp::matmul(a, a.T())).item());
}

constexpr struct {
  std::string_view name;
  void (*run)();
} cases[] = {{"expression", expression}, {"in_place", in_place}, {"reduction", reduction}, {"scan", scan},
             {"product", product},       {"given", given},       {"unwritten", unwritten}, {"freed", freed},
             {"fault", fault},           {"plain", plain}};

}  // namespace

int main(int argc, char** argv) {
  if (wanted::is_missing()) return wanted::status_of_skip;
  for (const auto& each : cases)
    if (argc == 2 && each.name == argv[1]) try {
        each.run();
        return 0;
      } catch (const gp::error& e) {
        std::printf("%s\n", e.what());
        return 1;
      }
  return 2;
}
