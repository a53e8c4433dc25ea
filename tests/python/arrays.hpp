// Functions that take and give arrays, which both modules of this folder offer to Python.
#pragma once
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include <gparray/gparray.hpp>

namespace gp = gparray;

inline std::atomic<bool> is_inside = false, was_seen = false;

template<class Module>
void add_functions(Module& m) {
  m.def("twice", [](const gp::ndarray<float>& a) { return a * 2.f; });
  m.def("scale", [](gp::ndarray<double> a, double factor) { a *= factor; });
  m.def("total", [](const gp::ndarray<double>& a) { return gp::sum(a); });
  m.def("kind", [](const gp::ndarray<float>&) { return "float32"; });
  m.def("kind", [](const gp::ndarray<double>&) { return "float64"; });
  m.def("kind", [](const gp::ndarray<bool>&) { return "bool"; });
  m.def("same", [](const gp::any_array& a) { return a; });
  m.def("expression", [](gp::expr<double> a) { return a; });
  m.def("reverse", [](const gp::any_array& a) { return gp::any_array(gp::detail::flip(a)); });
  m.def("frozen", [](const gp::ndarray<double>& a) {
    gp::ndarray<double> b = a.copy();
    b.setflags({.write = false});
    return b;
  });
  m.def("make", [](std::int64_t n) { return gp::arange<double>(n); });
  m.def("dtype_name", [](const gp::any_array& a) { return std::string(gp::name(a.dtype())); });
  m.def("writeable", [](const gp::any_array& a) { return a.flags().writeable; });
  m.def("address", [](const gp::any_array& a) { return reinterpret_cast<std::uintptr_t>(a.raw_data()); });
  m.def("element", [](const gp::ndarray<double>& a, int i) { return a(i).item(); });
  m.def("reshape", [](const gp::ndarray<double>& a, std::int64_t n) { return a.reshape({n}); });
  m.def("sum_axis", [](const gp::ndarray<double>& a, int axis) { return gp::sum(a, axis); });
  m.def("invert", [](const gp::ndarray<double>& a) { return gp::linalg::inv(a); });
  m.def("too_large", [] { return gp::zeros<double>(std::int64_t{1} << 50); });
  m.def("negative_size", [] { return gp::zeros<double>(-1); });
  m.def("runtime_error", [] { throw std::runtime_error("of the module's own"); });
  m.def("gpus", [] { return gp::device_count(); });
  m.def("stream_of_call", [](const gp::any_array& a) {
    return reinterpret_cast<std::uintptr_t>(gp::current_stream(a.device()).native_handle());
  });
  m.def("is_inside", [] {
    if (!is_inside) return false;
    was_seen = true;
    return true;
  });
}

/// Returns when another thread has called is_inside() meanwhile, which it can while the GIL is released.
inline gp::ndarray<double> wait_inside(const gp::ndarray<double>& a) {
  was_seen = false;
  is_inside = true;
  for (int i = 0; !was_seen && i < 10000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  is_inside = false;
  return a.copy();
}
