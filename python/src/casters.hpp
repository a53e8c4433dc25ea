// How Python's numbers, tuples and keys become arguments of gparray::dynamic.
#pragma once
#include <nanobind/nanobind.h>

#include <gparray/dynamic.hpp>

NAMESPACE_BEGIN(NB_NAMESPACE)
NAMESPACE_BEGIN(detail)

/// A whole number, or what has __index__. False, without an error, for others.
inline bool whole_number(handle source, std::int64_t& value) noexcept {
  if (PyFloat_Check(source.ptr()) || !PyIndex_Check(source.ptr())) return false;
  const object number = steal(PyNumber_Index(source.ptr()));
  if (number.is_valid()) {
    value = PyLong_AsLongLong(number.ptr());
    if (value != -1 || !PyErr_Occurred()) return true;
  }
  PyErr_Clear();
  return false;
}

template<>
struct type_caster<gparray::dims> {
  NB_TYPE_CASTER(gparray::dims, const_name("int | tuple[int, ...]"))

  bool from_python(handle source, auto, cleanup_list*) noexcept {
    std::int64_t size = 0;
    value = {};
    if (whole_number(source, size)) {
      value.push_back(size);
      return true;
    }
    if (!PyTuple_Check(source.ptr()) && !PyList_Check(source.ptr())) return false;
    const Py_ssize_t count = PySequence_Size(source.ptr());
    if (count > gparray::max_ndim) return false;
    for (Py_ssize_t i = 0; i < count; ++i) {
      const object item = steal(PySequence_GetItem(source.ptr(), i));
      if (!whole_number(item, size)) return false;
      value.push_back(size);
    }
    return true;
  }
  static handle from_cpp(const gparray::dims& sizes, rv_policy, cleanup_list*) noexcept {
    PyObject* const result = PyTuple_New(static_cast<Py_ssize_t>(sizes.size()));
    for (std::size_t i = 0; result && i < sizes.size(); ++i)
      PyTuple_SetItem(result, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(sizes[i]));
    return result;
  }
};

/// Without a default, as all of the next ones: held until it is known.
template<class T>
struct held_caster {
  using Value = T;
  template<class U>
  using Cast = movable_cast_t<U>;
  template<class U>
  bool can_cast() const noexcept {
    return true;
  }
  explicit operator T*() { return &*value; }
  explicit operator T&() { return *value; }
  explicit operator T&&() { return std::move(*value); }

  std::optional<T> value;
};

template<>
struct type_caster<gparray::detail::slice_end> : held_caster<gparray::detail::slice_end> {
  static constexpr auto Name = const_name("int | None");

  bool from_python(handle source, auto, cleanup_list*) noexcept {
    std::int64_t number = 0;
    if (source.is_none()) value.emplace(gparray::none);
    else if (whole_number(source, number)) value.emplace(number);
    else return false;
    return true;
  }
};

/// None, an axis or a tuple of axes.
template<>
struct type_caster<gparray::detail::axis_value> : held_caster<gparray::detail::axis_value> {
  static constexpr auto Name = const_name("int | tuple[int, ...] | None");

  bool from_python(handle source, auto flags, cleanup_list* cleanup) noexcept {
    type_caster<gparray::dims> axes;
    if (source.is_none()) value.emplace(gparray::none);
    else if (axes.from_python(source, flags, cleanup)) value.emplace(axes.value);
    else return false;
    return true;
  }
};

template<>
struct type_caster<gparray::scalar> : held_caster<gparray::scalar> {
  static constexpr auto Name = const_name("bool | int | float | complex");

  bool from_python(handle source, auto, cleanup_list*) noexcept {
    PyObject* const o = source.ptr();
    if (PyBool_Check(o)) {
      value.emplace(o == Py_True);
    } else if (PyFloat_Check(o)) {
      value.emplace(PyFloat_AsDouble(o));
    } else if (PyComplex_Check(o)) {
      value.emplace(std::complex<double>(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)));
    } else if (std::int64_t number = 0; whole_number(source, number)) {
      value.emplace(number);
    } else if (PyLong_Check(o)) {
      const unsigned long long large = PyLong_AsUnsignedLongLong(o);
      if (PyErr_Occurred()) {
        PyErr_Clear();
        return false;
      }
      value.emplace(large);
    } else {
      return false;
    }
    return true;
  }
};

template<>
struct type_caster<gparray::dynamic::operand> : held_caster<gparray::dynamic::operand> {
  static constexpr auto Name = const_name("array | bool | int | float | complex");

  bool from_python(handle source, auto flags, cleanup_list* cleanup) noexcept {
    gparray::any_array* array = nullptr;
    if (try_cast(source, array) && array) {
      value.emplace(*array);
      return true;
    }
    type_caster<gparray::scalar> number;
    if (!number.from_python(source, flags, cleanup)) return false;
    value.emplace(*number.value);
    return true;
  }
};

/// What stands between the brackets of a[...].
struct array_key {
  std::vector<gparray::dynamic::index_item> items;
};

template<>
struct type_caster<array_key> {
  NB_TYPE_CASTER(array_key, const_name("int | slice | array | None | Ellipsis | tuple"))

  static bool end_of(handle source, const char* name, gparray::detail::slice_end& end) {
    const object part = source.attr(name);
    std::int64_t number = 0;
    if (part.is_none()) return true;
    if (!whole_number(part, number)) return false;
    end = number;
    return true;
  }
  bool add(handle source) {
    std::int64_t number = 0;
    if (source.is_none()) {
      value.items.emplace_back(gparray::newaxis);
    } else if (source.ptr() == Py_Ellipsis) {
      value.items.emplace_back(gparray::ellipsis);
    } else if (PyBool_Check(source.ptr())) {
      value.items.emplace_back(source.ptr() == Py_True);
    } else if (PySlice_Check(source.ptr())) {
      gparray::slice s;
      if (!end_of(source, "start", s.start) || !end_of(source, "stop", s.stop) ||
          !end_of(source, "step", s.step))
        return false;
      value.items.emplace_back(s);
    } else if (gparray::any_array* array = nullptr; try_cast(source, array) && array) {
      value.items.emplace_back(*array);
    } else if (whole_number(source, number)) {
      value.items.emplace_back(number);
    } else {
      return false;
    }
    return true;
  }
  bool from_python(handle source, auto, cleanup_list*) {
    value.items.clear();
    if (!PyTuple_Check(source.ptr())) return add(source);
    for (Py_ssize_t i = 0; i < PyTuple_Size(source.ptr()); ++i)
      if (!add(PyTuple_GetItem(source.ptr(), i))) return false;
    return true;
  }
};

NAMESPACE_END(detail)
NAMESPACE_END(NB_NAMESPACE)
