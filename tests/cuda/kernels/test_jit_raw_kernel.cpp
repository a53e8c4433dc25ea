// RawKernel and RawModule on a GPU that is only bookkeeping: compiling is real, launching is written down.
#ifdef GPARRAY_TEST_NVRTC
#include <fstream>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>
#include <gparray/kernels/raw_module.hpp>
#include <plan/compiler.hpp>
#include <plan/last_kernel.hpp>

#include "core/support/fake_gpu.hpp"
#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace {

namespace gp = gparray;

constexpr const char* scale_source = R"(
extern "C" __global__ void scale(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
template<class T> __global__ void fill(T* x, T value) { x[threadIdx.x] = value; }
__global__ void mangled(const double* x) {}
__device__ float table[4];
)";

/// What scale would do, from the arguments as the launch passes them.
std::function<void()> run_scale(const gp::core::kernel_launch& l) {
  float* const x = *static_cast<float**>(l.arguments[0]);
  const float by = *static_cast<float*>(l.arguments[1]);
  const int n = *static_cast<int*>(l.arguments[2]);
  return [=] {
    for (int i = 0; i < n; ++i) x[i] *= by;
  };
}

}  // namespace

TEST_CASE("a launch passes grid, block, stream, shared memory and arguments on") {
  fake::installed fake;
  fake.gpu.kernel_parameters = {{0, 8}, {8, 4}, {12, 4}};
  fake.gpu.on_launch = run_scale;
  {
    const gp::RawKernel scale(scale_source, "scale");
    CHECK(scale.name() == "scale");
    CHECK(fake.gpu.loads.empty());  // compiled now, loaded when first launched
    auto x = gp::ndarray<float>{1, 2, 3};
    scale(1, 256, x, 2.f, 3);
    CHECK(x.to_vector() == std::vector<float>{2, 4, 6});
    REQUIRE(fake.gpu.launches.size() == 1);
    CHECK(fake.gpu.launches[0].what.grid[0] == 1);
    CHECK(fake.gpu.launches[0].what.block[0] == 256);
    CHECK(fake.gpu.launches[0].what.block[2] == 1);
    CHECK_FALSE(fake.gpu.launches[0].what.cooperative);
    CHECK(fake.gpu.launches[0].where.stream == nullptr);
    CHECK(fake.gpu.found_kernels == std::vector<std::string>{"scale"});

    const gp::stream s;
    scale({2, 3, 4}, {16, 8, 2}, {.shared_mem = 1000, .stream = s, .cooperative = true}, x, 0.5f, 3);
    REQUIRE(fake.gpu.launches.size() == 2);
    const auto& second = fake.gpu.launches[1];
    CHECK(second.what.grid[1] == 3);
    CHECK(second.what.block[1] == 8);
    CHECK(second.what.shared_bytes == 1000);
    CHECK(second.what.cooperative);
    CHECK(second.where.stream == s.native_handle());
    s.synchronize();
    CHECK(x.to_vector() == std::vector<float>{1, 2, 3});
    CHECK(fake.gpu.loads == std::vector<int>{0});
    CHECK(std::string(gp::core::last_raw_kernel()) == "scale");
  }
  CHECK(fake.gpu.live_modules == 0);
}

TEST_CASE("expressions are computed before the launch, on whatever stream") {
  fake::installed fake;
  fake.gpu.on_launch = run_scale;
  const gp::RawKernel scale(scale_source, "scale");
  auto a = gp::ndarray<float>{1, 2, 3};
  auto pending = a + 1.f;
  a = a * 1.f;
  scale(1, 32, pending, 2.f, 3);
  CHECK(pending.to_vector() == std::vector<float>{4, 6, 8});

  // Pending before the launch, so it sees the values of before.
  auto before = a * 10.f;
  scale(1, 32, a, 2.f, 3);
  CHECK(before.to_vector() == std::vector<float>{10, 20, 30});

  const gp::stream s;
  auto late = gp::ndarray<float>{1, 1, 1} + 1.f;
  scale(1, 32, {.stream = s}, late, 2.f, 3);
  s.synchronize();
  CHECK(fake.gpu.misuses == 0);
  CHECK(late.to_vector() == std::vector<float>{4, 4, 4});
}

