// Functions of a library that is unloaded while expressions that call them are pending.
#include <dlfcn.h>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using numbers = std::vector<double>;

namespace {

/// The plug-in, until close().
class plugin {
 public:
  plugin() : handle_(dlopen(GPARRAY_TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL)) {
    REQUIRE_MESSAGE(handle_, dlerror());
    cube = reinterpret_cast<void (*)(const gp::ndarray<double>&, gp::any_array&)>(
        dlsym(handle_, "gparray_test_cube"));
    const bool found = cube != nullptr;
    REQUIRE(found);
  }
  void close() {
    REQUIRE(dlclose(handle_) == 0);
    REQUIRE(dlopen(GPARRAY_TEST_PLUGIN, RTLD_NOW | RTLD_NOLOAD) == nullptr);  // it is gone indeed
  }
  void (*cube)(const gp::ndarray<double>&, gp::any_array&);

 private:
  void* handle_;
};

}  // namespace

TEST_CASE("unloaded functions: what is pending on them is computed before") {
  const gp::ndarray<double> a{0, 1, 2};
  for (int round = 0; round < 2; ++round) {
    plugin p;
    gp::any_array result;
    p.cube(a, result);
    REQUIRE(result.pending());
    const auto more = gp::sum(gp::ndarray<double>(result));
    const auto other = a + 1.;
    p.close();
    CHECK(!result.pending());
    CHECK(other.pending());  // nobody's business
    CHECK(gp::ndarray<double>(result).to_vector() == numbers{2, 16, 54});
    CHECK(more.item() == 72);
  }
}

TEST_CASE("unloaded functions: by another thread than the one that made the expression") {
  const gp::ndarray<double> a{0, 1, 2};
  plugin p;
  gp::any_array result;
  p.cube(a, result);
  REQUIRE(result.pending());
  std::thread([&] { p.close(); }).join();
  CHECK(!result.pending());
  CHECK(gp::ndarray<double>(result).to_vector() == numbers{2, 16, 54});
}
