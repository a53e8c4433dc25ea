// Sparse matrices in .npz files, in SciPy's layout: an array for each component, the shape, the format's
// name.
#include <algorithm>

#include <core/array/temporary.hpp>
#include <core/files/npy_header.hpp>
#include <core/files/zip_archive.hpp>
#include <core/sparse/sparse.hpp>
#include <gparray/sparse/files.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// A .npy file of a 0-d array of 3 characters.
byte_string text_npy(std::string_view text) {
  std::string header = "{'descr': '|S3', 'fortran_order': False, 'shape': (), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  byte_string bytes("\x93NUMPY\1\0", 8);
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  return bytes.append(header).append(text);
}

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

void sparse_save_npz(const std::string& path, const sparse_parts& a, bool compressed) {
  const sparse_format_row& row = detail::row(a.format);
  npz_file out(path, compressed);
  // In SciPy's order.
  if (row.layout == sparse_layout::compressed) out.add(row.minor, a.minor);
  out.add(row.major, a.major);
  if (row.layout == sparse_layout::coordinates) out.add(row.minor, a.minor);
  const std::int64_t shape[] = {a.rows, a.columns};
  out.add("format", {text_npy(row.name)});
  out.add("shape", from_host(shape, {2}, gparray::dtype::int64, device::cpu()));
  out.add("data", a.data);
  out.commit();
}

sparse_parts sparse_load_npz(const std::string& path, gparray::device where) {
  const zip_archive archive(path);
  const archive_entry* const format_entry = archive.find("format.npy");
  if (!format_entry) fail<value_error>("The file {} does not contain a sparse array or matrix.", path);
  const auto load = [&](std::string_view name, gparray::device to) {
    const archive_entry* const e = archive.find(std::string(name) + ".npy");
    if (!e) fail<value_error>("{}: {} is not a file in the archive", path, name);
    return read_npy(archive, *e, path, to);
  };
  const std::string format = text_of_npy(archive.read(*format_entry), path);
  const auto* const known = std::ranges::find(sparse_format_rows, format, &sparse_format_row::name);
  if (known == std::end(sparse_format_rows))
    fail<value_error>("Load is not implemented for sparse matrix of format {}.", format);
  const any_array sizes = load("shape", device::cpu());
  if (sizes.size() != 2 || !is_integer(sizes.dtype()))
    fail<value_error>("{}: a sparse matrix has 2 axes, and the file's has another shape", path);
  const dims shape(as_index_array(sizes).to_vector());
  const any_array data = load("data", where);
  const argument values = named(data);
  const auto f = static_cast<sparse::format>(known - std::begin(sparse_format_rows));
  const any_array major = load(known->major, where);
  switch (known->layout) {
    case sparse_layout::compressed:
      return sparse_from_compressed(f, values, load(known->minor, where), major, shape);
    case sparse_layout::coordinates:
      return sparse_from_coordinates(f, values, major, load(known->minor, where), shape);
    case sparse_layout::diagonals:
      break;
  }
  return sparse_from_diagonals(f, values, major, shape);
}

void check_stored_dtype(const std::string& path, gparray::dtype from, gparray::dtype to) {
  if (!can_cast(from, to, casting::same_kind))
    fail<type_error>("{} holds {}, which does not convert to {} by the rule 'same_kind'", path, name(from),
                     name(to));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