TEST_CASE("what is pending and reads an array is ahead of a kernel that writes it on another stream") {
  fake::installed fake;
  fake.gpu.on_launch = run_scale;
  const gp::RawKernel scale(scale_source, "scale");
  gp::ndarray<float> a{1, 2, 3};
  gp::synchronize();
  const gp::stream s;
  const auto before = a * 10.f;
  scale(1, 32, {.stream = s}, a, 2.f, 3);
  s.synchronize();
  CHECK(before.to_vector() == std::vector<float>{10, 20, 30});
  // Without anything pending the streams are the user's to order.
  const std::size_t waiting = fake.gpu.streams[{0, s.native_handle()}].enqueued;
  scale(1, 32, {.stream = s}, a, 2.f, 3);
  CHECK(fake.gpu.streams[{0, s.native_handle()}].enqueued == waiting + 1);
  s.synchronize();
}

TEST_CASE("memory that a launch on another stream uses is not handed out before it is done") {
  fake::installed fake;
  fake.gpu.on_launch = run_scale;
  const gp::RawKernel scale(scale_source, "scale");
  const gp::stream s;
  const void* address;
  {
    gp::ndarray<float> x{1, 2, 3};
    gp::synchronize();
    address = x.data();
    scale(1, 32, {.stream = s}, x, 2.f, 3);
  }
  const gp::ndarray<float> y = gp::empty<float>({3});
  CHECK(static_cast<const void*>(y.data()) != address);
}

TEST_CASE("arguments are checked before the launch") {
  fake::installed fake;
  const gp::RawKernel scale(scale_source, "scale");
  gp::ndarray<float> x{1, 2, 3};
  gp::ndarray<double> d{1, 2, 3};
  const auto type_error = [&](auto... args) {
    return error_of<gp::type_error>([&] { scale(1, 32, args...); });
  };
  check_contains(type_error(x, 2.f), "scale: the kernel has 3 parameters, and 2 arguments are given");
  check_contains(type_error(x, 2.f, 3, 4), "3 parameters, and 4 arguments");
  check_contains(type_error(x, 2., 3),
                 "parameter 1 has 4 bytes, and argument 1 has 8: it is a number of type float64");
  check_contains(type_error(x, 2.f, 3L), "parameter 2 has 4 bytes, and argument 2 has 8");
  check_contains(type_error(x, 2, 3),
                 "parameter 1 is declared as float, and argument 1 is a number of type int32");
  check_contains(type_error(d, 2.f, 3),
                 "parameter 0 is declared as float*, and argument 0 is an array of float64");
  check_contains(type_error(2.f, x, 3),
                 "parameter 0 is declared as float*, and argument 0 is a number of type float32");
  check_contains(type_error(static_cast<int*>(nullptr), 2.f, 3), "argument 0 is a pointer to int32");
  CHECK(fake.gpu.launches.empty());
  scale(1, 32, x, 2.f, 3u);  // the same bytes
  scale(1, 32, x.data(), 2.f, 3);
  scale(1, 32, nullptr, 2.f, 3);
  scale(1, 32, static_cast<const void*>(x.data()), 2.f, 3);
  CHECK(fake.gpu.launches.size() == 4);

  // Where the declaration says nothing, the driver's sizes do.
  struct pair {
    float a, b;
  };
  const gp::RawKernel with_struct("struct pair { float a, b; };\nextern \"C\" __global__ void f(pair p) {}",
                                  "f");
  fake.gpu.kernel_parameters = {{0, 8}};
  with_struct(1, 1, pair{1, 2});
  check_contains(error_of<gp::type_error>([&] { with_struct(1, 1, 1.f); }),
                 "parameter 0 has 8 bytes, and argument 0 has 4");
  check_contains(error_of<gp::type_error>([&] { with_struct(1, 1); }), "has 1 parameters, and 0 arguments");
}

TEST_CASE("an instance of a template knows its types") {
  fake::installed fake;
  const gp::RawKernel fill(scale_source, "fill<double>");
  gp::ndarray<double> x{1, 2};
  fill(1, 2, x, 3.);
  CHECK(fake.gpu.found_kernels == std::vector<std::string>{"_Z4fillIdEvPT_S0_"});
  check_contains(error_of<gp::type_error>([&] { fill(1, 2, x, 3.f); }), "parameter 1 has 8 bytes");
  const gp::RawKernel mangled(scale_source, "mangled");
  mangled(1, 1, x);
  check_contains(error_of<gp::type_error>([&] { mangled(1, 1, gp::ndarray<float>{1}); }),
                 "declared as double");
}

