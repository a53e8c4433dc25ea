// Products, linear algebra and Fourier transforms.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "casters.hpp"
#include "functions.hpp"

namespace gp = gparray;
namespace nb = nanobind;
namespace dynamic = gp::dynamic;
namespace linalg = gp::dynamic::linalg;
using gp::any_array;
using gp::detail::slice_end;

namespace {

dynamic::fft::function transform_named(const std::string& name) {
  using enum dynamic::fft::function;
  constexpr std::pair<std::string_view, dynamic::fft::function> names[] = {
      {"fft", fft}, {"ifft", ifft}, {"rfft", rfft}, {"irfft", irfft}, {"hfft", hfft}, {"ihfft", ihfft}};
  for (const auto& [text, f] : names)
    if (text == name) return f;
  throw gp::value_error("there is no transform " + name);
}

gp::detail::optional_dims optional(const std::optional<gp::dims>& given) {
  return given ? gp::detail::optional_dims(*given) : gp::detail::optional_dims(gp::none);
}

}  // namespace

void add_linalg(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> released;
  m.def("matmul", &dynamic::matmul, released);
  m.def("outer", &dynamic::outer, released);
  m.def("vecdot", &dynamic::vecdot, released);
  m.def("tensordot", nb::overload_cast<const any_array&, const any_array&, int>(&dynamic::tensordot),
        released);
  m.def("tensordot",
        nb::overload_cast<const any_array&, const any_array&, const gp::dims&, const gp::dims&>(
            &dynamic::tensordot),
        released);
  m.def("diagonal",
        [](const any_array& a, std::int64_t offset) { return dynamic::diagonal(a, offset, -2, -1); });
  m.def("cross", &linalg::cross, released);
  m.def("cholesky", &linalg::cholesky, released);
  m.def("det", &linalg::det, released);
  m.def("slogdet", &linalg::slogdet, released);
  m.def("eigh", [](const any_array& a) { return linalg::eigh(a); }, released);
  m.def("eigvalsh", [](const any_array& a) { return linalg::eigvalsh(a); }, released);
  m.def("inv", &linalg::inv, released);
  m.def("solve", &linalg::solve, released);
  m.def("matrix_power", &linalg::matrix_power, released);
  m.def("qr", [](const any_array& a, const std::string& mode) { return linalg::qr(a, mode); }, released);
  m.def("svd", &linalg::svd, released);
  m.def("svdvals", &linalg::svdvals, released);
  m.def("pinv", &linalg::pinv, nb::arg(), nb::arg().none(), released);
  m.def("matrix_rank", &linalg::matrix_rank, nb::arg(), nb::arg().none(), released);
  m.def(
      "matrix_norm",
      [](const any_array& a, const std::string& order, double number, bool keepdims) {
        return order.empty() ? linalg::matrix_norm(a, number, keepdims)
                             : linalg::matrix_norm(a, order.c_str(), keepdims);
      },
      released);
  m.def(
      "vector_norm",
      [](const any_array& a, double order, const std::optional<gp::dims>& axes, bool keepdims) {
        return linalg::vector_norm(a, order, axes ? &*axes : nullptr, keepdims);
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), released);
  m.def(
      "transform",
      [](const std::string& name, const any_array& a, slice_end n, int axis, const std::string& norm) {
        return dynamic::fft::transform(transform_named(name), a, {.n = n, .axis = axis, .norm = norm});
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), released);
  m.def(
      "transform_nd",
      [](const std::string& name, const any_array& a, const std::optional<gp::dims>& s,
         const std::optional<gp::dims>& axes, const std::string& norm) {
        return dynamic::fft::transform_nd(transform_named(name), a,
                                          {.s = optional(s), .axes = optional(axes), .norm = norm});
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), released);
  m.def(
      "frequencies",
      [](std::int64_t n, double d, bool half, std::optional<gp::device> device) {
        return dynamic::fft::frequencies(n, d, half, device.value_or(gp::default_device()));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
  m.def(
      "shift",
      [](const any_array& a, const std::optional<gp::dims>& axes, bool inverse) {
        return dynamic::fft::shift(a, optional(axes), inverse);
      },
      nb::arg(), nb::arg().none(), nb::arg());
}
