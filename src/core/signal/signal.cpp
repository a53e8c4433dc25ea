// What the functions of signal refuse, and what needs no templates.
#include <gparray/signal.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

void check_pulses(const any_array& x) {
  if (x.ndim() != 2)
    fail<value_error>("pulses are the rows of a matrix, but the array has {} dimensions", x.ndim());
}

any_array window_of(const any_array& window, std::int64_t length) {
  if (window.ndim() != 1 || window.size() != length)
    throw value_error("window must have the same length as data");
  return as_type(window, gparray::dtype::float64);
}

void check_cfar(const dims& shape, const dims& guard_cells, const dims& reference_cells) {
  if (shape.empty() || shape.size() > 2) throw type_error("Only 1D and 2D arrays are currently supported.");
  if (guard_cells.size() != shape.size() || reference_cells.size() != shape.size())
    fail<type_error>("ca_cfar: guard and reference cells must be {} numbers, one for each axis",
                     shape.size());
  std::int64_t references = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (guard_cells[d] < 0 || reference_cells[d] < 0)
      throw value_error("ca_cfar: numbers of cells must not be negative");
    if (saturating_sum(guard_cells[d], reference_cells[d]) > (shape[d] - 1) / 2 || shape[d] == 0)
      throw value_error("Array too small for given parameters");
    references = saturating_sum(references, reference_cells[d]);
  }
  if (references == 0) throw value_error("ca_cfar: there must be reference cells");
}

void check_channels(const any_array& x, const any_array& h, std::int64_t n_chans) {
  if (x.ndim() != 1 || h.ndim() != 1) throw value_error("channelize_poly: x and h must have one dimension");
  if (n_chans < 1 || h.size() < n_chans)
    fail<value_error>("channelize_poly: {} channels of a filter of {} taps", n_chans, h.size());
}

void check_order(const any_array& in1, const any_array& in2, int order, std::string_view mode) {
  if (in1.ndim() != 1) throw value_error("in1 should have one dimension");
  if (in2.ndim() != order) fail<value_error>("in2 should have {} dimensions", order);
  if (mode != "valid") fail<value_error>("Mode == {} not implemented", mode);
  for (const std::int64_t n : in2.shape())
    if (n < 1 || n > in1.size())
      fail<value_error>("a filter of shape {} and a signal of {} samples", text(in2.shape()), in1.size());
}

ndarray<double> window_sums(ndarray<double> a, const dims& half) {
  for (int d = 0; d < a.ndim(); ++d) {
    const std::int64_t width = 2 * half[static_cast<std::size_t>(d)] + 1;
    dims one = a.shape();
    one[static_cast<std::size_t>(d)] = 1;
    const ndarray<double> sums =
        moveaxis(concatenate(zeros(one, {.device = a.device()}), cumsum(a, d), d), d, 0);
    a = moveaxis(ndarray<double>(sums(slice(width, none)) - sums(slice(none, -width))), 0, d);
  }
  return a;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
