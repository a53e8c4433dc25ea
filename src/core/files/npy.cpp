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

bool is_written_as_fortran(const any_array& a) {
  if (!a.rep()) throw type_error("save: there is no array");
  return a.is_f_contiguous() && !a.is_c_contiguous();
}

/// What a header says of the elements behind it.
struct npy_layout {
  dtype type;
  bool swapped, fortran;
  dims shape;  // of the elements in C order: of Fortran's the other way round
  std::size_t bytes;
};
npy_layout take_layout(std::string_view& bytes, const std::string& name) {
  const npy_header header = take_npy_header(bytes, name);
  const auto [type, swapped] = dtype_of_descr(header.descr, name);
  npy_layout layout{type, swapped, header.fortran_order, header.shape, bytes_of(header.shape, type, name)};
  if (layout.fortran) std::reverse(layout.shape.begin(), layout.shape.end());
  return layout;
}

void check_length(const npy_layout& layout, std::size_t length, const std::string& name) {
  if (length < layout.bytes)
    fail<value_error>("{}: EOF: reading array data, expected {} bytes got {}", name, layout.bytes, length);
}

void swap_bytes(const npy_layout& layout, std::byte* at) {
  const std::size_t part = is_complex(layout.type) ? itemsize(layout.type) / 2 : itemsize(layout.type);
  for (std::size_t i = 0; i < layout.bytes; i += part) std::reverse(at + i, at + i + part);
}

/// The array of elements that are in the host's memory as they were stored.
any_array arranged(const npy_layout& layout, any_array elements, const std::optional<device>& where) {
  if (layout.swapped && layout.bytes > 0) swap_bytes(layout, elements.rep()->data);
  if (const device to = where.value_or(default_device()); !to.is_cpu())
    elements = detail::to_device(elements, to, nullptr);
  return layout.fortran ? detail::transpose(elements) : elements;
}

/// No header of NumPy's is longer.
constexpr std::size_t longest_header = 1 << 17;

}  // namespace

npy_bytes::npy_bytes(const any_array& a)
    : is_fortran_(is_written_as_fortran(a)),
      header_(detail::npy_header(a.dtype(), a.shape(), is_fortran_)),
      elements_(is_fortran_ ? detail::transpose(a) : a) {}

any_array from_npy(std::string_view bytes, const std::string& name, const std::optional<device>& where) {
  const npy_layout layout = take_layout(bytes, name);
  check_length(layout, bytes.size(), name);
  return arranged(layout, detail::from_host(bytes.data(), layout.shape, layout.type, device::cpu()), where);
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
  std::ifstream in(file, std::ios::binary);
  std::string beginning(longest_header, '\0');
  if (!in) throw_os_error(file);
  in.read(beginning.data(), longest_header);
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
  const npy_bytes bytes(a);
  write_file(file.ends_with(".npy") ? file : file + ".npy", {bytes.header(), bytes.elements()});
}

const any_array& named_arrays::at(std::string_view name) const {
  for (const value_type& named : arrays_)
    if (named.first == name) return named.second;
  fail<index_error>("'{} is not a file in the archive'", name);
}

namespace {

void save_all(const std::string& file, const named_arrays& arrays, bool compressed) {
  output_file out(file.ends_with(".npz") ? file : file + ".npz");
  zip_writer archive([&out](std::string_view bytes) { out.write(bytes); }, compressed);
  for (const auto& [name, a] : arrays) {
    const npy_bytes bytes(a);
    archive.add(name + ".npy", {bytes.header(), bytes.elements()});
  }
  archive.finish();
  out.commit();
}

}  // namespace

void savez(const std::string& file, const named_arrays& arrays) { save_all(file, arrays, false); }

void savez_compressed(const std::string& file, const named_arrays& arrays) { save_all(file, arrays, true); }

named_arrays load_npz(const std::string& file, const std::optional<device>& where) {
  const file_contents bytes = read_file(file);
  const std::vector<unzipped> entries = from_zip(bytes, file);
  // Of a name that is there twice the last is meant, as in Python.
  std::map<std::string_view, std::size_t> last;
  for (std::size_t i = 0; i < entries.size(); ++i) last[entries[i].name] = i;
  named_arrays arrays;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const unzipped& entry = entries[i];
    if (!entry.name.ends_with(".npy") || last[entry.name] != i) continue;
    arrays.emplace(entry.name.substr(0, entry.name.size() - 4),
                   from_npy(entry.bytes(), file + ":" + entry.name, where));
  }
  return arrays;
}

namespace detail {

any_array load(const std::string& file, const std::optional<device>& where) {
  input_file in(file);
  const std::optional<std::size_t> size = in.size();
  if (!size) return from_npy(read_file(in), file, where);
  // The header first, then the elements to where they stay.
  std::string beginning(std::min(*size, longest_header), '\0');
  beginning.resize(in.read(beginning.data(), beginning.size()));
  std::string_view rest = beginning;
  const npy_layout layout = take_layout(rest, file);
  const std::size_t offset = beginning.size() - rest.size();
  check_length(layout, *size - offset, file);
  in.seek(offset);
  return arranged(layout, read_elements(in, file, layout.shape, layout.type), where);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
