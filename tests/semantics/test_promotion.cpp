// Promotion, casting rules and result dtypes against NumPy's own answers (semantics/promotion.txt).
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "semantics/promotion_rows.hpp"

namespace gp = gparray;

// Types have NumPy's names.
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  static_assert(std::is_same_v<gp::name, gp::dtype_t<gp::dtype::name>>);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE

namespace {

gp::dtype dtype_named(const std::string& text) {
  for (int i = 0; i < gp::dtype_count; ++i)
    if (gp::name(static_cast<gp::dtype>(i)) == text) return static_cast<gp::dtype>(i);
  FAIL("unknown dtype " << text);
  return {};
}

std::string loop_result(gp::ufunc f, gp::dtype common) {
  const auto loop = gp::detail::resolve_loop(f, common);
  return loop.valid ? std::string(gp::name(gp::output_dtype(f, loop.loop))) : "error";
}

std::string reduction_result(gp::reduction r, gp::dtype type) {
  const char k = gp::kind(type) == 'u' ? 'i' : gp::kind(type);
  const auto domain = gp::detail::row(r).domain;
  if (!gp::detail::has(domain, k)) return "error";
  return std::string(gp::name(gp::result_dtype(r, type)));
}

std::map<std::string, gp::ufunc> ufunc_rows() {
  std::map<std::string, gp::ufunc> m;
  for (int i = 0; i < gp::ufunc_count; ++i)
    m[std::string(gp::name(static_cast<gp::ufunc>(i)))] = static_cast<gp::ufunc>(i);
#define GPARRAY_UFUNC_ALIAS(alias, original) m[#alias] = gp::ufunc::original;
#include <gparray/tables/ufuncs.def>
  return m;
}

/// Of an array and another, or a number of a kind: the rules of detail::common_input_dtype and callable.
std::string binary_result(gp::ufunc f, gp::dtype a, std::optional<gp::dtype> b, char number) {
  gp::dtype common = gp::detail::operand_dtype(f, a);
  const std::string_view signature = gp::detail::row(f).signature;
  if (signature[1] == 'i') {
    const gp::dtype exponent = b ? *b : gp::detail::promote_weak(gp::dtype::bool_, number);
    if (!gp::can_cast(exponent, gp::dtype::int64) ||
        !gp::can_cast(exponent, gp::dtype::int32, gp::casting::same_kind))
      return "error";
    return loop_result(f, common);
  }
  common = b ? gp::promote_types(common, gp::detail::operand_dtype(f, *b))
             : gp::detail::promote_weak(common, number);
  // int64 with uint64 are compared one by one.
  return loop_result(f, common);
}

}  // namespace

TEST_CASE("promote_types is NumPy's") {
  for (const auto& row : promotion_rows("promote")) {
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    CHECK(gp::name(gp::promote_types(dtype_named(row[1]), dtype_named(row[2]))) == row[3]);
  }
}

TEST_CASE("weak scalars promote as Python's numbers do") {
  for (const auto& row : promotion_rows("weak")) {
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    CHECK(gp::name(gp::detail::promote_weak(dtype_named(row[1]), row[2][0])) == row[3]);
  }
}

TEST_CASE("can_cast is NumPy's") {
  const std::map<std::string, gp::casting> rules{{"no", gp::casting::no},
                                                 {"equiv", gp::casting::equiv},
                                                 {"safe", gp::casting::safe},
                                                 {"same_kind", gp::casting::same_kind},
                                                 {"unsafe", gp::casting::unsafe}};
  for (const auto& row : promotion_rows("cast")) {
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    CAPTURE(row[3]);
    CHECK(gp::can_cast(dtype_named(row[1]), dtype_named(row[2]), rules.at(row[3])) == (row[4] == "1"));
  }
}

TEST_CASE("every ufunc of NumPy is there and gives NumPy's dtype") {
  const std::map<std::string, gp::ufunc> rows = ufunc_rows();
  for (const auto& row : promotion_rows("ufunc")) {
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    REQUIRE(rows.contains(row[1]));
    CHECK(loop_result(rows.at(row[1]), dtype_named(row[2])) == row[3]);
  }
}

TEST_CASE("ufuncs of two give NumPy's dtype for every pair of dtypes and for numbers") {
  std::vector<gp::dtype> seconds;
  for (int i = 0; i < gp::dtype_count; ++i)
    if (static_cast<gp::dtype>(i) != gp::dtype::bfloat16) seconds.push_back(static_cast<gp::dtype>(i));
  for (const auto& row : promotion_rows("binary")) {
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    const gp::ufunc f = ufunc_rows().at(row[1]);
    const gp::dtype a = dtype_named(row[2]);
    std::istringstream results(row[3]);
    std::size_t i = 0;
    for (std::string expected; std::getline(results, expected, ','); ++i) {
      CAPTURE(i);
      CHECK(binary_result(f, a, i < seconds.size() ? std::optional(seconds[i]) : std::nullopt,
                          i < seconds.size() ? ' ' : "ifc"[i - seconds.size()]) == expected);
    }
    CHECK(i == seconds.size() + 3);
  }
}

TEST_CASE("reductions give NumPy's dtype") {
  std::map<std::string, gp::reduction> rows;
  for (int i = 0; i < gp::reduction_count; ++i)
    rows[std::string(gp::name(static_cast<gp::reduction>(i)))] = static_cast<gp::reduction>(i);
  for (const auto& row : promotion_rows("reduce")) {
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    REQUIRE(rows.contains(row[1]));
    CHECK(reduction_result(rows.at(row[1]), dtype_named(row[2])) == row[3]);
  }
}

TEST_CASE("result_type_t folds over several types") {
  static_assert(std::is_same_v<gp::result_type_t<float, int>, double>);
  static_assert(std::is_same_v<gp::result_type_t<std::uint8_t, std::int8_t, gp::float16>, float>);
  static_assert(std::is_same_v<gp::result_type_t<std::complex<float>, double>, std::complex<double>>);
  static_assert(std::is_same_v<gp::result_type_t<gp::bfloat16, gp::float16>, float>);
  CHECK(gp::finfo<float>::eps == 0x1p-23);
  CHECK(gp::finfo<double>::max == std::numeric_limits<double>::max());
  CHECK(gp::finfo<gp::float16>::max == 65504);
  CHECK(gp::finfo<gp::float16>::smallest_subnormal == 0x1p-24);
  CHECK(gp::finfo<gp::bfloat16>::tiny == 0x1p-126);
  CHECK(gp::iinfo<std::int8_t>::min == -128);
}
