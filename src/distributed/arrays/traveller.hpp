// An array on its way through operations that want one axis after the other as a whole.
#pragma once
#include <functional>
#include <optional>

#include <distributed/arrays/node.hpp>

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
  /// A factor of all elements, which costs nothing when they move.
  void owe(double factor) { owed_ *= factor; }
  /// Axes that are cut there, and have the same size, have the same boundaries again.
  node_ptr at_home();

 private:
  void become(const std::vector<int>& axes, const any_array& part);
  int mesh_axis_at_home(std::size_t axis) const;
  void go(const std::shared_ptr<const mesh_state>& ranks, const std::vector<int>& cut_along);
  void go(const distributed::layout& to);

  std::shared_ptr<shard> now_;
  placement home_;
  double owed_ = 1;
  std::optional<distributed::layout> goal_;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
