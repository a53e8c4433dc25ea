#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <core/array/layout.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/rolled.hpp>
#include <core/array/row_fusion.hpp>
#include <plan/argument_lanes.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>
#include <support/sort_few.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

row_layout::row_layout(const dims& of, int row_axes) : shape(of), n_row_axes(row_axes), rows(1), columns(1) {
  for (int d = 0; d < static_cast<int>(of.size()); ++d)
    (d < row_axes ? rows : columns) *= of[static_cast<std::size_t>(d)];
}

std::optional<row_layout::stride_pair> row_layout::strides(const dims& of, const dims& bytes) const {
  const dims all = broadcast_strides(of, bytes, shape);
  // The stride of several axes that are walked along as one.
  const auto stride = [&](int begin, int end) -> std::optional<std::int64_t> {
    std::optional<std::int64_t> inner;
    std::int64_t next = 0;
    for (int d = end - 1; d >= begin; --d) {
      const auto at = static_cast<std::size_t>(d);
      if (shape[at] == 1) continue;
      if (!inner) inner = all[at];
      else if (all[at] != next) return std::nullopt;
      next = all[at] * shape[at];
    }
    return inner.value_or(0);
  };
  const auto row = stride(0, n_row_axes), column = stride(n_row_axes, static_cast<int>(shape.size()));
  if (!row || !column) return std::nullopt;
  return stride_pair{*row, *column};
}

bool row_layout::has_one_per_row(const dims& of) const {
  return std::all_of(of.begin() + n_row_axes, of.end(), [](std::int64_t n) { return n == 1; });
}

plan_builder::plan_builder(map_plan& plan, const row_layout& rows, bool has_columns)
    : plan_builder(plan, has_columns ? dims{rows.rows, rows.columns} : dims{rows.rows}, false) {
  rows_ = &rows;
}

plan_builder::plan_builder(map_plan& plan, const dims& shape) : plan_builder(plan, shape, false) {}

plan_builder::plan_builder(map_plan& plan, const dims& shape, bool flat)
    : plan_(plan), shape_(shape), flat_(flat) {
  plan_.n_inputs = 0;
  plan_.n_steps = 0;
}

void plan_builder::throw_no_room() { throw value_error("plan: there is no room for so many operands"); }

int plan_builder::array(const array_rep* rep) {
  for (int i = 0; i < plan_.n_inputs; ++i)
    if (plan_.inputs[i].kind == input_kind::array && arrays_[i] == rep) return i;
  const int v = next_input();
  arrays_[v] = rep;
  input& in = plan_.inputs[v];
  in.kind = input_kind::array;
  in.type = rep->type;
  in.data = rep->data;
  if (flat_) {
    in.strides[0] = static_cast<std::int64_t>(itemsize(rep->type));
    return v;
  }
  if (rows_) {
    const auto strides = rows_->strides(rep->shape, rep->strides).value();
    in.strides[0] = strides.row;
    if (shape_.size() > 1) in.strides[1] = strides.column;
    return v;
  }
  const std::size_t shift = shape_.size() - rep->shape.size();
  std::fill_n(in.strides, shift, 0);
  for (std::size_t i = 0; i < rep->shape.size(); ++i)
    in.strides[i + shift] = rep->shape[i] == 1 ? 0 : rep->strides[i];
  return v;
}

int plan_builder::rolled_array(const array_rep* rep) {
  const array_rep* const source = rep->operation.arguments[0].array;
  const int v = next_input();
  arrays_[v] = nullptr;
  input& in = plan_.inputs[v];
  in.kind = input_kind::array;
  in.type = rep->type;
  const std::size_t shift = shape_.size() - rep->shape.size();
  std::fill_n(in.strides, shift, 0);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < rep->shape.size(); ++i) {
    const rolled_index::axis& axis = rep->roll->axes[i];
    const std::int64_t n = rep->shape[i], bytes = axis.jump * source->strides[i];
    in.strides[i + shift] = n == 1 ? 0 : axis.step * source->strides[i];
    first += axis.offset * source->strides[i];
    if (bytes == 0 || (axis.begin == 0 && axis.end == n)) continue;
    if (n == 1) first += bytes;  // its range is empty
    else
      jumping_->jumps[jumping_->n_jumps++] = {
          static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(i + shift), axis.begin, axis.end, bytes};
  }
  in.data = source->data + first;
  return once(v);
}

