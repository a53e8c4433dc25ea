// What any_sharded refers to: elements, windows of them, and operations on these.
#pragma once
#include <distributed/arrays/shard.hpp>

#include <gparray/distributed/any_sharded.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// What has to be there of neighbours' elements before an expression can be computed somewhere.
using halo_needs = std::vector<std::pair<std::shared_ptr<shard>, halo>>;

class node {
 public:
  node(std::shared_ptr<const placement> at, dtype of_elements)
      : place(std::move(at)), where(*place), type(of_elements) {}
  node(placement at, dtype of_elements)
      : node(std::make_shared<const placement>(std::move(at)), of_elements) {}
  node(const node&) = delete;
  node& operator=(const node&) = delete;
  virtual ~node() = default;

  /// This rank's value of the elements in the box, to be computed where axes lie as `target` says. For that
  /// need() has been told of the target, and what it asked for is there.
  virtual any_array value(const box& wanted, const std::vector<axis_place>& target) const = 0;
  /// Adds what has to be fetched. Throws value_error if the target is of another layout.
  virtual void need(const std::vector<axis_place>& target, halo_needs& halos) const = 0;
  /// Whether it stays unevaluated until its place is known.
  virtual bool waits() const = 0;

  const std::shared_ptr<const placement> place;
  const placement& where;  // *place; ranks: null for what every rank has, wherever it is used
  const dtype type;
};

/// For each axis of a window: what it takes of the axis of the array.
struct window_axis {
  enum class kind_type : unsigned char { slice, number, newaxis } kind = kind_type::slice;
  std::int64_t start = 0, step = 1, size = 0;  // of a number: start
};

/// Elements in memory: all of a shard, or a window of them.
class leaf final : public node {
 public:
  explicit leaf(std::shared_ptr<shard> s);
  leaf(std::shared_ptr<shard> s, std::vector<window_axis> items, std::uint64_t version);

  any_array value(const box& wanted, const std::vector<axis_place>& target) const override;
  void need(const std::vector<axis_place>& target, halo_needs& halos) const override;
  bool waits() const override { return window_; }

  const std::shared_ptr<shard>& of() const { return shard_; }
  const std::vector<window_axis>& items() const { return items_; }
  /// The same, which fails to be read once the elements have been written to.
  std::shared_ptr<const leaf> as_it_is_now() const;
  /// Whether it is all of a shard.
  bool whole() const { return !window_; }
  /// Whether a number selects a place on an axis that is cut, and whether this rank has it.
  bool pinned() const { return pinned_; }
  bool has_pin() const;
  /// What it is of a pinned window, sent to all ranks along the axes of the numbers. These must call it.
  node_ptr everywhere() const;
  /// The view of this rank's part of the window; has_pin() must be true.
  any_array own_view() const { return view(where.own()); }
  /// The same with elements beside it, which are here.
  any_array view_with(const halo& beside) const { return view(own_with(where, beside)); }
  /// The elements of the shard that it has, of all ranks, if it is such a box.
  std::optional<box> written_box() const;

 private:
  any_array view(const box& wanted) const;
  /// Throws value_error if it was written to since.
  void check_version() const;

  std::shared_ptr<shard> shard_;
  std::vector<window_axis> items_;
  std::uint64_t version_ = 0;  // 0: whatever is there
  bool window_ = false, pinned_ = false;
};

/// An array that every rank has.
class replicated_node final : public node {
 public:
  explicit replicated_node(const any_array& a);
  any_array value(const box& wanted, const std::vector<axis_place>& target) const override;
  void need(const std::vector<axis_place>&, halo_needs&) const override {}
  bool waits() const override { return false; }

 private:
  any_array array_;
};

/// An element-wise operation.
class operation_node final : public node {
 public:
  operation_node(placement at, dtype result, std::vector<node_ptr> operands, operation f)
      : node(std::move(at), result), operands_(std::move(operands)), f_(std::move(f)) {}
  any_array value(const box& wanted, const std::vector<axis_place>& target) const override;
  void need(const std::vector<axis_place>& target, halo_needs& halos) const override;
  bool waits() const override { return true; }

 private:
  std::vector<node_ptr> operands_;
  operation f_;
};

/// Fetches what a node needs, and computes its part there.
any_array evaluated(const node& a, const placement& at);
/// A new shard with a node's values, where it is.
std::shared_ptr<shard> stored(const node& a);
/// The shard whose part is the node's: its own if it is all of one.
std::shared_ptr<shard> shard_of(const node_ptr& a);
node_ptr node_of(std::shared_ptr<shard> s);
/// An array of which this rank has `part`.
node_ptr node_of(std::shared_ptr<const placement> at, any_array part);
node_ptr node_of(placement at, any_array part);
/// That part of the elements of a box.
any_array view_in(const any_array& a, const box& of, const box& part);
/// The elements that this rank wants, where wanted_by(rank) says what each wants, times a factor. All ranks
/// must call it; errors name the operation.
any_array redistributed(const shard& a, const std::function<box(int)>& wanted_by, double factor = 1,
                        const char* operation = "reshard");
/// In another layout, times a factor; the array itself, as it is, if that is its layout.
node_ptr resharded(const node_ptr& a, const distributed::layout& to, double factor);
/// Throws value_error if both are of ranks, and these are on different meshes.
void check_mesh(const placement& at, const node& x);
/// Throws value_error: what is on different layouts, and the way out.
[[noreturn]] void throw_layouts_differ(const char* what, std::size_t axis);

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
