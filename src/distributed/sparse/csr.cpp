// Making sparse matrices of all ranks, and who has to send what for their products.
#include <algorithm>

#include <distributed/collectives/moved.hpp>
#include <distributed/sparse/csr.hpp>

#include <gparray/distributed/sorting.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

using index_array = ndarray<std::int64_t>;

index_array as_indices(const any_array& a) { return index_array(gd::as_type(a, dtype::int64)); }

/// The axis of the mesh along which rows are cut. Throws value_error.
int checked_mesh_axis(const layout& where) {
  for (int axis = 1; axis < max_ndim; ++axis)
    if (where.mesh_axis(axis) >= 0 || where.mesh_axis(0) < 0)
      core::fail<value_error>(
          "a sparse matrix is cut by its rows alone, as layout::rows does it, and not by the layout {}",
          where.str());
  return where.mesh_axis(0);
}

/// Where rows are: boundaries that do not depend on where a window begins, if the layout is that of one.
std::shared_ptr<const placement> plain(const layout& where, std::int64_t rows) {
  return std::make_shared<const placement>(where.place({rows})->plain());
}

std::shared_ptr<const placement> column_place(const std::shared_ptr<const placement>& rows,
                                              std::int64_t columns) {
  if (columns == rows->shape[0]) return rows;
  return layout::blocks(mesh(rows->ranks), {rows->axes[0].mesh_axis}).place({columns});
}

/// What a rank says about its part.
struct description {
  std::int64_t columns, type, entries;
};

/// Rank's entries in columns of the whole matrix become ones in columns of what is needed here.
std::shared_ptr<const csr_exchange> exchange_for(sparse_parts& part, const placement& columns,
                                                 const communicator& line) {
  auto needs = std::make_shared<csr_exchange>();
  const range own = columns.own(0);
  const index_array column = as_indices(part.minor);
  const ndarray<bool> foreign = gparray::logical_or(column < own.begin, column >= own.end);
  const index_array wanted = gparray::unique(index_array(gparray::compress(foreign, column)));
  const std::vector<std::int64_t> numbers = wanted.to_vector();
  const auto count_below = [&](std::int64_t number) {
    return std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin();
  };
  needs->wanted = wanted;
  needs->before = count_below(own.begin);
  for (const std::int64_t cut : *columns.axes[0].cuts) needs->wanted_cuts.push_back(count_below(cut));

  const auto ranks = static_cast<std::size_t>(line.size()), me = static_cast<std::size_t>(line.rank());
  std::vector<std::int64_t> all(ranks * (ranks + 1));
  all_gather_bytes(needs->wanted_cuts.data(), all.data(), (ranks + 1) * sizeof(std::int64_t), line);
  needs->asked_cuts.push_back(0);
  for (std::size_t r = 0; r < ranks; ++r) {
    const std::int64_t* const its = &all[r * (ranks + 1)];
    needs->asked_cuts.push_back(needs->asked_cuts.back() + its[me + 1] - its[me]);
  }
  // Known to be inside the block from now on, so that a product need not look, and wait, each time.
  needs->asked =
      index_array(gparray::clip(as_indices(exchanged(wanted, needs->wanted_cuts, line)) - own.begin,
                                std::int64_t{0}, std::max<std::int64_t>(own.size() - 1, 0)))
          .eval();

  const index_array elsewhere =
      gparray::searchsorted(wanted, column) + gparray::where(column >= own.end, own.size(), std::int64_t{0});
  const index_array number = gparray::where(foreign, elsewhere, column + (needs->before - own.begin));
  part.minor = gd::as_type(number, part.index_dtype());
  part.columns = own.size() + wanted.size();
  return needs;
}

csr_ptr made_of(sparse_parts part, const std::shared_ptr<const placement>& rows) {
  const mesh_state& ranks = *rows->ranks;
  const description mine{part.columns, static_cast<std::int64_t>(part.dtype()), part.data.size()};
  const std::vector<description> all = all_gather_values(mine, ranks.world);
  std::int64_t entries = 0;
  for (int r = 0; r < ranks.world.size(); ++r) {
    const description& its = all[static_cast<std::size_t>(r)];
    if (its.columns != all[0].columns || its.type != all[0].type)
      core::fail<value_error>("the rows of rank {} have {} columns of {}, those of rank 0 {} columns of {}",
                              r, its.columns, name(static_cast<dtype>(its.type)), all[0].columns,
                              name(static_cast<dtype>(all[0].type)));
    if (rows->first_of_its_kind(r)) entries += its.entries;
  }
  auto made = std::make_shared<csr_state>(
      csr_state{rows, column_place(rows, part.columns), std::move(part), entries, nullptr});
  if (made->line().size() > 1) made->needs = exchange_for(made->part, *made->columns, made->line());
  return made;
}

/// Rows [r.begin, r.end) as arrays of their own.
sparse_parts rows_of(const sparse_parts& whole, range r) {
  return r.size() == whole.rows ? gd::sparse_copy(whole)
                                : gd::sparse_slice(whole, slice(r.begin, r.end), slice());
}

}  // namespace

