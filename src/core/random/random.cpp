// Draws from the distributions whose parameters are numbers or broadcast arrays.
#include <bit>
#include <random>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/creation/creation.hpp>
#include <core/random/random.hpp>
#include <core/reduction/reduction.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// NumPy's repr of a tuple, which this module of NumPy prints, unlike others.
std::string text_with_spaces(const dims& shape) {
  std::string result;
  for (const std::int64_t n : shape) result += fmt::format("{}{}", result.empty() ? "" : ", ", n);
  return "(" + result + (shape.size() == 1 ? ",)" : ")");
}

std::string device_name(const any_array& a) { return a.device().str(); }

bool broadcastable(const dims& a, const dims& b) {
  for (std::size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    const std::int64_t m = a[a.size() - i], n = b[b.size() - i];
    if (m != n && m != 1 && n != 1) return false;
  }
  return true;
}

void check_output_array(const any_array& out, dtype type, const sample_size& size) {
  check_writeable(described(out));
  if (out.dtype() != type)
    fail<type_error>("Supplied output array has the wrong type. Expected {}, got {}", name(type),
                     name(out.dtype()));
  if (!out.is_c_contiguous())
    throw value_error(
        "Supplied output array must be contiguous, writable, aligned, and in machine byte-order.");
  if (size.given && size.shape != out.shape())
    throw value_error("size must match out.shape when used together");
}

}  // namespace

std::uint64_t double_bits(double value) { return std::bit_cast<std::uint64_t>(value); }

device drawing_device(const generator_device& on_device, std::span<const any_array* const> arrays) {
  const any_array* first = nullptr;
  for (const any_array* a : arrays) {
    if (!a) continue;
    if (first && first->device() != a->device())
      throw_device_mismatch("random numbers", first->device(), a->device());
    first = first ? first : a;
  }
  if (first && on_device && first->device() != *on_device)
    fail<device_error>(
        "the generator draws on {} and an argument is on {}: move it with to_device(), or leave the "
        "generator's "
        "device out",
        on_device->str(), device_name(*first));
  return first ? first->device() : on_device.value_or(default_device());
}

dims drawing_shape(const sample_size& size, std::span<const dims* const> shapes) {
  for (const std::int64_t n : size.shape)
    if (n < 0) throw value_error("negative dimensions are not allowed");
  dims common;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!broadcastable(common, *shapes[i]) || (size.given && !broadcastable(size.shape, *shapes[i])))
      fail<value_error>(
          "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with "
          "shape "
          "{} and arg {} with shape {}.",
          text_with_spaces(size.given ? size.shape : common), i + size.given, text_with_spaces(*shapes[i]));
    const dims* const pair[] = {&common, shapes[i]};
    common = broadcast_shapes(pair);
  }
  if (!size.given) return common;
  if (!broadcasts_to(common, size.shape))
    fail<value_error>("Output size {} is not compatible with broadcast dimensions of inputs {}.",
                      text_with_spaces(size.shape), text_with_spaces(common));
  return size.shape;
}

any_array broadcast_copy(const any_array& a, dtype type, const dims& shape) {
  const any_array result = allocate(type, shape, a.device());
  if (result.size() > 0) assign_array(result.rep(), detail::astype(named(a), type, false).eval());
  return result;
}

value_range range_of(const any_array& a, bool without_nan) {
  const auto reduced = [&](reduction r) {
    double value;
    detail::item(detail::reduce(r, named(a), dtype::float64, nullptr, {}), &value);
    return value;
  };
  return {reduced(without_nan ? reduction::nanmin : reduction::min),
          reduced(without_nan ? reduction::nanmax : reduction::max)};
}

std::vector<double> host_values(const any_array& a) {
  std::vector<double> values(static_cast<std::size_t>(a.size()));
  detail::copy_to_host(detail::astype(named(a), dtype::float64, false), values.data());
  return values;
}

void run_draw(random_plan& plan, const any_array& target, std::int64_t per_draw,
              random::generator_state& state, std::span<const any_array* const> read) {
  const array_rep* out = target.rep();
  plan.out = out->data;
  plan.size = per_draw > 0 ? out->size / per_draw : 0;
  plan.key = state.key;
  plan.position = state.position;
  if (plan.size > 0) {
    const queue q = current_queue(out->device_);
    backend_of(out->device_).random(plan, q);
    record_use(out->memory, q);
    for (const any_array* a : read)
      if (a && a->rep()) record_uses(a->rep(), q);
  }
  state.position += static_cast<std::uint64_t>(plan.size);
}

}  // namespace core

namespace detail {

using namespace core;

any_array draw(random::generator_state& state, const generator_device& on_device, distribution d,
               gparray::dtype type, std::initializer_list<distribution_parameter> parameters,
               const sample_size& size, const any_array& out) {
  const any_array* arrays[max_random_parameters + 1] = {};
  const dims* shapes[max_random_parameters];
  std::size_t n_shapes = 0, k = 0;
  for (const distribution_parameter& p : parameters) {
    if (p.is_array) {
      arrays[k] = &p.array;
      shapes[n_shapes++] = &p.array.shape();
    }
    ++k;
  }
  const bool given_out = out.rep() != nullptr;
  if (given_out) arrays[max_random_parameters] = &out;
  const device where = drawing_device(on_device, arrays);
  const sample_size wanted = given_out && !size.given ? sample_size(out.shape()) : size;
  const dims shape = drawing_shape(wanted, {shapes, n_shapes});
  if (given_out) check_output_array(out, type, size);
  check_parameters(d, type, {parameters.begin(), parameters.size()});
  if (given_out) effect_on(computed(out));

  random_plan plan;
  plan.op = d;
  plan.type = type;
  any_array copies[max_random_parameters];
  const any_array* read[max_random_parameters] = {};
  k = 0;
  for (const distribution_parameter& p : parameters) {
    if (p.is_array) {
      copies[k] = broadcast_copy(p.array, gparray::dtype::float64, shape);
      plan.parameters[k].data = static_cast<const std::uint64_t*>(address(copies[k]));
      read[k] = &copies[k];
    } else {
      plan.parameters[k].bits = double_bits(p.value);
    }
    ++k;
  }
  const any_array result = given_out ? out : allocate(type, shape, where);
  run_draw(plan, result, 1, state, read);
  return result;
}

std::uint64_t system_seed() {
  std::random_device entropy;
  return static_cast<std::uint64_t>(entropy()) << 32 | entropy();
}

}  // namespace detail
GPARRAY_END_NAMESPACE
