// NumPy's assertions and their texts.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include <core/array/arguments.hpp>
#include <core/array/array_text.hpp>
#include <core/reduction/reduction.hpp>
#include <gparray/testing.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

using testing::assert_options;
using testing::assertion_error;

struct message_form {
  std::string header, err_msg;
  bool verbose = true;
  const char* names[2] = {"ACTUAL", "DESIRED"};
  int precision = 6;
};

/// NumPy's build_err_msg.
std::string message(const message_form& form, const std::string& said, const std::string& x,
                    const std::string& y) {
  std::string text = "\n" + form.header;
  if (!said.empty()) {
    constexpr std::size_t columns = 79;
    const bool fits = said.find('\n') == std::string::npos && said.size() + form.header.size() < columns;
    text += (fits ? " " : "\n") + said;
  }
  if (!form.verbose) return text;
  const std::string* const shown[2] = {&x, &y};
  for (int i = 0; i < 2; ++i) {
    std::string value = *shown[i];
    if (std::count(value.begin(), value.end(), '\n') > 3) {
      std::size_t end = 0;
      for (int line = 0; line < 3; ++line) end = value.find('\n', end) + 1;
      value = value.substr(0, end - 1) + "...";
    }
    text += fmt::format("\n {}: {}", form.names[i], value);
  }
  return text;
}

[[noreturn]] void fail_assertion(const message_form& form, const std::string& reason, const any_array& x,
                                 const any_array& y) {
  const auto shown = [&form](const any_array& a) { return array_repr(a, {.precision = form.precision}); };
  throw assertion_error(message(form, form.err_msg + reason, shown(x), shown(y)));
}

any_array on_the_host(const testing::compared& a) {
  if (!a.array().rep()) throw value_error("an array that was never assigned is compared");
  return detail::to_device(a.array(), device::cpu(), nullptr).eval();
}

any_array logical(ufunc f, const any_array& a, const any_array& b) {
  return apply(f, dtype::bool_, {named(a), named(b)}).eval();
}
any_array inverted(const any_array& a) { return apply(ufunc::logical_not, dtype::bool_, {named(a)}).eval(); }
bool is_all(const any_array& a) {
  bool value;
  detail::item(reduced(reduction::all, a, nullptr), &value);
  return value;
}

/// What all comparisons have in common: NumPy's assert_array_compare.
class comparison {
 public:
  comparison(const testing::compared& actual, const testing::compared& desired, message_form form)
      : shown_x_(on_the_host(actual)), shown_y_(on_the_host(desired)), form_(std::move(form)) {
    type_ = promote_types(shown_x_.dtype(), shown_y_.dtype());
    x_ = shown_x_;
    y_ = shown_y_;
  }

  void check_shapes(bool strict) {
    const dims &a = x_.shape(), &b = y_.shape();
    if (a != b && (strict || (!a.empty() && !b.empty())))
      fail_with(fmt::format("\n(shapes {}, {} mismatch)", python_text(a), python_text(b)));
    if (strict && x_.dtype() != y_.dtype())
      fail_with(fmt::format("\n(dtypes {}, {} mismatch)", name(x_.dtype()), name(y_.dtype())));
  }

  /// NaN and infinities must be at the same places, and are not compared further.
  void check_special(bool nan, bool infinity) {
    if (nan && is_inexact(type_)) flagged_ = same_places(ufunc::isnan, "nan");
    if (!infinity || !is_inexact(type_)) return;
    const any_array infinite = same_places(ufunc::isinf, "inf");
    const any_array same = logical(ufunc::logical_or, equal(), inverted(infinite));
    if (!is_all(same)) {
      const bool both = x_.ndim() > 0 && y_.ndim() > 0;
      fail_assertion(form_, "\ninf values mismatch:", both ? selected(x_, infinite) : shown_x_,
                     both ? selected(y_, infinite) : shown_y_);
    }
    flagged_ = flagged_.rep() ? logical(ufunc::logical_or, flagged_, infinite) : infinite;
  }

  void check(const any_array& holds) {
    any_array wrong = inverted(holds);
    if (flagged_.rep()) wrong = logical(ufunc::logical_and, wrong, inverted(flagged_));
    std::vector<char> marks(static_cast<std::size_t>(wrong.size()));
    detail::copy_to_host(wrong, marks.data());
    const auto count = std::count(marks.begin(), marks.end(), 1);
    if (count == 0) return;
    std::string remarks = fmt::format("\nMismatched elements: {} / {} ({}%)", count, marks.size(),
                                      percent(static_cast<double>(count), static_cast<double>(marks.size())));
    if (wrong.ndim() > 0) remarks += places(wrong.shape(), marks, count);
    fail_with(remarks + differences(wrong));
  }

