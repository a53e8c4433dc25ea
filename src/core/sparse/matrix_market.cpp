// Matrix Market files: a line that says what follows, comments, sizes, entries
// (https://math.nist.gov/MatrixMarket/formats.html).
#include <algorithm>
#include <charconv>
#include <complex>

#include <core/array/arguments.hpp>
#include <core/files/files.hpp>
#include <core/sparse/sparse.hpp>
#include <gparray/sparse/files.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

enum class field : char { real, complex, integer, pattern, natural };
enum class symmetry : char { general, symmetric, skew, hermitian };
constexpr const char *fields[] = {"real", "complex", "integer", "pattern", "unsigned-integer"},
                     *symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};

/// Numbers between white space, line by line.
class scanner {
 public:
  scanner(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  [[noreturn]] void fail_here(std::string_view what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    fail<value_error>("{}, line {}: {}", path_, line, what);
  }
  std::string line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string result(text_.substr(at_, end - at_));
    at_ = std::min(end + 1, text_.size());
    return result;
  }
  /// Leaves out comments and empty lines.
  void skip_comments() {
    for (;;) {
      skip_space();
      if (at_ == text_.size() || text_[at_] != '%') return;
      line();
    }
  }
  template<class N>
  N number(const char* what) {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '+') ++at_;
    N value{};
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if constexpr (std::floating_point<N>) {
      // Infinite, or as near to zero as a double can be.
      if (status == std::errc::result_out_of_range)
        value = std::strtod(std::string(text_.data() + at_, end).c_str(), nullptr);
      else if (status != std::errc()) fail_here(what);
    } else if (status != std::errc()) {
      fail_here(what);
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

 private:
  // A loop, as find_first_not_of calls a function for every character.
  void skip_space() {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
};

template<std::size_t N>
int position_in(const char* const (&names)[N], const std::string& word) {
  return static_cast<int>(std::find(names, names + N, word) - names);
}

struct head {
  bool array;
  field kind;
  symmetry shape;
};

head read_head(scanner& in) {
  const scanner first = in;  // errors are about the first line
  std::string line = in.line();
  std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  if (words.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix")
    first.fail_here("not a Matrix Market file: it does not begin with %%MatrixMarket matrix");
  if (words[2] != "coordinate" && words[2] != "array")
    first.fail_here("the format is neither coordinate nor array");
  const int kind = position_in(fields, words[3] == "double" ? "real" : words[3]),
            shape = position_in(symmetries, words[4]);
  if (kind == static_cast<int>(std::size(fields)))
    first.fail_here("an unknown field: real, complex, integer, unsigned-integer and pattern are known");
  if (words[2] == "array" && static_cast<field>(kind) == field::pattern)
    first.fail_here("an array has values, and cannot be a pattern");
  if (shape == 4)
    first.fail_here("an unknown symmetry: general, symmetric, skew-symmetric and hermitian are known");
  return {words[2] == "array", static_cast<field>(kind), static_cast<symmetry>(shape)};
}

/// Entries as they are read; values in the dtype of the field.
struct entries {
  dtype type;
  std::vector<std::int64_t> row, column;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::vector<std::complex<double>> complexes;

  /// Room for so many.
  void reserve(std::size_t count) {
    row.reserve(count);
    column.reserve(count);
    if (is_integer(type)) integers.reserve(count);
    else if (type == dtype::float64) reals.reserve(count);
    else complexes.reserve(count);
  }
  /// One value, and where the matrix is symmetric the one on the other side of the diagonal.
  void add(scanner& in, const head& h, std::int64_t i, std::int64_t j) {
    row.push_back(i);
    column.push_back(j);
    const bool twice = h.shape != symmetry::general && i != j;
    const int sign = h.shape == symmetry::skew ? -1 : 1;
    if (twice) {
      row.push_back(j);
      column.push_back(i);
    }
    if (is_integer(type)) {
      constexpr const char* expected = "an integer is expected";
      std::int64_t value = 1;
      if (h.kind != field::pattern)
        value = type == dtype::uint64 ? static_cast<std::int64_t>(in.number<std::uint64_t>(expected))
                                      : in.number<std::int64_t>(expected);
      integers.push_back(value);
      if (twice) integers.push_back(sign * value);
    } else if (h.kind == field::real) {
      const double value = in.number<double>("a number is expected");
      reals.push_back(value);
      if (twice) reals.push_back(sign * value);
    } else {
      const double real = in.number<double>("a number is expected"),
                   imaginary = in.number<double>("a number is expected");
      const std::complex<double> value(real, imaginary);
      complexes.push_back(value);
      if (twice)
        complexes.push_back(h.shape == symmetry::hermitian ? std::conj(value)
                                                           : value * static_cast<double>(sign));
    }
  }
  const void* values() const {
    if (is_integer(type)) return integers.data();
    if (type == dtype::float64) return reals.data();
    return complexes.data();
  }
};

/// Text of a number, by the digits asked for.
void put_number(std::string& out, double value, int precision) {
  char buffer[64];
  const auto [end, status] = precision > 0
                                 ? std::to_chars(buffer, buffer + sizeof buffer, value,
                                                 std::chars_format::scientific, std::min(precision, 40) - 1)
                                 : std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, end);
}

template<class V>
std::vector<V> host_values(const any_array& a) {
  std::vector<V> values(static_cast<std::size_t>(a.size()));
  detail::copy_to_host(a, values.data());
  return values;
}

/// Throws overflow_error for integers that the dtype does not hold.
void check_range(const std::string& path, const any_array& values, dtype type) {
  if (!is_integer(type) || !is_integer(values.dtype()) || type == values.dtype()) return;
  const index_array there(contiguous(contiguous(values, type), dtype::int64)), given = as_index_array(values);
  ndarray<bool> kept = there == given;
  if (values.dtype() == dtype::uint64) kept = kept & (given >= 0);
  if (!gparray::all(kept).item())
    fail<overflow_error>("{} holds integers that are out of bounds for {}", path, name(type));
}

field field_of(dtype type) {
  if (type == dtype::bool_) return field::pattern;
  if (type == dtype::uint64) return field::natural;
  if (is_integer(type)) return field::integer;
  return is_complex(type) ? field::complex : field::real;
}

/// What a file's entries are read as, for a matrix of `wanted`.
dtype dtype_of_entries(field kind, dtype wanted) {
  if (kind == field::complex) return dtype::complex128;
  if (kind == field::real) return dtype::float64;
  return kind == field::natural || wanted == dtype::uint64 ? dtype::uint64 : dtype::int64;
}

/// The first row of column j that a file has of an array.
std::int64_t first_row(symmetry shape, std::int64_t j) {
  if (shape == symmetry::general) return 0;
  return shape == symmetry::skew ? j + 1 : j;
}

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

sparse_parts sparse_mmread(const std::string& path, gparray::dtype type, gparray::device where) {
  const file_contents bytes = read_file(path);
  const std::string_view text = bytes;
  scanner in(path, text);
  const head h = read_head(in);
  in.skip_comments();
  constexpr const char* size_expected = "a size is expected";
  const auto rows = in.number<std::int64_t>(size_expected), columns = in.number<std::int64_t>(size_expected);
  const std::int64_t count = h.array ? 0 : in.number<std::int64_t>(size_expected);
  if (rows < 0 || columns < 0 || count < 0) in.fail_here("a size is negative");
  if (h.shape != symmetry::general && rows != columns) in.fail_here("a symmetric matrix must be square");
  entries e;
  e.type = dtype_of_entries(h.kind, type);
  // Integers of the file have no size, and those that are read must fit their dtype.
  if (h.kind != field::pattern && !(is_integer(e.type) && is_integer(type)))
    check_stored_dtype(path, e.type, type);
  if (h.array) {
    // Column by column; of symmetric matrices the lower triangle, of skew-symmetric ones without the
    // diagonal.
    for (std::int64_t j = 0; j < columns && rows > 0; ++j)
      for (std::int64_t i = first_row(h.shape, j); i < rows; ++i) e.add(in, h, i, j);
  } else {
    // An entry has four characters at least, whatever the file says of their number.
    e.reserve(std::min(static_cast<std::size_t>(count), text.size() / 4) *
              (h.shape == symmetry::general ? 1 : 2));
    for (std::int64_t k = 0; k < count; ++k) {
      const auto i = in.number<std::int64_t>("a row number is expected"),
                 j = in.number<std::int64_t>("a column number is expected");
      if (i < 1 || i > rows || j < 1 || j > columns) in.fail_here("an index is out of range");
      e.add(in, h, i - 1, j - 1);
    }
  }
  if (!in.at_end()) in.fail_here("there are more numbers than the sizes say");
  const dims n(e.row.size());
  any_array values = from_host(e.values(), n, e.type, where);
  check_range(path, values, type);
  values = contiguous(values, type);
  const any_array row = from_host(e.row.data(), n, gparray::dtype::int64, where),
                  column = from_host(e.column.data(), n, gparray::dtype::int64, where);
  const sparse_parts p =
      sparse_from_coordinates(sparse::format::coo, named(values), row, column, dims{rows, columns});
  return h.array ? sparse_without_zeros(p) : p;
}

void sparse_mmwrite(const std::string& path, const sparse_parts& a, const sparse::mmwrite_options& options) {
  const int shape = position_in(symmetries, std::string(options.symmetry));
  if (shape == 4)
    fail<value_error>("symmetry must be general, symmetric, skew-symmetric or hermitian, not {}",
                      options.symmetry);
  if (shape != 0 && a.rows != a.columns) throw value_error("a matrix that is not square is not symmetric");
  sparse_parts p = sparse_convert(a, sparse::format::coo);
  if (shape != 0) p = sparse_triangle(p, shape == static_cast<int>(symmetry::skew) ? -1 : 0, true);
  const field kind = field_of(p.dtype());
  if (kind == field::pattern) p = sparse_without_zeros(p);
  std::string comment;
  for (const char c : options.comment) comment += c == '\n' ? std::string("\n%") : std::string(1, c);
  std::string out = fmt::format("%%MatrixMarket matrix coordinate {} {}\n%{}\n",
                                fields[static_cast<int>(kind)], symmetries[shape], comment);
  out += fmt::format("{} {} {}\n", p.rows, p.columns, p.data.size());
  const std::vector<std::int64_t> row = as_index_array(p.major).to_vector(),
                                  column = as_index_array(p.minor).to_vector();
  std::vector<double> reals;
  std::vector<std::complex<double>> complexes;
  std::vector<std::int64_t> integers;
  std::vector<std::uint64_t> naturals;
  // Shortest digits are those of the type itself.
  const bool single = itemsize(real_dtype(p.dtype())) == 4;
  if (kind == field::real) reals = host_values<double>(contiguous(p.data, gparray::dtype::float64));
  if (kind == field::complex)
    complexes = host_values<std::complex<double>>(contiguous(p.data, gparray::dtype::complex128));
  if (kind == field::natural)
    naturals = host_values<std::uint64_t>(contiguous(p.data, gparray::dtype::uint64));
  if (kind == field::integer) integers = host_values<std::int64_t>(contiguous(p.data, gparray::dtype::int64));
  const auto put = [&](double value) {
    char buffer[32];
    if (!single || options.precision > 0) return put_number(out, value, options.precision);
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value)).ptr);
  };
  for (std::size_t k = 0; k < row.size(); ++k) {
    fmt::format_to(std::back_inserter(out), "{} {}", row[k] + 1, column[k] + 1);
    if (kind != field::pattern) out += ' ';
    if (kind == field::integer) out += std::to_string(integers[k]);
    if (kind == field::natural) out += std::to_string(naturals[k]);
    if (kind == field::real) put(reals[k]);
    if (kind == field::complex) {
      put(complexes[k].real());
      out += ' ';
      put(complexes[k].imag());
    }
    out += '\n';
  }
  write_file(path, {out});
}

}  // namespace detail
GPARRAY_END_NAMESPACE
