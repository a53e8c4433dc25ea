// Substitution with a sparse triangle. Each row needs those before it, so one thread does it; rows are read
// in the order of memory, forwards or backwards.
#include <host/sparse/sparse.hpp>
#include <host/sparse/types.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

template<class T>
T conjugated(T x, bool yes) {
  if constexpr (requires { x.im; }) return yes ? T{x.re, -x.im} : x;
  else return x;
}

template<class T, class I>
class triangle final : public core::prepared_triangle {
 public:
  triangle(const core::compressed_rows& a, core::triangle_use use, std::int64_t width)
      : a_(a), use_(use), width_(width) {}

  void solve(void* right_sides, core::queue) override {
    T* const x = static_cast<T*>(right_sides);
    const bool rows_ascend = use_.lower == (use_.op == core::transposition::none);
    for (std::int64_t i = 0; i < a_.rows; ++i) {
      const std::int64_t row = rows_ascend ? i : a_.rows - 1 - i;
      if (use_.op == core::transposition::none) gather(row, x);
      else scatter(row, x);
    }
  }

 private:
  bool inside(std::int64_t row, std::int64_t column) const {
    return use_.lower ? column < row : column > row;
  }

  /// x[row] = (x[row] - sum of a[row, j] x[j]) / a[row, row]
  void gather(std::int64_t row, T* x) const {
    T* const own = x + row * width_;
    T diagonal{};
    for (std::int64_t k = a_.indptr[row]; k < a_.indptr[row + 1]; ++k) {
      const std::int64_t column = a_.indices[k];
      if (column == row) diagonal = a_.data[k];
      else if (inside(row, column)) subtract(own, a_.data[k], x + column * width_);
    }
    divide(own, diagonal);
  }

  /// x[row] /= a[row, row], then x[j] -= a[row, j] x[row]: a row of A is a column of its transpose.
  void scatter(std::int64_t row, T* x) const {
    T* const own = x + row * width_;
    const bool conjugate = use_.op == core::transposition::adjoint;
    for (std::int64_t k = a_.indptr[row]; k < a_.indptr[row + 1]; ++k)
      if (a_.indices[k] == row) divide(own, conjugated(a_.data[k], conjugate));
    for (std::int64_t k = a_.indptr[row]; k < a_.indptr[row + 1]; ++k) {
      const std::int64_t column = a_.indices[k];
      if (inside(row, column)) subtract(x + column * width_, conjugated(a_.data[k], conjugate), own);
    }
  }

  void subtract(T* to, T factor, const T* from) const {
    for (std::int64_t j = 0; j < width_; ++j)
      to[j] = kernel::subtract(to[j], kernel::multiply(factor, from[j]));
  }
  void divide(T* x, T by) const {
    if (use_.unit_diagonal) return;
    for (std::int64_t j = 0; j < width_; ++j) x[j] = x[j] / by;
  }

  rows_of<T, I> a_;
  core::triangle_use use_;
  std::int64_t width_;
};

}  // namespace

std::unique_ptr<core::prepared_triangle> host_sparse::prepare_triangle(const core::compressed_rows& a,
                                                                       core::triangle_use use,
                                                                       std::int64_t width, queue) {
  const auto made = [&]<class T>(T) -> std::unique_ptr<core::prepared_triangle> {
    return with_index(a.index, [&]<class I>(I) -> std::unique_ptr<core::prepared_triangle> {
      return std::make_unique<triangle<T, I>>(a, use, width);
    });
  };
  switch (a.type) {
    case dtype::float32:
      return made(float{});
    case dtype::float64:
      return made(double{});
    case dtype::complex64:
      return made(kernel::complex<float>{});
    case dtype::complex128:
      return made(kernel::complex<double>{});
    default:
      return nullptr;
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
