// NumPy's .npy files: a line of Python that describes the array, then its bytes
// (numpy.lib.format, "NPY format").
#include <core/array_rep.hpp>
#include <core/errors.hpp>
#include <core/files.hpp>
#include <core/manipulation.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct description {
  dtype type;
  const char* text;  // without the byte order
};
constexpr description descriptions[] = {
    {dtype::bool_, "b1"},   {dtype::int8, "i1"},      {dtype::int16, "i2"},      {dtype::int32, "i4"},
    {dtype::int64, "i8"},   {dtype::uint8, "u1"},     {dtype::uint16, "u2"},     {dtype::uint32, "u4"},
    {dtype::uint64, "u8"},  {dtype::float16, "f2"},   {dtype::bfloat16, "V2"},   {dtype::float32, "f4"},
    {dtype::float64, "f8"}, {dtype::complex64, "c8"}, {dtype::complex128, "c16"}};

[[noreturn]] void throw_os(const std::string& name) {
  fail<os_error>("[Errno {}] {}: '{}'", errno, std::strerror(errno), name);
}

/// The text of a value in the header's dictionary, from behind its key to the comma that ends it.
std::string_view value_of(std::string_view header, std::string_view key, const std::string& name) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) fail<value_error>("{}: Header does not contain the key '{}'", name, key);
  std::string_view rest = header.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::size_t end = rest.starts_with('(') ? rest.find(')') : rest.find_first_of(",}");
  if (end == std::string_view::npos) fail<value_error>("{}: Cannot parse header: {}", name, header);
  return rest.substr(0, end);
}

dims shape_of(std::string_view text, const std::string& name) {
  dims shape;
  for (std::size_t i = 1; i < text.size();) {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), n);
    if (error != std::errc() || n < 0) {
      if (text[i] != ' ' && text[i] != ',') fail<value_error>("{}: shape is not valid: {}", name, text);
      ++i;
      continue;
    }
    shape.push_back(n);
    i = static_cast<std::size_t>(end - text.data());
  }
  return shape;
}

}  // namespace

byte_string read_file(const std::string& name) {
  std::error_code ignored;
  // A folder can be opened, and its size is then 2^63 - 1.
  if (std::filesystem::is_directory(name, ignored)) errno = EISDIR, throw_os(name);
  std::ifstream in(name, std::ios::binary | std::ios::ate);
  if (!in) throw_os(name);
  byte_string bytes(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!in) throw_os(name);
  return bytes;
}

void write_file(const std::string& name, std::string_view bytes) {
  std::ofstream out(name, std::ios::binary | std::ios::trunc);
  if (!out) throw_os(name);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw_os(name);
}

byte_string to_npy(const any_array& a) {
  if (!a.rep()) throw type_error("save: there is no array");
  const bool fortran = a.is_f_contiguous() && !a.is_c_contiguous();
  std::string shape;
  for (const std::int64_t n : a.shape()) shape += (shape.empty() ? "" : ", ") + std::to_string(n);
  if (a.ndim() == 1) shape += ",";
  const auto* found = std::find_if(std::begin(descriptions), std::end(descriptions),
                                   [&](const description& d) { return d.type == a.dtype(); });
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': {}, 'shape': ({}), }}",
                  itemsize(a.dtype()) == 1 ? '|' : '<', found->text, fortran ? "True" : "False", shape);
  header.append(63 - (magic.size() + 4 + header.size()) % 64, ' ');  // the elements are aligned to 64 bytes
  header += '\n';
  byte_string bytes(magic);
  bytes += '\1';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  const std::size_t at = bytes.size();
  bytes.resize(at + static_cast<std::size_t>(a.nbytes()));
  detail::copy_to_host(fortran ? detail::transpose(a) : a, bytes.data() + at);
  return bytes;
}

any_array from_npy(std::string_view bytes, const std::string& name, const std::optional<device>& where) {
  if (!bytes.starts_with(magic) || bytes.size() < 10)
    fail<value_error>("{} is not a .npy file: the magic string is not correct", name);
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const std::size_t version = byte(6), wide = version == 1 ? 2 : 4;
  if (version < 1 || version > 3)
    fail<value_error>("{}: we only support format version (1,0), (2,0), and (3,0)", name);
  std::size_t length = 0;
  if (bytes.size() < 8 + wide) fail<value_error>("{}: EOF: reading array header", name);
  for (std::size_t i = wide; i-- > 0;) length = length << 8 | byte(8 + i);
  if (length > bytes.size() - 8 - wide) fail<value_error>("{}: EOF: reading array header", name);
  const std::string_view header = bytes.substr(8 + wide, length);
  std::string_view elements = bytes.substr(8 + wide + length);

  const std::string_view type_text = value_of(header, "descr", name);
  const auto* found =
      std::find_if(std::begin(descriptions), std::end(descriptions), [&](const description& d) {
        return type_text.size() > 2 && type_text.substr(2, type_text.size() - 3) == d.text;
      });
  if (found == std::end(descriptions))
    fail<value_error>("{}: arrays of dtype {} are not supported", name, type_text);
  const bool fortran = value_of(header, "fortran_order", name) == "True", swapped = type_text[1] == '>';
  dims shape = shape_of(value_of(header, "shape", name), name);
  const std::int64_t size = checked_size(shape, itemsize(found->type));
  const std::size_t n_bytes = static_cast<std::size_t>(size) * itemsize(found->type);
  if (elements.size() < n_bytes)
    fail<value_error>("{}: EOF: reading array data, expected {} bytes got {}", name, n_bytes,
                      elements.size());
  byte_string in_order;
  if (swapped) {
    const std::size_t part = is_complex(found->type) ? itemsize(found->type) / 2 : itemsize(found->type);
    in_order = elements.substr(0, n_bytes);
    for (std::size_t i = 0; i < n_bytes; i += part) std::reverse(&in_order[i], &in_order[i] + part);
    elements = in_order;
  }
  if (fortran) std::reverse(shape.begin(), shape.end());
  const any_array a =
      detail::from_host(elements.data(), shape, found->type, where.value_or(default_device()));
  return fortran ? detail::transpose(a) : a;
}

}  // namespace core

using namespace core;

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
  named_arrays arrays;
  for (const zip_entry& entry : from_zip(read_file(file), file)) {
    if (!entry.name.ends_with(".npy")) continue;
    arrays.emplace(entry.name.substr(0, entry.name.size() - 4),
                   from_npy(entry.bytes, file + ":" + entry.name, where));
  }
  return arrays;
}

namespace detail {

any_array as_type(const any_array& a, gparray::dtype type) {
  argument source;
  source.array = &a;
  source.type = a.dtype();
  return astype(source, type, false).eval();
}

any_array load(const std::string& file, const std::optional<device>& where) {
  return from_npy(read_file(file), file, where);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
