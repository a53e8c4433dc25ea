// Transforms agree with NumPy's: the cases of fft/fft.txt.
#include <bit>
#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>

#include <doctest/doctest.h>

#include <gparray/fft.hpp>
#include <gparray/gparray.hpp>

#include "support/table.hpp"
#include "support/test_path.hpp"

namespace gp = gparray;

namespace {

using golden::numbers, golden::split;

template<class V>
inline constexpr bool is_complex_element = gp::is_complex(gp::dtype_of<V>);

/// fill() of make_fft_golden.py.
template<class V>
V element_at(std::int64_t i) {
  if constexpr (std::is_same_v<V, bool>) {
    return i % 3 == 1;
  } else {
    const auto real = static_cast<int>((i * i * 7 + i * 3 + 3) % 13 - (std::is_unsigned_v<V> ? 0 : 6));
    if constexpr (is_complex_element<V>) {
      using part = typename V::value_type;
      return {static_cast<part>(real), static_cast<part>((i * i * 5 + i) % 11 - 5)};
    } else {
      return static_cast<V>(real);
    }
  }
}

template<class V>
gp::ndarray<V> filled(const gp::dims& shape) {
  return golden::filled<V>(shape, element_at<V>);
}

template<class V>
gp::ndarray<V> make(char layout, const gp::dims& shape) {
  gp::dims other = shape;
  if (layout == 't') {
    std::ranges::reverse(other);
    return filled<V>(other).T();
  }
  if (layout == 's') {
    other[other.size() - 1] *= 2;
    return filled<V>(other)("..., ::2");
  }
  if (layout == 'm') {
    other[0] *= 2;
    return gp::flip(filled<V>(other)("::2"));
  }
  const gp::ndarray<V> a = filled<V>(shape);
  return layout == 'r' ? a("..., ::-1") : a;
}

struct golden_case {
  std::string function, lengths, axes, norm, dtype;
  char layout;
  gp::dims shape;
  double magnitude;
  std::vector<std::string> outcome;
};

/// The cases whose errors are NumPy's, and those of which arrays were compared.
int errors_seen = 0, arrays_seen = 0;

template<class V>
void compare(const golden_case& c, const gp::ndarray<V>& have) {
  REQUIRE(c.outcome.size() >= 2);
  REQUIRE(c.outcome[0] != "error");
  ++arrays_seen;
  CHECK(std::string(1, gp::detail::row(have.dtype()).code) == c.outcome[0]);
  REQUIRE(have.shape() == gp::dims(numbers(c.outcome[1])));
  const std::vector<std::string> want =
      c.outcome.size() > 2 ? split(c.outcome[2], ',') : std::vector<std::string>();
  // A transform of n points is log2(n) stages of sums of two products; each loses a few units in the last
  // place of numbers that are not larger than the magnitude. Primes go through a convolution of twice to four
  // times the size, forth and back: hence 2 * (2 + log2(n)) stages and 2 units each.
  const auto points = static_cast<double>(std::max<std::int64_t>(have.size(), 2));
  // NumPy rounds 1 / n to float16 for halves; here it is exact to float32.
  const double eps = c.dtype == "e" ? gp::finfo<gp::float16>::eps : gp::finfo<V>::eps;
  const double tolerance = 4 * (2 + std::log2(points)) * eps * c.magnitude;
  std::vector<double> parts;
  for (const V value : have.to_vector()) {
    if constexpr (is_complex_element<V>) parts.insert(parts.end(), {value.real(), value.imag()});
    else parts.push_back(static_cast<double>(value));
  }
  REQUIRE(parts.size() == want.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (std::abs(parts[i] - std::stod(want[i])) <= tolerance) continue;
    FAIL_CHECK("number " << i << " is " << parts[i] << ", not " << want[i] << " +- " << tolerance);
    return;
  }
}

std::optional<std::int64_t> number(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(std::stoll(text));
}

gp::detail::optional_dims list(const std::string& text) {
  return text.empty() ? gp::detail::optional_dims(gp::none) : gp::detail::optional_dims(numbers(text));
}

template<class V>
void run(const golden_case& c) {
  const gp::ndarray<V> a = make<V>(c.layout, c.shape);
  const auto n = number(c.lengths);
  const auto axis =
      static_cast<int>(c.axes.empty() || c.axes.find(',') != c.axes.npos ? -1 : std::stoi(c.axes));
  const gp::fft::options one{n ? gp::detail::slice_end(*n) : gp::none, axis, c.norm};
  gp::fft::options_2d two{.s = list(c.lengths), .norm = c.norm};
  if (!c.axes.empty()) two.axes = list(c.axes);
  const gp::fft::options_nd any{list(c.lengths), list(c.axes), c.norm};
  if (c.function == "fft") return compare(c, gp::fft::fft(a, one));
  if (c.function == "ifft") return compare(c, gp::fft::ifft(a, one));
  if (c.function == "irfft") return compare(c, gp::fft::irfft(a, one));
  if (c.function == "hfft") return compare(c, gp::fft::hfft(a, one));
  if (c.function == "fft2") return compare(c, gp::fft::fft2(a, two));
  if (c.function == "ifft2") return compare(c, gp::fft::ifft2(a, two));
  if (c.function == "irfft2") return compare(c, gp::fft::irfft2(a, two));
  if (c.function == "fftn") return compare(c, gp::fft::fftn(a, any));
  if (c.function == "ifftn") return compare(c, gp::fft::ifftn(a, any));
  if (c.function == "irfftn") return compare(c, gp::fft::irfftn(a, any));
  if constexpr (!is_complex_element<V>) {
    if (c.function == "rfft") return compare(c, gp::fft::rfft(a, one));
    if (c.function == "ihfft") return compare(c, gp::fft::ihfft(a, one));
    if (c.function == "rfft2") return compare(c, gp::fft::rfft2(a, two));
    if (c.function == "rfftn") return compare(c, gp::fft::rfftn(a, any));
  }
  FAIL("no such function: " << c.function);
}

void run_dtype(const golden_case& c) {
  switch (c.dtype[0]) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case code:                                               \
    return run<type>(c);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
    default:
      FAIL("no such dtype: " << c.dtype);
  }
}

void check_error(const golden_case& c) {
  ++errors_seen;
  std::string name = "nothing", text;
  try {
    run_dtype(c);
  } catch (const gp::axis_error& e) {
    name = "AxisError";
    text = e.what();
  } catch (const gp::value_error& e) {
    name = "ValueError";
    text = e.what();
  }
  CHECK(name == c.outcome[1]);
  CHECK(text == c.outcome[2]);
}

}  // namespace

TEST_CASE("transforms are NumPy's: every function, length, axis, norm, dtype and layout") {
  std::ifstream file(test_path("fft/fft.txt"));
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> f = split(line, '\t');
    REQUIRE(f.size() == 9);
    const golden_case c{
        f[0], f[1], f[2], f[3], f[4], f[5][0], numbers(f[6]), std::stod(f[7]), split(f[8], '|')};
    INFO(line.substr(0, 200));
    if (c.outcome[0] == "error") check_error(c);
    else run_dtype(c);
  }
  CHECK(arrays_seen > 1300);
  CHECK(errors_seen > 60);
}
