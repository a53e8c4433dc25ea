// Python's objects in C++ without a binding library: references, errors, calls. For the headers beside this
// one, which nanobind.hpp and pybind11.hpp share; only CPython's stable interface is used.
#pragma once
// Python wants to be first; its binding libraries' headers include it themselves.
#include <Python.h>
#include <exception>
#include <utility>

#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail::python {

/// Thrown where Python's error is set.
struct error_is_set {};

inline PyObject* new_reference(PyObject* o) {
  Py_INCREF(o);
  return o;
}

/// A reference to an object, given back at the end. Made, copied and ended with the GIL held.
class object {
 public:
  object() = default;
  /// Takes over a new reference. Throws error_is_set for null.
  explicit object(PyObject* fresh) : pointer_(fresh) {
    if (!fresh) throw error_is_set{};
  }
  static object share(PyObject* borrowed) {
    Py_XINCREF(borrowed);
    object o;
    o.pointer_ = borrowed;
    return o;
  }
  /// The reference if there is one; an error of Python's is forgotten.
  static object try_new(PyObject* fresh) {
    if (!fresh) PyErr_Clear();
    object o;
    o.pointer_ = fresh;
    return o;
  }
  object(object&& other) noexcept : pointer_(other.release()) {}
  object& operator=(object&& other) noexcept {
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  ~object() { Py_XDECREF(pointer_); }

  PyObject* get() const noexcept { return pointer_; }
  PyObject* release() noexcept { return std::exchange(pointer_, nullptr); }
  explicit operator bool() const noexcept { return pointer_ != nullptr; }
  object attribute(const char* name) const { return object(PyObject_GetAttrString(pointer_, name)); }
  /// Nothing if there is no such attribute.
  object find(const char* name) const { return try_new(PyObject_GetAttrString(pointer_, name)); }
  template<class... A>
  object operator()(const A&... arguments) const {
    return object(PyObject_CallFunctionObjArgs(pointer_, arguments.get()..., nullptr));
  }

 private:
  PyObject* pointer_ = nullptr;
};

inline object import(const char* module) { return object(PyImport_ImportModule(module)); }
inline object try_import(const char* module) { return object::try_new(PyImport_ImportModule(module)); }

/// A whole number. Throws error_is_set.
inline long long integer(PyObject* o) {
  const long long value = PyLong_AsLongLong(o);
  if (value == -1 && PyErr_Occurred()) throw error_is_set{};
  return value;
}

/// Gives the GIL back for as long as it lives.
class without_gil {
 public:
  without_gil() : state_(PyEval_SaveThread()) {}
  without_gil(const without_gil&) = delete;
  without_gil& operator=(const without_gil&) = delete;
  ~without_gil() { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

/// Takes the GIL, in whatever thread. Not after Python has ended.
class with_gil {
 public:
  with_gil() : state_(PyGILState_Ensure()) {}
  with_gil(const with_gil&) = delete;
  with_gil& operator=(const with_gil&) = delete;
  ~with_gil() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

/// A class of NumPy's exceptions, which are ValueErrors; that where there is no NumPy. It is kept for ever.
inline PyObject* numpy_exception(const char* module, const char* name) {
  if (const object found = try_import(module))
    if (object type = found.find(name)) return type.release();
  return new_reference(PyExc_ValueError);
}

/// Sets Python's error to the exception that is being handled, which is one of gparray's.
inline void set_error(const error& e) {
  const auto is = [&e]<class Error>(std::type_identity<Error>) {
    return dynamic_cast<const Error*>(&e) != nullptr;
  };
  PyObject* type = PyExc_RuntimeError;
  object numpys;
  if (is(std::type_identity<axis_error>{})) {
    numpys = object(numpy_exception("numpy.exceptions", "AxisError"));
    type = numpys.get();
  } else if (is(std::type_identity<linalg_error>{})) {
    numpys = object(numpy_exception("numpy.linalg", "LinAlgError"));
    type = numpys.get();
  } else if (is(std::type_identity<value_error>{})) {
    type = PyExc_ValueError;
  } else if (is(std::type_identity<type_error>{})) {
    type = PyExc_TypeError;
  } else if (is(std::type_identity<index_error>{})) {
    type = PyExc_IndexError;
  } else if (is(std::type_identity<overflow_error>{})) {
    type = PyExc_OverflowError;
  } else if (is(std::type_identity<floating_point_error>{})) {
    type = PyExc_FloatingPointError;
  } else if (is(std::type_identity<buffer_error>{})) {
    type = PyExc_BufferError;
  } else if (is(std::type_identity<out_of_memory>{})) {
    type = PyExc_MemoryError;
  } else if (is(std::type_identity<os_error>{})) {
    type = PyExc_OSError;
  } else if (is(std::type_identity<library_error>{})) {
    type = PyExc_ImportError;
  }
  PyErr_SetString(type, e.what());
}

/// Of a function that Python calls: what it returns, null with Python's error set where it throws.
template<class F>
PyObject* guarded(F&& f) noexcept {
  try {
    return f();
  } catch (const error_is_set&) {
  } catch (const error& e) {
    set_error(e);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}

}  // namespace detail::python
GPARRAY_END_NAMESPACE
