#include <string>

#include <host/support/lapack.hpp>
#include <host/support/openblas.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

template<class T>
constexpr char letter = std::is_same_v<T, float>                 ? 's'
                        : std::is_same_v<T, double>              ? 'd'
                        : std::is_same_v<T, std::complex<float>> ? 'c'
                                                                 : 'z';

#define GPARRAY_LAPACK_CALL(name, parameters)          \
  table.name = reinterpret_cast<decltype(table.name)>( \
      find_in_openblas((letter<T> + std::string(#name "_")).c_str()));
#define GPARRAY_LAPACK_REAL_CALL(name, parameters) \
  if constexpr (!is_complex_type<T>) GPARRAY_LAPACK_CALL(name, parameters)
#define GPARRAY_LAPACK_COMPLEX_CALL(name, parameters) \
  if constexpr (is_complex_type<T>) GPARRAY_LAPACK_CALL(name, parameters)

template<class T>
lapack_table<T> load() {
  lapack_table<T> table;
#include <host/support/lapack_calls.def>
  return table;
}

}  // namespace

template<class T>
const lapack_table<T>& lapack() {
  static const lapack_table<T> table = load<T>();
  return table;
}

template const lapack_table<float>& lapack();
template const lapack_table<double>& lapack();
template const lapack_table<std::complex<float>>& lapack();
template const lapack_table<std::complex<double>>& lapack();

}  // namespace host
GPARRAY_END_NAMESPACE