bool plan_builder::jump_alike(int i, int last) {
  const auto of = [this](int v) {
    const auto first = std::ranges::find(jumps(), v, &jump::input);
    return std::span(first,
                     std::ranges::find_if(first, jumps().end(), [v](const jump& j) { return j.input != v; }));
  };
  return std::ranges::equal(of(i), of(last), [](const jump& a, const jump& b) {
    return a.dim == b.dim && a.begin == b.begin && a.end == b.end && a.bytes == b.bytes;
  });
}

int plan_builder::once(int last) {
  const input& in = plan_.inputs[last];
  for (int i = 0; i < last; ++i) {
    const input& other = plan_.inputs[i];
    if (other.kind != input_kind::array || other.data != in.data || other.type != in.type ||
        !std::equal(in.strides, in.strides + shape_.size(), other.strides) || !jump_alike(i, last))
      continue;
    --plan_.n_inputs;
    while (!jumps().empty() && jumps().back().input == last) --jumping_->n_jumps;
    return i;
  }
  return last;
}

int plan_builder::array_at(const array_rep* rep, const index_map& map) {
  const int v = next_input();
  arrays_[v] = nullptr;
  input& in = plan_.inputs[v];
  in.kind = input_kind::array;
  in.type = rep->type;
  std::fill_n(in.strides, shape_.size(), 0);
  std::int64_t first = 0;
  for (int d = 0; d < map.ndim; ++d) {
    const std::int64_t stride = rep->strides[static_cast<std::size_t>(d)];
    first += stride * map.at[d].offset;
    if (map.at[d].axis < 0) continue;
    const auto axis = static_cast<std::size_t>(map.at[d].axis);
    in.strides[axis] = stride * map.at[d].step;
  }
  in.data = rep->data + first;
  return once(v);
}

int plan_builder::expression_at(const array_rep* rep, const index_map& map) {
  if (!is_pending(rep) || rep->data) return array_at(rep, map);
  if (rep->references.load(std::memory_order_relaxed) <= 1) return steps_at(rep, map);
  for (const value_at_places& known : at_places_)
    if (known.rep == rep && known.map == map) return known.value;
  const int value = steps_at(rep, map);
  at_places_.push_back({rep, map, value});
  return value;
}

int plan_builder::steps_at(const array_rep* rep, const index_map& map) {
  const node& n = rep->operation;
  if (rep->view) return expression_at(n.arguments[0].array, rep->view->after(map));
  if (is_range(rep)) return number_of_range(*rep, map);
  int values[max_arity];
  for (int i = 0; i < n.count; ++i) {
    const array_rep* const a = n.arguments[i].array;
    if (!a) {
      values[i] = constant_as(n.arguments[i], wanted_dtype(n, i));
      continue;
    }
    values[i] = expression_at(a, map.of_operand(a->shape));
  }
  if (rep->places) values[0] = address_in_row(values[0], *rep->places, map);
  return step_of(n, values);
}

int plan_builder::step_of(const node& n, const int* values) {
  return n.op == ufunc::cast ? cast(values[0], n.loop) : apply(n.op, n.loop, values, n.count, n.user);
}

int plan_builder::constant(dtype type, const scalar_bits& value) {
  for (int i = 0; i < plan_.n_inputs; ++i) {
    const input& in = plan_.inputs[i];
    if (in.kind == input_kind::constant && in.type == type &&
        std::memcmp(&in.value, &value, itemsize(type)) == 0)
      return i;
  }
  const int v = next_input();
  input& in = plan_.inputs[v];
  in.kind = input_kind::constant;
  in.type = type;
  in.data = nullptr;
  in.value = value;
  std::fill_n(in.strides, shape_.size(), 0);
  return v;
}