  any_array equal() const { return apply(ufunc::equal, type_, {named(x_), named(y_)}).eval(); }
  any_array less() const { return apply(ufunc::less, type_, {named(x_), named(y_)}).eval(); }

  any_array close(double rtol, double atol, bool equal_nan) const {
    const dtype inexact_y = inexact(y_.dtype()), common = promote_types(x_.dtype(), inexact_y);
    const any_array y = detail::as_type(y_, inexact_y), difference = distance(common, y);
    const dtype real = real_dtype(inexact_y);
    const any_array size = apply(ufunc::absolute, inexact_y, {named(y)}).eval();
    const any_array relative = apply(ufunc::multiply, real, {number(rtol, real), named(size)}).eval();
    const any_array tolerance = apply(ufunc::add, real, {number(atol, real), named(relative)}).eval();
    const any_array within = apply(ufunc::less_equal, promote_types(real, real_dtype(common)),
                                   {named(difference), named(tolerance)})
                                 .eval();
    const any_array finite = apply(ufunc::isfinite, inexact_y, {named(y)}).eval();
    const any_array near = logical(ufunc::logical_and, within, finite);
    any_array result =
        logical(ufunc::logical_or, near, apply(ufunc::equal, common, {named(x_), named(y)}).eval());
    if (equal_nan)
      result =
          logical(ufunc::logical_or, result,
                  logical(ufunc::logical_and, where_true(ufunc::isnan, x_), where_true(ufunc::isnan, y)));
    return result;
  }

  any_array within_decimals(int decimal) const {
    const dtype inexact_y = inexact(y_.dtype()), common = promote_types(x_.dtype(), inexact_y);
    const any_array difference = distance(common, detail::as_type(y_, inexact_y));
    const dtype real = real_dtype(common);
    return apply(ufunc::less, real, {named(difference), number(1.5 * std::pow(10.0, -decimal), real)}).eval();
  }

  const any_array& x() const { return x_; }
  const any_array& y() const { return y_; }

 private:
  static dtype inexact(dtype type) { return is_inexact(type) ? type : dtype::float64; }

  /// What a question about floating-point numbers says of each element; no of others.
  static any_array where_true(ufunc question, const any_array& a) {
    const dtype type = inexact(a.dtype());
    return apply(question, type, {named(detail::as_type(a, type))}).eval();
  }

  any_array distance(dtype common, const any_array& y) const {
    return apply(ufunc::absolute, common,
                 {named(apply(ufunc::subtract, common, {named(x_), named(y)}).eval())})
        .eval();
  }

  any_array same_places(ufunc question, const char* what) const {
    any_array there = where_true(question, x_);
    const any_array desired = where_true(question, y_);
    // Of what is flagged already, as inf + nan j, nothing more is asked.
    if (flagged_.rep()) there = logical(ufunc::logical_and, there, inverted(flagged_));
    const any_array also =
        flagged_.rep() ? logical(ufunc::logical_and, desired, inverted(flagged_)) : desired;
    if (!is_all(logical(ufunc::equal, there, also))) fail_with(fmt::format("\n{} location mismatch:", what));
    return there.ndim() == 0 ? also : there;
  }

  /// The elements of an array at which a mask of its shape is true.
  static any_array selected(const any_array& a, const any_array& mask) {
    const std::size_t width = itemsize(a.dtype());
    std::vector<std::byte> all(static_cast<std::size_t>(a.nbytes())), some;
    std::vector<char> marks(static_cast<std::size_t>(mask.size()));
    detail::copy_to_host(a, all.data());
    detail::copy_to_host(mask, marks.data());
    for (std::size_t i = 0; i < marks.size(); ++i)
      if (marks[i]) some.insert(some.end(), &all[i * width], &all[i * width] + width);
    return detail::from_host(some.data(), dims(some.size() / width), a.dtype(), device::cpu());
  }

  /// As %.3g has it.
  static std::string percent(double count, double all) { return fmt::format("{:.3g}", 100 * count / all); }

