// Traps of shapes, joining, padding, ranges and selection by numbers.
#include <cmath>

#include "support/traps.hpp"

using namespace traps;
using gp::none;
using i64 = std::int64_t;

namespace {

gp::ndarray<double> zeros(const gp::dims& shape) { return gp::zeros(shape); }
gp::ndarray<double> ones(const gp::dims& shape) { return gp::ones(shape); }

/// The elements as a list of integers.
gp::dims listed(const gp::ndarray<i64>& a) { return gp::dims(a.to_vector()); }

template<class A, class I>
concept indexable = requires(const A& a, const I& i) { a(i); };

}  // namespace

TEST_CASE("promotion of types and in joining") {
  const auto check_types = [](const char* id, auto first, auto second) {
    TRAP(id, gp::zeros<gp::result_type_t<decltype(first), decltype(second)>>(0));
  };
  using i8 = std::int8_t;
  using i16 = std::int16_t;
  using i32 = std::int32_t;
  using u8 = std::uint8_t;
  using u16 = std::uint16_t;
  using u64 = std::uint64_t;
  using c8 = std::complex<float>;
  check_types("promotion-001", i64(), float());
  check_types("promotion-002", i32(), float());
  check_types("promotion-004", i16(), gp::float16());
  check_types("promotion-005", i8(), gp::float16());
  check_types("promotion-007", u8(), i8());
  check_types("promotion-008", u16(), i16());
  check_types("promotion-010", u64(), i64());
  check_types("promotion-011", u64(), i8());
  check_types("promotion-013", u64(), float());
  check_types("promotion-014", i64(), c8());
  check_types("promotion-016", double(), c8());
  check_types("promotion-017", bool(), i8());
  TRAP("promotion-032", A<float>({1}) + gp::array(1.5));  // the scalar of NumPy's that is not weak
  TRAP("promotion-055", gp::concatenate(A({1}), A<float>({1})));
  TRAP("promotion-056", gp::concatenate(zeros(0), A({1})));
  TRAP("promotion-059", gp::full(2, 1));
  TRAP("promotion-061", zeros(2));
  TRAP("promotion-062", gp::ones_like(A<i16>({1})));
  TRAP("promotion-064", gp::can_cast(gp::dtype::int64, gp::dtype::float32));
  TRAP("promotion-065", gp::can_cast(gp::dtype::int64, gp::dtype::float64));
  TRAP("promotion-067", gp::can_cast(gp::dtype::int16, gp::dtype::uint8, gp::casting::same_kind));
}

TEST_CASE("arrays of no dimensions") {
  const auto five = gp::array(5);
  TRAP("0-d-002", five(gp::ellipsis));
  TRAP_THROWS("0-d-011", gp::nonzero(five));
  TRAP("0-d-014", gp::stack({gp::array(1), gp::array(2)}));
  TRAP("0-d-016", five(true));
  TRAP("0-d-017", five(false));
  TRAP("0-d-022", gp::dot(five, A({1, 2})));
  TRAP("0-d-023", gp::repeat(five, 3));
  TRAP("0-d-025", gp::broadcast_to(five, {0, 2}).shape());
  TRAP_THROWS("0-d-026", gp::concatenate({gp::array(1), gp::array(2)}));
  TRAP("range-035", ones({}));
  TRAP("extra-027", A({1, 2, 3})(std::uint8_t{2}));
}

TEST_CASE("reshaping and reducing axes") {
  TRAP("shape-002", zeros({0, 3}).reshape({3, -1}).shape());
  TRAP_THROWS("shape-003", zeros({0, 3}).reshape({0, -1}));
  TRAP_THROWS("shape-005", gp::arange(6).reshape({4, -1}));
  TRAP_THROWS("shape-006", gp::arange(6).reshape({4, 2}));
  TRAP("shape-008", gp::arange(6).reshape({2, 3}).ravel(gp::order::F));
  TRAP("shape-009", gp::arange(6).reshape({2, 3}).T().ravel(gp::order::K));
  TRAP_THROWS("shape-011", gp::squeeze(zeros({1, 2}), 1));
  TRAP("shape-012", gp::expand_dims(zeros({2, 3}), {0, -1}).shape());
  TRAP("shape-014", gp::transpose(zeros({2, 3, 4})).shape());
  TRAP_THROWS("shape-015", gp::sum(zeros({2, 3}), 2));
  TRAP("shape-017", gp::sum(ones({2, 3, 4}), {0, -1}));
  TRAP_THROWS("shape-018", gp::sum(ones({2, 3}), {0, 0}));
  TRAP("shape-020", gp::sum(ones({2, 3}), 1, {.keepdims = true}).shape());
}