int plan_builder::iota(std::int64_t first, const dims& units) {
  const int v = next_input();
  input& in = plan_.inputs[v];
  in.kind = input_kind::iota;
  in.type = dtype::int64;
  in.data = nullptr;
  in.first = first;
  std::copy_n(units.data(), shape_.size(), in.strides);
  for (int i = 0; i < v; ++i) {
    const input& other = plan_.inputs[i];
    if (other.kind != input_kind::iota || other.first != first ||
        !std::equal(in.strides, in.strides + shape_.size(), other.strides))
      continue;
    --plan_.n_inputs;
    return i;
  }
  return v;
}

int plan_builder::add_step(ufunc op, dtype loop, const int* values, int count,
                           const detail::user_loop* user) {
  const int s = plan_.n_steps++;
  // Where it stays: a copy of what has just been written by halves would wait for it.
  step& to = plan_.steps[s];
  to.user = user;
  to.op = op;
  to.loop = loop;
  to.args = {};
  for (int i = 0; i < count; ++i)
    to.args[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(values[i]);
  types_[s] = output_dtype(op, loop, user);
  return step_base + s;
}

int plan_builder::converted(int value, dtype to) {
  if (value < step_base && plan_.inputs[value].kind == input_kind::constant)
    return constant(to, convert_scalar(plan_.inputs[value].value, type(value), to));
  return add_step(ufunc::cast, to, &value, 1, nullptr);
}

int plan_builder::apply(ufunc op, dtype loop, const int* values, int count, const detail::user_loop* user) {
  int converted[max_arity];
  for (int i = 0; i < count; ++i) converted[i] = cast(values[i], user ? loop : input_dtype(op, i, loop));
  return add_step(op, loop, converted, count, user);
}

int plan_builder::apply(ufunc op, dtype loop, std::initializer_list<int> values) {
  return apply(op, loop, values.begin(), static_cast<int>(values.size()));
}

int plan_builder::expression(const array_rep* rep) {
  if (is_met(rep)) return rep->position;
  if (!is_pending(rep) || rep->data) return array(rep);
  const bool is_shared = (ordered_ || rep->references.load(std::memory_order_relaxed) > 1) && joins_walk(rep);
  const int value = value_of(rep);
  if (is_shared) {
    auto* const met = const_cast<array_rep*>(rep);  // as in other walks of what is held
    met->mark = walk_;
    met->position = value;
  }
  return value;
}

void plan_builder::steps_in_order(std::span<const array_rep* const> reps) {
  ordered_ = !reps.empty();
  for (const array_rep* rep : reps) expression(rep);
}

bool plan_builder::joins_walk(const array_rep* rep) {
  if (!home_ && rep->home) {
    home_ = rep->home;
    walk_ = ++home_->walks;
  }
  return home_ && rep->home == home_;
}

int plan_builder::value_of(const array_rep* rep) {
  if (rep->roll) return rolled_array(rep);
  if (rep->view) return view_of(rep);
  if (is_range(rep)) return number_of_range(*rep);
  const node& n = rep->operation;
  if (rep == scan_) {
    const int value = cast(expression(n.arguments[0].array), rep->type);
    const int both[] = {value, value};
    scan_step_ = plan_.n_steps;
    return add_step(rep->reduced.op == reduction::sum ? ufunc::add : ufunc::multiply, rep->type, both, 2,
                    nullptr);
  }
  int values[max_arity];
  for (int i = 0; i < n.count; ++i) {
    const node_argument& a = n.arguments[i];
    if (!a.array) values[i] = constant_as(a, wanted_dtype(n, i));
    else values[i] = is_apart(a.array, rep) && a.array != scan_ ? array(a.array) : expression(a.array);
  }
  if (rep->places) values[0] = address_in_row(values[0], *rep);
  return step_of(n, values);
}

int plan_builder::constant_as(const node_argument& a, dtype wanted) {
  return a.type == wanted ? constant(a.type, a.value)
                          : constant(wanted, convert_scalar(a.value, a.type, wanted));
}

void plan_builder::cut_axis(int axis, std::int64_t first, std::int64_t block, std::int64_t count) {
  const auto at = static_cast<std::size_t>(axis);
  shape_[at] = block;
  shape_.insert(at, count);
  for (int i = 0; i < plan_.n_inputs; ++i) {
    input& in = plan_.inputs[i];
    std::copy_backward(in.strides + axis, in.strides + shape_.size() - 1, in.strides + shape_.size());
    const std::int64_t distance = wrapping_product(first, in.strides[axis]);
    if (in.kind == input_kind::array) in.data = static_cast<const std::byte*>(in.data) + distance;
    if (in.kind == input_kind::iota) in.first = wrapping_sum(in.first, distance);
    in.strides[axis] = wrapping_product(block, in.strides[axis + 1]);
  }
}

void plan_builder::store(int value, std::byte* data) { plan_.stores[plan_.n_stores++] = {value, data}; }

void plan_builder::store_to(std::byte* data, dtype type, const dims& strides) {
  out_ = &plan_.out;
  out_->data = data;
  out_->type = type;
  if (flat_) out_->strides[0] = static_cast<std::int64_t>(itemsize(type));
  else std::copy(strides.begin(), strides.end(), out_->strides);
}

void plan_builder::renumber(int value) {
  // An unused step can only be the value itself, so the value is the last step, or input 0 alone.
  if (value < step_base && plan_.n_steps > 0)
    throw value_error("plan: the value of a plan with steps must be a step");
  if (value < step_base && value > 0) {
    plan_.inputs[0] = plan_.inputs[value];
    plan_.n_inputs = 1;
    int kept = 0;
    for (const jump& j : jumps())
      if (j.input == value) jumping_->jumps[kept++] = {0, j.dim, j.begin, j.end, j.bytes};
    if (jumping_) jumping_->n_jumps = kept;
  } else if (value < step_base) {
    plan_.n_inputs = 1;
  }
  if (plan_.n_inputs > 1) put_numbers_last(plan_, jumps());
  const int less = step_base - plan_.n_inputs;
  for (int i = 0; i < plan_.n_steps; ++i) {
    step& s = plan_.steps[i];
    const std::uint64_t four = first_arguments(s);
    set_first_arguments(s, four - (not_less(four, step_base) >> 15) * static_cast<std::uint64_t>(less));
    if (std::uint16_t& last = s.args.back(); last >= step_base)
      last = static_cast<std::uint16_t>(last - less);
  }
  for (int k = 0; k < plan_.n_stores; ++k) plan_.stores[k].value += plan_.n_inputs - step_base;
}

void plan_builder::permute(const dims& axes) {
  const auto reorder = [&](std::int64_t* strides) {
    std::int64_t old[max_ndim];
    std::copy_n(strides, shape_.size(), old);
    for (std::size_t d = 0; d < axes.size(); ++d) strides[d] = old[axes[d]];
  };
  for (int i = 0; i < plan_.n_inputs; ++i) reorder(plan_.inputs[i].strides);
  if (out_) reorder(out_->strides);
  if (layout_) reorder(layout_);
  for (jump& j : jumps())
    j.dim =
        static_cast<std::uint8_t>(std::find(axes.begin(), axes.end(), std::int64_t{j.dim}) - axes.begin());
  plan_.ndim = static_cast<int>(axes.size());
  plan_.size = 1;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    plan_.shape[d] = shape_[static_cast<std::size_t>(axes[d])];
    plan_.size *= plan_.shape[d];
  }
}

