// Arrays of NumPy, CuPy, PyTorch, JAX and others in and out of C++ without copies, by DLPack and, where that
// is not there, by __array_interface__ and __cuda_array_interface__: what nanobind.hpp and pybind11.hpp
// share.
#pragma once
#include <gparray/creation.hpp>
#include <gparray/dlpack.hpp>
#include <gparray/python/interface.hpp>
#include <gparray/python/libraries.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail::python {

// Into C++.

/// The dtype of a tensor that we have; none for others.
inline std::optional<dtype> dtype_of_tensor(const dlpack::data_type& t) {
  constexpr std::pair<char, int> codes[] = {{'i', 0}, {'u', 1}, {'f', 2}, {'c', 5}, {'b', 6}};
  for (int i = 0; i < dtype_count; ++i) {
    const auto d = static_cast<dtype>(i);
    int code = d == dtype::bfloat16 ? 4 : -1;
    for (const auto& [letter, number] : codes)
      if (code < 0 && kind(d) == letter) code = number;
    if (t.code == code && t.bits == 8 * itemsize(d) && t.lanes == 1) return d;
  }
  return {};
}

/// The array of a capsule, which is then used; none if `accepts` does not take its dtype.
template<class Managed, class Accepts>
std::optional<any_array> take_capsule(PyObject* capsule, const char* name, const char* used,
                                      const Accepts& accepts) {
  auto* const tensor = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (!tensor) throw error_is_set{};
  const std::optional<dtype> type = dtype_of_tensor(tensor->dl_tensor.dtype);
  if (!type || !accepts(*type)) return {};
  any_array a = from_dlpack(tensor);
  PyCapsule_SetName(capsule, used);
  return a;
}

/// Calls o.__dlpack__, given as the method, for work on this thread's stream `on`, which is none for the
/// CPU's arrays.
inline object dlpack_capsule(const object& method, library& from, const std::optional<stream_view>& on) {
  static PyObject* const nothing = PyTuple_New(0);
  static PyObject* const newest = Py_BuildValue("{s(ii)}", "max_version", int{dlpack::this_version.major},
                                                int{dlpack::this_version.minor});
  for (;;) {
    object keywords;
    if (on) {
      const auto address = reinterpret_cast<std::uintptr_t>(on->native_handle());
      keywords = object(from.takes_max_version ? PyDict_Copy(newest) : PyDict_New());
      const object handle(PyLong_FromUnsignedLongLong(address == 0 ? 1 : address));
      PyDict_SetItemString(keywords.get(), "stream", handle.get());
    } else if (from.takes_max_version) {
      keywords = object::share(newest);
    }
    if (PyObject* const capsule = PyObject_Call(method.get(), nothing, keywords.get()))
      return object(capsule);
    if (!from.takes_max_version || !PyErr_ExceptionMatches(PyExc_TypeError)) throw error_is_set{};
    PyErr_Clear();
    from.takes_max_version = false;
  }
}

/// An array that Python gave, and what must live until the call of C++ that it is for is over.
struct argument_array {
  any_array array;
  object keep;
};

/// The GPU that an object's elements are on; none for the CPU's.
inline std::optional<device> gpu_of(PyObject* o) {
  const object pair(PyObject_CallMethod(o, "__dlpack_device__", nullptr));
  const object parts(PySequence_Tuple(pair.get()));
  if (PyTuple_Size(parts.get()) != 2) return {};
  const long long kind = integer(PyTuple_GetItem(parts.get(), 0));
  if (kind != 2 && kind != 13) return {};
  return device::cuda(static_cast<int>(integer(PyTuple_GetItem(parts.get(), 1))));
}

