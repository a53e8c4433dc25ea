// Products of which each rank computes the rows and columns that it has. What it needs for that of others
// comes in panels, so that it never has much more than its part.
#include <distributed/arrays/merge.hpp>

#include <gparray/distributed/products.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// Rows of b that are multiplied at once where both operands travel. The depth is part of the result: it
/// fixes the order of additions.
constexpr std::int64_t panel_depth = 2048;

any_array product(const any_array& a, const any_array& b, dtype type) {
  return gd::multiply(gd::product::matmul, operand(a), operand(b), type);
}

/// A product that is being computed: the parts of this rank, and where the axes lie that are kept and summed.
class multiplication {
 public:
  multiplication(const shard& a, const shard& b, std::shared_ptr<const mesh_state> ranks, dtype type)
      : ranks_(std::move(ranks)), a_(a.own()), b_(b.own()), type_(type) {
    const placement &of_a = *a.where(), &of_b = *b.where();
    depth_ = of_a.shape.back();
    if (of_a.axes.size() == 2) {
      rows_ = of_a.axes[0];
      n_rows_ = of_a.shape[0];
    }
    if (of_b.axes.size() == 2) {
      columns_ = of_b.axes[1];
      n_columns_ = of_b.shape[1];
    }
    left_ = of_a.axes.back();
    right_ = of_b.axes[0];
  }

  node_ptr run(std::int64_t panel) {
    const int rows = cut(rows_), columns = cut(columns_), left = cut(left_), right = cut(right_);
    any_array c;
    if (left >= 0 && right >= 0 && left != right) c = by_depth();
    else if (left >= 0 && right < 0 && columns == left) c = by_rows(left, panel);
    else if (right >= 0 && left < 0 && rows == right) c = by_columns(right, 0, panel);
    else if (left >= 0 || right >= 0) c = by_parts(left >= 0 ? left : right);
    else if (rows >= 0 && rows == columns) c = by_columns(rows, 1, panel);
    else c = product(a_, b_, type_);
    return node_of(place(), as(c, type_));
  }

 private:
  /// The axis of the mesh along which there is something elsewhere; -1: there is not.
  int cut(const axis_place& place) const {
    return place.whole() || ranks_->shape[static_cast<std::size_t>(place.mesh_axis)] == 1 ? -1
                                                                                          : place.mesh_axis;
  }
  const communicator& line(int mesh_axis) const { return ranks_->lines[static_cast<std::size_t>(mesh_axis)]; }
  range own(const axis_place& place, std::int64_t n) const {
    return place.own(ranks_->coordinates[static_cast<std::size_t>(place.mesh_axis)], n);
  }
  /// In which sums are added up that are not rounded yet.
  dtype wide() const { return is_floating(type_) && itemsize(type_) == 2 ? dtype::float32 : type_; }
  op sums() const { return type_ == dtype::bool_ ? op::any : op::sum; }
  int last_of_a() const { return a_.ndim() - 1; }

  placement place() const {
    placement at{ranks_, {}, {}};
    if (a_.ndim() == 2) {
      at.shape.push_back(n_rows_);
      at.axes.push_back(rows_);
    }
    if (b_.ndim() == 2) {
      at.shape.push_back(n_columns_);
      at.axes.push_back(columns_.mesh_axis == rows_.mesh_axis ? axis_place{} : columns_);
    }
    return at;
  }

  /// Where to cut n rows or columns into panels, so many elements in all, alike on all ranks of a line.
  std::vector<std::int64_t> panels(std::int64_t n, std::int64_t elements, const any_array& of, int mesh_axis,
                                   std::int64_t panel) const {
    const std::int64_t bytes = elements * static_cast<std::int64_t>(itemsize(of.dtype()));
    // What travels beside products takes no time but for the first panel.
    const int most = std::max(line(mesh_axis).size(), of.device().is_cpu() ? 1 : 8);
    const std::int64_t some = std::clamp<std::int64_t>((bytes + panel - 1) / panel, 1, most);
    return even_cuts(n, static_cast<int>(std::min(std::max<std::int64_t>(n, 1), some)));
  }
  any_array gathered(const any_array& part, int axis, int mesh_axis) const {
    return all_gather(part, line(mesh_axis), {.axis = axis});
  }

