// Fourier transforms: along one axis after the other, each of which a rank has as a whole when its turn
// comes.
#include <algorithm>
#include <cmath>

#include <distributed/arrays/merge.hpp>

#include <gparray/distributed/fft.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

bool is_cut(const placement& at, std::size_t axis) {
  const axis_place& place = at.axes[axis];
  return !place.whole() && at.ranks->shape[static_cast<std::size_t>(place.mesh_axis)] > 1;
}

bool is_in(const std::vector<int>& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), static_cast<int>(axis)) != axes.end();
}

/// An array that changes its layout from transform to transform, and at last returns to its own.
class traveller {
 public:
  explicit traveller(const node_ptr& a)
      : now_(shard_of(a)), home_(*now_->where()->layout().place(now_->where()->shape)) {}

  bool has_whole(int axis) const { return !is_cut(*now_->where(), static_cast<std::size_t>(axis)); }

  /// Cuts another axis in place of this one, rather none of those that are to be transformed later.
  void make_whole(int axis, const std::vector<int>& later) {
    const auto a = static_cast<std::size_t>(axis);
    const placement& at = *now_->where();
    if (!is_cut(at, a)) return;
    const int mesh_axis = at.axes[a].mesh_axis;
    std::optional<std::size_t> best;
    const auto merit = [&](std::size_t other) {
      return std::tuple(!is_in(later, other), home_.axes[other].mesh_axis == mesh_axis, at.shape[other]);
    };
    for (std::size_t other = 0; other < at.axes.size(); ++other)
      if (other != a && !is_cut(at, other) && (!best || merit(other) > merit(*best))) best = other;
    if (best) {
      std::vector<int> cut_along;
      for (std::size_t i = 0; i < at.axes.size(); ++i)
        cut_along.push_back(i == *best ? mesh_axis : is_cut(at, i) && i != a ? at.axes[i].mesh_axis : -1);
      return go(at.ranks, cut_along);
    }
    // All axes are cut: for a while one alone is, for all ranks.
    std::size_t largest = a == 0 ? 1 : 0;
    for (std::size_t other = 0; other < at.axes.size(); ++other)
      if (other != a && at.shape[other] > at.shape[largest]) largest = other;
    std::vector<int> cut_along(at.axes.size(), -1);
    cut_along[largest] = 0;
    go(mesh(at.ranks->world).state(), cut_along);
  }

  /// f of the part of this rank, along axes that are whole.
  template<class F>
  void transform(const std::vector<int>& axes, const F& f) {
    const any_array part = f(now_->own());
    placement at = *now_->where();
    for (const int axis : axes) {
      const auto a = static_cast<std::size_t>(axis);
      if (part.shape(axis) != at.shape[a]) at.axes[a] = {};
      at.shape[a] = part.shape(axis);
    }
    now_ = std::make_shared<shard>(std::make_shared<const placement>(std::move(at)), part);
  }

  node_ptr at_home() {
    std::vector<int> cut_along;
    for (const axis_place& place : home_.axes) cut_along.push_back(place.mesh_axis);
    go(home_.ranks, cut_along);
    return node_of(now_);
  }

 private:
  /// Axes that are cut as they were at home, and have the same size, have the same boundaries too.
  void go(const std::shared_ptr<const mesh_state>& ranks, const std::vector<int>& cut_along) {
    layout_state to{ranks, cut_along, {}};
    const dims& shape = now_->where()->shape;
    for (std::size_t a = 0; a < cut_along.size(); ++a) {
      const bool as_at_home =
          ranks == home_.ranks && cut_along[a] == home_.axes[a].mesh_axis && shape[a] == home_.shape[a];
      to.given.push_back(as_at_home ? home_.axes[a].cuts : nullptr);
    }
    now_ = shard_of(
        resharded(node_of(now_), distributed::layout(std::make_shared<const layout_state>(std::move(to)))));
  }

  std::shared_ptr<shard> now_;
  placement home_;
};

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

