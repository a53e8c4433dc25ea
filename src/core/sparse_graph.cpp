// Components of graphs.
#include <core/errors.hpp>
#include <core/sparse.hpp>
#include <gparray/files.hpp>
#include <gparray/sparse/csgraph.hpp>

#include <numeric>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using node = std::int32_t;

struct graph {
  std::vector<std::int64_t> starts, ends;  // of csr: where the edges of each node begin, and lead
  node count;
};

graph to_host(const sparse_parts& a) {
  const sparse_parts rows = sparse_convert(a, format::csr);
  const auto list = [](const any_array& x) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(x.size()));
    detail::copy_to_host(detail::as_type(x, dtype::int64), values.data());
    return values;
  };
  return {list(rows.major), list(rows.minor), static_cast<node>(a.rows)};
}

/// Numbers in the order in which they first occur.
node renumber(std::vector<node>& labels) {
  std::vector<node> names(labels.size(), -1);
  node next = 0;
  for (node& label : labels) {
    node& name = names[static_cast<std::size_t>(label)];
    if (name < 0) name = next++;
    label = name;
  }
  return next;
}

node weak_components(const graph& g, std::vector<node>& labels) {
  std::vector<node> parent(static_cast<std::size_t>(g.count));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](node v) {
    while (parent[static_cast<std::size_t>(v)] != v) {
      node& up = parent[static_cast<std::size_t>(v)];
      up = parent[static_cast<std::size_t>(up)];  // paths get shorter
      v = up;
    }
    return v;
  };
  for (node v = 0; v < g.count; ++v)
    for (std::int64_t e = g.starts[static_cast<std::size_t>(v)];
         e < g.starts[static_cast<std::size_t>(v) + 1]; ++e)
      parent[static_cast<std::size_t>(root(v))] =
          root(static_cast<node>(g.ends[static_cast<std::size_t>(e)]));
  for (node v = 0; v < g.count; ++v) labels[static_cast<std::size_t>(v)] = root(v);
  return renumber(labels);
}

/// Tarjan's algorithm with a stack of its own: graphs may be deep.
class strong_components {
 public:
  strong_components(const graph& g, std::vector<node>& labels)
      : g_(g), labels_(labels), order_(labels.size(), unseen), low_(labels.size()) {}

  node run() {
    for (node v = 0; v < g_.count; ++v)
      if (order_[static_cast<std::size_t>(v)] == unseen) walk(v);
    return found_;
  }

 private:
  static constexpr node unseen = -1;
  struct place {
    node at;
    std::int64_t edges_left;
  };

  void enter(node v) {
    const auto i = static_cast<std::size_t>(v);
    order_[i] = low_[i] = next_++;
    labels_[i] = unseen;
    open_.push_back(v);
    // The last edge is followed first, as SciPy does, so that the components get its numbers.
    path_.push_back({v, g_.starts[i + 1] - g_.starts[i]});
  }

  void walk(node first) {
    enter(first);
    while (!path_.empty()) {
      place& p = path_.back();
      const auto v = static_cast<std::size_t>(p.at);
      if (p.edges_left > 0) {
        const std::int64_t edge = g_.starts[v] + --p.edges_left;
        const auto to = static_cast<node>(g_.ends[static_cast<std::size_t>(edge)]);
        const auto w = static_cast<std::size_t>(to);
        if (order_[w] == unseen) enter(to);
        else if (labels_[w] == unseen) low_[v] = std::min(low_[v], order_[w]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) {
        node& up = low_[static_cast<std::size_t>(path_.back().at)];
        up = std::min(up, low_[v]);
      }
      if (low_[v] == order_[v]) close(static_cast<node>(v));
    }
  }

  void close(node root) {
    for (;;) {
      const node v = open_.back();
      open_.pop_back();
      labels_[static_cast<std::size_t>(v)] = found_;
      if (v == root) break;
    }
    ++found_;
  }

  const graph& g_;
  std::vector<node>& labels_;
  std::vector<node> order_, low_, open_;
  std::vector<place> path_;
  node next_ = 0, found_ = 0;
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
  if (a.rows > std::numeric_limits<node>::max()) throw overflow_error("a graph of more than 2^31 nodes");
  const graph g = to_host(a);
  std::vector<node> labels(static_cast<std::size_t>(g.count));
  const node n = options.directed && options.connection == "strong" ? strong_components(g, labels).run()
                                                                    : weak_components(g, labels);
  return {n, typed<node>(from_host(labels.data(), {a.rows}, gparray::dtype::int32, a.device()))};
}

}  // namespace detail
GPARRAY_END_NAMESPACE
