// The module gparray._core: the class of arrays with its operators, dtypes, devices and element-wise
// functions.
#include <nanobind/stl/array.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <gparray/gparray.hpp>
#include <gparray/python/exchange.hpp>

#include "casters.hpp"
#include "functions.hpp"

namespace gp = gparray;
namespace nb = nanobind;
namespace dynamic = gp::dynamic;
using gp::any_array;
using nb::literals::operator""_a;

namespace {

using released = nb::call_guard<nb::gil_scoped_release>;

/// The only element, converted. Throws type_error if there is not one.
template<class V>
V element_of(const any_array& a) {
  if (a.size() != 1) throw gp::type_error("only arrays of one element can be converted to a number");
  const any_array converted = dynamic::astype(a, gp::dtype_of<V>, false);
  V value{};
  gp::detail::item(converted, &value);
  return value;
}

void no_complex(const any_array& a) {
  if (gp::is_complex(a.dtype()))
    throw gp::type_error("a complex number is no real one; take its real() first");
}

nb::object integer_of(const any_array& a) {
  no_complex(a);
  if (gp::is_inexact(a.dtype())) {
    const double value = element_of<double>(a);
    return nb::steal(nb::handle(PyLong_FromDouble(value)));
  }
  if (a.dtype() == gp::dtype::uint64) return nb::cast(element_of<std::uint64_t>(a));
  return nb::cast(element_of<std::int64_t>(a));
}

void add_dtypes(nb::module_& m) {
  nb::enum_<gp::dtype> dtypes(m, "dtype");
  for (int i = 0; i < gp::dtype_count; ++i) {
    const auto d = static_cast<gp::dtype>(i);
    dtypes.value(gp::detail::row(d).name.data(), d);
  }
  m.def("itemsize", [](gp::dtype d) { return gp::itemsize(d); });
  m.def("kind", [](gp::dtype d) { return std::string(1, gp::kind(d)); });
  m.def("isdtype", [](gp::dtype d, const std::string& kind) { return gp::isdtype(d, kind); });
  m.def("can_cast", [](gp::dtype from, gp::dtype to) { return gp::can_cast(from, to); });
  m.def("promote_types", [](gp::dtype a, gp::dtype b) { return gp::promote_types(a, b); });
  m.def("result_type", [](const std::vector<dynamic::operand>& x) { return dynamic::result_type(x); });
}

void add_devices(nb::module_& m) {
  nb::class_<gp::device>(m, "Device")
      .def(nb::init<const std::string&>())
      .def("__str__", &gp::device::str)
      .def("__repr__", &gp::device::str)
      .def(
          "__eq__", [](const gp::device& a, const gp::device& b) { return a == b; }, nb::is_operator())
      .def("__hash__", [](const gp::device& a) { return std::hash<gp::device>{}(a); });
  nb::implicitly_convertible<std::string, gp::device>();
  m.def("default_device", [] { return gp::default_device(); });
  m.def("set_default_device", [](gp::device d) { gp::set_default_device(d); });
  m.def("device_count", [] { return gp::device_count(); });
  m.def("synchronize", [] { gp::synchronize(); }, released());
}

/// An element-wise function of arrays and numbers.
struct element_wise {
  gp::ufunc function;
};

void add_ufuncs(nb::module_& m) {
  nb::class_<element_wise>(m, "ufunc")
      .def("__init__",
           [](element_wise* self, const std::string& name) {
             const auto found = dynamic::find_ufunc(name);
             if (!found) throw gp::value_error("there is no element-wise function " + name);
             new (self) element_wise{*found};
           })
      .def_prop_ro("name", [](const element_wise& f) { return std::string(gp::name(f.function)); })
      .def("__call__",
           [](const element_wise& f, dynamic::operand a) { return dynamic::apply(f.function, {a}); })
      .def("__call__", [](const element_wise& f, dynamic::operand a,
                          dynamic::operand b) { return dynamic::apply(f.function, {a, b}); })
      .def("__call__", [](const element_wise& f, dynamic::operand a, dynamic::operand b, dynamic::operand c) {
        return dynamic::apply(f.function, {a, b, c});
      });
}

void add_operators(nb::class_<any_array>& array) {
  using enum gp::ufunc;
  constexpr std::pair<const char*, gp::ufunc> binary[] = {
      {"add", add},       {"sub", subtract},          {"mul", multiply},      {"truediv", divide},
      {"pow", power},     {"floordiv", floor_divide}, {"mod", remainder},     {"and", bitwise_and},
      {"or", bitwise_or}, {"xor", bitwise_xor},       {"lshift", left_shift}, {"rshift", right_shift}};
  for (const auto& [name, f] : binary) {
    array.def(("__" + std::string(name) + "__").c_str(),
              [f](const any_array& a, dynamic::operand b) { return dynamic::apply(f, {a, b}); },
              nb::is_operator());
    array.def(("__r" + std::string(name) + "__").c_str(),
              [f](const any_array& a, dynamic::operand b) { return dynamic::apply(f, {b, a}); },
              nb::is_operator());
    array.def(("__i" + std::string(name) + "__").c_str(),
              [f](nb::handle self, dynamic::operand b) {
                const auto& a = nb::cast<const any_array&>(self);
                dynamic::apply(f, {a, b}, {.out = a});
                return nb::borrow(self);
              },
              nb::is_operator());
  }
  constexpr std::pair<const char*, gp::ufunc> comparisons[] = {
      {"__eq__", equal},      {"__ne__", not_equal}, {"__lt__", less},
      {"__le__", less_equal}, {"__gt__", greater},   {"__ge__", greater_equal}};
  for (const auto& [name, f] : comparisons)
    array.def(
        name, [f](const any_array& a, dynamic::operand b) { return dynamic::apply(f, {a, b}); },
        nb::is_operator());
  constexpr std::pair<const char*, gp::ufunc> unary[] = {
      {"__neg__", negative}, {"__pos__", positive}, {"__abs__", absolute}, {"__invert__", invert}};
  for (const auto& [name, f] : unary)
    array.def(name, [f](const any_array& a) { return dynamic::apply(f, {a}); });
  array.def(
      "__matmul__", [](const any_array& a, const any_array& b) { return dynamic::matmul(a, b); },
      nb::is_operator(), released());
  array.def("__imatmul__", [](nb::handle self, const any_array& b) {
    const auto& a = nb::cast<const any_array&>(self);
    dynamic::set_index(a, {gp::ellipsis}, dynamic::matmul(a, b));
    return nb::borrow(self);
  });
}

nb::object steal(gp::detail::python::object o) { return nb::steal(nb::handle(o.release())); }

/// An array of another library, sharing its memory unless it has to be copied.
any_array from_dlpack(nb::handle source, std::optional<gp::device> device, std::optional<bool> copy) {
  auto found = gp::detail::python::import_array(source.ptr(), [](gp::dtype) { return true; });
  if (!found) throw gp::type_error("the object has no __dlpack__, or a dtype that gparray has not");
  any_array a = found->array;
  const nb::gil_scoped_release without_gil;
  if (device && *device != a.device()) {
    if (copy == false)
      throw gp::buffer_error("another device gets the elements by a copy, and copy is False");
    return to_device(a, *device);
  }
  return copy == true ? dynamic::copy(a) : a;
}

void add_array(nb::module_& m) {
  nb::class_<any_array> array(m, "array", "An array of numbers on the CPU or on a GPU.");
  array.def_prop_ro("shape", [](const any_array& a) { return a.shape(); })
      .def_prop_ro("ndim", [](const any_array& a) { return a.ndim(); })
      .def_prop_ro("size", [](const any_array& a) { return a.size(); })
      .def_prop_ro("dtype", [](const any_array& a) { return a.dtype(); })
      .def_prop_ro("device", [](const any_array& a) { return a.device(); })
      .def(
          "__getitem__",
          [](const any_array& a, const nb::detail::array_key& key) { return dynamic::index(a, key.items); },
          nb::arg().none())
      .def(
          "__setitem__",
          [](const any_array& a, const nb::detail::array_key& key, dynamic::operand value) {
            dynamic::set_index(a, key.items, value);
          },
          nb::arg().none(), nb::arg())
      .def(
          "__bool__", [](const any_array& a) { return element_of<bool>(a); }, released())
      .def(
          "__float__", [](const any_array& a) { return no_complex(a), element_of<double>(a); }, released())
      .def(
          "__complex__", [](const any_array& a) { return element_of<std::complex<double>>(a); }, released())
      .def("__int__", &integer_of)
      .def("__index__",
           [](const any_array& a) {
             if (!gp::is_integer(a.dtype())) throw gp::type_error("only integers can be an index");
             return integer_of(a);
           })
      .def("__repr__", [](const any_array& a) { return gp::array_repr(a); })
      .def("__str__", [](const any_array& a) { return gp::array_str(a); })
      .def("__dlpack_device__",
           [](const any_array& a) { return steal(gp::detail::python::dlpack_device_of(a)); })
      .def(
          "__dlpack__",
          [](const any_array& a, nb::handle stream, nb::handle max_version, nb::handle dl_device,
             nb::handle copy) {
            return steal(gp::detail::python::dlpack_of(a, stream.ptr(), max_version.ptr(), dl_device.ptr(),
                                                       copy.ptr()));
          },
          nb::kw_only(), "stream"_a = nb::none(), "max_version"_a = nb::none(), "dl_device"_a = nb::none(),
          "copy"_a = nb::none());
  add_operators(array);
  m.def("from_dlpack", &from_dlpack, "x"_a, "device"_a = nb::none(), "copy"_a = nb::none());
  m.def("to_device", &to_device, released());
}

void set_error(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const gp::error& e) {
    gp::detail::python::set_error(e);
  } catch (const gp::detail::python::error_is_set&) {
  }
}

}  // namespace

any_array to_device(const any_array& a, gp::device device) {
  if (device == a.device()) return a;
  return device.is_cpu() ? gp::detail::to_host(a, nullptr, {}) : gp::detail::to_device(a, device, nullptr);
}

NB_MODULE(_core, m) {
  // What a program holds when Python ends is not told of.
  nb::set_leak_warnings(false);
  nb::register_exception_translator(&set_error);
  add_dtypes(m);
  add_devices(m);
  add_array(m);
  add_ufuncs(m);
  add_functions(m);
  add_linalg(m);
}
