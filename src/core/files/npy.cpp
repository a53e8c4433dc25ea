// NumPy's .npy files: a line of Python that describes the array, then its bytes
// (numpy.lib.format, "NPY format").
#include <algorithm>
#include <cstring>

#include <core/array/array_rep.hpp>
#include <core/array/temporary.hpp>
#include <core/files/files.hpp>
#include <core/files/npy_header.hpp>
#include <core/files/zip_archive.hpp>
#include <core/manipulation/manipulation.hpp>
#include <gparray/files/npy.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using detail::npy_contents;

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

std::size_t bytes_of(const npy_contents& c, const std::string& name) {
  return bytes_of(c.shape, c.type, name);
}

/// Of a file that begins so, and is so long.
npy_contents contents_of(std::string_view beginning, std::size_t length, const std::string& name) {
  std::string_view rest = beginning;
  const npy_header header = take_npy_header(rest, name);
  const auto [type, swapped] = dtype_of_descr(header.descr, name);
  const npy_contents c{type, header.shape, header.fortran_order, swapped, beginning.size() - rest.size()};
  const std::size_t wanted = bytes_of(c, name);
  if (length - c.offset < wanted)
    fail<value_error>("{}: EOF: reading array data, expected {} bytes got {}", name, wanted,
                      length - c.offset);
  return c;
}

constexpr std::size_t longest_header = 1 << 17;  // none of NumPy's is longer

npy_contents contents_of(input_file& file, std::size_t size, const std::string& name) {
  std::string beginning(std::min(size, longest_header), '\0');
  beginning.resize(file.read(beginning.data(), beginning.size()));
  return contents_of(beginning, size, name);
}

/// Of the elements in C order: of Fortran's the other way round.
dims stored_shape(const npy_contents& c) {
  dims shape = c.shape;
  if (c.fortran_order) std::reverse(shape.begin(), shape.end());
  return shape;
}

void swap_bytes(dtype type, std::byte* at, std::size_t n) {
  const std::size_t part = is_complex(type) ? itemsize(type) / 2 : itemsize(type);
  for (std::size_t i = 0; i < n; i += part) std::reverse(at + i, at + i + part);
}

/// The array of elements that are in the host's memory as they were stored.
any_array arranged(const npy_contents& c, const any_array& stored, const std::optional<device>& where) {
  if (c.is_swapped && stored.size() > 0)
    swap_bytes(c.type, stored.rep()->data, static_cast<std::size_t>(stored.nbytes()));
  const any_array elements = brought_to(stored, where.value_or(default_device()));
  return c.fortran_order ? detail::transpose(elements) : elements;
}

}  // namespace

npy_bytes::npy_bytes(const any_array& a)
    : is_fortran_(is_written_as_fortran(a)),
      header_(detail::npy_header(a.dtype(), a.shape(), is_fortran_)),
      elements_(is_fortran_ ? detail::transpose(a) : a) {}

npz_file::npz_file(const std::string& name, bool compressed)
    : file_(name.ends_with(".npz") ? name : name + ".npz"),
      archive_([this](std::string_view bytes) { file_.write(bytes); }, compressed) {}

void npz_file::add(std::string_view name, const any_array& a) {
  npy_bytes bytes(a);
  add(name, {bytes.header(), bytes.elements().view()});
}

void npz_file::add(std::string_view name, std::initializer_list<std::string_view> bytes) {
  archive_.add(std::string(name) + ".npy", bytes);
}

void npz_file::commit() {
  archive_.finish();
  file_.commit();
}

any_array from_npy(std::string_view bytes, const std::string& name, const std::optional<device>& where) {
  const npy_contents c = contents_of(bytes, bytes.size(), name);
  return arranged(c, detail::from_host(bytes.data() + c.offset, stored_shape(c), c.type, device::cpu()),
                  where);
}

any_array read_npy(const zip_archive& archive, const archive_entry& e, const std::string& name,
                   const std::optional<device>& where) {
  if (e.is_deflated) return from_npy(archive.read(e), name, where);
  // The header first, then the elements to where they stay.
  stored_bytes stored(archive, e);
  std::string beginning(std::min<std::uint64_t>(e.size, longest_header), '\0');
  stored.read(beginning.data(), beginning.size());
  const npy_contents c = contents_of(beginning, e.size, name);
  const any_array elements = allocate(c.type, stored_shape(c), device::cpu());
  const auto wanted = static_cast<std::size_t>(elements.nbytes());
  if (wanted > 0) {
    auto* const to = reinterpret_cast<char*>(elements.rep()->data);
    const std::size_t there = std::min(wanted, beginning.size() - c.offset);
    std::memcpy(to, beginning.data() + c.offset, there);
    stored.read(to + there, wanted - there);
  }
  stored.finish();
  return arranged(c, elements, where);
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
  input_file in(file);
  return contents_of(in, in.size().value_or(0), file);
}

void save(const std::string& file, const any_array& a) {
  npy_bytes bytes(a);
  write_file(file.ends_with(".npy") ? file : file + ".npy", bytes.header(), bytes.elements());
}

const any_array& named_arrays::at(std::string_view name) const {
  for (const value_type& named : arrays_)
    if (named.first == name) return named.second;
  fail<index_error>("'{} is not a file in the archive'", name);
}

namespace {

void save_all(const std::string& file, const named_arrays& arrays, bool compressed) {
  npz_file out(file, compressed);
  for (const auto& [name, a] : arrays) out.add(name, a);
  out.commit();
}

}  // namespace

void savez(const std::string& file, const named_arrays& arrays) { save_all(file, arrays, false); }

void savez_compressed(const std::string& file, const named_arrays& arrays) { save_all(file, arrays, true); }

named_arrays load_npz(const std::string& file, const std::optional<device>& where) {
  const zip_archive archive(file);
  named_arrays arrays;
  for (const archive_entry& e : archive.entries()) {
    // Of a name that is there twice the last is meant, as in Python.
    if (!e.name.ends_with(".npy") || archive.find(e.name) != &e) continue;
    arrays.emplace(e.name.substr(0, e.name.size() - 4), read_npy(archive, e, file + ":" + e.name, where));
  }
  return arrays;
}

namespace detail {

any_array load(const std::string& file, const std::optional<device>& where) {
  input_file in(file);
  const std::optional<std::size_t> size = in.size();
  if (!size) return from_npy(read_file(in), file, where);
  // The header first, then the elements to where they stay.
  const npy_contents c = contents_of(in, *size, file);
  in.seek(c.offset);
  return arranged(c, read_elements(in, file, stored_shape(c), c.type), where);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
