// What the draws of random numbers share.
#pragma once
#include <span>

#include <core/array/array_rep.hpp>
#include <gparray/random/arguments.hpp>
#include <plan/random_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using detail::distribution_parameter;
using detail::generator_device;
using detail::sample_size;

/// The device of the arrays among the parameters, else `on_device`, else the default device. Throws
/// device_error.
device drawing_device(const generator_device& on_device, std::span<const any_array* const> arrays);

/// The shape of a draw from what parameters of these shapes broadcast to. Throws value_error with NumPy's
/// text if that is not `size`, or if a size is negative.
dims drawing_shape(const sample_size& size, std::span<const dims* const> shapes);

/// Throws value_error with NumPy's text unless all parameters are where random.def says, for numbers of this
/// type. Waits for the device of arrays.
void check_parameters(distribution d, dtype type, std::span<const distribution_parameter> parameters);
/// The same for one that is how many there are of something.
void check_whole(const char* name, const distribution_parameter& parameter);

/// An array as contiguous elements of a 64-bit type, broadcast to `shape`.
any_array broadcast_copy(const any_array& a, dtype type, const dims& shape);

/// The bits of a number of float64.
std::uint64_t double_bits(double value);

/// The smallest and the largest element, in float64; NaN if one is NaN, unless NaNs are to be left out. Waits
/// for the device. The array is not empty.
struct value_range {
  double least, most;
};
value_range range_of(const any_array& a, bool without_nan = false);

/// The elements of an array in host memory, in float64 and C order.
std::vector<double> host_values(const any_array& a);

/// Runs a plan of which out, size, key and position are not set yet: they come from `target`, of whose
/// elements `per_draw` make one draw, and `state`, which moves on.
void run_draw(random_plan& plan, const any_array& target, std::int64_t per_draw,
              random::generator_state& state, std::span<const any_array* const> read);

}  // namespace core
GPARRAY_END_NAMESPACE
