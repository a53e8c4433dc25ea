// Halos for several writes: an exchange for each of them costs a message's latency, however few rows travel.
#pragma once
#include <optional>
#include <vector>

#include <distributed/arrays/node.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// A write to a box of an array, as in the steps of a stencil. Where neighbours' elements have to be fetched
/// for it, more of them are than it needs, and each rank also writes beside its own elements what its
/// neighbours write there: the same bits. The next write then finds its halo there, some rows less, until
/// nothing is left of it.
///
/// All ranks decide the same, from shapes and from what was fetched.
class deep_halo {
 public:
  /// Adds to what is to be fetched of the sources. They, and the list, must outlive this.
  deep_halo(shard& target, const box& inside, halo_needs& sources);

  /// To be called when the sources have come: how far beside its own elements each rank is to write. It may
  /// fetch what of the target lies there outside the box.
  halo reach();

 private:
  void deepen();
  std::int64_t writes_for_one_fetch(int mesh_axis, std::int64_t width) const;

  shard& target_;
  const box inside_;
  halo_needs& sources_;
  std::vector<halo> needed_;    // of each source, for the target's own elements
  std::optional<halo> wanted_;  // to be written beside these when something is fetched
  bool used_ = false;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
