#include <nanobind/stl/string.h>

#include <gparray/nanobind.hpp>

#include "arrays.hpp"

NB_MODULE(arrays_by_nanobind, m) {
  gp::python::translate_exceptions();
  add_functions(m);
  m.def("wait_inside", &wait_inside, nanobind::call_guard<nanobind::gil_scoped_release>());
}