  using panel_of = std::function<any_array(range)>;
  /// `use` of each panel [begin, end) and of what `fetch` gives for it. GPUs fetch the next one meanwhile.
  void each_panel(const std::vector<std::int64_t>& cuts, const any_array& from, int mesh_axis,
                  const panel_of& fetch, const std::function<void(range, const any_array&)>& use) const {
    const std::size_t n = cuts.size() - 1;
    const transport t(line(mesh_axis), from.device(), std::nullopt);
    const auto panel = [&](std::size_t i) { return range{cuts[i], cuts[i + 1]}; };
    if (n == 1 || t.place().is_cpu()) {
      for (std::size_t i = 0; i < n; ++i) use(panel(i), fetch(panel(i)));
      return;
    }
    t.read(from);  // so that the current stream has computed it, which the other one waits for
    const stream_view& aside = t.aside();
    const auto start = [&](std::size_t i) {
      const stream_guard messages(aside);
      any_array fetched = fetch(panel(i));
      return std::pair(std::move(fetched), t.marked(aside));
    };
    auto next = start(0);
    for (std::size_t i = 0; i < n; ++i) {
      const auto [fetched, arrived] = std::move(next);
      if (i + 1 < n) next = start(i + 1);
      t.wait_for(arrived);
      use(panel(i), fetched);
    }
  }
  /// Elements [begin, end) of an axis of the whole, of which `part` is here.
  any_array fetched(const any_array& part, int axis, const axis_place& place, std::int64_t n,
                    range wanted) const {
    const range mine = own(place, n), here = mine.cut(wanted);
    return gathered(part_of(part, axis, here.size() ? here.begin - mine.begin : 0,
                            here.size() ? here.end - mine.begin : 0),
                    axis, place.mesh_axis);
  }

  /// Writes the part of the result that lies at a range of an axis of n; a part that is all of it is the
  /// result.
  void put(any_array& c, const any_array& part, int axis, std::int64_t n, range at) const {
    if (at.size() == n) {
      c = part;
      return;
    }
    if (!c.rep()) {
      dims shape = part.shape();
      shape[static_cast<std::size_t>(axis)] = n;
      c = gd::create(shape, type_, {.device = a_.device()});
    }
    write(part_of(c, axis, at.begin, at.end), part);
  }

  /// Columns of the result one panel after the other, with that of b from the others: along its rows, or its
  /// columns.
  any_array by_columns(int mesh_axis, int gathered_axis, std::int64_t panel) const {
    if (b_.ndim() == 1) return product(a_, gathered(b_, 0, mesh_axis), type_);
    const std::int64_t n = gathered_axis == 0 ? b_.shape(1) : n_columns_;
    const auto cuts = panels(n, depth_ * n, b_, mesh_axis, panel);
    const auto fetch = [&](range wanted) {
      return gathered_axis == 0 ? gathered(part_of(b_, 1, wanted.begin, wanted.end), 0, mesh_axis)
                                : fetched(b_, 1, columns_, n, wanted);
    };
    any_array c;
    each_panel(cuts, b_, mesh_axis, fetch, [&](range wanted, const any_array& of_b) {
      put(c, product(a_, of_b, type_), a_.ndim() - 1, n, wanted);
    });
    return c;
  }

  /// Rows of the result one panel after the other, with that of a from the others.
  any_array by_rows(int mesh_axis, std::int64_t panel) const {
    if (a_.ndim() == 1) return product(gathered(a_, 0, mesh_axis), b_, type_);
    const std::int64_t n = a_.shape(0);
    const auto cuts = panels(n, n * depth_, a_, mesh_axis, panel);
    const auto fetch = [&](range wanted) {
      return gathered(part_of(a_, 0, wanted.begin, wanted.end), 1, mesh_axis);
    };
    any_array c;
    each_panel(cuts, a_, mesh_axis, fetch,
               [&](range wanted, const any_array& of_a) { put(c, product(of_a, b_, type_), 0, n, wanted); });
    return c;
  }

