// Which dtype each parameter of a user's kernel has.
#include <core/array/generate.hpp>
#include <core/kernels/user_kernel_call.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

class binder {
 public:
  explicit binder(const kernel_signature& signature) : signature_(signature), bound_(signature.size()) {}

  void array(std::size_t i, dtype have) {
    const kernel_parameter_text& p = signature_[i];
    if (p.placeholder.empty()) {
      if (have != p.type)
        fail<type_error>("{}: {} is an array of {}, and the kernel takes {}; convert it with astype\n{}",
                         signature_.title, p.name, name(have), name(p.type), signature_.location_of(i));
      return;
    }
    binding& b = bound_[p.leader];
    if (b.by == nobody) b = {array_said, have, i};
    if (b.type != have)
      fail<type_error>("{}: {} is {} for {} and {} for {}; convert one of them with astype\n{}",
                       signature_.title, p.placeholder, name(b.type), signature_[b.parameter].name,
                       name(have), p.name, signature_.location_of(i));
  }

  /// Called after all arrays.
  void number(std::size_t i, dtype own) {
    const kernel_parameter_text& p = signature_[i];
    binding& b = bound_[p.leader];
    if (p.placeholder.empty() || b.by == array_said) return;
    b = {number_said, b.by == nobody ? own : promote_types(b.type, own), i};
  }

  kernel_types finish() {
    kernel_types types;
    types.parameters.reserve(signature_.size());
    for (std::size_t i = 0; i < signature_.size(); ++i) {
      const kernel_parameter_text& p = signature_[i];
      const binding& b = bound_[p.leader];
      if (!p.placeholder.empty() && b.by == nobody)
        fail<type_error>("{}: no argument says what {} is; pass {} as an argument, or write a dtype\n{}",
                         signature_.title, p.placeholder, p.name, signature_.location_of(i));
      types.parameters.push_back(p.placeholder.empty() ? p.type : b.type);
    }
    return types;
  }

 private:
  enum decider : char { nobody, number_said, array_said };
  /// Of a placeholder, at its first parameter.
  struct binding {
    decider by = nobody;
    dtype type{};
    std::size_t parameter = 0;  // the array that decided
  };

  const kernel_signature& signature_;
  std::vector<binding> bound_;
};

char scalar_kind(dtype d) { return kind(d) == 'u' ? 'i' : kind(d); }

}  // namespace

kernel_types bind_types(const kernel_signature& signature, std::span<const detail::argument> inputs,
                        std::span<const any_array> outputs) {
  binder types(signature);
  for (std::size_t i = 0; i < outputs.size(); ++i) types.array(inputs.size() + i, outputs[i].dtype());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].array) types.array(i, inputs[i].array->dtype());
  // Numbers keep the dtype that they have, so that a lone int32 or float does not narrow the kernel.
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].array) types.number(i, inputs[i].type);
  return types.finish();
}

kernel_types written_types(const kernel_signature& signature) { return binder(signature).finish(); }

scalar_bits kernel_scalar(const kernel_signature& signature, std::size_t parameter,
                          const detail::argument& value, dtype to) {
  static constexpr std::string_view kinds = "bifc";
  if (kinds.find(scalar_kind(value.type)) > kinds.find(scalar_kind(to)))
    fail<type_error>("{}: the number for {} is {}, which {} does not hold; convert it first\n{}",
                     signature.title, signature[parameter].name, name(value.type), name(to),
                     signature.location_of(parameter));
  const scalar_bits own = bits_of(value), converted = convert_scalar(own, value.type, to);
  if (is_integer(to) && is_integer(value.type)) {
    const scalar_bits back = convert_scalar(converted, to, value.type);
    const auto negative = [](const scalar_bits& bits, dtype type) {
      std::int64_t as_signed;
      const scalar_bits as_int64 = convert_scalar(bits, type, dtype::int64);
      std::memcpy(&as_signed, &as_int64, sizeof as_signed);
      return kind(type) == 'i' && as_signed < 0;
    };
    if (std::memcmp(&back, &own, itemsize(value.type)) != 0 ||
        negative(own, value.type) != negative(converted, to))
      fail<overflow_error>("{}: the integer for {} is out of bounds for {}\n{}", signature.title,
                           signature[parameter].name, name(to), signature.location_of(parameter));
  }
  return converted;
}

}  // namespace core
GPARRAY_END_NAMESPACE
