// One call of an ElementwiseKernel or a ReductionKernel: arguments checked, dtypes bound, operands laid out.
#pragma once
#include <cstddef>
#include <cstring>
#include <span>

#include <core/array/array_rep.hpp>
#include <core/kernels/user_kernel_parameters.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The dtype of every parameter.
struct kernel_types {
  std::vector<dtype> parameters;
};

/// Binds placeholders: arrays decide (outputs that are given first), and a placeholder of numbers only takes
/// their own dtype. `outputs` is empty or complete. Throws type_error, showing the parameter, where an array
/// has another dtype than its parameter or its placeholder.
kernel_types bind_types(const kernel_signature& signature, std::span<const detail::argument> inputs,
                        std::span<const any_array> outputs);
/// Those of a signature whose dtypes are all written out.
kernel_types written_types(const kernel_signature& signature);

/// A C++ number for a parameter of dtype `to`. Throws overflow_error if an integer does not fit, type_error
/// if the kind of the number does not (a float for an int32).
scalar_bits kernel_scalar(const kernel_signature& signature, std::size_t parameter,
                          const detail::argument& value, dtype to);

/// How a kernel reaches the elements of a parameter.
enum class operand_form : char { scalar = 'v', packed = 'p', strided = 's', raw = 'r', raw_packed = 'c' };

struct bound_operand {
  operand_form form;
  dtype type;
  bool writable;
  any_array array;    // computed; none for a scalar
  scalar_bits value;  // of a scalar
  dims strides;       // over the kernel's dimensions, of packed and strided operands
};

/// Checks of a call that need no GPU, and what follows from its arguments. `arguments` are the inputs, or the
/// inputs and all outputs. Throws type_error (number of arguments, dtypes), device_error (arrays on different
/// devices, or on the CPU).
class kernel_arguments {
 public:
  kernel_arguments(const kernel_signature& signature, std::span<const detail::argument> arguments);

  const kernel_types& types() const { return types_; }
  device on_device() const { return device_; }
  bool has_outputs() const { return !outputs_.empty(); }
  const std::vector<any_array>& outputs() const { return outputs_; }
  void set_outputs(std::vector<any_array> outputs) { outputs_ = std::move(outputs); }
  /// The shape that the arrays broadcast to which are not raw, `outputs` included or not; false if there are
  /// none.
  bool broadcast_shape(bool with_outputs, dims& shape) const;

  /// Computes what is pending and lays all operands out over `shape` (inputs) and `output_shape`. An input
  /// that overlaps an output otherwise than element for element is copied.
  std::vector<bound_operand> operands(const dims& shape, const dims& output_shape) const;

 private:
  void check_device();

  const kernel_signature& signature_;
  std::vector<detail::argument> inputs_;
  std::vector<any_array> outputs_;
  kernel_types types_;
  device device_;
};

/// Merges the dimensions [begin, end) of `shape` wherever all operands with strides there continue from one
/// to the next; sizes of 1 vanish, and one dimension is left at least. Returns how many are left in [begin,
/// end).
std::size_t merge_dimensions(dims& shape, std::vector<bound_operand*> operands, std::size_t begin,
                             std::size_t end);
/// Turns strided operands whose elements follow each other in C order of `shape` into packed ones.
void find_packed(const dims& shape, std::vector<bound_operand>& operands);

/// The bytes of a kernel's parameters, as the structs of kernel/user_kernel.hpp lie in memory. What is more
/// than a kernel may have is counted, and not kept.
class parameter_block {
 public:
  /// What every CUDA device takes; newer ones take more.
  static constexpr std::size_t max_bytes = 4096;

  parameter_block() {}  // NOLINT: filled as far as it is used
  parameter_block(const parameter_block&) = delete;
  parameter_block& operator=(const parameter_block&) = delete;

  /// Begins a parameter; numbers and pointers follow.
  void begin() {
    if (size_ < max_bytes) addresses_[count_++] = bytes_ + size_;
  }
  void number(std::int64_t value) { append(&value, sizeof value); }
  void pointer(const void* value) { number(reinterpret_cast<std::intptr_t>(value)); }
  void numbers(std::span<const std::int64_t> values) { append(values.data(), values.size_bytes()); }
  void operand(const bound_operand& o);
  void space(const dims& shape, std::int64_t count);

  std::size_t size() const { return size_; }
  /// One address for each parameter, of those that fit.
  void** addresses() { return addresses_; }

 private:
  void append(const void* from, std::size_t bytes) {
    if (size_ + bytes <= max_bytes) std::memcpy(bytes_ + size_, from, bytes);
    size_ += bytes;
  }

  alignas(16) std::byte bytes_[max_bytes];
  void* addresses_[max_bytes / sizeof(std::int64_t)];  // every parameter is a number at least
  std::size_t size_ = 0, count_ = 0;
};

}  // namespace core
GPARRAY_END_NAMESPACE
