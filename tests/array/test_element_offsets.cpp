// Where the elements of an array lie, by which iterators of other libraries find them.
#include <doctest/doctest.h>

#include <gparray/array/element_offsets.hpp>
#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

template<class V>
void check_offsets(const gp::ndarray<V>& a) {
  const gp::detail::element_offsets offsets(a);
  std::size_t wrong = 0;
  const auto item = static_cast<std::int64_t>(sizeof(V));
  for (std::int64_t i = 0; i < a.size(); ++i) {
    std::int64_t rest = i, expected = 0;
    for (int d = a.ndim() - 1; d >= 0; --d) {
      expected += rest % a.shape(d) * (a.strides()[static_cast<std::size_t>(d)] / item);
      rest /= a.shape(d);
    }
    wrong += offsets(i) != expected;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("offsets of elements follow the strides") {
  const gp::ndarray<float> a = gp::zeros<float>({4, 5, 6});
  check_offsets(a);
  check_offsets(a.T());
  check_offsets(gp::ndarray<float>(a("::-1, 1:4, ::2")));
  check_offsets(gp::ndarray<float>(a("2, ::-2, 3")));
  check_offsets(gp::ndarray<float>(a("1, 1, 1")));
  check_offsets(gp::broadcast_to(a("0"), {3, 5, 6}));
  check_offsets(gp::ndarray<std::complex<double>>(gp::zeros<std::complex<double>>({3, 4})).imag());
}

TEST_CASE("elements lie side by side in C order or not") {
  const gp::ndarray<float> a = gp::zeros<float>({4, 5, 6});
  const auto side_by_side = [](const gp::ndarray<float>& x) {
    return gp::detail::element_offsets(x).side_by_side();
  };
  CHECK(side_by_side(a));
  CHECK(side_by_side(a("1:3")));
  CHECK(side_by_side(a("1, 2, 3")));
  CHECK(side_by_side(gp::zeros<float>({0, 3})));
  CHECK(side_by_side(a.reshape({1, 4, 1, 30})));
  CHECK_FALSE(side_by_side(a.T()));
  CHECK_FALSE(side_by_side(a("::2")));
  CHECK_FALSE(side_by_side(a("::-1")));
  CHECK_FALSE(side_by_side(gp::broadcast_to(a("0, 0, 0"), {7})));
}

TEST_CASE("offsets are computed through the axes that are left") {
  gp::dims shape, steps;
  for (int d = 0; d < 9; ++d) shape.push_back(3);
  const gp::ndarray<float> a = gp::zeros<float>(shape);
  check_offsets(a);  // one axis
  const gp::ndarray<float> every_second = a("::2, ::2, ::2, ::2, ::2, ::2, ::2");
  check_offsets(every_second);
  CHECK_THROWS_WITH_AS(gp::detail::element_offsets(a("::2, ::2, ::2, ::2, ::2, ::2, ::2, ::2, ::2")),
                       "iterators go through at most 8 axes that do not lie behind each other; make a copy()",
                       gp::value_error);
}

TEST_CASE("elements that lie between others' bytes have no offsets") {
  alignas(16) static char bytes[128];
  const gp::ndarray<std::complex<double>> a(gp::detail::borrow(
      bytes, {5}, {24}, gp::dtype::complex128, gp::memory_space::host, gp::device::cpu(), {}));
  CHECK_THROWS_WITH_AS(gp::detail::element_offsets{a},
                       "elements of 16 bytes that are 24 bytes apart have no iterators; make a copy(): its "
                       "elements are side by side",
                       gp::value_error);
}