  std::string places(const dims& shape, const std::vector<char>& marks, std::int64_t count) const {
    constexpr int most = 5;
    std::string text = count == 1      ? "\nMismatch at index:"
                       : count <= most ? "\nMismatch at indices:"
                                       : fmt::format("\nFirst {} mismatches are at indices:", most);
    int shown = 0;
    for (std::size_t i = 0; i < marks.size() && shown < most; ++i) {
      if (!marks[i]) continue;
      ++shown;
      dims at = shape;
      auto rest = static_cast<std::int64_t>(i);
      for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) at[d] = rest % shape[d];
      text += fmt::format("\n [{}]: {} ({}), {} ({})", fmt::join(at, ", "), element(shown_x_, i),
                          form_.names[0], element(shown_y_, i), form_.names[1]);
    }
    return text;
  }

  /// An element, counted in C order, or the only one, as Python formats it: in double precision.
  static std::string element(const any_array& a, std::size_t index) {
    std::vector<std::byte> all(static_cast<std::size_t>(a.nbytes()));
    detail::copy_to_host(a, all.data());
    const any_array one = detail::from_host(all.data() + (a.ndim() == 0 ? 0 : index * itemsize(a.dtype())),
                                            dims{}, a.dtype(), device::cpu());
    return array_str(!is_inexact(a.dtype())
                         ? one
                         : detail::as_type(one, is_complex(a.dtype()) ? dtype::complex128 : dtype::float64));
  }

  std::string differences(const any_array& wrong) const {
    if (type_ == dtype::bool_) return {};  // which are not subtracted
    const dtype real = real_dtype(type_);
    any_array error = distance(type_, y_);
    if (kind(type_) == 'u')
      error = apply(ufunc::minimum, type_,
                    {named(error), named(apply(ufunc::subtract, type_, {named(y_), named(x_)}).eval())})
                  .eval();
    const any_array size = apply(ufunc::absolute, type_, {named(y_)}).eval();
    const any_array counts = logical(ufunc::logical_and, wrong,
                                     apply(ufunc::not_equal, type_, {named(y_), number(0, type_)}).eval());
    std::string largest = "inf";
    bool any;
    detail::item(reduced(reduction::any, counts, nullptr), &any);
    if (any) {
      const dtype quotient = inexact(real);
      largest = largest_of(apply(ufunc::divide, quotient, {named(error), named(size)}).eval(), counts);
    }
    return "\nMax absolute difference among violations: " + largest_of(error, wrong) +
           "\nMax relative difference among violations: " + largest;
  }

  static std::string largest_of(const any_array& values, const any_array& mask) {
    const dtype type = values.dtype();
    const any_array chosen = apply(ufunc::where, type, {named(mask), named(values), number(0, type)}).eval();
    return array2string(reduced(reduction::max, chosen, nullptr), print_options::defaults());
  }

  [[noreturn]] void fail_with(const std::string& reason) const {
    fail_assertion(form_, reason, shown_x_, shown_y_);
  }

  any_array shown_x_, shown_y_, x_, y_, flagged_;
  dtype type_;
  message_form form_;
};

/// Where the bits of a floating-point number stand among those of all: neighbours are 1 apart.
template<class Bits>
__int128 place_of(const std::byte* number) {
  Bits bits;
  std::memcpy(&bits, number, sizeof bits);
  return bits < 0 ? __int128{std::numeric_limits<Bits>::min()} - bits : __int128{bits};
}

template<class Bits>
double largest_distance(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  __int128 largest = 0;
  for (std::size_t at = 0; at < a.size(); at += sizeof(Bits)) {
    const __int128 apart = place_of<Bits>(&a[at]) - place_of<Bits>(&b[at]);
    largest = std::max(largest, apart < 0 ? -apart : apart);
  }
  return static_cast<double>(largest);
}

}  // namespace
}  // namespace core

