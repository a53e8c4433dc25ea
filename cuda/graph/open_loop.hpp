// What the recorder of graphs knows of a loop while its body is recorded.
#pragma once
#include <optional>

#include <cuda/fusion/persistent_trace.hpp>
#include <cuda/graph/graph.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct graph_recorder::open_loop {
  queue outer, body;
  cudaGraphNode_t first_condition;  // the kernel node in front of the conditional one; null if not known
  std::optional<persistent_trace> trace;  // none if there is no compiler to make use of it

  open_loop(queue q, queue of_body, cudaGraphNode_t condition)
      : outer(q), body(of_body), first_condition(condition) {}
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