  /// What this rank has of the sums, added to that of the others.
  any_array by_parts(int mesh_axis) const {
    any_array a = a_, b = b_;
    if (cut(left_) < 0) {
      const range mine = own(right_, depth_);
      a = part_of(a_, last_of_a(), mine.begin, mine.end);
    } else if (cut(right_) < 0) {
      const range mine = own(left_, depth_);
      b = part_of(b_, 0, mine.begin, mine.end);
    }
    return all_reduce(product(a, b, wide()), line(mesh_axis), {.op = sums()});
  }

  /// SUMMA (van de Geijn and Watts 1997): panels of the axis that is summed over, of a along the rows of the
  /// grid and of b along its columns.
  any_array by_depth() const {
    any_array c;
    for (std::int64_t begin = 0; begin < std::max<std::int64_t>(depth_, 1); begin += panel_depth) {
      const range wanted{begin, std::min(depth_, begin + panel_depth)};
      const any_array part = product(fetched(a_, last_of_a(), left_, depth_, wanted),
                                     fetched(b_, 0, right_, depth_, wanted), wide());
      c = c.rep() ? combined({c, part}, sums()) : part;
    }
    return c;
  }

  std::shared_ptr<const mesh_state> ranks_;
  any_array a_, b_;
  dtype type_;
  axis_place rows_, columns_, left_, right_;
  std::int64_t n_rows_ = 1, n_columns_ = 1, depth_ = 0;
};

/// An axis of an array where another array's axis lies, and one of its axes whole.
std::shared_ptr<shard> moved(const std::shared_ptr<shard>& s, std::size_t axis, const axis_place& place) {
  placement to = *s->where();
  to.axes[axis] = place;
  return shard_of(resharded(node_of(s), to.layout()));
}

bool same_axis(const axis_place& a, const axis_place& b) { return a.same_cuts(b) && a.shift == b.shift; }

}  // namespace

node_ptr matmul(const node_ptr& a, const node_ptr& b, dtype type, std::int64_t panel) {
  const dims &of_a = a->where.shape, &of_b = b->where.shape;
  for (const dims* shape : {&of_a, &of_b})
    if (shape->empty() || shape->size() > 2)
      core::fail<value_error>(
          "matmul: sharded arrays of one or two dimensions, and one has shape {}; map_blocks multiplies "
          "stacks "
          "of matrices, each where it is",
          core::text(*shape));
  if (of_a.back() != of_b[0])
    core::fail<value_error>("matmul: shapes {} and {} do not fit: {} != {}", core::text(of_a),
                            core::text(of_b), of_a.back(), of_b[0]);
  check_mesh(a->where, *b);
  const auto x = shard_of(a);
  auto y = shard_of(b);
  const auto ranks = a->where.ranks ? a->where.ranks : b->where.ranks;
  const axis_place &left = x->where()->axes.back(), &right = y->where()->axes[0];
  const bool meet = left.mesh_axis >= 0 && left.mesh_axis == right.mesh_axis;
  if (meet && !same_axis(left, right)) y = moved(y, 0, left);
  // Rows and columns along one axis of the mesh, and sums along another: columns become whole first.
  if (x->where()->axes.size() == 2 && y->where()->axes.size() == 2) {
    const axis_place &rows = x->where()->axes[0], &columns = y->where()->axes[1];
    if (!rows.whole() && rows.mesh_axis == columns.mesh_axis && (!left.whole() || !right.whole()))
      y = moved(y, 1, {});
  }
  return multiplication(*x, *y, ranks, type).run(panel);
}

any_array dot(const char* function, const node_ptr& a, const node_ptr& b, dtype type, bool conjugate) {
  const dims &of_a = a->where.shape, &of_b = b->where.shape;
  if (of_a.size() != 1 || of_a != of_b)
    core::fail<value_error>(
        "{} of sharded arrays is of two vectors of one length, not of shapes {} and {}: "
        "matmul is there for matrices",
        function, core::text(of_a), core::text(of_b));
  const dtype loop = is_floating(type) && itemsize(type) == 2 ? dtype::float32 : type;
  const node_ptr products = operate({a, b}, loop, [=](std::span<any_array> x) {
    const any_array left = conjugate ? conjugated(x[0]) : x[0];
    const gd::argument two[] = {operand(left), operand(x[1])};
    return gd::make_expression(ufunc::multiply, loop, two);
  });
  return as(reduced(type == dtype::bool_ ? reduction::any : reduction::sum, products, {}), type);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
