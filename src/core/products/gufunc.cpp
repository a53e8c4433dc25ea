#include <string>

#include <core/products/gufunc.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

void check_enough_axes(const core_signature& f, int operand, int ndim, int required) {
  if (ndim < required)
    fail<value_error>(
        "{}: Input operand {} does not have enough dimensions (has {}, gufunc core with signature {} "
        "requires {})",
        f.name, operand, ndim, f.text, required);
}

void check_summed_axes(const core_signature& f, std::int64_t size_a, std::int64_t size_b) {
  if (size_a != size_b)
    fail<value_error>(
        "{}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature {} (size {} is "
        "different from {})",
        f.name, f.text, size_b, size_a);
}

dims leading(const dims& shape, int core) {
  dims result = shape;
  result.resize(shape.size() - static_cast<std::size_t>(core));
  return result;
}

namespace {

/// (2,2,3)->(2,newaxis,newaxis): the broadcast axes, then one newaxis for each axis of the result's core that
/// the operand does not have as a broadcast axis.
std::string remapped(const dims& shape, int core, std::size_t core_out) {
  const dims batch = leading(shape, core);
  std::string text;
  for (std::int64_t n : batch) text += fmt::format("{},", n);
  for (std::size_t i = 0; i < core_out; ++i) text += "newaxis,";
  if (!text.empty() && batch.size() + core_out > 1) text.pop_back();
  return fmt::format("{}->({})", core::text(shape), text);
}

}  // namespace

void check_batches(const core_signature& f, const dims& a, const dims& b, const dims& core_out) {
  const dims x = leading(a, f.core_a), y = leading(b, f.core_b);
  for (std::size_t i = 1; i <= std::min(x.size(), y.size()); ++i) {
    const std::int64_t n = x[x.size() - i], m = y[y.size() - i];
    if (n != m && n != 1 && m != 1)
      fail<value_error>(
          "operands could not be broadcast together with remapped shapes [original->remapped]: {} {}  and "
          "requested shape ({})",
          remapped(a, f.core_a, core_out.size()), remapped(b, f.core_b, core_out.size()),
          fmt::join(core_out, ","));
  }
}

}  // namespace core
GPARRAY_END_NAMESPACE
