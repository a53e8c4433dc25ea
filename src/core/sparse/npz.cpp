// Sparse matrices in .npz files, in SciPy's layout: an array for each component, the shape, the format's
// name.
#include <map>

#include <core/files/files.hpp>
#include <core/files/npy_header.hpp>
#include <core/sparse/sparse.hpp>
#include <gparray/sparse/files.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

constexpr const char* names[] = {"csr", "csc", "coo", "dia"};

/// A .npy file of a 0-d array of 3 characters.
byte_string text_npy(const char* text) {
  std::string header = "{'descr': '|S3', 'fortran_order': False, 'shape': (), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  byte_string bytes("\x93NUMPY\1\0", 8);
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  return bytes + header + text;
}

std::string with_ending(const std::string& path) { return path.ends_with(".npz") ? path : path + ".npz"; }

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

void sparse_save_npz(const std::string& path, const sparse_parts& a, bool compressed) {
  const bool with_indices = sparse::is_compressed(a.format);
  std::vector<zip_entry> entries;
  if (with_indices) {
    entries.push_back({"indices.npy", to_npy(a.minor)});
    entries.push_back({"indptr.npy", to_npy(a.major)});
  } else if (a.format == sparse::format::coo) {
    entries.push_back({"row.npy", to_npy(a.major)});
    entries.push_back({"col.npy", to_npy(a.minor)});
  } else {
    entries.push_back({"offsets.npy", to_npy(a.major)});
  }
  const std::int64_t shape[] = {a.rows, a.columns};
  entries.push_back({"format.npy", text_npy(names[static_cast<int>(a.format)])});
  entries.push_back({"shape.npy", to_npy(from_host(shape, {2}, gparray::dtype::int64, device::cpu()))});
  entries.push_back({"data.npy", to_npy(a.data)});
  write_file(with_ending(path), to_zip(entries, compressed));
}

sparse_parts sparse_load_npz(const std::string& path, gparray::device where) {
  const byte_string bytes = read_file(path);
  std::map<std::string, byte_string> entries;
  for (zip_entry& e : from_zip(bytes, path)) entries[e.name] = std::move(e.bytes);
  if (!entries.contains("format.npy"))
    fail<value_error>("The file {} does not contain a sparse array or matrix.", path);
  const auto load = [&](const char* name, gparray::device to) {
    const auto found = entries.find(std::string(name) + ".npy");
    if (found == entries.end()) fail<value_error>("{}: {} is not a file in the archive", path, name);
    return from_npy(found->second, path, to);
  };
  const std::string format = text_of_npy(entries["format.npy"], path);
  const auto* const known = std::find(std::begin(names), std::end(names), format);
  if (known == std::end(names))
    fail<value_error>("Load is not implemented for sparse matrix of format {}.", format);
  const any_array sizes = load("shape", device::cpu());
  if (sizes.size() != 2 || !is_integer(sizes.dtype()))
    fail<value_error>("{}: a sparse matrix has 2 axes, and the file's has another shape", path);
  const dims shape(as_index_array(sizes).to_vector());
  const any_array data = load("data", where);
  argument values;
  values.array = &data;
  values.type = data.dtype();
  const auto f = static_cast<sparse::format>(known - std::begin(names));
  if (f == sparse::format::dia) return sparse_from_diagonals(f, values, load("offsets", where), shape);
  if (f == sparse::format::coo)
    return sparse_from_coordinates(f, values, load("row", where), load("col", where), shape);
  return sparse_from_compressed(f, values, load("indices", where), load("indptr", where), shape);
}

void check_stored_dtype(const std::string& path, gparray::dtype from, gparray::dtype to) {
  if (!can_cast(from, to, casting::same_kind))
    fail<type_error>("{} holds {}, which does not convert to {} by the rule 'same_kind'", path, name(from),
                     name(to));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
