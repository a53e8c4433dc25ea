// Fourier transforms: along one axis after the other, each of which a rank has as a whole when its turn
// comes.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <distributed/arrays/fft.hpp>
#include <distributed/arrays/merge.hpp>
#include <distributed/arrays/traveller.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

bool is_inverse(fft_function f) {
  return f == fft_function::ifft || f == fft_function::irfft || f == fft_function::ihfft;
}

/// The factor of a transform of so many points. Throws value_error for another norm.
double scale_of(fft_function f, double points, std::string_view norm) {
  if (norm != "backward" && norm != "forward" && norm != "ortho") {
    const any_array some = gd::create_zeros({2}, dtype::float32, {.device = device::cpu()});
    gd::fft(f, operand(some), none, 0, norm, nullptr);
  }
  if (norm == "ortho") return 1 / std::sqrt(points);
  return norm == (is_inverse(f) ? "backward" : "forward") ? 1 / points : 1;
}

void check_length(std::int64_t n) {
  if (n < 1) core::fail<value_error>("Invalid number of FFT data points ({}) specified.", n);
}

bool is_cut_vector(const node_ptr& a) { return a->where.axes.size() == 1 && is_cut(a->where, 0); }

node_ptr converted(const node_ptr& a, dtype type) {
  return a->type == type ? a : node_of(a->place, gd::as_type(local(a), type));
}

/// Axes to transform, and their lengths: -1 for as they are.
struct transform_axes {
  std::vector<int> axes;
  std::vector<std::int64_t> lengths;

  std::int64_t length(int axis) const {
    return lengths[static_cast<std::size_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin())];
  }
};

transform_axes checked_axes(fft_function f, const dims& shape, const gd::optional_dims& s,
                            const gd::optional_dims& axes) {
  const int ndim = static_cast<int>(shape.size());
  transform_axes result;
  if (axes.given) {
    for (const std::int64_t axis : axes.value) result.axes.push_back(checked_axis(axis, ndim));
  } else {
    const int count = s.given ? static_cast<int>(s.value.size()) : ndim;
    for (int i = -count; i < 0; ++i) result.axes.push_back(checked_axis(i, ndim));
  }
  if (s.given && s.value.size() != result.axes.size())
    throw value_error("Shape and axes have different lengths.");
  if (result.axes.empty() && (takes_real(f) || gives_real(f)))
    throw index_error("a transform of or to real numbers needs an axis, and there is none");
  for (std::size_t i = 0; i < result.axes.size(); ++i) {
    const auto same = std::count(result.axes.begin(), result.axes.end(), result.axes[i]);
    if (same > 1)
      core::fail<value_error>("axis {} occurs twice: transform a sharded array along one after the other",
                              result.axes[i]);
    const std::int64_t size = shape[static_cast<std::size_t>(result.axes[i])];
    const bool half = gives_real(f) && i + 1 == result.axes.size();
    result.lengths.push_back(s.given && s.value[i] != -1 ? s.value[i]
                             : half && !s.given          ? 2 * (size - 1)
                                                         : size);
    check_length(result.lengths.back());
  }
  return result;
}

/// Those axes that are transformed before the array moves on to another layout, so that it moves once: what
/// is whole here and cut there, and beside those what is whole here and there; else all that is whole here.
/// Axes beside each other are transformed together.
bool has(const std::vector<int>& list, int axis) {
  return std::find(list.begin(), list.end(), axis) != list.end();
}

std::vector<int> before_moving(const std::vector<int>& axes, const placement& at,
                               const distributed::layout& to) {
  std::vector<int> whole, first;
  for (const int axis : axes)
    if (!is_cut(at, static_cast<std::size_t>(axis))) whole.push_back(axis);
  for (const int axis : whole)
    if (to.mesh_axis(axis) >= 0) first.push_back(axis);
  if (first.empty()) return whole;
  for (std::size_t i = 0; i < first.size(); ++i)
    for (const int beside : {first[i] - 1, first[i] + 1})
      if (has(whole, beside) && !has(first, beside)) first.push_back(beside);
  return first;
}

/// One process transforms in this order, and each line has the same bits then, if none come before others.
std::vector<int> in_order(fft_function f, const transform_axes& all, bool real_first, const placement& at,
                          const std::vector<int>& before) {
  std::vector<int> order = all.axes;
  const int last = order.back();
  std::sort(order.begin(), order.end(), std::greater<>());
  if (!before.empty()) {  // behind these what is cut, for which the array moves
    std::stable_partition(order.begin(), order.end(),
                          [&](int axis) { return is_cut(at, static_cast<std::size_t>(axis)); });
    std::stable_partition(order.begin(), order.end(), [&](int axis) { return has(before, axis); });
  }
  if (!real_first && !gives_real(f)) return order;
  order.erase(std::find(order.begin(), order.end(), last));
  order.insert(gives_real(f) ? order.end() : order.begin(), last);
  return order;
}