TEST_CASE("broadcasting") {
  TRAP("shape-021", (zeros({3, 1}) + zeros({1, 4})).shape());
  TRAP_THROWS("shape-023", zeros({2, 3}) + zeros(2));
  TRAP_THROWS("shape-024", zeros(0) + zeros(3));
  TRAP_THROWS("shape-026", gp::broadcast_to(zeros(3), {2, 2}));
  TRAP_THROWS("shape-027", gp::add(zeros({2, 3}), 1, zeros(3)));
  const auto a = zeros(3);
  a(gp::all) = ones({1, 1, 3});
  TRAP("extra-033", a);
}

TEST_CASE("joining, splitting, turning and padding") {
  TRAP_THROWS("reduce-empty-023", gp::concatenate(std::vector<gp::ndarray<double>>{}));
  TRAP("shape-029", gp::concatenate({ones({1, 2}), zeros({1, 2})}, none));
  TRAP("shape-030", gp::stack(std::vector(4, zeros({2, 3})), -1).shape());
  const auto parts = gp::array_split(gp::arange(7), 3);
  TRAP("shape-032/0", listed(parts[0]));
  TRAP("shape-032/1", listed(parts[1]));
  TRAP("shape-032/2", listed(parts[2]));
  TRAP("shape-033", gp::roll(gp::arange(5), -2));
  TRAP("shape-035", gp::rot90(gp::arange(4).reshape({2, 2})));
  TRAP("misc-033", gp::flip(gp::arange(4).reshape({2, 2})));
  TRAP("shape-036", gp::tile(A({1, 2}), {2, 2}));
  TRAP("shape-038", gp::pad(A({1, 2, 3}), 2, "reflect"));
  TRAP("shape-039", gp::pad(A({1, 2, 3}), 2, "symmetric"));
  TRAP("shape-041", gp::pad(A({1, 2, 3}), 5, "reflect"));
  TRAP("shape-042", gp::pad(A({1., 5.}), 2, "linear_ramp"));
  TRAP("shape-048", gp::trim_zeros(A({0, 0, 1, 0, 2, 0})));
  TRAP("shape-050", gp::block({{gp::eye(1), zeros({1, 1})}}).shape());
  TRAP("misc-026", gp::as_strided(gp::arange(4), {3, 2}, {8, 8}));
}

TEST_CASE("ranges and matrices") {
  TRAP("range-002", gp::linspace(0, 1, 4, {.endpoint = false}));
  TRAP("range-003", gp::linspace(2, 3, 1));
  TRAP("range-006", gp::linspace<i64>(-1.5, 1.5, 4));
  TRAP("range-008", gp::linspace<float>(0, 10, 3));
  TRAP("range-009", gp::linspace(A({0, 1}), A({1, 3}), 3));
  TRAP("range-011", gp::logspace(0, 2, 3));
  TRAP("range-012", gp::geomspace(1, 1000, 4));
  TRAP("range-014", gp::arange(0, 1, .1).size());
  TRAP("range-015", gp::arange(1, 1.3, .1));
  TRAP("range-017", gp::arange(5, 0, -2));
  TRAP("range-018", gp::arange(3, 0));
  TRAP("range-020", gp::arange(0., -1.));
  TRAP("range-021", gp::arange<float>(3));
  TRAP("range-023", gp::eye(2, 3, 1));
  TRAP("range-024", gp::tri(2, 3, -1));
  TRAP("range-026", gp::tril(ones({2, 2, 2}))(0));
  TRAP("range-027", gp::vander(A({1, 2, 3}), 3));
  const auto axes = gp::meshgrid(gp::arange(2), gp::arange(3));
  TRAP("shape-044", std::get<0>(axes).shape());
  const auto matrix_axes = gp::meshgrid(gp::arange(2), gp::arange(3), {.indexing = "ij"});
  TRAP("shape-045", std::get<0>(matrix_axes).shape());
}

TEST_CASE("masks, numbers and memory order") {
  TRAP("mask-017", gp::count_nonzero(A({std::nan(""), 0., -0., 1.})));
  static_assert(!indexable<gp::ndarray<i64>, gp::ndarray<double>>);  // NumPy's IndexError
  check_error("fancy-012", "IndexError");
  TRAP("extra-034/0", zeros({2, 3}).T().is_f_contiguous());
  TRAP("extra-034/1", zeros({1, 3}).T().is_c_contiguous());
  TRAP("extra-036", gp::empty({3, 4}, {.order = gp::order::F}).strides());
  TRAP("extra-037", gp::ndarray<i64>(gp::asfortranarray(A({{1, 2}, {3, 4}})) + 1).is_f_contiguous());
}
