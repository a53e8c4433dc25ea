// What the table of sparse formats says, at compile time.
#pragma once
#include <cstdint>
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace sparse {

/// How the entries of a sparse matrix are stored: csr, csc, coo or dia.
enum class format : std::uint8_t {
#define GPARRAY_SPARSE_FORMAT(name, layout, axis, compressed, transposed, major, minor, title, doc) name,
#include <gparray/tables/sparse_formats.def>
};

}  // namespace sparse

namespace detail {

enum class sparse_layout : std::uint8_t { compressed, coordinates, diagonals };

struct sparse_format_row {
  std::string_view name;
  sparse_layout layout;
  int axis;
  sparse::format compressed, transposed;
  std::string_view major, minor, title;
};

inline constexpr sparse_format_row sparse_format_rows[] = {
#define GPARRAY_SPARSE_FORMAT(name, layout, axis, compressed, transposed, major, minor, title, doc)          \
  {#name, sparse_layout::layout, axis, sparse::format::compressed, sparse::format::transposed, major, minor, \
   title},
#include <gparray/tables/sparse_formats.def>
};

constexpr const sparse_format_row& row(sparse::format f) { return sparse_format_rows[static_cast<int>(f)]; }

/// Whether each entry has an index of its own, which those on stored diagonals have not.
constexpr bool has_entries(sparse::format f) { return row(f).layout != sparse_layout::diagonals; }
/// The format itself, or what has entries in its place.
constexpr sparse::format with_entries(sparse::format f) { return has_entries(f) ? f : row(f).compressed; }

}  // namespace detail

namespace sparse {

/// Whether a format has compressed rows or columns: csr and csc.
[[nodiscard]] constexpr bool is_compressed(format f) {
  return detail::row(f).layout == detail::sparse_layout::compressed;
}
/// The format of what operations that need compressed rows or columns make of a matrix of format f: csc for
/// csc, else csr.
[[nodiscard]] constexpr format compressed(format f) { return detail::row(f).compressed; }
/// The format of the transpose of a matrix of format f: csc for csr, csr for csc, else f.
[[nodiscard]] constexpr format transposed(format f) { return detail::row(f).transposed; }

}  // namespace sparse

GPARRAY_END_NAMESPACE