namespace testing {

using core::comparison;
using core::message_form;

void assert_array_equal(const compared& actual, const compared& desired, const assert_options& options) {
  comparison c(actual, desired, {"Arrays are not equal", options.err_msg, options.verbose});
  c.check_shapes(options.strict);
  c.check_special(true, true);
  c.check(c.equal());
}

namespace {

bool are_numbers(const compared& a, const compared& b) {
  return a.array().ndim() == 0 && b.array().ndim() == 0;
}

[[noreturn]] void fail_numbers(const message_form& form, const compared& a, const compared& b) {
  throw assertion_error(core::message(form, form.err_msg, array_str(a.array()), array_str(b.array())));
}

/// Whether both have the sign bit or neither has: of real floating-point numbers.
bool have_same_sign(const any_array& a, const any_array& b) {
  const auto sign = [](const any_array& x) {
    if (!is_floating(x.dtype())) return false;
    double value;
    detail::item(detail::as_type(x, dtype::float64), &value);
    return std::signbit(value) && !std::isnan(value);
  };
  return sign(a) == sign(b);
}

}  // namespace

void assert_equal(const compared& actual, const compared& desired, const assert_options& options) {
  if (!are_numbers(actual, desired) || options.strict) return assert_array_equal(actual, desired, options);
  const message_form form{"Items are not equal:", options.err_msg, options.verbose};
  try {
    comparison c(actual, desired, form);
    c.check_special(true, true);
    c.check(c.equal());
    if (have_same_sign(c.x(), c.y())) return;
  } catch (const assertion_error&) {  // with the text of arrays
  }
  fail_numbers(form, actual, desired);
}

void assert_equal(const std::string& actual, const std::string& desired, const assert_options& options) {
  if (actual == desired) return;
  const message_form form{"Items are not equal:", options.err_msg, options.verbose};
  const auto quoted = [](const std::string& text) { return "'" + text + "'"; };
  throw assertion_error(core::message(form, form.err_msg, quoted(actual), quoted(desired)));
}

void assert_allclose(const compared& actual, const compared& desired, const allclose_options& options) {
  comparison c(actual, desired,
               {fmt::format("Not equal to tolerance rtol={:g}, atol={:g}", options.rtol, options.atol),
                options.err_msg, options.verbose});
  c.check_shapes(options.strict);
  c.check_special(options.equal_nan, true);
  c.check(c.close(options.rtol, options.atol, options.equal_nan));
}

void assert_array_almost_equal(const compared& actual, const compared& desired, int decimal,
                               const assert_options& options) {
  comparison c(actual, desired,
               {.header = fmt::format("Arrays are not almost equal to {} decimals", decimal),
                .err_msg = options.err_msg,
                .verbose = options.verbose,
                .precision = decimal});
  c.check_shapes(options.strict);
  c.check_special(true, true);
  c.check(c.within_decimals(decimal));
}

void assert_almost_equal(const compared& actual, const compared& desired, int decimal,
                         const assert_options& options) {
  if (!are_numbers(actual, desired)) return assert_array_almost_equal(actual, desired, decimal, options);
  const message_form form{fmt::format("Arrays are not almost equal to {} decimals", decimal), options.err_msg,
                          options.verbose};
  try {
    assert_array_almost_equal(actual, desired, decimal);
  } catch (const assertion_error&) {
    fail_numbers(form, actual, desired);
  }
}

void assert_array_less(const compared& x, const compared& y, const assert_options& options) {
  comparison c(x, y,
               {"Arrays are not strictly ordered `x < y`", options.err_msg, options.verbose, {"x", "y"}});
  c.check_shapes(options.strict);
  c.check_special(true, false);
  c.check(c.less());
}

void assert_array_max_ulp(const compared& a, const compared& b, int maxulp) {
  const any_array x = core::on_the_host(a), y = core::on_the_host(b);
  if (x.shape() != y.shape())
    core::fail<value_error>("Arrays do not have the same shape: {} - {}", core::python_text(x.shape()),
                            core::python_text(y.shape()));
  if (x.dtype() != y.dtype() || !is_floating(x.dtype()))
    core::fail<type_error>(
        "assert_array_max_ulp compares real floating-point numbers of one dtype, and not {} with {}",
        name(x.dtype()), name(y.dtype()));
  std::vector<std::byte> xs(static_cast<std::size_t>(x.nbytes())), ys(xs.size());
  detail::copy_to_host(x, xs.data());
  detail::copy_to_host(y, ys.data());
  const std::size_t width = itemsize(x.dtype());
  const double most = width == 2   ? core::largest_distance<std::int16_t>(xs, ys)
                      : width == 4 ? core::largest_distance<std::int32_t>(xs, ys)
                                   : core::largest_distance<std::int64_t>(xs, ys);
  if (most > maxulp)
    core::fail<assertion_error>("Arrays are not almost equal up to {} ULP (max difference is {:g} ULP)",
                                maxulp, most);
}

}  // namespace testing
GPARRAY_END_NAMESPACE
