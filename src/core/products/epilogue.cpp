// matmul with a bias and an activation: by one routine of the backend, or a product and an expression.
#include <core/array/arguments.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/products/matmul.hpp>
#include <core/products/products.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

activation activation_of(std::string_view name) {
  if (name.empty()) return activation::none;
  if (name == "relu") return activation::relu;
  if (name == "gelu") return activation::gelu;
  fail<value_error>("matmul: activation is \"{}\", and must be \"relu\", \"gelu\" or nothing", name);
}

/// The function of a pending x as an expression.
any_array applied(activation f, const any_array& x, dtype type) {
  const auto of = [&](ufunc g, const detail::argument& y, const detail::argument& z) {
    return apply(g, type, {y, z});
  };
  switch (f) {
    case activation::relu:
      return of(ufunc::maximum, temporary(x), number(0, type));
    case activation::gelu: {
      const any_array half = of(ufunc::multiply, temporary(x), number(0.5, type));
      const any_array square = of(ufunc::multiply, temporary(x), temporary(x)),
                      cube = of(ufunc::multiply, temporary(square), temporary(x)),
                      scaled = of(ufunc::multiply, temporary(cube), number(0.044715, type)),
                      sum = of(ufunc::add, temporary(x), temporary(scaled)),
                      inner = of(ufunc::multiply, temporary(sum), number(0.79788456080286535588, type)),
                      tanh = apply(ufunc::tanh, type, {temporary(inner)}),
                      above = of(ufunc::add, temporary(tanh), number(1, type));
      return of(ufunc::multiply, temporary(half), temporary(above));
    }
    default:
      return x;
  }
}

/// The bias as a backend takes it, the row behind n columns; nothing if it is another array.
bool is_row(const array_rep* bias, dtype type, std::int64_t n) {
  return bias->type == type && bias->shape.size() == 1 && bias->size == n && bias->c_contiguous;
}

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

any_array multiply(const argument& a, const argument& b, gparray::dtype type, const matmul_options& options) {
  const activation f = activation_of(options.activation);
  const bool has_bias = options.bias.rep();
  const argument operands[] = {a, b, has_bias ? named(options.bias) : a};
  common_device("matmul", operands);
  const gparray::dtype sums = itemsize(type) == 2 ? dtype::float32 : type, factors = factor_dtype(a, b, type);
  if (has_bias && !can_cast(options.bias.dtype(), sums, casting::same_kind))
    fail<type_error>("matmul: a bias of dtype {} is not added to sums of dtype {}",
                     name(options.bias.dtype()), name(sums));
  const any_array left = product_operand(a, factors), right = product_operand(b, factors);

  const array_rep* const bias = has_bias ? computed(options.bias) : nullptr;
  if (right.ndim() > 1 && (!bias || is_row(bias, type, right.shape().back()))) {
    const epilogue after{type, bias ? bias->data : nullptr, f};
    if (any_array c = core::matmul(named(left), named(right), after); c.rep()) {
      if (bias) record_use(bias->memory, current_queue(c.device()));
      return c;
    }
  }
  const any_array product = core::matmul(named(left), named(right), sums);
  any_array x = product;
  if (bias) x = apply(ufunc::add, sums, {temporary(product), named(options.bias)});
  if (x.shape() != product.shape())
    fail<value_error>("matmul: a bias of shape {} does not broadcast to the product's shape {}",
                      text(options.bias.shape()), text(product.shape()));
  x = applied(f, x, sums);
  return (sums == type ? x : apply(ufunc::cast, type, {temporary(x)})).eval();
}

}  // namespace detail
GPARRAY_END_NAMESPACE
