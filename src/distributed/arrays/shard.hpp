// This rank's part of an array, with room for what neighbours have beside it.
#pragma once
#include <memory>

#include <distributed/arrays/placement.hpp>

#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// For each axis, how many elements before and behind the own block.
struct halo {
  dims low, high;

  explicit halo(std::size_t ndim) : low(dims::filled(ndim, 0)), high(dims::filled(ndim, 0)) {}
  void include(const halo& other);
  bool includes(const halo& other) const;
};

class shard {
 public:
  /// `part` are the own elements.
  shard(std::shared_ptr<const placement> at, any_array part);

  const std::shared_ptr<const placement>& where() const { return where_; }
  dtype type() const { return type_; }
  /// The own elements.
  any_array own() const;
  /// The same from a shard that nobody uses any more.
  any_array taken() { return has_room_ ? own() : std::move(padded_); }
  /// To be called before the elements of the box are written, if nobody reads them until then: of a large
  /// copy that nobody has looked at yet only those outside are copied.
  void overwrite(const box& inside);
  /// Elements of the box, own or fetched.
  any_array view(const box& b) const;
  /// The number of the last write.
  std::uint64_t version() const { return version_; }
  /// To be called by all ranks after any of them has written.
  void written();
  /// How often neighbours' elements were fetched.
  int exchanges() const { return exchanges_; }
  /// Fetches the elements beside the own block, unless they are there. All ranks must call it.
  void fetch(const halo& wanted);
  /// A new shard with the same values, and as much room as any that was copied from the same one has had.
  std::shared_ptr<shard> copy() const;

 private:
  void make_room(const halo& wanted);
  void exchange(std::size_t axis, const halo& wanted);
  range block(std::size_t axis) const;
  any_array view_of(const any_array& padded, const box& b) const;
  /// What of an axis a coordinate of the mesh wants to have.
  range wanted_by(std::size_t axis, std::int64_t coordinate, const halo& wanted) const;

  std::shared_ptr<const placement> where_;
  dtype type_;
  any_array padded_;  // begins at origin_
  dims origin_;
  halo room_, fresh_;
  std::shared_ptr<halo> usual_room_;  // of all copies
  bool has_room_ = false;             // padded_ is more than the own elements
  mutable bool is_unseen_ = false;    // padded_ is a copy that waits until somebody looks at it
  std::uint64_t version_ = 1;
  int exchanges_ = 0;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
