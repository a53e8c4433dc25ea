// This rank's part of an array, with room for what neighbours have beside it.
#pragma once
#include <memory>
#include <utility>

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
  /// What both include.
  halo common(const halo& other) const;
};

/// What this rank has of an array or a window, and so much beside it.
box own_with(const placement& at, const halo& beside);

/// A loop of which a round is recorded, and repeated, once some rounds have run. What the halo of an array
/// has at the end of a round is not taken to be there at the beginning of the next one if the loop writes the
/// array. Of this thread; loops may be nested.
class recorded_rounds {
 public:
  recorded_rounds();
  ~recorded_rounds();
  recorded_rounds(const recorded_rounds&) = delete;
  recorded_rounds& operator=(const recorded_rounds&) = delete;
  void next_round(bool is_recorded);

  /// Whether there is one, and whether its round is being recorded.
  static bool active();
  static bool is_recording();
  /// The number of the round, and whether one before was another round of the same loop.
  static std::uint64_t now();
  static bool in_another_round(std::uint64_t then);

 private:
  std::uint64_t outer_;
};

class shard {
 public:
  /// `part` are the own elements.
  shard(std::shared_ptr<const placement> at, any_array part);

  const std::shared_ptr<const placement>& where() const { return where_; }
  dtype type() const { return type_; }
  device place() const { return padded_.device(); }
  /// The own elements.
  any_array own() const;
  /// The same from a shard that nobody uses any more.
  any_array taken() { return has_room_ ? own() : std::move(padded_); }
  /// To be called before the elements of the box are written, if nobody reads them until then: of a large
  /// copy that nobody has looked at yet only those outside are copied.
  void overwrite(const box& inside);
  /// How many of the neighbours' elements are here and as they are there.
  halo fresh() const;
  /// The same of those outside a box that is written time and again.
  halo fresh_around(const box& inside) const;
  /// Whether work is being recorded, not by a loop of ours: what is repeated finds there what is there then.
  bool is_recorded_alone() const;
  bool has_room(const halo& beside) const { return room_.includes(beside); }
  /// Whether this has been asked before of the array, or of one that it is a copy of.
  bool is_asked_again() { return std::exchange(usual_->asked, true); }
  /// Elements of the box, own or fetched.
  any_array view(const box& b) const;
  /// The number of the last write.
  std::uint64_t version() const { return version_; }
  /// To be called by all ranks after any of them has written.
  void written();
  /// The same if what was written is within a box, and each rank has written so many elements beside its own
  /// as their ranks have.
  void written(const box& inside, const halo& beside);
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
  halo room_, fresh_, fresh_around_;
  box inside_;  // fresh_around_ is of elements outside of it
  struct habits {
    halo room;
    bool asked = false;
  };
  std::shared_ptr<habits> usual_;   // of all copies
  bool is_computed_ = false;        // what is fresh was computed here
  std::uint64_t written_in_ = 0;    // which round
  bool has_room_ = false;           // padded_ is more than the own elements
  mutable bool is_unseen_ = false;  // padded_ is a copy that waits until somebody looks at it
  std::uint64_t version_ = 1;
  int exchanges_ = 0;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
