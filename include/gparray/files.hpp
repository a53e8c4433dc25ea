// Arrays in files: NumPy's .npy and .npz, text, and plain bytes.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include <gparray/creation.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {
/// One text, or one for each column.
struct text_formats {
  text_formats(const char* one) : formats{one} {}
  text_formats(const std::string& one) : formats{one} {}
  text_formats(const std::vector<std::string>& each) : formats(each), is_list(true) {}
  text_formats(std::initializer_list<std::string> each) : formats(each), is_list(true) {}
  std::vector<std::string> formats;
  bool is_list = false;
};
}  // namespace detail

/// NumPy's keyword arguments of savetxt.
struct savetxt_options {
  /// How Python's % writes a number, "%.18e" or "%d"; the parts of complex numbers each. One for all columns,
  /// a list with one for each, or the text of a whole row: "%d: %.3f".
  detail::text_formats fmt = "%.18e";
  std::string delimiter = " ";  ///< What stands between the numbers of a row.
  std::string newline = "\n";   ///< What ends a row.
  /// Written before the rows, each of its lines after `comments`.
  std::string header = "";
  std::string footer = "";      ///< Written behind the rows, as `header` before them.
  std::string comments = "# ";  ///< What stands before each line of header and footer.
};
/// NumPy's keyword arguments of loadtxt.
struct loadtxt_options {
  std::string comments = "#";  ///< What begins a comment, which ends with its line.
  std::string delimiter = "";  ///< What stands between numbers; white space if empty.
  std::int64_t skiprows = 0;   ///< Lines to skip at the beginning, comments included.
  /// Which columns to read; all if empty. Negative ones count from the end.
  std::vector<std::int64_t> usecols = {};
  /// Return the transpose, so that each column is a row of the result.
  bool unpack = false;
  /// The least number of dimensions: axes of size 1 are left out down to it.
  int ndmin = 0;
  /// How many rows to read; none for all.
  detail::slice_end max_rows = none;
  /// Where the result is; the default device if not given.
  std::optional<gparray::device> device = {};
};
/// NumPy's keyword arguments of genfromtxt.
struct genfromtxt_options {
  std::string comments = "#";    ///< What begins a comment, which ends with its line.
  std::string delimiter = "";    ///< What stands between numbers; white space if empty.
  std::int64_t skip_header = 0;  ///< Lines to skip at the beginning.
  std::int64_t skip_footer = 0;  ///< Lines to skip at the end.
  /// What stands for a value that is missing or is no number of the dtype (1.7 is no integer): NaN for
  /// inexact dtypes, -1 for integers and false for bool if nothing is given.
  std::optional<scalar> filling_values = {};
  /// Which columns to read; all if empty. Negative ones count from the end.
  std::vector<std::int64_t> usecols = {};
  /// Return the transpose, so that each column is a row of the result.
  bool unpack = false;
  /// How many rows to read; none for all.
  detail::slice_end max_rows = none;
  /// Where the result is; the default device if not given.
  std::optional<gparray::device> device = {};
};
/// NumPy's keyword arguments of fromfile.
struct fromfile_options {
  /// Elements to read; negative: all.
  std::int64_t count = -1;
  /// What stands between numbers written as text; empty: the file holds bytes of elements.
  std::string sep = "";
  /// Bytes to skip.
  std::int64_t offset = 0;
  /// Where the result is; the default device if not given.
  std::optional<gparray::device> device = {};
};

/// Arrays by name, in order, as an .npz file holds them. (std::map would cost every program that includes
/// this more time to compile than all of this header.)
class named_arrays {
 public:
  using value_type = std::pair<std::string, any_array>;

  /// No arrays.
  named_arrays() = default;
  /// From names and arrays in braces: {{"x", x}, {"y", y}}.
  named_arrays(std::initializer_list<value_type> arrays) : arrays_(arrays) {}

  /// The array of this name. Throws index_error, NumPy's KeyError, if there is none of this name.
  GPARRAY_API const any_array& at(std::string_view name) const;
  /// The array of this name, as at() returns it.
  const any_array& operator[](std::string_view name) const { return at(name); }
  /// Adds an array behind the others.
  void emplace(std::string name, any_array a) { arrays_.emplace_back(std::move(name), std::move(a)); }
  /// How many arrays there are.
  [[nodiscard]] std::size_t size() const { return arrays_.size(); }
  /// Iterators over pairs of name and array, in order.
  auto begin() const { return arrays_.begin(); }
  /// The end of the pairs.
  auto end() const { return arrays_.end(); }

 private:
  std::vector<value_type> arrays_;
};

namespace detail {
GPARRAY_API any_array load(const std::string& file, const std::optional<device>& where);
GPARRAY_API any_array loadtxt(const std::string& file, dtype type, const loadtxt_options& options);
GPARRAY_API any_array genfromtxt(const std::string& file, dtype type, const genfromtxt_options& options);
GPARRAY_API any_array fromfile(const std::string& file, dtype type, const fromfile_options& options);
GPARRAY_API any_array fromstring(std::string_view text, dtype type, std::int64_t count, std::string_view sep,
                                 const std::optional<device>& where);
}  // namespace detail

