// Loops of all ranks whose rounds are recorded once.
#pragma once
#include <gparray/distributed/communicator.hpp>
#include <gparray/graph.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {
GPARRAY_API std::int64_t while_loop(const any_array& condition, const std::function<void()>& body,
                                    const while_options& options);
}

/// Runs `body` as long as `condition`, an array of one element that the body writes into, is true, at most
/// max_iterations times. Returns how often it ran. Every rank must call it, and have the same condition,
/// which what all ranks have reduced is.
///
///   gp::ndarray<bool> go_on = gp::full({}, true);
///   gd::while_loop(go_on, [&] {
///     for (int i = 0; i < 8; ++i) q("1:-1") = step(p), p("1:-1") = step(q);
///     go_on(gp::ellipsis) = gp::linalg::norm(p - q) > tolerance;
///   });
///
/// On the CPU this is a plain loop. On GPUs the first two rounds are done as they are; the third is recorded
/// under the rules of capture(), messages between ranks included, and launched until the condition is false,
/// which the host waits for after each round. So values are carried over by writing into arrays, not by
/// giving a name a new one, and a round had better be many steps. Threads of one process that have a GPU each
/// do all rounds as they are.
///
/// Throws value_error if the condition does not have one element or max_iterations is negative.
template<class Body>
std::int64_t while_loop(const ndarray<bool>& condition, Body&& body, const while_options& options = {}) {
  return detail::while_loop(condition, std::function<void()>(std::ref(body)), options);
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
