// Arrays as arguments and results of Python functions that pybind11 makes: ndarray<V> and what derives from
// it, and any_array. NumPy's, CuPy's, PyTorch's, JAX's arrays are taken and given without copies.
#pragma once
#if __has_include(<pybind11/pybind11.h>)
#include <pybind11/pybind11.h>

#include <gparray/python/exchange.hpp>

GPARRAY_BEGIN_NAMESPACE

/// What extension modules of Python need beside the conversions.
namespace python {

/// Makes functions of this module raise ValueError, TypeError, IndexError, MemoryError and so on where they
/// throw gparray's exceptions. The first array that a function is called with does it, too: a module calls
/// this if it has functions without array arguments.
inline void translate_exceptions() {
  static const bool done = [] {
    pybind11::register_local_exception_translator([](std::exception_ptr thrown) {
      try {
        if (thrown) std::rethrow_exception(thrown);
      } catch (const error& e) {
        gparray::detail::python::set_error(e);
      }
    });
    return true;
  }();
  (void)done;
}

}  // namespace python

GPARRAY_END_NAMESPACE

PYBIND11_NAMESPACE_BEGIN(PYBIND11_NAMESPACE)
PYBIND11_NAMESPACE_BEGIN(detail)

#define GPARRAY_DTYPE(name, type, kernel_type, code, kind)                              \
  constexpr auto gparray_signature(gparray::detail::dtype_type<gparray::dtype::name>) { \
    return const_name("ndarray[dtype=" #name "]");                                      \
  }
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE

/// Arrays of C++ in arguments and results. Arguments share the memory of the object that is passed; results
/// are handed over. See docs/guide/python.md.
template<class A>
class type_caster<A, std::enable_if_t<gparray::array_like<A> || std::is_same_v<A, gparray::any_array>>> {
 public:
  template<class T>
  using cast_op_type = movable_cast_op_type<T>;
  static constexpr auto name = [] {
    if constexpr (gparray::array_like<A>)
      return gparray_signature(gparray::detail::dtype_type<gparray::dtype_of<typename A::value_type>>{});
    else return const_name("ndarray");
  }();

  bool load(handle source, bool convert) {
    gparray::python::translate_exceptions();
    std::optional<gparray::dtype> wanted;
    if constexpr (gparray::array_like<A>) wanted = gparray::dtype_of<typename A::value_type>;
    auto found = gparray::detail::python::argument_of(source.ptr(), wanted, convert);
    if (!found) return false;
    if (found->keep) keep_until_return(found->keep.get());
    if constexpr (gparray::array_like<A>) value_.emplace(std::move(found->array), gparray::detail::adopt_t{});
    else value_.emplace(std::move(found->array));
    return true;
  }
  static handle cast(const A& source, return_value_policy, handle) {
    PyObject* const result = gparray::detail::python::result_of(source);
    if (!result) throw error_already_set();
    return result;
  }
  static handle cast(const A* source, return_value_policy policy, handle parent) {
    return source ? cast(*source, policy, parent) : none().release();
  }

  explicit operator A*() { return &*value_; }
  explicit operator A&() { return *value_; }
  explicit operator A&&() && { return std::move(*value_); }

 private:
  static void keep_until_return(PyObject* o) {
    try {
      loader_life_support::add_patient(o);
    } catch (const cast_error&) {
      // py::cast outside a call: there is no result whose library could be asked for.
    }
  }

  std::optional<A> value_;
};

PYBIND11_NAMESPACE_END(detail)
PYBIND11_NAMESPACE_END(PYBIND11_NAMESPACE)

#else
#error "<gparray/pybind11.hpp> needs pybind11: pip install pybind11, or pybind11-dev"
#endif
