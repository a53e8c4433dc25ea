// SciPy's scipy.sparse.csgraph: sparse matrices as graphs, of which entry (i, j) is an edge from i to j.
#pragma once
#include <gparray/sparse/matrix.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace sparse::csgraph {

/// SciPy's keyword arguments of connected_components.
struct connected_components_options {
  /// Edges lead one way; else both.
  bool directed = true;
  /// Of directed graphs: "weak", connected if edges led both ways, or "strong", by paths there and back.
  std::string_view connection = "weak";
};

/// The result of connected_components.
struct connected_components_result {
  std::int64_t n_components;  ///< How many components there are.
  /// The component of each node, on the graph's device.
  ndarray<std::int32_t> labels;
};

}  // namespace sparse::csgraph

namespace detail {
GPARRAY_API sparse::csgraph::connected_components_result connected_components(
    const sparse_parts& graph, const sparse::csgraph::connected_components_options& options);
}

namespace sparse::csgraph {

/// The parts of a graph, an (N, N) matrix whose entries all count, zeros that are stored included:
/// `auto [n, labels] = connected_components(graph);`. By one walk over the edges in host memory (R. E. Tarjan
/// 1972 for strong ones), so that it waits. Throws value_error for another connection or shape.
template<sparse_like G>
connected_components_result connected_components(const G& graph,
                                                 const connected_components_options& options = {}) {
  return detail::connected_components(graph.parts(), options);
}

}  // namespace sparse::csgraph
GPARRAY_END_NAMESPACE
