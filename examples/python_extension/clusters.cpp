// A module for Python in C++: distances of points, on the CPU or on the GPU that the caller's arrays are on.
#include <gparray/gparray.hpp>
#include <gparray/nanobind.hpp>

namespace gp = gparray;
namespace nb = nanobind;

namespace {

/// The squared distances of n points (n, d) from k centres (k, d), as (n, k).
template<class V>
gp::ndarray<V> distances(const gp::ndarray<V>& points, const gp::ndarray<V>& centres) {
  if (points.ndim() != 2 || centres.ndim() != 2 || points.shape(1) != centres.shape(1))
    throw gp::value_error("distances: points (n, d) and centres (k, d) are needed");
  const auto difference = points(gp::all, gp::newaxis) - centres(gp::newaxis);
  return gp::sum(difference * difference, -1);
}

/// The number of the nearest centre for each point.
template<class V>
gp::ndarray<std::int64_t> nearest(const gp::ndarray<V>& points, const gp::ndarray<V>& centres) {
  return gp::argmin(distances(points, centres), -1);
}

/// Shifts and scales each column to mean 0 and standard deviation 1, in the caller's memory.
template<class V>
void standardize(gp::ndarray<V> columns) {
  const gp::ndarray<V> mean = gp::mean(columns, 0), deviation = gp::std(columns, 0);
  columns(gp::ellipsis) = (columns - mean) / gp::where(deviation > V(0), deviation, V(1));
}

template<class V>
void add_functions(nb::module_& m) {
  // Other threads of Python run while these do.
  const nb::call_guard<nb::gil_scoped_release> without_gil;
  m.def("distances", &distances<V>, nb::arg("points"), nb::arg("centres"), without_gil);
  m.def("nearest", &nearest<V>, nb::arg("points"), nb::arg("centres"), without_gil);
  // A list or integers would be converted, and their copy be written to: they are refused.
  m.def("standardize", &standardize<V>, nb::arg("columns").noconvert(), without_gil);
}

}  // namespace

NB_MODULE(clusters, m) {
  m.doc() = "Distances of points, on the CPU or on a GPU.";
  add_functions<double>(m);
  add_functions<float>(m);
}
