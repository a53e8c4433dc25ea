// Components of graphs.
#include <numeric>

#include <core/sparse/filter.hpp>
#include <gparray/sparse/csgraph.hpp>
#include <support/errors.hpp>
#include <support/log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using vertex = std::int32_t;

/// Of csr, on the CPU: where the edges of each vertex begin, and lead.
template<class Index>
struct graph {
  vertex count;
  const Index *starts, *ends;
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
    for (Index e = g.starts[v]; e < g.starts[v + 1]; ++e) {
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
        const auto to = static_cast<vertex>(g_.ends[g_.starts[v] + --p.edges_left]);
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

  const graph<Index>& g_;
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
  const sparse_parts rows = sparse_convert(a, sparse::format::csr);
  const any_array starts = to_device(rows.major, gparray::device::cpu(), nullptr),
                  ends = to_device(rows.minor, gparray::device::cpu(), nullptr);
  std::vector<vertex> labels(static_cast<std::size_t>(a.rows));
  const bool strong = options.directed && options.connection == "strong";
  const vertex n = with_index_of(rows, [&]<class Index>(Index) {
    const graph<Index> g{static_cast<vertex>(a.rows), static_cast<const Index*>(starts.raw_data()),
                         static_cast<const Index*>(ends.raw_data())};
    return strong ? strong_components<Index>(g, labels).run() : weak_components(g, labels);
  });
  return {n, typed<vertex>(from_host(labels.data(), {a.rows}, gparray::dtype::int32, a.device()))};
}

}  // namespace detail
GPARRAY_END_NAMESPACE
