#include <distributed/collectives/moved.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// Up to here everything goes to everybody at once, as the time is that of a message, not of its bytes.
constexpr std::int64_t few_bytes = 32 * 1024;
/// Up to here two ranks exchange whole arrays; beyond, messages of a half and a gathering are as many bytes,
/// which NCCL gathers at a higher rate than it exchanges them.
constexpr std::int64_t whole_bytes = 8 << 20;
/// From here on NCCL's own reduction of two arrays is quicker than that.
constexpr std::int64_t many_bytes = 2 << 20;

std::optional<combination> engines_own(op how) {
  switch (how) {
    case op::sum:
    case op::mean:
      return combination::sum;
    case op::prod:
      return combination::prod;
    case op::min:
      return combination::min;
    case op::max:
      return combination::max;
    default:
      return {};
  }
}

/// Whether every order gives the same bits, so that the engine's own is as exact as ours: integers wrap
/// around, and of two numbers there is one sum and one product (their mean, of halves, is rounded once alone
/// if the sum is not). Not on the CPU, where of two NaNs the first one stays.
bool has_one_result(const transport& t, dtype type, op how) {
  if (!t.place().is_cuda()) return false;
  if (is_integer(type)) return true;
  const bool is_half = itemsize(type) == 2;
  return t.size() == 2 && (how == op::sum || how == op::prod || (how == op::mean && !is_half));
}

/// Combined by the engine, if it knows how.
std::optional<any_array> combined_by_engine(const transport& t, const any_array& flat, op how) {
  const auto own = engines_own(how);
  if (!own) return {};
  const any_array result = t.room(flat.shape(), flat.dtype());
  if (!t.moves().all_reduce(t.read(flat), t.written(result), static_cast<std::size_t>(flat.size()),
                            flat.dtype(), *own, t.stream()))
    return {};
  return how == op::mean ? divided(result, t.size()) : result;
}

/// The parts with number `rank()` of the arrays of all ranks, which lie one behind the other in C order along
/// the first axis and end at the cuts. Its own stays where it is.
std::vector<any_array> own_parts(const transport& t, const any_array& x,
                                 const std::vector<std::int64_t>& cuts) {
  const auto part = [&](int r) {
    return part_of(x, 0, cuts[static_cast<std::size_t>(r)], cuts[static_cast<std::size_t>(r) + 1]);
  };
  std::vector<any_array> parts;
  messages all(t);
  for (int r = 0; r < t.size(); ++r) {
    if (r == t.rank()) {
      parts.push_back(part(r));
      continue;
    }
    all.send(r, part(r));
    all.receive(r, parts.emplace_back(t.room(part(t.rank()).shape(), x.dtype())));
  }
  all.exchange();
  return parts;
}

/// The array of the other of two ranks beside the own: as many bytes go each way as if each combined a half,
/// in one message.
std::vector<any_array> both(const transport& t, const any_array& flat) {
  const int other = 1 - t.rank();
  const any_array its = t.room(flat.shape(), flat.dtype());
  messages all(t);
  all.send(other, flat);
  all.receive(other, its);
  all.exchange();
  return t.rank() == 0 ? std::vector{flat, its} : std::vector{its, flat};
}

std::vector<any_array> gathered(const transport& t, const any_array& flat) {
  const std::int64_t n = flat.size();
  const any_array all = t.room({t.size() * n}, flat.dtype());
  t.moves().all_gather(t.read(flat), t.written(all), static_cast<std::size_t>(flat.nbytes()), t.stream());
  std::vector<any_array> parts;
  for (std::int64_t r = 0; r < t.size(); ++r) parts.push_back(part_of(all, 0, r * n, (r + 1) * n));
  return parts;
}

/// Each rank combines a part, and all get all of them.
any_array in_parts(const transport& t, const any_array& flat, op how) {
  const std::int64_t n = flat.size(), part = (n + t.size() - 1) / t.size();
  std::vector<std::int64_t> cuts;
  for (std::int64_t r = 0; r <= t.size(); ++r) cuts.push_back(std::min(n, r * part));
  const any_array mine = combined(own_parts(t, flat, cuts), how);
  const any_array all = t.room({t.size() * part}, flat.dtype());
  // Its place among all is where it is gathered from; the last parts may have fewer elements.
  const any_array place = part_of(all, 0, t.rank() * part, t.rank() * part + mine.size());
  gd::assign(place, operand(mine));
  const any_array slot = part_of(all, 0, t.rank() * part, (t.rank() + 1) * part);
  t.moves().all_gather(t.read(slot), t.written(all), static_cast<std::size_t>(slot.nbytes()), t.stream());
  return part_of(all, 0, 0, n);
}

any_array all_combined(const transport& t, const any_array& flat, op how, order in) {
  if (in == order::any || (flat.nbytes() >= many_bytes && has_one_result(t, flat.dtype(), how)))
    if (const auto result = combined_by_engine(t, flat, how)) return *result;
  if (flat.nbytes() <= few_bytes) return combined(gathered(t, flat), how);
  if (t.size() == 2 && flat.nbytes() <= whole_bytes) return combined(both(t, flat), how);
  return in_parts(t, flat, how);
}

}  // namespace

any_array all_reduce(const any_array& x, const communicator& c, const all_reduce_options& options) {
  check_combination("all_reduce", options.op, x.dtype());
  if (options.out.rep() && (options.out.shape() != x.shape() || options.out.dtype() != x.dtype()))
    core::fail<value_error>("all_reduce: out is {} of shape {}, and the result is {} of shape {}",
                            name(options.out.dtype()), core::text(options.out.shape()), name(x.dtype()),
                            core::text(x.shape()));
  const transport t(c, x.device(), options.stream);
  t.group().begin(signature("all_reduce", x.dtype(), x.shape(), -1,
                            static_cast<int>(options.op) | static_cast<int>(options.order) << 4));
  any_array result;
  if (t.size() == 1) {
    result = gd::copy(x, gparray::order::C);
  } else {
    const any_array flat = gd::reshape(t.movable(x), {x.size()}, gparray::order::C);
    result = t.unpacked(
        gd::reshape(all_combined(t, flat, options.op, options.order), x.shape(), gparray::order::C));
  }
  if (!options.out.rep()) return result;
  gd::copy_to(options.out, operand(result, false), {}, nullptr);
  return options.out;
}

any_array reduce(const any_array& x, int root, const communicator& c, const all_reduce_options& options) {
  check_rank("reduce", "the root", root, c.size());
  all_reduce_options mine = options;
  if (c.rank() != root) mine.out = {};
  const any_array result = all_reduce(x, c, mine);
  return c.rank() == root ? result : gd::create({0}, x.dtype(), {.device = x.device()});
}

any_array reduce_scatter(const any_array& x, const communicator& c, const reduce_scatter_options& options) {
  check_combination("reduce_scatter", options.op, x.dtype());
  const int axis = checked_axis(options.axis, x.ndim());
  const transport t(c, x.device(), options.stream);
  t.group().begin(signature("reduce_scatter", x.dtype(), x.shape(), axis, static_cast<int>(options.op)));
  if (t.size() == 1) return gd::copy(x, gparray::order::C);
  const any_array front = t.movable(gd::moveaxis(x, {axis}, {0}));
  const any_array mine = combined(own_parts(t, front, even_cuts(front.shape(0), t.size())), options.op);
  return t.unpacked(gd::copy(gd::moveaxis(mine, {0}, {axis}), gparray::order::C));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
