// Arrays as Eigen's maps and Eigen's matrices as arrays: no copies, every layout.
#include <doctest/doctest.h>

#if __has_include(<Eigen/Core>) || __has_include(<eigen3/Eigen/Core>)
#include <complex>
#include <vector>

#include <gparray/eigen.hpp>
#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

template<class V>
gp::ndarray<V> counted(const gp::dims& shape) {
  gp::ndarray<V> a = gp::empty<V>(shape);
  std::int64_t i = 0;
  for (V& x : a) x = static_cast<V>(++i);
  return a;
}

template<class A, class M>
void check_same(const A& a, const M& m) {
  REQUIRE(a.ndim() == 2);
  REQUIRE(a.shape(0) == m.rows());
  REQUIRE(a.shape(1) == m.cols());
  for (std::int64_t i = 0; i < m.rows(); ++i)
    for (std::int64_t j = 0; j < m.cols(); ++j) CHECK(a.item(i, j) == m(i, j));
}

template<class M>
concept maps_an_expression = requires(gp::ndarray<double> a) { gp::as_eigen<M>(a + a); };
static_assert(!maps_an_expression<Eigen::MatrixXd>);

using row_major = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

TEST_CASE_TEMPLATE("a matrix of any layout is mapped where it lies", V, float, double, int,
                   std::complex<float>, std::int64_t) {
  const gp::device_guard on_cpu(gp::device::cpu());
  const auto a = counted<V>({4, 6});
  const gp::ndarray<V> views[] = {a,        a.T(),   a("::2, 1::3"), a("1:3"), a.copy(gp::order::F),
                                  a("0:1"), a("0:0")};
  for (const auto& view : views) {
    auto m = gp::as_eigen(view);
    check_same(view, m);
    if (view.size() == 0) continue;
    CHECK(m.data() == view.data());
    m(0, 0) = V(77);
    CHECK(view.item(0, 0) == V(77));
  }
  using rows = Eigen::Matrix<V, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (const auto& view : views) check_same(view, gp::as_eigen<rows>(view));
}

TEST_CASE("types that know more of the layout") {
  const gp::device_guard on_cpu(gp::device::cpu());
  const auto a = counted<double>({3, 4});
  check_same(a, gp::as_eigen<row_major, Eigen::Stride<0, 0>>(a));
  check_same(a.T(), gp::as_eigen<Eigen::MatrixXd, Eigen::Stride<0, 0>>(a.T()));
  check_same(a(":, 1:3"), gp::as_eigen<row_major, Eigen::OuterStride<>>(a(":, 1:3")));
  CHECK_THROWS_AS((gp::as_eigen<Eigen::MatrixXd, Eigen::Stride<0, 0>>(a)), gp::value_error);
  CHECK_THROWS_AS((gp::as_eigen<row_major, Eigen::Stride<0, 0>>(a(":, 1:3"))), gp::value_error);
  CHECK_THROWS_AS((gp::as_eigen<row_major, Eigen::OuterStride<>>(a(":, ::2"))), gp::value_error);
  check_same(a("0:1, ::2"), gp::as_eigen<row_major, Eigen::InnerStride<>>(a("0:1, ::2")));
  CHECK_THROWS_AS((gp::as_eigen<row_major, Eigen::InnerStride<>>(a("0:3:2, ::2"))), gp::value_error);
  check_same(a(":3, :3"), gp::as_eigen<Eigen::Matrix3d>(a(":3, :3")));
  CHECK_THROWS_AS(gp::as_eigen<Eigen::Matrix3d>(a), gp::value_error);
  check_same(a, gp::as_eigen<Eigen::ArrayXXd>(a));
  gp::as_eigen<Eigen::ArrayXXd>(a) *= 2;
  CHECK(a.item(2, 3) == 24);
}