template<class Accepts>
std::optional<argument_array> import_dlpack(PyObject* o, const object& method, library& from,
                                            const Accepts& accepts) {
  argument_array result;
  std::optional<stream_view> on;
  const std::optional<device> gpu = from.is_numpy ? std::nullopt : gpu_of(o);
  if (gpu || from.from_dlpack) {
    std::optional<stream_view> theirs;
    if (gpu && !call_record::has_stream()) theirs = stream_of(from, *gpu);
    result.keep = call_record::keep(from.from_dlpack, theirs);
  }
  if (gpu) on = current_stream(*gpu);
  const object capsule = dlpack_capsule(method, from, on);
  const bool versioned = PyCapsule_IsValid(capsule.get(), "dltensor_versioned") != 0;
  std::optional<any_array> a =
      versioned ? take_capsule<dlpack::managed_tensor_versioned>(capsule.get(), "dltensor_versioned",
                                                                 "used_dltensor_versioned", accepts)
                : take_capsule<dlpack::managed_tensor>(capsule.get(), "dltensor", "used_dltensor", accepts);
  if (!a) return {};
  if (!versioned && from.is_immutable) a->setflags({.write = false});
  result.array = std::move(*a);
  return result;
}

/// The array of an object of a library, sharing its memory; none if the object is no array, or if `accepts`
/// does not take its dtype. Throws error_is_set, and what from_dlpack throws.
template<class Accepts>
std::optional<argument_array> import_array(PyObject* o, const Accepts& accepts) {
  library& from = library_of(o);
  static PyObject* const name = PyUnicode_InternFromString("__dlpack__");
  if (const object method = object::try_new(PyObject_GetAttr(o, name))) {
    try {
      return import_dlpack(o, method, from, accepts);
    } catch (const error_is_set&) {
      // NumPy before 2.1 exports no read-only arrays.
      if (!PyErr_ExceptionMatches(PyExc_BufferError) || !from.is_numpy) throw;
      PyErr_Clear();
    }
  }
  std::optional<any_array> a = import_interface(o, accepts);
  if (!a) return {};
  return argument_array{std::move(*a), {}};
}

/// A number, a list or a tuple as NumPy's array; nothing for other objects.
inline object as_numpy_array(PyObject* o) {
  if (!PyList_Check(o) && !PyTuple_Check(o) && !PyFloat_Check(o) && !PyLong_Check(o) && !PyComplex_Check(o))
    return {};
  const object numpy = try_import("numpy");
  if (!numpy) return {};
  return object::try_new(PyObject_CallMethod(numpy.get(), "asarray", "O", o));
}

/// An argument of a function as an array of the dtype `wanted`, or of any. It shares the object's memory.
/// Where `convert` allows it, objects of other dtypes that convert safely, numbers and lists become arrays of
/// their own, which are read-only: what is written to them would be lost. Nothing, without an error, for
/// other objects: another overload may take them.
inline std::optional<argument_array> argument_of(PyObject* o, std::optional<dtype> wanted,
                                                 bool convert) noexcept {
  try {
    const auto accepts = [&](dtype type) {
      return !wanted || type == *wanted || (convert && can_cast(type, *wanted));
    };
    std::optional<argument_array> found = import_array(o, accepts);
    if (!found && convert) {
      // Of NumPy's dtypes those of numbers without a dtype of their own are as good as any.
      if (const object made = as_numpy_array(o))
        found = import_array(made.get(), [&](dtype type) {
          return !wanted || can_cast(type, *wanted, is_inexact(type) ? casting::same_kind : casting::safe) ||
                 (is_integer(type) && is_inexact(*wanted));
        });
    }
    if (!found || !wanted || found->array.dtype() == *wanted) return found;
    found->array = detail::as_type(found->array, *wanted);
    found->array.setflags({.write = false});
    return found;
  } catch (const error_is_set&) {
    PyErr_Clear();
  } catch (const std::exception&) {
  }
  return {};
}

// Out of C++.

