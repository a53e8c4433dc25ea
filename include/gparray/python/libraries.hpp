// Which library an array of Python's is from, and what follows: how results are handed to it, and on which of
// its streams it works.
#pragma once
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include <gparray/python/objects.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail::python {

/// What is known of a type of arrays. References are kept for ever.
struct library {
  PyObject* type = nullptr;
  /// Makes the library's arrays of ours: from_dlpack of the module that the type is from. Null for NumPy and
  /// CuPy, one of which results get by their device, and for libraries without.
  PyObject* from_dlpack = nullptr;
  /// Returns an object whose attribute `stream_attribute` is the cudaStream_t that the library works on.
  PyObject* current_stream = nullptr;
  const char* stream_attribute = nullptr;
  bool is_numpy = false;
  bool is_immutable = false;
  bool takes_max_version = true;  // until __dlpack__ has refused it
};

/// The name of the module that a type or the nearest of its bases with __dlpack__ is from, up to the dot.
inline std::string module_of(PyObject* type) {
  const object bases = object(PyObject_GetAttrString(type, "__mro__"));
  std::string name;
  for (Py_ssize_t i = 0; i < PyTuple_Size(bases.get()); ++i) {
    const object base = object::share(PyTuple_GetItem(bases.get(), i));
    if (!base.find("__dlpack__") && !base.find("__array_interface__")) break;
    const object module = base.find("__module__");
    if (!module || !PyUnicode_Check(module.get())) continue;
    const object bytes(PyUnicode_AsUTF8String(module.get()));
    name = PyBytes_AsString(bytes.get());
    name = name.substr(0, name.find('.'));
    if (name == "numpy" || name == "cupy" || name == "torch" || name == "jaxlib" || name == "jax") break;
  }
  return name;
}

inline library describe(PyObject* type) {
  library result;
  result.type = new_reference(type);
  const std::string name = module_of(type);
  result.is_numpy = name == "numpy";
  result.is_immutable = name == "jaxlib" || name == "jax";
  if (name == "torch") {
    if (const object cuda = try_import("torch.cuda"))
      result.current_stream = cuda.attribute("current_stream").release();
    result.stream_attribute = "cuda_stream";
  } else if (name == "cupy") {
    result.current_stream = import("cupy.cuda").attribute("get_current_stream").release();
    result.stream_attribute = "ptr";
  }
  if (result.is_numpy || name == "cupy") return result;
  const object module = try_import(result.is_immutable ? "jax.numpy" : name.c_str());
  if (module) result.from_dlpack = module.find("from_dlpack").release();
  return result;
}

/// What is known of an object's type; looked up once for each of a few types.
inline library& library_of(PyObject* o) {
  static thread_local std::array<library, 8> known;
  static thread_local std::size_t oldest = 0;
  auto* const type = reinterpret_cast<PyObject*>(Py_TYPE(o));
  for (library& l : known)
    if (l.type == type) return l;
  library& place = known[oldest++ % known.size()];
  return place = describe(type);
}

/// What a call's arguments say of its results, from when one is read until the call is over: they are made
/// for its library, on its stream. The records of a thread's calls are a list, for calls may be in calls.
class call_record {
 public:
  call_record(PyObject* from_dlpack, const std::optional<stream_view>& stream)
      : from_dlpack_(from_dlpack), previous_(std::exchange(latest(), this)) {
    if (previous_) previous_->next_ = this;
    if (stream) on_.emplace(*stream);
  }
  call_record(const call_record&) = delete;
  call_record& operator=(const call_record&) = delete;
  ~call_record() {
    (next_ ? next_->previous_ : latest()) = previous_;
    if (previous_) previous_->next_ = next_;
  }

  /// The library of the latest argument that has one; null for NumPy's and CuPy's.
  static PyObject* wanted_library() {
    for (const call_record* r = latest(); r; r = r->previous_)
      if (r->from_dlpack_) return r->from_dlpack_;
    return nullptr;
  }
  /// Whether a call has set this thread's stream: the first argument does.
  static bool has_stream() {
    for (const call_record* r = latest(); r; r = r->previous_)
      if (r->on_) return true;
    return false;
  }
  /// An object that ends the record when it is let go. It must be in this thread.
  static object keep(PyObject* from_dlpack, const std::optional<stream_view>& stream) {
    return object(PyCapsule_New(new call_record(from_dlpack, stream), nullptr, [](PyObject* capsule) {
      delete static_cast<call_record*>(PyCapsule_GetPointer(capsule, nullptr));
    }));
  }

 private:
  static call_record*& latest() {
    static thread_local call_record* record = nullptr;
    return record;
  }

  PyObject* from_dlpack_;
  call_record *previous_, *next_ = nullptr;
  std::optional<stream_guard> on_;
};

/// The stream that a library works on, if it says so.
inline std::optional<stream_view> stream_of(const library& l, device where) {
  if (!l.current_stream) return {};
  const object number(PyLong_FromLong(where.index()));
  const object current(std::strcmp(l.stream_attribute, "ptr") == 0
                           ? PyObject_CallFunctionObjArgs(l.current_stream, nullptr)
                           : PyObject_CallFunctionObjArgs(l.current_stream, number.get(), nullptr));
  const object handle = current.attribute(l.stream_attribute);
  auto address = static_cast<std::uintptr_t>(integer(handle.get()));
  if (address == 1) address = 0;  // cudaStreamLegacy
  return stream_view(where, reinterpret_cast<void*>(address));
}

}  // namespace detail::python
GPARRAY_END_NAMESPACE
