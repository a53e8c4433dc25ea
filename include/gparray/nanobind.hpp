// Arrays as arguments and results of Python functions that nanobind makes: ndarray<V> and what derives from
// it, and any_array. NumPy's, CuPy's, PyTorch's, JAX's arrays are taken and given without copies.
#pragma once
#if __has_include(<nanobind/nanobind.h>)
#include <nanobind/nanobind.h>

#include <gparray/python/exchange.hpp>

GPARRAY_BEGIN_NAMESPACE

/// What extension modules of Python need beside the conversions.
namespace python {

/// Makes functions of this module raise ValueError, TypeError, IndexError, MemoryError and so on where they
/// throw gparray's exceptions. The first array that a function is called with does it, too: a module calls
/// this if it has functions without array arguments.
inline void translate_exceptions() {
  static const bool done = [] {
    nanobind::register_exception_translator([](const std::exception_ptr& thrown, void*) {
      try {
        std::rethrow_exception(thrown);
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

NAMESPACE_BEGIN(NB_NAMESPACE)
NAMESPACE_BEGIN(detail)

#define GPARRAY_DTYPE(name, type, kernel_type, code, kind)                              \
  constexpr auto gparray_signature(gparray::detail::dtype_type<gparray::dtype::name>) { \
    return const_name("ndarray[dtype=" #name "]");                                      \
  }
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE

/// Arrays of C++ in arguments and results. Arguments share the memory of the object that is passed; results
/// are handed over. See docs/guide/python.md.
template<class A>
  requires(gparray::array_like<A> || std::same_as<A, gparray::any_array>)
struct type_caster<A> {
  using Value = A;
  template<class T>
  using Cast = movable_cast_t<T>;
  static constexpr auto Name = [] {
    if constexpr (gparray::array_like<A>)
      return gparray_signature(gparray::detail::dtype_type<gparray::dtype_of<typename A::value_type>>{});
    else return const_name("ndarray");
  }();

  template<class Flags>
  bool from_python(handle source, Flags flags, cleanup_list* cleanup) noexcept {
    gparray::python::translate_exceptions();
    std::optional<gparray::dtype> wanted;
    if constexpr (gparray::array_like<A>) wanted = gparray::dtype_of<typename A::value_type>;
    auto found = gparray::detail::python::argument_of(
        source.ptr(), wanted,
        (static_cast<unsigned>(flags) & static_cast<unsigned>(cast_flags::convert)) != 0);
    if (!found) return false;
    if (found->keep && cleanup) cleanup->append(found->keep.release());
    if constexpr (gparray::array_like<A>) value_.emplace(std::move(found->array), gparray::detail::adopt_t{});
    else value_.emplace(std::move(found->array));
    return true;
  }
  static handle from_cpp(const A& source, rv_policy, cleanup_list*) noexcept {
    return gparray::detail::python::result_of(source);
  }
  static handle from_cpp(const A* source, rv_policy, cleanup_list*) noexcept {
    return source ? gparray::detail::python::result_of(*source) : none().release().ptr();
  }

  template<class T>
  bool can_cast() const noexcept {
    return true;
  }
  explicit operator A*() { return &*value_; }
  explicit operator A&() { return *value_; }
  explicit operator A&&() { return std::move(*value_); }

 private:
  std::optional<A> value_;
};

NAMESPACE_END(detail)
NAMESPACE_END(NB_NAMESPACE)

#else
#error "<gparray/nanobind.hpp> needs nanobind: pip install nanobind, and nanobind_add_module in CMake"
#endif