const communicator& csr_state::line() const {
  return rows->ranks->lines[static_cast<std::size_t>(rows->axes[0].mesh_axis)];
}

any_array csr_state::gathered_needs(const any_array& own, const dims& shape) const {
  if (!needs) return own;
  const transport t(line(), own.device(), {});
  t.group().begin(signature("matmul", own.dtype(), shape));
  dims sizes = shape;
  sizes[0] = needs->before + own.shape(0) + needs->behind();
  const any_array all = gd::create(sizes, own.dtype(), {.device = own.device()});
  const std::int64_t end = needs->before + own.shape(0);
  const any_array letters = t.movable(gd::take(own, needs->asked, 0, gd::index_mode::raise)),
                  before = part_of(all, 0, 0, needs->before), behind = part_of(all, 0, end, sizes[0]),
                  below = t.landing(before), above = t.landing(behind);
  std::size_t item = itemsize(own.dtype());
  for (std::size_t axis = 1; axis < shape.size(); ++axis) item *= static_cast<std::size_t>(shape[axis]);
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  for (int r = 0; r < t.size(); ++r) {
    const auto bytes = [&](const std::vector<std::int64_t>& cuts) {
      const auto i = static_cast<std::size_t>(r);
      return static_cast<std::size_t>(cuts[i + 1] - cuts[i]) * item;
    };
    const auto at = [&](const std::vector<std::int64_t>& cuts, std::int64_t from) {
      return static_cast<std::size_t>(cuts[static_cast<std::size_t>(r)] - from) * item;
    };
    if (const std::size_t n = bytes(needs->asked_cuts))
      sends.push_back({r, static_cast<const char*>(t.read(letters)) + at(needs->asked_cuts, 0), n});
    if (const std::size_t n = bytes(needs->wanted_cuts)) {
      const bool lower = r < t.rank();
      receives.push_back({r,
                          static_cast<char*>(t.written(lower ? below : above)) +
                              at(needs->wanted_cuts, lower ? 0 : needs->before),
                          n});
    }
  }
  if (!sends.empty() || !receives.empty()) t.moves().exchange(sends, receives, t.stream());
  write(part_of(all, 0, needs->before, end), own);
  t.landed(below, before);
  t.landed(above, behind);
  return all;
}

csr_ptr csr_sharded(const sparse_parts& whole, const layout& where) {
  checked_mesh_axis(where);
  const auto rows = plain(where, whole.rows);
  return made_of(rows_of(whole, rows->own(0)), rows);
}

csr_ptr csr_from_local(const sparse_parts& part, const layout& where) {
  checked_mesh_axis(where);
  // Of a vector of as many elements the sizes of all parts are known.
  const any_array as_vector = gd::create_zeros({part.rows}, dtype::bool_, {.device = part.device()});
  return made_of(part, std::make_shared<const placement>(from_local(as_vector, where)->where.plain()));
}

csr_ptr csr_scattered(const sparse_parts& whole, int root, const layout& where) {
  const communicator world = where.ranks().world();
  check_rank("scatter", "the root", root, world.size());
  checked_mesh_axis(where);
  struct {
    std::int64_t rows, columns, type, index;
  } of_root{whole.rows, whole.columns, static_cast<std::int64_t>(whole.dtype()),
            static_cast<std::int64_t>(whole.index_dtype())};
  const stream_view on = default_stream(device::cpu());
  world.state().begin(signature("scatter", root));
  world.state().host().broadcast(&of_root, sizeof of_root, root, on);
  const auto rows = plain(where, of_root.rows);
  // The number of entries of each rank, which only the root knows.
  std::vector<sparse_parts> parts;
  std::vector<std::int64_t> entries(static_cast<std::size_t>(world.size()));
  if (world.rank() == root)
    for (int r = 0; r < world.size(); ++r) {
      parts.push_back(rows_of(whole, rows->own_of(r)[0]));
      entries[static_cast<std::size_t>(r)] = parts.back().data.size();
    }
  world.state().host().broadcast(entries.data(), entries.size() * sizeof(std::int64_t), root, on);

  const transport t(world, default_device(), {});
  messages all(t);
  for (int r = 0; r < static_cast<int>(parts.size()); ++r) {
    const sparse_parts& p = parts[static_cast<std::size_t>(r)];
    for (const any_array& a : {p.data, p.minor, p.major}) all.send(r, a);
  }
  const std::int64_t n = entries[static_cast<std::size_t>(world.rank())];
  const auto index = static_cast<dtype>(of_root.index);
  const any_array arrivals[] = {t.room({n}, static_cast<dtype>(of_root.type)), t.room({n}, index),
                                t.room({rows->own(0).size() + 1}, index)};
  for (const any_array& a : arrivals) all.receive(root, a);
  all.exchange();
  sparse_parts part;
  part.rows = rows->own(0).size();
  part.columns = of_root.columns;
  part.data = t.unpacked(arrivals[0]);
  part.minor = t.unpacked(arrivals[1]);
  part.major = t.unpacked(arrivals[2]);
  return made_of(std::move(part), rows);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
