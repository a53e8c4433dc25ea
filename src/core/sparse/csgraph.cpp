// Components of graphs.
#include <numeric>
#include <span>

#include <core/sparse/sparse.hpp>
#include <gparray/sparse/csgraph.hpp>
#include <support/errors.hpp>
#include <support/log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using vertex = std::int32_t;

/// Of csr: where the edges of each vertex begin, and lead.
template<class Index>
struct graph {
  std::span<const Index> starts, ends;
  vertex count;
};

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

template<class Index>
vertex weak_components(const graph<Index>& g, std::vector<vertex>& labels) {
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
  for (vertex v = 0; v < g.count; ++v) {
    vertex own = root(v);
    for (auto e = static_cast<std::size_t>(g.starts[static_cast<std::size_t>(v)]);
         e < static_cast<std::size_t>(g.starts[static_cast<std::size_t>(v) + 1]); ++e) {
      const vertex other = root(static_cast<vertex>(g.ends[e]));
      // The earlier one stays, so that few vertices that come later have to look far.
      parent[static_cast<std::size_t>(std::max(own, other))] = std::min(own, other);
      own = std::min(own, other);
    }
  }
  for (vertex v = 0; v < g.count; ++v) labels[static_cast<std::size_t>(v)] = root(v);
  return renumber(labels);
}

/// Tarjan's algorithm with a stack of its own: graphs may be deep.
template<class Index>
class strong_components {
 public:
  strong_components(const graph<Index>& g, std::vector<vertex>& labels)
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
    path_.push_back({v, std::int64_t{g_.starts[i + 1]} - g_.starts[i]});
  }

  void walk(vertex first) {
    enter(first);
    while (!path_.empty()) {
      visit& p = path_.back();
      const auto v = static_cast<std::size_t>(p.at);
      if (p.edges_left > 0) {
        const auto edge = static_cast<std::size_t>(g_.starts[v] + --p.edges_left);
        const auto to = static_cast<vertex>(g_.ends[edge]);
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

  const graph<Index> g_;
  std::vector<vertex>& labels_;
  std::vector<vertex> order_, low_, open_;
  std::vector<visit> path_;
  vertex next_ = 0, found_ = 0;
};

template<class Index>
vertex label(const any_array& starts, const any_array& ends, bool strong, std::vector<vertex>& labels) {
  const auto list = [](const any_array& x) {
    return std::span(static_cast<const Index*>(x.raw_data()), static_cast<std::size_t>(x.size()));
  };
  const graph<Index> g{list(starts), list(ends), static_cast<vertex>(labels.size())};
  return strong ? strong_components<Index>(g, labels).run() : weak_components(g, labels);
}

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
  const sparse_parts rows = sparse_convert(a, sparse::format::csr);
  const auto on_host = [&](const any_array& indices) {
    return to_device(contiguous(indices, rows.index_dtype()), gparray::device::cpu(), nullptr);
  };
  const any_array starts = on_host(rows.major), ends = on_host(rows.minor);
  std::vector<vertex> labels(static_cast<std::size_t>(a.rows));
  const bool strong = options.directed && options.connection == "strong";
  const vertex n = rows.index_dtype() == gparray::dtype::int32
                       ? label<std::int32_t>(starts, ends, strong, labels)
                       : label<std::int64_t>(starts, ends, strong, labels);
  return {n, typed<vertex>(from_host(labels.data(), {a.rows}, gparray::dtype::int32, a.device()))};
}

}  // namespace detail
GPARRAY_END_NAMESPACE
