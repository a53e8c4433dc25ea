// Components of graphs.
#include <numeric>

#include <core/sparse/sparse.hpp>
#include <gparray/sparse/csgraph.hpp>
#include <support/errors.hpp>
#include <support/log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using vertex = std::int32_t;

struct graph {
  std::vector<std::int64_t> starts, ends;  // of csr: where the edges of each vertex begin, and lead
  vertex count;
};

graph to_host(const sparse_parts& a) {
  const sparse_parts rows = sparse_convert(a, format::csr);
  const auto list = [](const any_array& x) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(x.size()));
    detail::copy_to_host(detail::as_type(x, dtype::int64), values.data());
    return values;
  };
  return {list(rows.major), list(rows.minor), static_cast<vertex>(a.rows)};
}

/// Numbers in the order in which they first occur.
vertex renumber(std::vector<vertex>& labels) {
  std::vector<vertex> names(labels.size(), -1);
  vertex next = 0;
  for (vertex& label : labels) {
    vertex& name = names[static_cast<std::size_t>(label)];
    if (name < 0) name = next++;
    label = name;
  }
  return next;
}

vertex weak_components(const graph& g, std::vector<vertex>& labels) {
  std::vector<vertex> parent(static_cast<std::size_t>(g.count));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](vertex v) {
    while (parent[static_cast<std::size_t>(v)] != v) {
      vertex& up = parent[static_cast<std::size_t>(v)];
      up = parent[static_cast<std::size_t>(up)];  // paths get shorter
      v = up;
    }
    return v;
  };
  for (vertex v = 0; v < g.count; ++v)
    for (std::int64_t e = g.starts[static_cast<std::size_t>(v)];
         e < g.starts[static_cast<std::size_t>(v) + 1]; ++e)
      parent[static_cast<std::size_t>(root(v))] =
          root(static_cast<vertex>(g.ends[static_cast<std::size_t>(e)]));
  for (vertex v = 0; v < g.count; ++v) labels[static_cast<std::size_t>(v)] = root(v);
  return renumber(labels);
}

/// Tarjan's algorithm with a stack of its own: graphs may be deep.
class strong_components {
 public:
  strong_components(const graph& g, std::vector<vertex>& labels)
      : g_(g), labels_(labels), order_(labels.size(), unseen), low_(labels.size()) {}

  vertex run() {
    for (vertex v = 0; v < g_.count; ++v)
      if (order_[static_cast<std::size_t>(v)] == unseen) walk(v);
    return found_;
  }

 private:
  static constexpr vertex unseen = -1;
  struct visit {
    vertex at;
    std::int64_t edges_left;
  };

  void enter(vertex v) {
    const auto i = static_cast<std::size_t>(v);
    order_[i] = low_[i] = next_++;
    labels_[i] = unseen;
    open_.push_back(v);
    // The last edge is followed first, as SciPy does, so that the components get its numbers.
    path_.push_back({v, g_.starts[i + 1] - g_.starts[i]});
  }

  void walk(vertex first) {
    enter(first);
    while (!path_.empty()) {
      visit& p = path_.back();
      const auto v = static_cast<std::size_t>(p.at);
      if (p.edges_left > 0) {
        const std::int64_t edge = g_.starts[v] + --p.edges_left;
        const auto to = static_cast<vertex>(g_.ends[static_cast<std::size_t>(edge)]);
        const auto w = static_cast<std::size_t>(to);
        if (order_[w] == unseen) enter(to);
        else if (labels_[w] == unseen) low_[v] = std::min(low_[v], order_[w]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) {
        vertex& up = low_[static_cast<std::size_t>(path_.back().at)];
        up = std::min(up, low_[v]);
      }
      if (low_[v] == order_[v]) close(static_cast<vertex>(v));
    }
  }

  void close(vertex root) {
    for (;;) {
      const vertex v = open_.back();
      open_.pop_back();
      labels_[static_cast<std::size_t>(v)] = found_;
      if (v == root) break;
    }
    ++found_;
  }

  const graph& g_;
  std::vector<vertex>& labels_;
  std::vector<vertex> order_, low_, open_;
  std::vector<visit> path_;
  vertex next_ = 0, found_ = 0;
};

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

sparse::csgraph::connected_components_result connected_components(
    const sparse_parts& a, const sparse::csgraph::connected_components_options& options) {
  if (options.connection != "weak" && options.connection != "strong")
    throw value_error("connection must be 'weak' or 'strong'");
  if (a.rows != a.columns) fail<value_error>("compressed-sparse graph must be shape (N, N)");
  if (a.rows > std::numeric_limits<vertex>::max()) throw overflow_error("a graph of more than 2^31 nodes");
  static warned before;
  if (a.device().is_cuda())
    warn(before, log_category::fallback, "connected_components of {} nodes on cuda:{} is computed by the CPU",
         a.rows, a.device().index());
  const graph g = core::to_host(a);
  std::vector<vertex> labels(static_cast<std::size_t>(g.count));
  const vertex n = options.directed && options.connection == "strong" ? strong_components(g, labels).run()
                                                                      : weak_components(g, labels);
  return {n, typed<vertex>(from_host(labels.data(), {a.rows}, gparray::dtype::int32, a.device()))};
}

}  // namespace detail
GPARRAY_END_NAMESPACE