/// In the layout, if there is one to go to.
node_ptr arrived(const node_ptr& a, const distributed::layout* to) { return to ? resharded(a, *to) : a; }

}  // namespace

node_ptr fft(fft_function f, const node_ptr& a, gd::slice_end n, int axis, std::string_view norm,
             const distributed::layout* to) {
  const int along = checked_axis(axis, static_cast<int>(a->where.shape.size()));
  const std::int64_t size = a->where.shape[static_cast<std::size_t>(along)];
  const std::int64_t length = n.given ? n.value : gives_real(f) ? 2 * (size - 1) : size;
  check_length(length);
  const double scale = scale_of(f, static_cast<double>(length), norm);
  if (is_cut_vector(a))
    return arrived(converted(vector_transform(f, a, length, scale), gd::fft_result(f, a->type)), to);
  traveller x(a, to);
  x.make_whole(along, {});
  x.transform({along},
              [&](const any_array& part) { return gd::fft(f, operand(part), length, along, norm, nullptr); });
  return x.at_home();
}

node_ptr fftn(fft_function f, const node_ptr& a, const gd::optional_dims& s, const gd::optional_dims& axes,
              std::string_view norm, const distributed::layout* to) {
  const transform_axes all = checked_axes(f, a->where.shape, s, axes);
  double points = 1;
  for (const std::int64_t length : all.lengths) points *= static_cast<double>(length);
  const double scale = scale_of(f, points, norm);
  if (is_cut_vector(a) && all.axes.size() == 1)
    return arrived(converted(vector_transform(f, a, all.lengths[0], scale), gd::fftn_result(f, a->type)), to);
  traveller x(a, to);
  if (all.axes.empty())
    x.transform(
        {}, [&](const any_array& part) { return gd::fftn(f, operand(part), none, dims{}, norm, nullptr); });
  // Of real numbers half the spectrum is enough along one axis. Where one rank mirrors it along all of them
  // several would have to send it.
  const bool real_alone = f == fft_function::fft && !is_complex(a->type) && all.axes.size() > 1;
  const std::vector<int> before = to ? before_moving(all.axes, a->where, *to) : std::vector<int>(),
                         order = all.axes.empty()
                                     ? all.axes
                                     : in_order(f, all, takes_real(f) || real_alone, a->where, before);
  double factor = scale;
  const auto owe = [&] { x.owe(std::exchange(factor, 1)); };
  const auto moves_between = [&](int one, int next) { return has(before, one) != has(before, next); };
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    x.make_whole(order[first], {order.begin() + static_cast<std::ptrdiff_t>(first), order.end()});
    end = first + 1;
    while (end < order.size() && x.has_whole(order[end]) && !moves_between(order[first], order[end]) &&
           !(real_alone && first == 0))
      ++end;
    const bool begins = first == 0, ends = end == order.size();
    fft_function step = is_inverse(f) ? fft_function::ifft : fft_function::fft;
    if (begins && takes_real(f)) step = f;
    if (ends && gives_real(f)) step = f;
    // That of or to real numbers is the last of the list.
    std::vector<int> along(order.begin() + static_cast<std::ptrdiff_t>(first),
                           order.begin() + static_cast<std::ptrdiff_t>(end));
    if (step == f && takes_real(f)) std::rotate(along.begin(), along.begin() + 1, along.end());
    // Axes that are not beside each other are transformed by themselves: together they would be read in
    // strides.
    std::vector<std::pair<dims, dims>> calls;
    for (std::size_t i = 0; i < along.size(); ++i) {
      const bool apart =
          i > 0 && std::abs(along[i] - along[i - 1]) != 1 && !takes_real(step) && !gives_real(step);
      if (calls.empty() || apart) calls.emplace_back();
      calls.back().first.push_back(along[i]);
      calls.back().second.push_back(all.length(along[i]));
    }
    // Those of several steps have no factor.
    const bool alone = begins && ends && calls.size() == 1;
    if (alone) factor = 1;
    const std::string_view of_step = alone ? norm : is_inverse(f) ? "forward" : "backward";
    const auto f_of_part = [&](const any_array& part) {
      any_array made = part;
      for (const auto& [list, lengths] : calls)
        made = gd::fftn(step, operand(made), lengths, list, of_step, nullptr);
      return made;
    };
    if (ends) {
      x.transform(along, f_of_part);
    } else {
      // On the way to another layout the factor comes between two transforms, for which it makes no
      // difference but rounding.
      if (to) owe();
      x.transform_and_make_whole(along, f_of_part, order[end],
                                 {order.begin() + static_cast<std::ptrdiff_t>(end), order.end()});
    }
  }
  owe();
  return x.at_home();
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
