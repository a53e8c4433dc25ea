// Eigenvalues and eigenvectors.
#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/creation/creation.hpp>
#include <core/linalg/host.hpp>
#include <core/linalg/stack.hpp>
#include <core/products/products.hpp>
#include <gparray/linalg/factor.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr const char* not_converged = "Eigenvalues did not converge";

void check_finite(const stacked_operand& a) {
  factor_info info(a.batch, a.on_device);
  info.fail_where_not_finite(a.source);
  info.check("Array must not contain infs or NaNs");
}

/// Room for real eigenvectors in LAPACK's packed form, with one column before and one after it, so that a
/// column's neighbours can be read wherever it stands.
struct packed_vectors {
  explicit packed_vectors(const stacked_operand& a)
      : batch(a.batch),
        n(a.rows),
        memory(detail::create_zeros(dims(count_of(batch) * n * n + 2 * n), a.type, {.device = a.on_device})) {
  }

  dims batch;
  std::int64_t n;
  any_array memory;

  void* data() const { return memory.rep()->data + n * static_cast<std::int64_t>(itemsize(memory.dtype())); }
  /// batch..., n, n with the columns moved by -1, 0 or 1.
  any_array columns(int shift) const {
    const auto size = static_cast<std::int64_t>(itemsize(memory.dtype()));
    const dims shape = with_axes(batch, {n, n});
    const any_array lying = make_view(memory.rep(), memory.dtype(), shape,
                                      c_strides(shape, itemsize(memory.dtype())), (1 + shift) * n * size);
    return detail::matrix_transpose(lying);
  }
};

/// v_j = column j + i column j+1 where the eigenvalue's imaginary part is positive, its conjugate for the
/// next.
any_array unpacked(const packed_vectors& packed, const any_array& values) {
  const dtype real = packed.memory.dtype();
  const any_array imaginary = insert_axis(detail::complex_part(values, 1), packed.batch.size());
  const any_array first = apply(ufunc::greater, real, {named(imaginary), number(0, real)}).eval();
  const any_array second = apply(ufunc::less, real, {named(imaginary), number(0, real)}).eval();
  const any_array previous = packed.columns(-1), own = packed.columns(0), next = packed.columns(1);
  const any_array result = allocate(values.dtype(), own.shape(), own.device());
  assign_array(detail::complex_part(result, 0).rep(),
               apply(ufunc::where, real, {named(second), named(previous), named(own)}));
  const any_array negated = apply(ufunc::negative, real, {named(own)});
  const any_array of_second = apply(ufunc::where, real, {named(second), temporary(negated), number(0, real)});
  assign_array(detail::complex_part(result, 1).rep(),
               apply(ufunc::where, real, {named(first), named(next), temporary(of_second)}));
  return result;
}

std::array<any_array, 2> eigh_of_triangle(const stacked_operand& a, bool lower, bool vectors) {
  const work_matrices work = a.triangle(lower);
  const any_array values = a.new_numbers(real_dtype(a.type), a.rows);
  const auto run = [&](std::int32_t* failed, queue q) {
    a.engine().eigh(a.type, work.stack(), vectors, values.rep()->data, failed, q);
  };
  a.ask(run).check(not_converged);
  return {values, vectors ? work.in_c_order() : any_array()};
}

std::array<any_array, 2> eig_of_any(const stacked_operand& a, bool vectors) {
  check_finite(a);
  const work_matrices work = a.column_major();
  const any_array values = a.new_numbers(complex_dtype(a.type), a.rows);
  const auto run = [&](void* to) {
    const auto call = [&](std::int32_t* failed, queue q) {
      a.engine().eig(a.type, work.stack(), values.rep()->data, to, failed, q);
    };
    a.ask(call).check(not_converged);
  };
  if (!vectors) {
    run(nullptr);
    return {values, any_array()};
  }
  if (is_complex(a.type)) {
    const work_matrices right = a.new_matrices(a.rows, a.rows);
    run(right.data());
    return {values, right.in_c_order()};
  }
  const packed_vectors packed(a);
  run(packed.data());
  return {values, unpacked(packed, values)};
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

std::array<any_array, 2> eigh(const argument& a, gparray::dtype type, char uplo, bool vectors) {
  const bool lower = uplo == 'L' || uplo == 'l';
  if (!lower && uplo != 'U' && uplo != 'u') throw value_error("UPLO argument must be 'L' or 'U'");
  check_square(*a.array);
  const auto factor = [&](const argument& x) { return eigh_of_triangle({x, type}, lower, vectors); };
  return with_best_engine(eigh_share, type, factor, a);
}

std::array<any_array, 2> eig(const argument& a, gparray::dtype type, bool vectors) {
  check_square(*a.array);
  return with_best_engine(
      eig_share, type, [&](const argument& x) { return eig_of_any({x, type}, vectors); }, a);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