void plan_builder::flip(int d) {
  const std::int64_t last = plan_.shape[d] - 1;
  for (int i = 0; i < plan_.n_inputs; ++i) {
    input& in = plan_.inputs[i];
    if (in.kind == input_kind::array) in.data = static_cast<const std::byte*>(in.data) + last * in.strides[d];
    if (in.kind == input_kind::iota) in.first = wrapping_sum(in.first, wrapping_product(last, in.strides[d]));
    in.strides[d] = wrapping_difference(0, in.strides[d]);
  }
  for (jump& j : jumps())
    if (j.dim == d) {
      const std::int64_t begin = j.begin;
      j.begin = plan_.shape[d] - j.end;
      j.end = plan_.shape[d] - begin;
    }
  if (out_) {
    out_->data = static_cast<std::byte*>(out_->data) + last * out_->strides[d];
    out_->strides[d] = -out_->strides[d];
  }
  if (layout_) layout_[d] = -layout_[d];
}

template<class Merges>
void plan_builder::merge(Merges allowed) {
  int last = 0;  // the dimension that the next one may merge into
  for (int d = 1; d < plan_.ndim; ++d) {
    bool merges = allowed(d);
    const auto continues = [&](const std::int64_t* s) { return s[last] == s[d] * plan_.shape[d]; };
    for (int i = 0; merges && i < plan_.n_inputs; ++i) merges = continues(plan_.inputs[i].strides);
    if (merges && out_) merges = continues(out_->strides);
    if (merges && layout_) merges = continues(layout_);
    for (const jump& j : jumps()) merges = merges && j.dim != d;
    for (jump& j : jumps()) {
      if (!merges && j.dim == d) j.dim = static_cast<std::uint8_t>(last + 1);
      if (!merges || j.dim != last) continue;
      j.begin *= plan_.shape[d];
      j.end *= plan_.shape[d];
    }
    if (merges) {
      plan_.shape[last] *= plan_.shape[d];
    } else {
      plan_.shape[++last] = plan_.shape[d];
    }
    for (int i = 0; i < plan_.n_inputs; ++i) plan_.inputs[i].strides[last] = plan_.inputs[i].strides[d];
    if (out_) out_->strides[last] = out_->strides[d];
    if (layout_) layout_[last] = layout_[d];
  }
  if (plan_.ndim > 0) plan_.ndim = last + 1;
}

