// A part that is computed in pieces, each of which is on its way to another layout while the next is
// computed.
#pragma once
#include <functional>
#include <vector>

#include <distributed/arrays/shard.hpp>

#include <gparray/distributed/layout.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// What is made of a part along axes that a rank has as a whole, and whose sizes it may change; elsewhere
/// each piece of a part by itself.
struct step_of_parts {
  std::vector<int> axes;
  std::function<any_array(const any_array& part)> f;
};

/// The layout for a shape.
using layout_for = std::function<distributed::layout(const dims& shape)>;

/// In how many pieces that is worth it, alike on all ranks; 1: in one, and then the move by itself.
int pieces_of(const shard& a, const std::vector<int>& axes);
/// The step's result in the layout for its shape.
std::shared_ptr<shard> made_on_the_way(const shard& a, const step_of_parts& step, int pieces,
                                       const layout_for& to);

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
