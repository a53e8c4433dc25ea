// Every way to bring one's own kernel: the program behind docs/guide/kernels.md.
#include <cmath>

#include <gparray/gparray.hpp>

#include "options.hpp"

namespace gp = gparray;

GPARRAY_UFUNC(logistic, (x, rate), T(1) / (T(1) + exp(-rate * x)));

namespace {

bool all_right = true;

void check(const char* what, bool right) {
  all_right = all_right && right;
  fmt::print("{}: {}\n", what, right ? "right" : "WRONG");
}

void ufunc() {
  auto x = gp::linspace<float>(-2, 2, 5);
  gp::ndarray<float> y = 2.f * logistic(x, 3.f) - 1.f;  // on the CPU and on GPUs
  check("GPARRAY_UFUNC", gp::all(gp::abs(y - gp::tanh(1.5f * x)) < 1e-6f).item());
}

void elementwise() {
  gp::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
  auto m = gp::arange<float>(12).reshape({3, 4});
  gp::ndarray<float> z = squared_diff(m, m(0));  // broadcasts; T is float32
  squared_diff(m, 1, z);                         // a number adapts to T; the output is given
  check("ElementwiseKernel", gp::all(z == (m - 1.f) * (m - 1.f)).item());

  gp::ElementwiseKernel shift("raw T x, int64 by", "T y", "y = x[(i + by) % n]", "shift");
  gp::ndarray<float> s = shift(gp::arange<float>(5), 2, {.size = 5});  // all arrays are raw: say how many
  check("raw arrays", gp::all(s == gp::ndarray<float>{2, 3, 4, 0, 1}).item());
}

void reduction() {
  gp::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
  auto m = gp::arange<double>(12).reshape({3, 4});
  gp::ndarray<double> rows = l2norm(m, {.axis = 1});
  gp::ndarray<double> whole = l2norm(m);
  check("ReductionKernel", gp::all(rows == gp::sqrt(gp::sum(m * m, 1))).item());
  check("over all axes", whole.item() == std::sqrt(506.0));

  gp::ReductionKernel largest("T x", "T value, int64 index", "best(x, i)", "a.value < b.value ? b : a",
                              "value = a.value; index = a.index", "", "largest",
                              {.preamble = "struct best { T value; long index; __device__ best() {}\n"
                                           "__device__ best(T v, long p) : value(v), index(p) {} };",
                               .reduce_type = "best"});
  auto [value, index] = largest.call<double, std::int64_t>(m);
  check("a struct", value.item() == 11 && index.item() == 11);
}

void raw_kernel() {
  gp::RawKernel scale(R"(
extern "C" __global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
})",
                      "scale");
  auto x = gp::ones<float>(1000);
  scale(4, 256, x, 2.f, 1000);  // grid, block, arguments
  gp::stream s;
  s.wait(gp::current_stream());
  scale({4, 1}, {256, 1}, {.shared_mem = 1024, .stream = s}, x, 2.f, 1000);
  gp::current_stream().wait(s);
  check("RawKernel", gp::all(x == 4.f).item());

  gp::RawKernel row_sums(R"(
extern "C" __global__ void row_sums(const double* x, long long rows, long long columns, long long row_bytes,
                                    long long column_bytes, double* sums) {
  long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x, step = gridDim.x * (long long)blockDim.x;
  for (long long i = first; i < rows; i += step) {
    const char* row = (const char*)x + i * row_bytes;
    double sum = 0;
    for (long long j = 0; j < columns; ++j) sum += *(const double*)(row + j * column_bytes);
    sums[i] = sum;
  }
})",
                         "row_sums");
  auto t = gp::arange<double>(12).reshape({3, 4}).T();  // 4 x 3, a view
  auto sums = gp::empty<double>(4);
  const std::int64_t threads = 128, blocks = (t.shape(0) + threads - 1) / threads;
  row_sums(blocks, threads, t, t.shape(0), t.shape(1), t.strides()[0], t.strides()[1], sums);
  check("strides", gp::all(sums == gp::sum(t, 1)).item());
}

void raw_module() {
  gp::RawModule module({.code = R"(
__constant__ float table[4];
template<class T> __global__ void look_up(T* out) { out[threadIdx.x] = table[threadIdx.x] + OFFSET; })",
                        .options = {"-DOFFSET=1"},
                        .name_expressions = {"look_up<double>"}});
  module.get_global<float>("table")(gp::all) = gp::arange<float>(4);
  auto out = gp::zeros<double>({4});
  module.get_function("look_up<double>")(1, 4, out);
  check("RawModule", gp::all(out == gp::arange<double>(1, 5)).item());
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Runs one kernel of every kind.");
  const std::string device = options.value("-d/--device", gp::default_device().str(), "cpu or cuda:0");
  options.finish();
  gp::set_default_device(gp::device(device));
  ufunc();
  if (gp::default_device().is_cpu()) {
    fmt::print("The other kinds of kernels need a GPU.\n");
  } else {
    elementwise();
    reduction();
    raw_kernel();
    raw_module();
  }
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
