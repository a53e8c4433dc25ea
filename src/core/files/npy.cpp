// NumPy's .npy files: a line of Python that describes the array, then its bytes
// (numpy.lib.format, "NPY format").
#include <algorithm>
#include <fstream>
#include <map>

#include <core/array/array_rep.hpp>
#include <core/array/temporary.hpp>
#include <core/files/files.hpp>
#include <core/files/npy_header.hpp>
#include <core/manipulation/manipulation.hpp>
#include <gparray/files/npy.hpp>
#include <support/errors.hpp>
#include <support/output_file.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// A header that says more than any machine can hold is damaged.
std::size_t bytes_of(const dims& shape, dtype type, const std::string& name) {
  try {
    return static_cast<std::size_t>(checked_size(shape, itemsize(type))) * itemsize(type);
  } catch (const overflow_error& e) {
    fail<value_error>("{}: {}", name, e.what());
  }
}

}  // namespace

byte_string to_npy(const any_array& a) {
  if (!a.rep()) throw type_error("save: there is no array");
  const bool fortran = a.is_f_contiguous() && !a.is_c_contiguous();
  byte_string bytes = detail::npy_header(a.dtype(), a.shape(), fortran);
  const std::size_t at = bytes.size();
  bytes.resize(at + static_cast<std::size_t>(a.nbytes()));
  detail::copy_to_host(fortran ? detail::transpose(a) : a, bytes.data() + at);
  return bytes;
}

any_array from_npy(std::string_view bytes, const std::string& name, const std::optional<device>& where) {
  std::string_view elements = bytes;
  const npy_header header = take_npy_header(elements, name);
  const auto [type, swapped] = dtype_of_descr(header.descr, name);
  const bool fortran = header.fortran_order;
  dims shape = header.shape;
  const std::size_t n_bytes = bytes_of(shape, type, name);
  if (elements.size() < n_bytes)
    fail<value_error>("{}: EOF: reading array data, expected {} bytes got {}", name, n_bytes,
                      elements.size());
  byte_string in_order;
  if (swapped) {
    const std::size_t part = is_complex(type) ? itemsize(type) / 2 : itemsize(type);
    in_order = elements.substr(0, n_bytes);
    for (std::size_t i = 0; i < n_bytes; i += part) std::reverse(&in_order[i], &in_order[i] + part);
    elements = in_order;
  }
  if (fortran) std::reverse(shape.begin(), shape.end());
  const any_array a = detail::from_host(elements.data(), shape, type, where.value_or(default_device()));
  return fortran ? detail::transpose(a) : a;
}

}  // namespace core

using namespace core;

std::string detail::npy_header(dtype type, const dims& sizes, bool fortran_order) {
  std::string shape;
  for (const std::int64_t n : sizes) shape += (shape.empty() ? "" : ", ") + std::to_string(n);
  if (sizes.size() == 1) shape += ",";
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}",
                                   descr_of_dtype(type), fortran_order ? "True" : "False", shape);
  header.append(63 - (npy_magic.size() + 4 + header.size()) % 64,
                ' ');  // the elements are aligned to 64 bytes
  header += '\n';
  std::string bytes(npy_magic);
  bytes += '\1';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header;
}

detail::npy_contents detail::read_npy_contents(const std::string& file) {
  // No header of NumPy's is longer.
  constexpr std::size_t most = 1 << 17;
  std::ifstream in(file, std::ios::binary);
  std::string beginning(most, '\0');
  if (!in) throw_os_error(file);
  in.read(beginning.data(), most);
  beginning.resize(static_cast<std::size_t>(in.gcount()));
  in.clear();
  in.seekg(0, std::ios::end);
  const auto length = static_cast<std::size_t>(in.tellg());
  std::string_view rest = beginning;
  const core::npy_header header = take_npy_header(rest, file);
  const auto [type, swapped] = dtype_of_descr(header.descr, file);
  const std::size_t offset = beginning.size() - rest.size(), wanted = bytes_of(header.shape, type, file);
  if (length - offset < wanted)
    fail<value_error>("{}: EOF: reading array data, expected {} bytes got {}", file, wanted, length - offset);
  return {type, header.shape, header.fortran_order, swapped, offset};
}

void save(const std::string& file, const any_array& a) {
  write_file(file.ends_with(".npy") ? file : file + ".npy", to_npy(a));
}

const any_array& named_arrays::at(std::string_view name) const {
  for (const value_type& named : arrays_)
    if (named.first == name) return named.second;
  fail<index_error>("'{} is not a file in the archive'", name);
}

namespace {

void save_all(const std::string& file, const named_arrays& arrays, bool compressed) {
  std::vector<zip_entry> entries;
  for (const auto& [name, a] : arrays) entries.push_back({name + ".npy", to_npy(a)});
  write_file(file.ends_with(".npz") ? file : file + ".npz", to_zip(entries, compressed));
}

}  // namespace

void savez(const std::string& file, const named_arrays& arrays) { save_all(file, arrays, false); }

void savez_compressed(const std::string& file, const named_arrays& arrays) { save_all(file, arrays, true); }

named_arrays load_npz(const std::string& file, const std::optional<device>& where) {
  const std::vector<zip_entry> entries = from_zip(read_file(file), file);
  // Of a name that is there twice the last is meant, as in Python.
  std::map<std::string_view, std::size_t> last;
  for (std::size_t i = 0; i < entries.size(); ++i) last[entries[i].name] = i;
  named_arrays arrays;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const zip_entry& entry = entries[i];
    if (!entry.name.ends_with(".npy") || last[entry.name] != i) continue;
    arrays.emplace(entry.name.substr(0, entry.name.size() - 4),
                   from_npy(entry.bytes, file + ":" + entry.name, where));
  }
  return arrays;
}

namespace detail {

any_array load(const std::string& file, const std::optional<device>& where) {
  return from_npy(read_file(file), file, where);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
