// Host arrays as Eigen's matrices and back, without copies. Needs Eigen 3.3 or newer, which no other header
// includes.
#pragma once
#include <gparray/creation.hpp>
#include <gparray/span.hpp>

#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#define GPARRAY_HAS_EIGEN
#elif __has_include(<eigen3/Eigen/Core>)
#include <eigen3/Eigen/Core>
#define GPARRAY_HAS_EIGEN
#else
#error "<gparray/eigen.hpp> needs Eigen: install libeigen3-dev, or name its folder with -I"
#endif

#ifdef GPARRAY_HAS_EIGEN
#include <memory>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<class M>
concept eigen_dense = std::derived_from<M, Eigen::DenseBase<M>>;
/// Eigen's own matrices and arrays, which hold their elements.
template<class M>
concept eigen_plain = eigen_dense<M> && std::derived_from<M, Eigen::PlainObjectBase<M>>;
/// Whose elements lie in memory: these, maps, references and blocks of them.
template<class M>
concept eigen_direct = eigen_dense<M> && element<typename M::Scalar> &&
                       (static_cast<int>(M::Flags) & static_cast<int>(Eigen::DirectAccessBit)) != 0;

template<class M>
inline constexpr bool is_eigen_vector = static_cast<int>(M::IsVectorAtCompileTime) != 0;

template<class V>
using eigen_matrix = Eigen::Matrix<V, Eigen::Dynamic, Eigen::Dynamic>;

template<class V>
struct elements_of_eigen {
  V* data;
  dims shape, strides;
};
template<class V, class M>
elements_of_eigen<V> look_at_eigen(V* data, const M& m) {
  const auto bytes = [](Eigen::Index n) {
    return static_cast<std::int64_t>(n) * static_cast<std::int64_t>(sizeof(V));
  };
  if constexpr (is_eigen_vector<M>) return {data, dims(m.size()), dims(bytes(m.innerStride()))};
  else return {data, dims{m.rows(), m.cols()}, dims{bytes(m.rowStride()), bytes(m.colStride())}};
}

}  // namespace detail

/// An array as Eigen's Map, valid as long as its memory: as_eigen(a) is a matrix of any size, with the
/// strides that the array has, C or Fortran order alike; one axis is a column. as_eigen<M>(a) is a map of M,
/// a type of Eigen's with the array's elements: VectorXd, ArrayXXf, Matrix3d, const MatrixXd (which reads,
/// and takes read-only arrays), Matrix<float, Dynamic, Dynamic, RowMajor>. as_eigen<M,
/// Eigen::OuterStride<>>(a) knows that rows (columns, for column-major M) lie without gaps, and
/// Eigen::Stride<0, 0> that all does, which Eigen is faster with. Computes what is pending; waits for a GPU
/// that computes on memory of both. Throws value_error for a shape or layout that M and the stride do not
/// have, negative strides, or a read-only array; device_error if the CPU does not reach it. The map of an
/// expression does not compile.
template<class M, class Stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>, array_like A>
  requires(detail::eigen_plain<std::remove_const_t<M>> &&
           std::is_same_v<typename M::Scalar, detail::element_t<A>> && !detail::is_expr_rvalue<A>)
[[nodiscard]] Eigen::Map<M, Eigen::Unaligned, Stride> as_eigen(A&& a) {
  using V = std::conditional_t<std::is_const_v<M>, const detail::element_t<A>, detail::element_t<A>>;
  constexpr bool row_major = static_cast<int>(M::IsRowMajor) != 0;
  const dims steps = detail::element_strides("as_eigen", a);
  const dims& shape = a.shape();
  std::int64_t sizes[2], strides[2];
  if (shape.size() == 1) {
    // One axis is a row only of a type that is one.
    constexpr bool is_row = M::RowsAtCompileTime == 1 && M::ColsAtCompileTime != 1;
    sizes[is_row] = shape[0];
    sizes[!is_row] = 1;
    strides[is_row] = steps[0];
    strides[!is_row] = steps[0] * shape[0];
  } else {
    detail::check_view_rank("as_eigen", a, 2);
    for (std::size_t d = 0; d < 2; ++d) sizes[d] = shape[d], strides[d] = steps[d];
  }
  constexpr int fixed[] = {M::RowsAtCompileTime, M::ColsAtCompileTime};
  for (std::size_t d = 0; d < 2; ++d)
    if (fixed[d] != Eigen::Dynamic && fixed[d] != sizes[d])
      detail::throw_view_layout("as_eigen", a, "a matrix of fixed size asks");
  // What the stride's type says instead of its value must be so: 0 is "without gaps".
  std::int64_t inner = strides[row_major], outer = strides[!row_major];
  const std::int64_t length = sizes[row_major];
  constexpr int said_inner = Stride::InnerStrideAtCompileTime, said_outer = Stride::OuterStrideAtCompileTime;
  const auto check = [&](std::int64_t have, int said, std::int64_t gapless, std::int64_t count) {
    const std::int64_t want = said == 0 ? gapless : said;
    if (said != Eigen::Dynamic && count > 1 && a.size() > 0 && have != want)
      detail::throw_view_layout("as_eigen", a, "this type of stride asks");
  };
  check(inner, said_inner, 1, length);
  check(outer, said_outer, length * (said_inner > 0 ? said_inner : 1), sizes[!row_major]);
  V* const data = detail::host_data<V>(a);
  const auto value = [](int said, std::int64_t have) { return said == Eigen::Dynamic ? have : said; };
  const Eigen::Index o = value(said_outer, outer), i = value(said_inner, inner);
  if constexpr (std::is_constructible_v<Stride, Eigen::Index, Eigen::Index>)
    return {data, sizes[0], sizes[1], Stride(o, i)};
  else if constexpr (said_outer == Eigen::Dynamic) return {data, sizes[0], sizes[1], Stride(o)};
  else if constexpr (said_inner == Eigen::Dynamic) return {data, sizes[0], sizes[1], Stride(i)};
  else return {data, sizes[0], sizes[1], Stride()};
}
template<array_like A>
  requires(!detail::is_expr_rvalue<A>)
[[nodiscard]] auto as_eigen(A&& a) {
  return as_eigen<detail::eigen_matrix<detail::element_t<A>>>(a);
}

/// An array of the elements of an Eigen matrix, array, map or block, with its layout: 1-D for vectors, else
/// 2-D. What has a name, and what is a view, is borrowed: it must stay valid until the last view of the array
/// is gone, and must not be resized. A matrix that is moved in, from_eigen(std::move(m)), or the result of a
/// function is the array's own. Constant elements make a read-only array.
template<class M>
  requires detail::eigen_direct<std::remove_cvref_t<M>>
[[nodiscard]] auto from_eigen(M&& m) {
  using P = std::remove_cvref_t<M>;
  using V = typename P::Scalar;
  if constexpr (detail::eigen_plain<P> && !std::is_lvalue_reference_v<M> &&
                !std::is_const_v<std::remove_reference_t<M>>) {
    const auto owner = std::make_shared<P>(std::move(m));
    const auto seen = detail::look_at_eigen(owner->data(), *owner);
    return frombuffer(seen.data, seen.shape, {.strides = seen.strides, .release = [owner] {}});
  } else {
    const auto seen = detail::look_at_eigen(m.data(), m);
    return ndarray<V>(frombuffer(seen.data, seen.shape, {.strides = seen.strides}));
  }
}

GPARRAY_END_NAMESPACE
#endif
