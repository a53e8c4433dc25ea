// Making, arranging, sorting and reducing arrays.
#include "functions.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "casters.hpp"

namespace gp = gparray;
namespace nb = nanobind;
namespace dynamic = gp::dynamic;
using gp::any_array;
using gp::detail::axis_value;
using gp::detail::slice_end;
using where_option = std::optional<gp::device>;

namespace {

gp::array_options on(const where_option& device) { return {.device = device}; }

void add_creation(nb::module_& m) {
  m.def("empty", [](const gp::dims& shape, gp::dtype type, where_option device) {
    return dynamic::empty(shape, type, on(device));
  });
  m.def("full", [](const gp::dims& shape, dynamic::operand value, gp::dtype type, where_option device) {
    return dynamic::full(shape, value, type, on(device));
  });
  m.def("from_bytes", [](nb::bytes elements, const gp::dims& shape, gp::dtype type, where_option device) {
    return dynamic::array(elements.c_str(), shape, type, on(device));
  });
  m.def("arange", [](gp::scalar start, gp::scalar stop, gp::scalar step, gp::dtype type,
                     where_option device) { return dynamic::arange(start, stop, step, type, on(device)); });
  m.def("linspace", [](dynamic::operand start, dynamic::operand stop, std::int64_t num, gp::dtype type,
                       where_option device, bool endpoint) {
    return dynamic::linspace(start, stop, num, type, {.endpoint = endpoint, .device = device});
  });
  m.def("eye", [](std::int64_t rows, slice_end columns, std::int64_t k, gp::dtype type, where_option device) {
    return dynamic::eye(rows, columns, k, type, on(device));
  });
  m.def("tril", [](const any_array& a, std::int64_t k) { return dynamic::tril(a, k); });
  m.def("triu", [](const any_array& a, std::int64_t k) { return dynamic::triu(a, k); });
  m.def("meshgrid", [](const std::vector<any_array>& axes, const std::string& indexing) {
    return dynamic::meshgrid(axes, {.indexing = indexing});
  });
  m.def("astype",
        [](const any_array& a, gp::dtype type, bool copy) { return dynamic::astype(a, type, copy); });
  m.def("copy", [](const any_array& a) { return dynamic::copy(a); });
}

void add_manipulation(nb::module_& m) {
  m.def("reshape", [](const any_array& a, const gp::dims& shape) { return dynamic::reshape(a, shape); });
  m.def("shares_memory", [](const any_array& a, const any_array& b) { return gp::may_share_memory(a, b); });
  m.def("permute_dims", [](const any_array& a, const gp::dims& axes) { return dynamic::transpose(a, axes); });
  m.def("matrix_transpose", [](const any_array& a) { return dynamic::matrix_transpose(a); });
  m.def("moveaxis", [](const any_array& a, const gp::dims& source, const gp::dims& destination) {
    return dynamic::moveaxis(a, source, destination);
  });
  m.def("squeeze", [](const any_array& a, const gp::dims& axes) { return dynamic::squeeze(a, axes); });
  m.def("expand_dims",
        [](const any_array& a, const gp::dims& axes) { return dynamic::expand_dims(a, axes); });
  m.def("broadcast_to",
        [](const any_array& a, const gp::dims& shape) { return dynamic::broadcast_to(a, shape); });
  m.def("broadcast_shapes",
        [](const std::vector<gp::dims>& shapes) { return dynamic::broadcast_shapes(shapes); });
  m.def("flip", [](const any_array& a, const gp::dims& axes) { return dynamic::flip(a, axes); });
  m.def(
      "roll",
      [](const any_array& a, const gp::dims& shift, const std::optional<gp::dims>& axes) {
        return dynamic::roll(a, shift, axes ? &*axes : nullptr);
      },
      nb::arg(), nb::arg(), nb::arg().none());
  m.def(
      "concat",
      [](const std::vector<any_array>& arrays, slice_end axis) { return dynamic::concatenate(arrays, axis); },
      nb::arg(), nb::arg().none());
  m.def("stack", [](const std::vector<any_array>& arrays, int axis) { return dynamic::stack(arrays, axis); });
  m.def("unstack", [](const any_array& a, int axis) { return dynamic::unstack(a, axis); });
  m.def("tile",
        [](const any_array& a, const gp::dims& repetitions) { return dynamic::tile(a, repetitions); });
  m.def(
      "repeat",
      [](const any_array& a, dynamic::operand repeats, slice_end axis) {
        if (repeats.is_array()) return dynamic::repeat(a, repeats.array(), axis);
        std::int64_t count = 0;
        std::memcpy(&count, repeats.as_argument().value, sizeof count);
        return dynamic::repeat(a, count, axis);
      },
      nb::arg(), nb::arg(), nb::arg().none());
}

void add_searching(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> released;
  m.def(
      "sort",
      [](const any_array& a, int axis, bool descending) {
        return dynamic::sort(a, {.axis = axis, .descending = descending});
      },
      released);
  m.def(
      "argsort",
      [](const any_array& a, int axis, bool descending) {
        return dynamic::argsort(a, {.axis = axis, .descending = descending});
      },
      released);
  m.def(
      "searchsorted",
      [](const any_array& a, dynamic::operand values, const std::string& side,
         const std::optional<any_array>& sorter) {
        return dynamic::searchsorted(a, values, side, sorter.value_or(any_array()));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), released);
  m.def("nonzero", [](const any_array& a) { return dynamic::nonzero(a); }, released);
  m.def(
      "take",
      [](const any_array& a, const any_array& indices, slice_end axis) {
        return dynamic::take(a, indices, axis);
      },
      nb::arg(), nb::arg(), nb::arg().none(), released);
  m.def(
      "take_along_axis",
      [](const any_array& a, const any_array& indices, slice_end axis) {
        return dynamic::take_along_axis(a, indices, axis);
      },
      released);
  m.def(
      "unique",
      [](const any_array& a) {
        const dynamic::unique_result found = dynamic::unique(a);
        return std::vector<any_array>{found.values, found.indices, found.inverse_indices, found.counts};
      },
      released);
  m.def(
      "diff",
      [](const any_array& a, int n, int axis, const std::optional<any_array>& prepend,
         const std::optional<any_array>& append) {
        return dynamic::diff(a, n, axis, prepend.value_or(any_array()), append.value_or(any_array()));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), released);
}

void add_reductions(nb::module_& m) {
  m.def(
      "reduce",
      [](const std::string& name, const any_array& a, const axis_value& axis, bool keepdims,
         std::optional<gp::dtype> type, double correction) {
        const auto found = dynamic::find_reduction(name);
        if (!found) throw gp::value_error("there is no reduction " + name);
        return dynamic::reduce(*found, a, {.axis = axis, .keepdims = keepdims, .ddof = correction}, type);
      },
      nb::arg(), nb::arg(), nb::arg().none() = nb::none(), nb::arg() = false, nb::arg().none() = nb::none(),
      nb::arg() = 0.);
  m.def(
      "accumulate",
      [](const std::string& name, const any_array& a, slice_end axis, std::optional<gp::dtype> type,
         bool include_initial) {
        return dynamic::accumulate(dynamic::find_ufunc(name).value(), a, axis, type, include_initial);
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg());
}

}  // namespace

void add_functions(nb::module_& m) {
  add_creation(m);
  add_manipulation(m);
  add_searching(m);
  add_reductions(m);
}