/// All elements times a real number.
void multiply(const any_array& a, double factor) {
  if (factor == 1 || a.size() == 0) return;
  const dtype real = real_dtype(a.dtype());
  const any_array numbers = is_complex(a.dtype()) ? gd::view_as(a, real) : a;
  const any_array by = gd::create_full({}, real, {.device = a.device()}, gd::constant(factor));
  const gd::argument two[] = {operand(numbers), operand(by)};
  const any_array product = gd::make_expression(ufunc::multiply, real, two);
  gd::assign(numbers, operand(product));
}

void check_vector_is_whole(const placement& at) {
  if (at.axes.size() == 1 && is_cut(at, 0))
    throw value_error(
        "a transform of a vector that is cut: there is no other axis to cut in its place; reshard it to "
        "layout::replicated, or make it a matrix of rows that are transformed");
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

/// One process transforms in this order, and each line has the same bits then.
std::vector<int> in_order(fft_function f, const transform_axes& all, bool real_first) {
  std::vector<int> order = all.axes;
  const int last = order.back();
  std::sort(order.begin(), order.end(), std::greater<>());
  if (!real_first && !gives_real(f)) return order;
  order.erase(std::find(order.begin(), order.end(), last));
  order.insert(gives_real(f) ? order.end() : order.begin(), last);
  return order;
}

}  // namespace

node_ptr fft(fft_function f, const node_ptr& a, gd::slice_end n, int axis, std::string_view norm) {
  const int along = checked_axis(axis, static_cast<int>(a->where.shape.size()));
  const std::int64_t size = a->where.shape[static_cast<std::size_t>(along)];
  const std::int64_t length = n.given ? n.value : gives_real(f) ? 2 * (size - 1) : size;
  check_length(length);
  scale_of(f, 1, norm);
  check_vector_is_whole(a->where);
  traveller x(a);
  x.make_whole(along, {});
  x.transform({along},
              [&](const any_array& part) { return gd::fft(f, operand(part), length, along, norm, nullptr); });
  return x.at_home();
}

node_ptr fftn(fft_function f, const node_ptr& a, const gd::optional_dims& s, const gd::optional_dims& axes,
              std::string_view norm) {
  const transform_axes all = checked_axes(f, a->where.shape, s, axes);
  double points = 1;
  for (const std::int64_t length : all.lengths) points *= static_cast<double>(length);
  const double scale = scale_of(f, points, norm);
  check_vector_is_whole(a->where);
  traveller x(a);
  if (all.axes.empty())
    x.transform(
        {}, [&](const any_array& part) { return gd::fftn(f, operand(part), none, dims{}, norm, nullptr); });
  // Of real numbers half the spectrum is enough along one axis. Where one rank mirrors it along all of them
  // several would have to send it.
  const bool real_alone = f == fft_function::fft && !is_complex(a->type) && all.axes.size() > 1;
  const std::vector<int> order = all.axes.empty() ? all.axes : in_order(f, all, takes_real(f) || real_alone);
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    x.make_whole(order[first], {order.begin() + static_cast<std::ptrdiff_t>(first), order.end()});
    end = first + 1;
    while (end < order.size() && x.has_whole(order[end]) && !(real_alone && first == 0)) ++end;
    const bool begins = first == 0, ends = end == order.size();
    fft_function step = is_inverse(f) ? fft_function::ifft : fft_function::fft;
    if (begins && takes_real(f)) step = f;
    if (ends && gives_real(f)) step = f;
    // That of or to real numbers is the last of the list.
    std::vector<int> along(order.begin() + static_cast<std::ptrdiff_t>(first),
                           order.begin() + static_cast<std::ptrdiff_t>(end));
    if (step == f && takes_real(f)) std::rotate(along.begin(), along.begin() + 1, along.end());
    dims list, lengths;
    for (const int axis : along) {
      list.push_back(axis);
      lengths.push_back(all.length(axis));
    }
    // Those of several steps have no factor, and the last is followed by it.
    const std::string_view of_step = begins && ends ? norm : is_inverse(f) ? "forward" : "backward";
    x.transform(along, [&](const any_array& part) {
      const any_array made = gd::fftn(step, operand(part), lengths, list, of_step, nullptr);
      if (ends && !begins) multiply(made, scale);
      return made;
    });
  }
  return x.at_home();
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
