#include <core/shared_library.hpp>
#include <host/lapack.hpp>

#include <array>
#include <string>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr const char* remedy =
    "Matrix products and factorisations on the CPU need OpenBLAS: install libopenblas0-pthread (Debian, "
    "Ubuntu) or openblas (others)";

void* find(const char* symbol) {
  static void* const library = [] {
    // Where the loader looks, and where the build found one. By this name, as Debian's alternatives may let
    // libblas.so be the slow reference BLAS.
    const std::array<std::string, 2> folders{"", GPARRAY_OPENBLAS_FOLDER};
    const std::span<const std::string> used(folders.data(), folders[1].empty() ? 1u : 2u);
    void* const opened = core::open_library({"libopenblas.so.0", "libopenblas.so"}, used, remedy);
    const auto set_num_threads = reinterpret_cast<void (*)(int)>(
        core::find_symbol(opened, "openblas_set_num_threads", "OpenBLAS", remedy));
    set_num_threads(1);
    return opened;
  }();
  return core::find_symbol(library, symbol, "OpenBLAS", remedy);
}

template<class T>
constexpr char letter = std::is_same_v<T, float>                 ? 's'
                        : std::is_same_v<T, double>              ? 'd'
                        : std::is_same_v<T, std::complex<float>> ? 'c'
                                                                 : 'z';

#define GPARRAY_LAPACK_CALL(name, parameters) \
  table.name = reinterpret_cast<decltype(table.name)>(find((letter<T> + std::string(#name "_")).c_str()));
#define GPARRAY_LAPACK_REAL_CALL(name, parameters) \
  if constexpr (!is_complex_type<T>) GPARRAY_LAPACK_CALL(name, parameters)
#define GPARRAY_LAPACK_COMPLEX_CALL(name, parameters) \
  if constexpr (is_complex_type<T>) GPARRAY_LAPACK_CALL(name, parameters)

template<class T>
lapack_table<T> load() {
  lapack_table<T> table;
#include <host/lapack_calls.def>
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