TEST_CASE("arrays elsewhere, grids, blocks and shared memory that cannot be") {
  fake::installed fake;
  fake.gpu.attributes_of_kernels.max_threads_per_block = 512;
  gp::RawKernel scale(scale_source, "scale");
  const gp::ndarray<float> x{1, 2, 3};
  const auto on_cpu = gp::to_device(x, gp::device::cpu());
  const auto on_other = gp::to_device(x, gp::device::cuda(1));
  check_contains(error_of<gp::device_error>([&] { scale(1, 32, on_cpu, 2.f, 3); }),
                 "argument 0 is on cpu, and the kernel runs on cuda:0; move it with gp::to_device");
  const gp::stream s;
  check_contains(error_of<gp::device_error>([&] { scale(1, 32, {.stream = s}, on_other, 2.f, 3); }),
                 "is on cuda:1");
  scale(1, 32, on_other, 2.f, 3);
  CHECK(fake.gpu.launches.back().where.device == 1);

  const auto value_error = [&](gp::launch_size grid, gp::launch_size block, std::size_t shared = 0) {
    return error_of<gp::value_error>([&] { scale(grid, block, {.shared_mem = shared}, x, 2.f, 3); });
  };
  check_contains(value_error(0, 32), "the grid has 0 in x; 1 to 2147483647 are possible");
  check_contains(value_error({1, 65536}, 32), "the grid has 65536 in y; 1 to 65535");
  check_contains(value_error(1, {1, 1, 65}), "the block has 65 in z; 1 to 64");
  check_contains(value_error(1, {32, 32}), "a block of 1024 threads; this kernel can have 512");
  check_contains(value_error(1, 32, 50000),
                 "50000 bytes of dynamic shared memory are asked for, and 49152 are allowed");
  CHECK(scale.max_dynamic_shared_size_bytes() == 49152);
  scale.max_dynamic_shared_size_bytes(100000);
  CHECK(value_error(1, 32, 50000) == "no error");
  CHECK(fake.gpu.shared_limits == std::map<int, std::size_t>{{0, 100000}, {1, 100000}});
  CHECK(scale.max_dynamic_shared_size_bytes() == 100000);
  check_contains(error_of<gp::value_error>([&] { scale.max_dynamic_shared_size_bytes(300000); }),
                 "does not give a block 300000 bytes of dynamic shared memory");
  CHECK(scale.num_regs() == 32);
  CHECK(scale.max_threads_per_block() == 512);
}

TEST_CASE("sources that do not compile, and names that are not there") {
  check_contains(error_of<gp::compile_error>([] {
                   gp::RawKernel("extern \"C\" __global__ void f(float* x) {\n  x[0] = y;\n}", "f");
                 }),
                 "kernel.cu(2): error: identifier \"y\" is undefined");
  check_contains(error_of<gp::value_error>([] { gp::RawKernel(scale_source, "scael"); }),
                 "the source has no kernel 'scael'; it has: scale, fill, mangled");
  // A name that is part of a word of the source, and one that a macro makes.
  const std::string source = "extern \"C\" __global__ void NAME(float* x) { x[0] = 1; }";
  check_contains(error_of<gp::value_error>([&] { gp::RawKernel(source, "g"); }),
                 "the source has no kernel 'g'; it has: NAME");
  CHECK(error_of<gp::error>([&] { gp::RawKernel(source, "g", {"-DNAME=g"}); }) == "no error");
  check_contains(error_of<gp::compile_error>([] { gp::RawKernel(scale_source, "fill<nothing>"); }),
                 "identifier \"nothing\" is undefined");
  // A missing name beside other errors leaves the whole log.
  check_contains(error_of<gp::compile_error>([] { gp::RawKernel("__global__ void f() { y = 1; }", "g"); }),
                 "kernel.cu(1): error: identifier \"y\" is undefined");
  const gp::RawModule module({.code = scale_source, .name_expressions = {"fill<int>"}});
  check_contains(error_of<gp::value_error>([&] { module.get_function("scael"); }),
                 "has no kernel 'scael'; it has: ");
  check_contains(error_of<gp::value_error>([&] { module.get_function("scael"); }), "scale");
  check_contains(error_of<gp::value_error>([&] { module.get_function("fill"); }), "name_expressions");
}

