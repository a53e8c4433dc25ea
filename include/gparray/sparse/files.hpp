// Sparse matrices in files: SciPy's .npz and Matrix Market.
#pragma once
#include <string>

#include <gparray/sparse/matrix.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace sparse {

/// SciPy's keyword arguments of save_npz.
struct save_npz_options {
  /// Deflate the arrays.
  bool compressed = true;
};

/// SciPy's keyword arguments of mmwrite.
struct mmwrite_options {
  /// Lines of text for the head of the file.
  std::string_view comment = "";
  /// Significant digits; 0 for as many as identify each number.
  int precision = 0;
  /// "general", or "symmetric", "skew-symmetric" or "hermitian": only the lower triangle is written, and the
  /// upper one not looked at.
  std::string_view symmetry = "general";
};

}  // namespace sparse

namespace detail {

GPARRAY_API void sparse_save_npz(const std::string& path, const sparse_parts& a, bool compressed);
/// As stored. Throws os_error for files that cannot be read, value_error for those that hold no sparse
/// matrix.
GPARRAY_API sparse_parts sparse_load_npz(const std::string& path, device where);
GPARRAY_API void sparse_mmwrite(const std::string& path, const sparse_parts& a,
                                const sparse::mmwrite_options& options);
/// Coordinates of the dtype `type`, to which the file's field must convert by the same_kind rule.
GPARRAY_API sparse_parts sparse_mmread(const std::string& path, dtype type, device where);
/// Throws type_error unless `from` converts by the same_kind rule.
GPARRAY_API void check_stored_dtype(const std::string& path, dtype from, dtype to);

}  // namespace detail

namespace sparse {

/// Writes a file that scipy.sparse.load_npz reads; .npz is appended to names that do not end with it.
template<sparse_like A>
void save_npz(const std::string& path, const A& a, const save_npz_options& options = {}) {
  detail::sparse_save_npz(path, a.parts(), options.compressed);
}
/// Reads what save_npz or scipy.sparse.save_npz wrote, in any format, converted to F; and to V, if the stored
/// dtype converts by the same_kind rule (type_error). A file of a few bytes may claim 2^60 rows, and csr and
/// csc take memory for each: where the file is not trusted, read it as coo and look at its shape.
template<storable V = double, format F = format::csr>
[[nodiscard]] matrix<V, F> load_npz(const std::string& path, device where = default_device()) {
  const detail::sparse_parts stored = detail::sparse_load_npz(path, where);
  detail::check_stored_dtype(path, stored.dtype(), dtype_of<V>);
  return {detail::sparse_convert(detail::sparse_astype(stored, dtype_of<V>), F), detail::adopt_t{}};
}

/// Writes the entries as a Matrix Market file: real, complex, integer, unsigned-integer for uint64, or
/// pattern for bool.
template<sparse_like A>
void mmwrite(const std::string& path, const A& a, const mmwrite_options& options = {}) {
  detail::sparse_mmwrite(path, a.parts(), options);
}
/// Reads a Matrix Market file; of an array file the elements that are not 0. Symmetric, skew-symmetric and
/// Hermitian matrices are completed. Throws value_error, with the number of the line, for a file that is
/// none.
template<storable V = double, format F = format::coo>
[[nodiscard]] matrix<V, F> mmread(const std::string& path, device where = default_device()) {
  return {detail::sparse_convert(detail::sparse_mmread(path, dtype_of<V>, where), F), detail::adopt_t{}};
}

}  // namespace sparse

GPARRAY_END_NAMESPACE