/// A versioned or unversioned tensor in a capsule, which gives it back if nobody has taken it.
template<class Managed>
object capsule_of(const any_array& a, const char* name, const to_dlpack_options& options) {
  Managed* const tensor = to_dlpack<Managed>(a, options);
  PyObject* const capsule = PyCapsule_New(tensor, name, [](PyObject* unused) {
    const char* const now = PyCapsule_GetName(unused);
    if (!now || std::strncmp(now, "used_", 5) == 0) return;
    auto* const given = static_cast<Managed*>(PyCapsule_GetPointer(unused, now));
    given->deleter(given);
  });
  if (!capsule) tensor->deleter(tensor);
  return object(capsule);
}

/// The stream that an argument of __dlpack__ means on a GPU: none is the default stream, -1 no stream at all.
inline std::optional<stream_view> consumer_stream(PyObject* stream, device where) {
  if (!where.is_cuda()) return {};
  const long long number = stream && stream != Py_None ? integer(stream) : 1;
  if (number == -1) return {};
  void* const handle = number <= 1 ? nullptr : reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
  return stream_view(where, handle);
}

/// Two numbers. Throws error_is_set.
inline std::pair<long long, long long> pair_of(PyObject* o) {
  const object parts(PySequence_Tuple(o));
  if (PyTuple_Size(parts.get()) != 2) {
    PyErr_SetString(PyExc_ValueError, "expected two numbers");
    throw error_is_set{};
  }
  return {integer(PyTuple_GetItem(parts.get(), 0)), integer(PyTuple_GetItem(parts.get(), 1))};
}

/// What __dlpack__ of the array API returns; arguments may be null or None.
inline object dlpack_of(const any_array& a, PyObject* stream, PyObject* max_version, PyObject* dl_device,
                        PyObject* copy) {
  const auto given = [](PyObject* o) { return o && o != Py_None; };
  to_dlpack_options options;
  options.stream = consumer_stream(stream, a.device());
  if (given(dl_device)) {
    const auto [kind, number] = pair_of(dl_device);
    if (kind != 1 && kind != 2) throw buffer_error("__dlpack__: dl_device is neither the CPU nor a CUDA GPU");
    options.dl_device = kind == 1 ? device::cpu() : device::cuda(static_cast<int>(number));
    if (*options.dl_device != a.device()) options.stream = {};
  }
  if (given(copy)) options.copy = PyObject_IsTrue(copy) == 1;
  if (given(max_version)) {
    const auto [major, minor] = pair_of(max_version);
    if (major >= 1) {
      options.max_version =
          dlpack::version{static_cast<std::uint32_t>(major), static_cast<std::uint32_t>(minor)};
      return capsule_of<dlpack::managed_tensor_versioned>(a, "dltensor_versioned", options);
    }
  }
  return capsule_of<dlpack::managed_tensor>(a, "dltensor", options);
}

/// What __dlpack_device__ of the array API returns.
inline object dlpack_device_of(const any_array& a) {
  const memory_space space = a.space();
  if (a.device().is_cuda())
    return object(Py_BuildValue("(ii)", space == memory_space::managed ? 13 : 2, a.device().index()));
  const bool pinned = space == memory_space::pinned || space == memory_space::mapped;
  return object(Py_BuildValue("(ii)", pinned ? 3 : 1, 0));
}

/// An array as an object that other libraries take: it has __dlpack__ and __dlpack_device__.
struct exporter {
  PyObject_HEAD any_array array;