TEST_CASE("RawModule: several kernels, templates, variables, compiled code and files") {
  fake::installed fake;
  const temporary_folder folder;
  {
    const gp::RawModule module(
        {.code = scale_source, .options = {"-DN=3"}, .name_expressions = {"fill<int>", "&table", "mangled"}});
    const gp::RawKernel fill = module.get_function("fill<int>"), scale = module.get_function("scale");
    const gp::ndarray<int> i{1};
    fill(1, 1, i, 3);
    scale(1, 1, gp::ndarray<float>{1}, 2.f, 1);
    module.get_function("mangled")(1, 1, gp::ndarray<double>{1});
    CHECK(fake.gpu.loads.size() == 1);  // one program

    const gp::global_variable v = module.get_global("table");
    CHECK(v.bytes == 16);
    CHECK(v.pointer == fake.gpu.global_table);
    module.get_global<float>("table")("1:3") = 2.f;
    gp::synchronize();
    CHECK(fake.gpu.global_table[1] == 2.f);
    CHECK(fake.gpu.global_table[3] == 0.f);
    check_contains(error_of<gp::value_error>([&] { module.get_global<std::complex<double>>("nothing"); }),
                   "no such variable");
  }
  CHECK(fake.gpu.live_modules == 0);

  const auto write = [&](const char* name, const std::string& bytes) {
    std::ofstream(folder.path / name, std::ios::binary) << bytes;
    return (folder.path / name).string();
  };
  write("factor.cuh", "constexpr float factor = 2;");
  const std::string with_include =
      "#include \"factor.cuh\"\nextern \"C\" __global__ void twice(float* x) { x[0] *= factor; }";
  const auto compiled = [&](const char* architecture) {
    return gp::core::compile({.source = with_include,
                              .architecture = architecture,
                              .options = {"-I" + folder.path.string()},
                              .name_expressions = {}})
        .image;
  };
  for (const gp::raw_module_options& o :
       {gp::raw_module_options{.path = write("twice.cu", with_include)},
        gp::raw_module_options{.path = write("twice.ptx", compiled("compute_90"))},
        gp::raw_module_options{.code = compiled("compute_90")},
        gp::raw_module_options{.path = write("twice.cubin", compiled("sm_90"))}}) {
    CAPTURE(o.path);
    const gp::RawModule module(o);
    module.get_function("twice")(1, 1, gp::ndarray<float>{1});
    check_contains(error_of<gp::value_error>([&] { module.get_function("thrice"); }), "it has: twice");
  }
  check_contains(error_of<gp::value_error>([] { gp::RawModule({.path = "/no/such.cu"}); }),
                 "cannot read /no/such.cu: No such file or directory");
  check_contains(error_of<gp::value_error>([] { gp::RawModule({}); }), "give .code or .path");
  check_contains(error_of<gp::value_error>([&] {
                   gp::RawModule({.path = (folder.path / "twice.ptx").string(), .options = {"-DN"}});
                 }),
                 "compiled already");
}

TEST_CASE("without a GPU: compiled early, and a launch says what is missing") {
  if (gp::device_count() > 0) return;
  const gp::RawKernel scale(scale_source, "scale");
  check_contains(error_of<gp::device_error>([&] { scale(1, 32, gp::ndarray<float>{1}, 2.f, 1); }),
                 "scale was compiled, but cannot be launched: no GPU");
  check_contains(error_of<gp::type_error>([&] { scale(1, 32, gp::ndarray<float>{1}, 2., 1); }),
                 "parameter 1");
  CHECK_THROWS_AS(scale.num_regs(), gp::device_error);
  setenv("GPARRAY_JIT_ARCH", "sm_80", 1);
  CHECK(error_of<gp::compile_error>([] {
          gp::RawKernel("static_assert(__CUDA_ARCH__ == 800);\nextern \"C\" __global__ void f() {}", "f");
        }) == "no error");
  unsetenv("GPARRAY_JIT_ARCH");
}

#endif
