// NumPy's description of an array in a file (numpy.lib.format, "NPY format").
#include <algorithm>
#include <charconv>
#include <optional>

#include <core/files/npy_header.hpp>
#include <core/files/python_literal.hpp>
#include <support/errors.hpp>
#include <support/utf8.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The first is written. NumPy reads the others, too, of which names have no byte order.
struct description {
  dtype type;
  std::string_view text;
  std::string_view letters, names;
};
constexpr description descriptions[] = {{dtype::bool_, "b1", "?", "bool bool_"},
                                        {dtype::int8, "i1", "b", "int8 byte"},
                                        {dtype::int16, "i2", "h", "int16 short"},
                                        {dtype::int32, "i4", "i", "int32 intc"},
                                        {dtype::int64, "i8", "lqpn", "int64 int int_ intp long longlong"},
                                        {dtype::uint8, "u1", "B", "uint8 ubyte"},
                                        {dtype::uint16, "u2", "H", "uint16 ushort"},
                                        {dtype::uint32, "u4", "I", "uint32 uintc"},
                                        {dtype::uint64, "u8", "LQPN", "uint64 uint uintp ulong ulonglong"},
                                        {dtype::float16, "f2", "e", "float16 half"},
                                        {dtype::bfloat16, "V2", "", ""},
                                        {dtype::float32, "f4", "f", "float32 single"},
                                        {dtype::float64, "f8", "d", "float64 float double"},
                                        {dtype::complex64, "c8", "F", "complex64 csingle"},
                                        {dtype::complex128, "c16", "D", "complex128 complex cdouble"}};

bool is_among(std::string_view word, std::string_view words) {
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (words.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

bool has_byte_order(std::string_view descr) {
  return !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
}

/// The size behind a letter, as C's strtol reads it for NumPy: with white space, a plus and zeros in front.
std::optional<std::size_t> size_in(std::string_view descr) {
  std::string_view digits = descr.substr(1);
  digits.remove_prefix(std::min(digits.find_first_not_of(" \t\n\v\f\r"), digits.size()));
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::size_t size = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, size);
  return error == std::errc() && stop == end ? std::optional(size) : std::nullopt;
}

/// As much of a header as an error may show.
std::string excerpt(std::string_view header) {
  constexpr std::size_t most = 300;
  header = header.substr(0, header.find_last_not_of(" \n") + 1);
  return header.size() <= most ? std::string(header) : std::string(header.substr(0, most)) + "...";
}

/// The value of each key, the last one given.
struct header_values {
  const python_literal *descr = nullptr, *fortran_order = nullptr, *shape = nullptr;

  explicit header_values(const python_literal& dictionary, std::string_view header, const std::string& file) {
    const auto wrong_keys = [&] {
      fail<value_error>("{}: Header does not contain the correct keys: {}", file, excerpt(header));
    };
    for (std::size_t i = 0; i + 1 < dictionary.items.size(); i += 2) {
      const python_literal& key = dictionary.items[i];
      const python_literal* const value = &dictionary.items[i + 1];
      if (key.type != python_literal::kind::text) wrong_keys();
      if (key.text == "descr") descr = value;
      else if (key.text == "fortran_order") fortran_order = value;
      else if (key.text == "shape") shape = value;
      else wrong_keys();
    }
    if (!descr || !fortran_order || !shape) wrong_keys();
  }
};

npy_header parse_header(std::string_view text, std::size_t version, const std::string& file) {
  using kind = python_literal::kind;
  constexpr std::size_t most = 10000;  // NumPy's max_header_size
  const std::optional<std::size_t> length = version == 3 ? utf8_characters(text) : text.size();
  if (!length) fail<value_error>("{}: the header is not UTF-8", file);
  if (*length > most)
    fail<value_error>("{}: Header info length ({}) is large and may not be safe to load securely", file,
                      *length);
  python_literal value;
  try {
    value = parse_python_literal(text, version < 3);
  } catch (const value_error& e) {
    fail<value_error>("{}: Cannot parse header ({}): {}", file, e.what(), excerpt(text));
  }
  if (value.type != kind::dictionary)
    fail<value_error>("{}: Header is not a dictionary: {}", file, excerpt(text));
  const header_values values(value, text, file);
  npy_header header;
  const std::vector<python_literal>& sizes = values.shape->items;
  if (values.shape->type != kind::tuple || std::any_of(sizes.begin(), sizes.end(), [](const auto& n) {
        return n.type != kind::integer || !n.fits || n.number < 0;
      }))
    fail<value_error>("{}: shape is not valid: {}", file, excerpt(text));
  if (sizes.size() > max_ndim)
    fail<value_error>("{}: arrays of {} dimensions are not supported, the limit is {}", file, sizes.size(),
                      max_ndim);
  for (const python_literal& n : sizes) header.shape.push_back(n.number);
  if (values.fortran_order->type != kind::boolean)
    fail<value_error>("{}: fortran_order is not a valid bool: {}", file, excerpt(text));
  header.fortran_order = values.fortran_order->number != 0;
  if (values.descr->type != kind::text)
    fail<value_error>("{}: arrays of records are not supported: {}", file, excerpt(text));
  header.descr = values.descr->text;
  return header;
}

}  // namespace