// Files are written and read in host memory, which waits for the device; arrays that are read go to the
// default device or the one given. Throw os_error if a file cannot be opened, read or written, value_error if
// it is not what it should be. What is written goes to a file beside the one that is named, and replaces it
// at the end: where that fails, an old file stays. Links are followed; devices and pipes are written as they
// stand.

/// Writes an array to a .npy file (format 1.0; Fortran order is kept). The name gets the ending .npy if it
/// has none. bfloat16, which NumPy does not know, is written as ml_dtypes writes it.
GPARRAY_API void save(const std::string& file, const any_array& a);
/// The array in a .npy file of either byte order, for ndarray<double> a(gp::load("a.npy")). Its header is
/// read as NumPy reads it. Arrays of objects, text and records are value_error.
[[nodiscard]] inline any_array load(const std::string& file, const std::optional<device>& where = {}) {
  return detail::load(file, where);
}
/// The array in a .npy file, converted to V.
template<element V>
[[nodiscard]] ndarray<V> load(const std::string& file, const std::optional<device>& where = {}) {
  return detail::typed<V>(detail::as_type(detail::load(file, where), dtype_of<V>));
}
/// Writes arrays to an .npz file, uncompressed: savez("m.npz", {{"x", x}, {"y", y}}). Throws value_error for
/// names that are no UTF-8, longer than 65,531 bytes, have a zero byte, or are there twice.
GPARRAY_API void savez(const std::string& file, const named_arrays& arrays);
/// Writes arrays to an .npz file, compressed by zlib. Numbers that do not repeat get hardly smaller.
GPARRAY_API void savez_compressed(const std::string& file, const named_arrays& arrays);
/// Reads all arrays of an .npz file, compressed or not; the last of a name that is there twice. Throws
/// value_error for entries that overlap, or are others than the directory says.
[[nodiscard]] GPARRAY_API named_arrays load_npz(const std::string& file,
                                                const std::optional<device>& where = {});

/// Writes a vector (one number a line) or a matrix as text, as Python's % does: "%d" cuts off fractions and
/// writes all digits of large numbers. Throws value_error for more dimensions and, of "%d", for NaN,
/// overflow_error for infinity.
GPARRAY_API void savetxt(const std::string& file, const any_array& a, const savetxt_options& options = {});
/// Reads the numbers in the lines of a text file: a matrix, or a vector for one row or column. Throws
/// value_error for what is no number, naming row and column, and for rows of different lengths.
template<element V = double>
[[nodiscard]] ndarray<V> loadtxt(const std::string& file, const loadtxt_options& options = {}) {
  return detail::typed<V>(detail::loadtxt(file, dtype_of<V>, options));
}
/// Reads the numbers in the lines of a text file in which some may be missing. Integers are read exactly;
/// throws overflow_error for those that V does not hold (also for the filling value -1 of unsigned ones),
/// value_error for rows of different lengths.
template<element V = double>
[[nodiscard]] ndarray<V> genfromtxt(const std::string& file, const genfromtxt_options& options = {}) {
  return detail::typed<V>(detail::genfromtxt(file, dtype_of<V>, options));
}
/// Reads a vector of the elements whose bytes, or whose text, a file holds.
template<element V = double>
[[nodiscard]] ndarray<V> fromfile(const std::string& file, const fromfile_options& options = {}) {
  return detail::typed<V>(detail::fromfile(file, dtype_of<V>, options));
}
/// Writes the elements in C order as bytes, or as text with sep in between.
GPARRAY_API void tofile(const any_array& a, const std::string& file, const std::string& sep = "");
/// The bytes of the elements in C or Fortran order, as NumPy's a.tobytes() has them.
[[nodiscard]] GPARRAY_API std::vector<std::uint8_t> tobytes(const any_array& a, order layout = order::C);
/// A vector of the numbers in a text: fromstring("1, 2", -1, ",").
template<element V = double>
[[nodiscard]] ndarray<V> fromstring(std::string_view text, std::int64_t count = -1,
                                    std::string_view sep = " ", const std::optional<device>& where = {}) {
  return detail::typed<V>(detail::fromstring(text, dtype_of<V>, count, sep, where));
}
/// A vector of what a range yields: all of it, or count elements. Throws value_error if there are fewer.
template<element V, std::ranges::input_range R>
[[nodiscard]] ndarray<V> fromiter(R&& range, std::int64_t count = -1) {
  std::vector<V> values;
  for (auto&& x : range) {
    if (count >= 0 && static_cast<std::int64_t>(values.size()) == count) break;
    values.push_back(static_cast<V>(x));
  }
  if (count > static_cast<std::int64_t>(values.size()))
    throw value_error("iterator too short: Expected " + std::to_string(count) + " but iterator had only " +
                      std::to_string(values.size()) + " items.");
  return ndarray<V>(values);
}

GPARRAY_END_NAMESPACE