TEST_CASE("vectors") {
  const gp::device_guard on_cpu(gp::device::cpu());
  const auto a = counted<float>({6});
  auto v = gp::as_eigen<Eigen::VectorXf>(a("::2"));
  CHECK(v.sum() == 1 + 3 + 5);
  v(2) = 50;
  CHECK(a.item(4) == 50);
  CHECK(gp::as_eigen<Eigen::RowVectorXf>(a).cols() == 6);
  CHECK(gp::as_eigen<Eigen::RowVectorXf>(a("1::2"))(1) == 4);
  CHECK(gp::as_eigen<Eigen::Vector3f>(a(":3"))(2) == 3);
  CHECK(gp::as_eigen(a).rows() == 6);
  CHECK(gp::as_eigen(a).cols() == 1);
  CHECK(gp::as_eigen<Eigen::VectorXf>(a.reshape({6, 1}))(5) == 6);
  CHECK_THROWS_AS(gp::as_eigen<Eigen::VectorXf>(a.reshape({1, 6})), gp::value_error);
  CHECK_THROWS_AS(gp::as_eigen<Eigen::VectorXf>(a.reshape({2, 3})), gp::value_error);
  CHECK_THROWS_AS(gp::as_eigen(a.reshape({1, 2, 3})), gp::value_error);
  CHECK_THROWS_AS(gp::as_eigen(a(0)), gp::value_error);
  CHECK_THROWS_AS(gp::as_eigen<Eigen::VectorXf>(a("::-1")), gp::value_error);
}

TEST_CASE("read-only arrays are mapped as constant") {
  const gp::device_guard on_cpu(gp::device::cpu());
  const auto a = counted<double>({2, 2});
  const auto wide = gp::broadcast_to(a(0), {3, 2});
  CHECK_THROWS_AS(gp::as_eigen(wide), gp::value_error);
  check_same(wide, gp::as_eigen<const Eigen::MatrixXd>(wide));
  check_same(a, gp::as_eigen<const Eigen::MatrixXd>(a));
}

TEST_CASE("Eigen's matrices are borrowed with their layout") {
  Eigen::MatrixXd m(2, 3);
  m << 1, 2, 3, 4, 5, 6;
  const auto a = gp::from_eigen(m);
  check_same(a, m);
  CHECK(a.data() == m.data());
  CHECK(a.strides() == gp::dims{8, 16});
  CHECK_FALSE(a.flags().owndata);
  a(1, 2) = 60;
  CHECK(m(1, 2) == 60);
  const row_major r = m;
  const auto b = gp::from_eigen(r);
  check_same(b, r);
  CHECK(b.strides() == gp::dims{24, 8});
  CHECK_FALSE(b.flags().writeable);
  check_same(gp::from_eigen(m.block(0, 1, 2, 2)), m.block(0, 1, 2, 2));
  check_same(gp::from_eigen(m.transpose()), m.transpose());
  gp::from_eigen(m.col(1))(gp::all) = 9;
  CHECK(m(0, 1) + m(1, 1) == 18);
  CHECK(gp::from_eigen(m.row(0)).to_vector() == std::vector<double>{1, 9, 3});
  Eigen::Map<Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> every(
      m.data(), 1, 3, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(2, 1));
  check_same(gp::from_eigen(every), every);
  Eigen::VectorXi v(3);
  v << 1, 2, 3;
  CHECK(gp::from_eigen(v).shape() == gp::dims{3});
  Eigen::ArrayXXf array = Eigen::ArrayXXf::Zero(2, 2);
  gp::from_eigen(array) += 1;
  CHECK(array.sum() == 4);
  Eigen::MatrixXd empty(0, 3);
  CHECK(gp::from_eigen(empty).shape() == gp::dims{0, 3});
  // There and back.
  CHECK(gp::as_eigen(gp::from_eigen(m)).data() == m.data());
}

TEST_CASE("a matrix that is moved in belongs to the array") {
  Eigen::MatrixXd m = Eigen::MatrixXd::Constant(3, 2, 7);
  const double* const where = m.data();
  gp::ndarray<double> a = gp::from_eigen(std::move(m));
  CHECK(a.data() == where);
  CHECK(m.size() == 0);
  const auto column = a(gp::all, 1);
  a = gp::zeros(1);
  CHECK(column.to_vector() == std::vector<double>{7, 7, 7});
  CHECK(gp::from_eigen(Eigen::Vector4f(1, 2, 3, 4)).to_vector() == std::vector<float>{1, 2, 3, 4});
  CHECK(gp::from_eigen((Eigen::Matrix2d() << 1, 2, 3, 4).finished().eval()).to_vector() ==
        std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("arrays of a GPU are no Eigen matrices") {
  if (gp::device_count() == 0) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  CHECK_THROWS_AS(gp::as_eigen(gp::zeros({2, 2}).eval()), gp::device_error);
}
#else
#include <stdexcept>

TEST_CASE("arrays as Eigen's matrices") { throw std::runtime_error("not here: Eigen (libeigen3-dev)"); }
#endif
