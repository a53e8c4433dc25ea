// An array on its way through operations that want one axis after the other as a whole.
#pragma once
#include <functional>
#include <optional>

#include <distributed/arrays/node.hpp>
#include <distributed/collectives/one_sided.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// Whether ranks have different elements along an axis.
bool is_cut(const placement& at, std::size_t axis);
/// The layout of a place for arrays of other sizes along some axes, which get even blocks.
distributed::layout layout_like(const placement& like, const std::function<bool(std::size_t)>& is_resized);

/// An array that changes its layout from step to step, and at last returns to its own, or comes to another.
class traveller {
 public:
  explicit traveller(const node_ptr& a, const distributed::layout* goal = nullptr);

  bool has_whole(int axis) const { return !is_cut(*now_->where(), static_cast<std::size_t>(axis)); }
  /// The first element of an axis that is on this rank.
  std::int64_t offset(int axis) const { return now_->where()->own(static_cast<std::size_t>(axis)).begin; }
  node_ptr here() const { return node_of(now_); }

  /// Cuts another axis in place of this one, rather none of those that are wanted later.
  void make_whole(int axis, const std::vector<int>& later);
  /// f of the part of this rank, which changes no size but of these axes, which are whole.
  template<class F>
  void transform(const std::vector<int>& axes, const F& f) {
    become(axes, f(now_->own()));
  }
  /// The same, and then make_whole(next, later): on GPUs in pieces, of which one travels while others are
  /// computed. f works along the axes alone, and its result is not the array it was given.
  void transform_and_make_whole(const std::vector<int>& axes,
                                const std::function<any_array(const any_array&)>& f, int next,
                                const std::vector<int>& later);
  /// A factor of all elements, which costs nothing when they move.
  void owe(double factor) { owed_ *= factor; }
  /// Axes that are cut there, and have the same size, have the same boundaries again.
  node_ptr at_home();

 private:
  void become(const std::vector<int>& axes, const any_array& part);
  /// The layout that make_whole() goes to from a place.
  distributed::layout layout_with_whole(const placement& at, int axis, const std::vector<int>& later) const;
  bool transform_in_pieces(const std::vector<int>& axes, const std::function<any_array(const any_array&)>& f,
                           int next, const std::vector<int>& later);
  int mesh_axis_at_home(std::size_t axis) const;
  distributed::layout layout_of(const placement& at, const std::shared_ptr<const mesh_state>& ranks,
                                const std::vector<int>& cut_along) const;
  void go(const distributed::layout& to);

  std::shared_ptr<shard> now_;
  placement home_;
  double owed_ = 1;
  std::optional<distributed::layout> goal_;
  // now_ lies where it came to, until something is made of it.
  std::optional<transport> transport_;
  std::unique_ptr<one_sided> arrived_;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
