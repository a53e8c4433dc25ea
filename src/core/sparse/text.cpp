// Sparse matrices as text, SciPy's.
#include <ostream>

#include <core/manipulation/manipulation.hpp>
#include <core/sparse/filter.hpp>
#include <format/array.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

constexpr std::int64_t most_lines = 50;

/// Lines of `count` entries from `first`.
std::string lines(const sparse_parts& a, std::int64_t first, std::int64_t count) {
  const auto part = [&](const any_array& x) { return slice_along(x, 0, first, count); };
  const std::vector<std::int64_t> row = as_index_array(part(a.major)).to_vector(),
                                  column = as_index_array(part(a.minor)).to_vector();
  const std::size_t item = itemsize(a.dtype());
  std::vector<std::byte> values(static_cast<std::size_t>(count) * item);
  detail::copy_to_host(part(a.data), values.data());
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i)
    text += fmt::format("{}  ({}, {})\t{}", i > 0 ? "\n" : "", row[i], column[i],
                        scalar_str(detail::row(a.dtype()).code, values.data() + i * item));
  return text;
}

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

std::string sparse_text(const sparse_parts& a) {
  const std::int64_t n = sparse_nnz(a);
  std::string text =
      fmt::format("<{} sparse matrix of dtype '{}'\n\twith {} stored elements{} and shape ({}, {})>",
                  detail::row(a.format).title, name(a.dtype()), n,
                  a.format == sparse::format::dia ? fmt::format(" ({} diagonals)", a.major.size()) : "",
                  a.rows, a.columns);
  if (n == 0) return text;
  const sparse_parts entries = sparse_convert(a, sparse::format::coo);
  const std::int64_t stored = entries.data.size(), half = most_lines / 2;
  text += "\n  Coords\tValues\n";
  if (n <= most_lines || stored <= most_lines) return text + lines(entries, 0, stored);
  return text + lines(entries, 0, half) + "\n  :\t:\n" + lines(entries, stored - half, half);
}

void sparse_print(std::ostream& out, const sparse_parts& a) { out << sparse_text(a); }

}  // namespace detail
GPARRAY_END_NAMESPACE
