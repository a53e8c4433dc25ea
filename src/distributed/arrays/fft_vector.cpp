// Transforms of vectors that are cut, made matrices whose axes become whole in turn: the four-step method (D.
// H. Bailey, "FFTs in external or hierarchical memory", 1990).
#include <cmath>
#include <numbers>

#include <distributed/arrays/fft.hpp>
#include <distributed/arrays/merge.hpp>
#include <distributed/arrays/traveller.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// How many rows a matrix of n elements has: as near to a square as can be. Every rank gets one.
std::int64_t rows_of(std::int64_t n, std::int64_t ranks) {
  auto rows = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  while (n % rows != 0) --rows;
  if (rows < ranks)
    core::fail<value_error>(
        "the transform of a vector of {} elements, which is cut: it makes a matrix of {} x {}, and so not a "
        "row "
        "for each of {} ranks; reshard it to layout::replicated, or choose a length with larger divisors",
        n, rows, n / rows, ranks);
  return rows;
}

/// Where vectors are that are cut along the axis of the mesh along which this vector is.
distributed::layout cut_as(const placement& vector) {
  return distributed::layout::blocks(mesh(vector.ranks), {vector.axes[0].mesh_axis});
}

/// Element (k, j) times the k j-th power of the root of unity of n.
template<class R>
any_array turned(any_array matrix, std::int64_t first_column, std::int64_t n, bool inverse) {
  const device where = matrix.device();
  const auto k =
      gparray::arange<std::int64_t>(0, matrix.shape(0), 1, {.device = where}).reshape({matrix.shape(0), 1});
  const auto j =
      gparray::arange<std::int64_t>(first_column, first_column + matrix.shape(1), 1, {.device = where});
  const ndarray<double> angle =
      (k * j).template astype<double>() * ((inverse ? 2 : -2) * std::numbers::pi / static_cast<double>(n));
  const ndarray<std::complex<double>> root = cos(angle) + sin(angle) * std::complex<double>(0, 1);
  return ndarray<std::complex<R>>(gd::typed<std::complex<R>>(std::move(matrix)) *
                                  root.template astype<std::complex<R>>());
}

/// Without a factor, and where it falls.
node_ptr complex_transform(bool inverse, const node_ptr& vector) {
  const std::int64_t n = vector->where.shape[0];
  const fft_function f = inverse ? fft_function::ifft : fft_function::fft;
  const auto along = [&](int axis, const any_array& part) {
    return gd::fft(f, operand(part), none, axis, inverse ? "forward" : "backward", nullptr);
  };
  const std::int64_t rows =
      rows_of(n, vector->where.ranks->shape[static_cast<std::size_t>(vector->where.axes[0].mesh_axis)]);
  traveller matrix(reshaped(vector, {rows, n / rows}));
  matrix.make_whole(0, {});
  matrix.transform({0}, [&](const any_array& part) {
    const any_array columns = along(0, part);
    return columns.dtype() == dtype::complex64 ? turned<float>(columns, matrix.offset(1), n, inverse)
                                               : turned<double>(columns, matrix.offset(1), n, inverse);
  });
  matrix.make_whole(1, {});
  matrix.transform({1}, [&](const any_array& part) { return along(1, part); });
  // Element (k, j) is number k + j rows of the result.
  traveller result(transposed(matrix.here(), {}));
  result.make_whole(1, {});
  return reshaped(result.here(), {n});
}

/// f of the part of each rank, which keeps its size.
template<class F>
node_ptr with_part(const node_ptr& a, const F& f) {
  return node_of(a->place, f(local(a)));
}

node_ptr first(const node_ptr& vector, std::int64_t count) {
  const gd::index_item items[] = {slice(0, count)};
  return resharded(indexed(vector, items), cut_as(vector->where));
}

/// All n elements of a spectrum of which the first half is given: the others are conjugates of these.
node_ptr whole_spectrum(const node_ptr& half, std::int64_t n) {
  const auto at = cut_as(half->where).place({n});
  const std::int64_t given = n / 2 + 1;
  const auto found = [](range r) { return box{r.size() ? r : range{}}; };
  const auto s = shard_of(half);
  const any_array low =
      redistributed(*s, [&](int rank) { return found(at->own_of(rank)[0].cut({0, given})); });
  const any_array high = redistributed(*s, [&](int rank) {
    const range own = at->own_of(rank)[0].cut({given, n});
    return found({n - own.end + 1, n - own.begin + 1});
  });
  const gd::index_item backwards[] = {slice(none, none, -1)};
  const any_array pieces[] = {low, conjugated(gd::basic_index(high, backwards))};
  return node_of(at, gd::join(gd::joining::concatenate, pieces, 0, s->type()));
}

}  // namespace

node_ptr vector_transform(fft_function f, const node_ptr& a, std::int64_t length, double factor) {
  const std::int64_t size = a->where.shape[0], used = gives_real(f) ? length / 2 + 1 : length;
  if (used > size)
    core::fail<value_error>(
        "the transform of a vector of {} elements, which is cut: it is not padded to {}; make it longer "
        "first",
        size, used);
  const auto complex = [&](const node_ptr& x) {
    return with_part(x, [](const any_array& part) {
      return gd::as_type(part, complex_dtype(gd::fft_precision(part.dtype())));
    });
  };
  node_ptr result = used == size ? node_of(shard_of(a)) : first(a, used);
  if (gives_real(f)) {
    if (f == fft_function::hfft) result = with_part(result, conjugated);
    result = complex_transform(true, whole_spectrum(complex(result), length));
    result = with_part(
        result, [](const any_array& part) { return gd::copy(gd::complex_part(part, 0), gparray::order::C); });
  } else {
    result = complex_transform(f == fft_function::ifft, result);
    if (takes_real(f)) result = first(result, length / 2 + 1);
    if (f == fft_function::ihfft) result = with_part(result, conjugated);
  }
  if (factor != 1) write_scaled(local(result), local(result), factor);
  return resharded(result, result->where.shape == a->where.shape ? a->where.layout() : cut_as(a->where));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