void plan_builder::finish(int value) {
  renumber(cast(value, out_->type));
  if (flat_) {
    plan_.size = plan_.shape[0] = shape_[0];
    plan_.ndim = plan_.size == 1 ? 0 : 1;
    return;
  }
  dims axes;
  for (std::size_t i = 0; i < shape_.size(); ++i)
    if (shape_[i] != 1) axes.push_back(static_cast<std::int64_t>(i));
  sort_few(axes.begin(), axes.end(), [this](std::int64_t a, std::int64_t b) {
    return std::abs(out_->strides[a]) > std::abs(out_->strides[b]);
  });
  permute(axes);
  for (int d = 0; d < plan_.ndim; ++d)
    if (out_->strides[d] < 0) flip(d);
  merge([](int) { return true; });
}

void plan_builder::store_rows_to(std::byte* data, dtype type) {
  store_to(data, type, c_strides(shape_, itemsize(type)));
}

void plan_builder::finish_rows(int value) {
  renumber(cast(value, out_->type));
  plan_.ndim = static_cast<int>(shape_.size());
  std::copy(shape_.begin(), shape_.end(), plan_.shape);
  plan_.size = 1;
  for (const std::int64_t n : shape_) plan_.size *= n;
}

int plan_builder::finish_reduction(int value, const dims& axes, int n_kept, bool any_order,
                                   const dims& layout, output& out) {
  renumber(value);
  out_ = &out;
  layout_ = plan_.out.strides;
  std::copy(layout.begin(), layout.end(), layout_);
  dims order;
  int kept = 0;
  for (int i = 0; i < static_cast<int>(axes.size()); ++i) {
    if (shape_[static_cast<std::size_t>(axes[i])] == 1) continue;
    order.push_back(axes[i]);
    kept += i < n_kept;
  }
  const auto by_stride = [this](std::int64_t a, std::int64_t b) {
    return std::abs(layout_[a]) > std::abs(layout_[b]);
  };
  sort_few(order.begin(), order.begin() + kept, by_stride);
  if (any_order) sort_few(order.begin() + kept, order.end(), by_stride);
  permute(order);
  for (int d = 0; d < plan_.ndim; ++d) {
    if (layout_[d] < 0 && (any_order || d < kept)) flip(d);
  }
  merge([kept](int d) { return d != kept; });
  // Count the kept dimensions that are left: the product of their sizes is the number of outputs.
  std::int64_t n_out = 1;
  for (int i = 0; i < n_kept; ++i) n_out *= shape_[static_cast<std::size_t>(axes[i])];
  int merged_kept = 0;
  for (std::int64_t n = 1; n < n_out; ++merged_kept) n *= plan_.shape[merged_kept];
  return merged_kept;
}

}  // namespace core
GPARRAY_END_NAMESPACE
