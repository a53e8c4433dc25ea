#include <gparray/pybind11.hpp>

#include "arrays.hpp"

PYBIND11_MODULE(arrays_by_pybind11, m) {
  gp::python::translate_exceptions();
  add_functions(m);
  m.def("wait_inside", &wait_inside, pybind11::call_guard<pybind11::gil_scoped_release>());
}