npy_header take_npy_header(std::string_view& bytes, const std::string& file) {
  if (!bytes.starts_with(npy_magic) || bytes.size() < 8)
    fail<value_error>("{} is not a .npy file: the magic string is not correct", file);
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const std::size_t version = byte(6), length_bytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3 || byte(7) != 0)
    fail<value_error>("{}: we only support format version (1,0), (2,0), and (3,0), not ({},{})", file,
                      version, byte(7));
  std::size_t length = 0;
  if (bytes.size() < 8 + length_bytes) fail<value_error>("{}: EOF: reading array header length", file);
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | byte(8 + i);
  if (length > bytes.size() - 8 - length_bytes) fail<value_error>("{}: EOF: reading array header", file);
  const std::string_view text = bytes.substr(8 + length_bytes, length);
  bytes.remove_prefix(8 + length_bytes + length);
  return parse_header(text, version, file);
}

stored_dtype dtype_of_descr(std::string_view descr, const std::string& file) {
  const std::string_view plain = has_byte_order(descr) ? descr.substr(1) : descr;
  const bool is_swapped = descr.starts_with('>');
  for (const description& d : descriptions) {
    const bool is_letter = plain.size() == 1 && d.letters.find(plain[0]) != std::string_view::npos;
    const bool is_sized = plain.size() > 1 && plain[0] == d.text[0] && size_in(plain) == size_in(d.text);
    if (is_letter || is_sized || (plain.size() == descr.size() && is_among(descr, d.names)))
      return {d.type, is_swapped};
  }
  fail<value_error>("{}: arrays of dtype '{}' are not supported", file, excerpt(descr));
}

std::string descr_of_dtype(dtype type) {
  const auto* const found = std::find_if(std::begin(descriptions), std::end(descriptions),
                                         [&](const description& d) { return d.type == type; });
  return fmt::format("{}{}", itemsize(type) == 1 ? '|' : '<', found->text);
}

std::string text_of_npy(std::string_view bytes, const std::string& file) {
  const npy_header header = take_npy_header(bytes, file);
  const std::string_view descr = header.descr;
  const std::string_view plain = has_byte_order(descr) ? descr.substr(1) : descr;
  const std::optional<std::size_t> length =
      plain.starts_with('S') || plain.starts_with('U') ? size_in(plain) : std::nullopt;
  if (!length)
    fail<value_error>("{}: text is expected, and not an array of dtype '{}'", file, excerpt(descr));
  if (std::any_of(header.shape.begin(), header.shape.end(), [](std::int64_t n) { return n != 1; }))
    fail<value_error>("{}: one text is expected, and not an array of them", file);
  // One byte for each character, or four.
  const std::size_t width = plain[0] == 'S' ? 1 : 4;
  if (*length > bytes.size() / width) fail<value_error>("{}: EOF: reading array data", file);
  std::string text;
  for (std::size_t i = 0; i < *length; ++i) {
    const std::string_view character = bytes.substr(i * width, width);
    const std::size_t at = width == 1 || !descr.starts_with('>') ? 0 : width - 1;
    if (std::count(character.begin(), character.end(), '\0') + 1 < static_cast<std::ptrdiff_t>(width))
      fail<value_error>("{}: text of other characters than ASCII is not expected", file);
    text += character[at];
  }
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

}  // namespace core
GPARRAY_END_NAMESPACE