  static PyObject* dlpack(PyObject* self, PyObject* arguments, PyObject* keywords) {
    static const char* const names[] = {"stream", "max_version", "dl_device", "copy", nullptr};
    PyObject *stream = nullptr, *version = nullptr, *where = nullptr, *copy = nullptr;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OOOO:__dlpack__", const_cast<char**>(names),
                                     &stream, &version, &where, &copy))
      return nullptr;
    return guarded([&] {
      return dlpack_of(reinterpret_cast<exporter*>(self)->array, stream, version, where, copy).release();
    });
  }
  static PyObject* dlpack_device(PyObject* self, PyObject*) {
    return guarded([&] { return dlpack_device_of(reinterpret_cast<exporter*>(self)->array).release(); });
  }
  static PyObject* array_interface(PyObject* self, void*) {
    return guarded([&] { return interface_of(reinterpret_cast<exporter*>(self)->array).release(); });
  }
  static void end(PyObject* self) {
    PyTypeObject* const type = Py_TYPE(self);
    reinterpret_cast<exporter*>(self)->array.~any_array();
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
  }
  static PyTypeObject* type() {
    static PyMethodDef methods[] = {
        {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&exporter::dlpack)),
         METH_VARARGS | METH_KEYWORDS, "The elements as a DLPack tensor in a capsule."},
        {"__dlpack_device__", &exporter::dlpack_device, METH_NOARGS, "Where the elements are."},
        {nullptr, nullptr, 0, nullptr}};
    static PyGetSetDef attributes[] = {{"__array_interface__", &exporter::array_interface, nullptr,
                                        "The elements for NumPy before 2.1.", nullptr},
                                       {nullptr, nullptr, nullptr, nullptr, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_getset, attributes},
                                  {Py_tp_dealloc, reinterpret_cast<void*>(&exporter::end)},
                                  {Py_tp_methods, methods},
                                  {0, nullptr}};
    static PyType_Spec spec = {"gparray.exported_array", static_cast<int>(sizeof(exporter)), 0,
                               Py_TPFLAGS_DEFAULT, slots};
    static auto* const made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    if (!made) throw error_is_set{};
    return made;
  }
  static object of(const any_array& a) {
    object o(PyType_GenericAlloc(type(), 0));
    new (&reinterpret_cast<exporter*>(o.get())->array) any_array(a);
    return o;
  }
};

/// from_dlpack of the first of these modules that is there; null for none. It is kept for ever.
inline PyObject* find_from_dlpack(std::initializer_list<const char*> modules) {
  for (const char* name : modules)
    if (const object module = try_import(name))
      if (object f = module.find("from_dlpack")) return f.release();
  return nullptr;
}

/// What makes NumPy's arrays of an exporter. from_dlpack knows of read-only elements since NumPy 2.1, and
/// gave no others before 2.0.
inline PyObject* find_numpys() {
  const object numpy = try_import("numpy");
  if (!numpy) return nullptr;
  const object bytes(PyUnicode_AsUTF8String(numpy.attribute("__version__").get()));
  const std::string version = PyBytes_AsString(bytes.get());
  const bool is_old = version.starts_with("1.") || version.starts_with("2.0.");
  return numpy.attribute(is_old ? "asarray" : "from_dlpack").release();
}

/// The result of a function as an array of the library that its arguments are from, else of NumPy, or, on a
/// GPU, of CuPy or of PyTorch. Computes it, without the GIL. Null with Python's error set if that fails.
inline PyObject* result_of(const any_array& computed_late) noexcept {
  return guarded([&]() -> PyObject* {
    any_array a = computed_late;
    if (a.pending()) {
      const without_gil released;
      a.eval();
    }
    PyObject* library = call_record::wanted_library();
    // Only NumPy's and CuPy's arrays can be read-only, and run backwards: PyTorch ends the process.
    const bool forwards = std::ranges::all_of(a.strides(), [](std::int64_t stride) { return stride >= 0; });
    if (library && !(forwards && a.flags().writeable)) a = detail::copy(a, order::C);
    if (!library) {
      static PyObject* const numpy = find_numpys();
      static PyObject* const cupy = device_count() > 0 ? find_from_dlpack({"cupy", "torch"}) : nullptr;
      library = a.device().is_cpu() ? numpy : cupy;
    }
    object exported = exporter::of(a);
    return library ? PyObject_CallFunctionObjArgs(library, exported.get(), nullptr) : exported.release();
  });
}

}  // namespace detail::python
GPARRAY_END_NAMESPACE
