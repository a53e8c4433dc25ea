// Arrays by __array_interface__ and __cuda_array_interface__, the protocols before DLPack.
#pragma once
#include <string>

#include <gparray/creation/detail.hpp>
#include <gparray/python/libraries.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail::python {

/// The dtype of NumPy's type text, "<f4"; none for another byte order and for what we do not have.
inline std::optional<dtype> dtype_of_text(const std::string& text) {
  if (text.size() < 3 || text[0] == '>') return {};
  for (int i = 0; i < dtype_count; ++i) {
    const auto d = static_cast<dtype>(i);
    if (d != dtype::bfloat16 && kind(d) == text[1] && std::to_string(itemsize(d)) == text.substr(2)) return d;
  }
  return {};
}

/// The value of __array_interface__ for an array that the CPU reaches.
inline object interface_of(const any_array& a) {
  if (!a.device().is_cpu() || a.dtype() == dtype::bfloat16) {
    PyErr_SetString(PyExc_AttributeError, "__array_interface__ is for the CPU, and for NumPy's dtypes");
    throw error_is_set{};
  }
  const auto tuple = [](const dims& values) {
    object result(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
    for (std::size_t i = 0; i < values.size(); ++i)
      PyTuple_SetItem(result.get(), static_cast<Py_ssize_t>(i), PyLong_FromLongLong(values[i]));
    return result;
  };
  const std::string type = std::string("<") + kind(a.dtype()) + std::to_string(itemsize(a.dtype()));
  const object shape = tuple(a.shape()), strides = tuple(a.strides());
  const bool constant = !a.flags().writeable;
  const object address(PyLong_FromVoidPtr(a.raw_data()));
  return object(Py_BuildValue("{s:i,s:s,s:O,s:O,s:(OO)}", "version", 3, "typestr", type.c_str(), "shape",
                              shape.get(), "strides", strides.get(), "data", address.get(),
                              constant ? Py_True : Py_False));
}

inline dims numbers(PyObject* sequence) {
  const object parts(PySequence_Tuple(sequence));
  dims result;
  for (Py_ssize_t i = 0; i < PyTuple_Size(parts.get()); ++i)
    result.push_back(integer(PyTuple_GetItem(parts.get(), i)));
  return result;
}

/// The item of a dictionary; null for None and for what is not there.
inline PyObject* item(const object& dictionary, const char* name) {
  PyObject* const found = PyDict_GetItemString(dictionary.get(), name);
  return found == Py_None ? nullptr : found;
}

/// The array of an object that has one of the two attributes, sharing its memory and keeping it alive; none
/// if it has neither, or if `accepts` does not take its dtype.
template<class Accepts>
std::optional<any_array> import_interface(PyObject* o, const Accepts& accepts) {
  const object self = object::share(o);
  buffer_options options;
  object interface = self.find("__array_interface__");
  if (!interface && (interface = self.find("__cuda_array_interface__")))
    // It does not say on which GPU it is.
    options.device = default_device().is_cuda() ? default_device() : device::cuda(0);
  if (!interface || !PyDict_Check(interface.get())) return {};
  PyObject *const type = item(interface, "typestr"), *const shape = item(interface, "shape"),
                  *const data = item(interface, "data"), *const strides = item(interface, "strides"),
                  *const stream = item(interface, "stream");
  if (!type || !shape || !data || !PyTuple_Check(data) || PyTuple_Size(data) != 2) return {};
  const object text(PyUnicode_AsUTF8String(type));
  const std::optional<dtype> element = dtype_of_text(PyBytes_AsString(text.get()));
  if (!element || !accepts(*element)) return {};
  if (strides) options.strides = numbers(strides);
  options.read_only = PyObject_IsTrue(PyTuple_GetItem(data, 1)) == 1;
  if (stream && options.device.is_cuda()) {
    const long long number = integer(stream);
    current_stream(options.device)
        .wait(stream_view(
            options.device,
            number <= 1 ? nullptr : reinterpret_cast<void*>(static_cast<std::uintptr_t>(number))));
  }
  auto* const address = reinterpret_cast<void*>(PyLong_AsSize_t(PyTuple_GetItem(data, 0)));
  options.release = [o] {
    if (!Py_IsInitialized()) return;
    const with_gil held;
    Py_DECREF(o);
  };
  any_array a = create_borrowed(address, numbers(shape), *element, std::move(options));
  Py_INCREF(o);
  return a;
}

}  // namespace detail::python
GPARRAY_END_NAMESPACE
