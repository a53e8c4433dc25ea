// Memory shared with other libraries: the program behind docs/guide/interop.md.
#include <unordered_map>
#include <version>

#include <gparray/gparray.hpp>

#if __has_include(<Eigen/Core>) || __has_include(<eigen3/Eigen/Core>)
#define EXAMPLE_HAS_EIGEN
#include <gparray/eigen.hpp>
#endif
#if __has_include(<mdspan>)
#include <mdspan>
#endif
#if defined(__cpp_lib_mdspan)
#define EXAMPLE_HAS_MDSPAN
#include <gparray/mdspan.hpp>
#endif
#if defined(__cpp_lib_format)
#define EXAMPLE_HAS_FORMAT
#include <gparray/std_format.hpp>
#endif

#include "options.hpp"

namespace gp = gparray;

namespace {

bool all_right = true;

void check(const char* what, bool right) {
  all_right = all_right && right;
  fmt::print("{}: {}\n", what, right ? "right" : "WRONG");
}

void memory() {
  std::vector<float> memory(6, 1.f);
  const std::vector<float> table(6, 2.f);
  auto a = gp::frombuffer(memory.data(), {2, 3});
  a *= 3;                                    // memory[0] is 3
  auto t = gp::frombuffer(table.data(), 6);  // of constant memory: read-only
  gp::dtype type = gp::dtype::float32;       // known at run time
  gp::any_array b = gp::borrow(memory.data(), {3, 2}, type, {.strides = gp::dims{4, 12}});
  check("frombuffer", memory[0] == 3.f && !t.flags().writeable && b.shape(0) == 3);
}

void read_only() {
  auto a = gp::arange<double>(6).reshape({2, 3}).copy();
  a.setflags({.write = false});
  auto row = a(1);        // a view of a read-only array is read-only
  auto own = row.copy();  // a copy is not
  bool refused = false;
  try {
    row(0) = 5;
  } catch (const gp::value_error& e) {  // assignment destination is read-only
    refused = true;
  }
  check("read-only", refused && own.flags().writeable && a.item(1, 0) == 3);
}

void dlpack() {
  auto a = gp::arange<float>(6);
  gp::dlpack::managed_tensor* old = gp::to_dlpack(a);  // for libraries that read 0.8
  auto* tensor =
      gp::to_dlpack<gp::dlpack::managed_tensor_versioned>(a, {.max_version = gp::dlpack::version{1, 0}});
  auto b = gp::from_dlpack<float>(tensor);  // shares a's memory
  gp::any_array c = gp::from_dlpack(old);   // of a dtype that is known at run time
  check("DLPack", gp::shares_memory(a, b) && gp::shares_memory(a, c));
}

void span() {
  auto a = gp::zeros<double>({2, 3}, {.device = gp::device::cpu()});
  std::span<double> elements = gp::as_span(a);
  elements[5] = 1;
  std::span<const double> reading = gp::as_span<const double>(a(1));  // read-only arrays too
  check("span", reading[2] == 1);
}

void mdspan() {
#ifdef EXAMPLE_HAS_MDSPAN
  auto a = gp::zeros<double>({2, 3}, {.device = gp::device::cpu()});
  auto m = gp::as_mdspan<2>(a.T());                 // with layout_stride
  auto r = gp::as_mdspan<2, std::layout_right>(a);  // throws if a does not lie so
  using constant = std::mdspan<const double, std::extents<int, 2, 3>>;
  auto c = gp::as_mdspan<constant>(a);  // exactly this type
  auto b = gp::from_mdspan(m);          // the same memory again
  check("mdspan", m.extent(0) == 3 && r.stride(0) == 3 && c.extent(1) == 3 && b.data() == a.data());
#endif
}

void eigen() {
#ifdef EXAMPLE_HAS_EIGEN
  const gp::device_guard on_cpu(gp::device::cpu());
  auto a = gp::arange<double>(6).reshape({2, 3}).copy();
  auto m = gp::as_eigen(a);  // a Map with a's strides
  m.row(0) *= 2;
  using row_major = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  auto quick = gp::as_eigen<row_major, Eigen::Stride<0, 0>>(a);  // Eigen knows that there are no gaps
  auto reading = gp::as_eigen<const Eigen::MatrixXd>(a.T());     // read-only arrays too
  Eigen::MatrixXd e = reading * quick;
  auto b = gp::from_eigen(e);                                     // borrows e's memory, with its layout
  auto own = gp::from_eigen(Eigen::MatrixXd(m * m.transpose()));  // takes the matrix over
  check("Eigen", gp::allclose(b, gp::matmul(a.T(), a)) && gp::allclose(own, gp::matmul(a, a.T())));
#endif
}

void standard_library() {
  std::unordered_map<gp::dims, gp::ndarray<float>> by_shape;
  by_shape[{2, 3}] = gp::zeros<float>({2, 3});
  bool first = gp::device::cpu() < gp::device::cuda(0) && gp::dims{2} < gp::dims{2, 3};
  check("keys", first && by_shape.contains({2, 3}));
#ifdef EXAMPLE_HAS_FORMAT
  auto a = gp::arange(3);
  std::string text = std::format("{} of {}", a, a.dtype());  // [0 1 2] of int64
  check("std::format", text == "[0 1 2] of int64");
#endif
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Shares memory with other libraries.");
  const std::string device = options.value("-d/--device", gp::default_device().str(), "cpu or cuda:0");
  options.finish();
  gp::set_default_device(gp::device(device));
  memory();
  read_only();
  dlpack();
  span();
  mdspan();
  eigen();
  standard_library();
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
