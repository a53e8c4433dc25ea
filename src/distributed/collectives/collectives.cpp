#include <distributed/collectives/moved.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

any_array nothing(const any_array& like) { return gd::create({0}, like.dtype(), {.device = like.device()}); }

/// Shape and dtype as ranks tell each other.
struct described {
  std::int64_t type, ndim, sizes[max_ndim];

  explicit described(const any_array& a)
      : type(static_cast<std::int64_t>(a.dtype())), ndim(a.ndim()), sizes{} {
    std::copy(a.shape().begin(), a.shape().end(), sizes);
  }
  described() : type(0), ndim(0), sizes{} {}
  dims shape() const { return dims(std::span<const std::int64_t>(sizes, static_cast<std::size_t>(ndim))); }
};

/// What all ranks have, which must be alike but along one axis. Throws value_error or type_error on all.
std::vector<described> all_described(const char* operation, const transport& t, const any_array& a,
                                     int axis) {
  std::vector<described> all(static_cast<std::size_t>(t.size()));
  const described mine(a);
  t.group().host().all_gather(&mine, all.data(), sizeof mine, default_stream(device::cpu()));
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (all[r].type != all[0].type)
      core::fail<type_error>("{}: rank 0 has {}, rank {} has {}", operation,
                             name(static_cast<dtype>(all[0].type)), r, name(static_cast<dtype>(all[r].type)));
    dims first = all[0].shape(), other = all[r].shape();
    if (first.size() == other.size() && axis >= 0 && static_cast<std::size_t>(axis) < first.size())
      first[static_cast<std::size_t>(axis)] = other[static_cast<std::size_t>(axis)];
    if (first != other)
      core::fail<value_error>("{}: rank 0 has shape {}, rank {} has {}; they may differ along axis {} alone",
                              operation, core::text(all[0].shape()), r, core::text(other), axis);
  }
  return all;
}

/// The ranks' arrays side by side in the buffer, put together along the axis.
any_array joined(const transport& t, const any_array& buffer, const std::vector<dims>& shapes, int axis) {
  std::vector<any_array> parts;
  std::int64_t at = 0;
  for (const dims& shape : shapes) {
    std::int64_t n = 1;
    for (const std::int64_t size : shape) n *= size;
    parts.push_back(gd::reshape(part_of(buffer, 0, at, at + n), shape, gparray::order::C));
    at += n;
  }
  any_array result = parts[0];
  if (axis == 0) {
    dims shape = shapes[0];
    shape[0] = 0;
    for (const dims& each : shapes) shape[0] += each[0];
    result = gd::reshape(buffer, shape, gparray::order::C);
  } else if (parts.size() > 1) {
    result = gd::join(gd::joining::concatenate, parts, axis, buffer.dtype());
  }
  return t.unpacked(result);
}

std::size_t bytes_of(const dims& shape, dtype type) {
  std::size_t n = itemsize(type);
  for (const std::int64_t size : shape) n *= static_cast<std::size_t>(size);
  return n;
}

/// One array of each rank, of these shapes, on those ranks that want it, in the order of ranks.
any_array brought(const transport& t, const any_array& x, const std::vector<dims>& shapes, int axis,
                  std::optional<int> root) {
  const bool wanted = !root || *root == t.rank();
  std::size_t total = 0;
  bool even = true;
  for (const dims& shape : shapes) {
    total += bytes_of(shape, x.dtype());
    even &= shape == shapes[0];
  }
  const any_array mine = t.movable(x);
  const any_array buffer =
      t.room({wanted ? static_cast<std::int64_t>(total / itemsize(x.dtype())) : 0}, x.dtype());
  if (!root && even) {
    t.moves().all_gather(t.read(mine), t.written(buffer), static_cast<std::size_t>(mine.nbytes()),
                         t.stream());
  } else {
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
    for (int r = 0; r < t.size(); ++r)
      if (!root || r == *root) sends.push_back({r, t.read(mine), static_cast<std::size_t>(mine.nbytes())});
    char* at = static_cast<char*>(t.written(buffer));
    for (int r = 0; wanted && r < t.size(); ++r) {
      const std::size_t bytes = bytes_of(shapes[static_cast<std::size_t>(r)], x.dtype());
      receives.push_back({r, at, bytes});
      at += bytes;
    }
    t.moves().exchange(sends, receives, t.stream());
  }
  return wanted ? joined(t, buffer, shapes, axis) : nothing(x);
}

std::vector<dims> shapes_of(const std::vector<described>& all) {
  std::vector<dims> shapes;
  for (const described& each : all) shapes.push_back(each.shape());
  return shapes;
}

any_array at_least_a_vector(const any_array& x) {
  return x.ndim() ? x : gd::reshape(x, {1}, gparray::order::C);
}

/// Sends an array to a rank, fills another with what comes from a rank; -1: neither. Not every engine knows
/// how much comes, and none of which dtype, so where calls are compared the sender says it: what does not fit
/// is received all the same, lest the sender waits, and refused.
void deliver(const transport& t, const any_array& x, int to, const any_array& result, int from) {
  const bool sends = to >= 0, receives = from >= 0;
  const any_array packed = sends ? t.movable(x) : any_array();
  using letter = communicator_state::letter;
  const auto letter_of = [](const any_array& a) {
    return letter{static_cast<std::size_t>(a.nbytes()), a.dtype()};
  };
  const letter out = sends ? letter_of(packed) : letter{}, in = receives ? letter_of(result) : letter{},
               coming = t.group().announced(to, out, from, in);
  const any_array room = coming.bytes == in.bytes
                             ? result
                             : t.room({static_cast<std::int64_t>(coming.bytes)}, gparray::dtype::uint8);
  const outgoing goes{to, sends ? t.read(packed) : nullptr, out.bytes};
  const incoming comes{from, receives ? t.written(room) : nullptr, coming.bytes};
  t.moves().exchange({&goes, sends}, {&comes, receives}, t.stream());
  const auto refuse = [&](const std::string& sent, const std::string& expected) {
    throw distributed_error(fmt::format("{}: rank {} has sent {} to rank {}, which expects {}",
                                        t.moves().current.text(), from, sent, t.rank(), expected),
                            from);
  };
  if (coming.bytes != in.bytes) refuse(fmt::format("{} bytes", coming.bytes), std::to_string(in.bytes));
  if (receives && coming.type != in.type) refuse(std::string(name(coming.type)), std::string(name(in.type)));
}

}  // namespace

any_array broadcast(const any_array& x, int root, const communicator& c, const stream_option& options) {
  check_rank("broadcast", "the root", root, c.size());
  const transport t(c, x.device(), options.stream);
  t.group().begin(signature("broadcast", x.dtype(), x.shape(), root));
  if (t.size() == 1) return gd::copy(x, gparray::order::C);
  const any_array result = t.rank() == root ? t.packed(x) : t.room(x.shape(), x.dtype());
  t.moves().broadcast(t.written(result), static_cast<std::size_t>(result.nbytes()), root, t.stream());
  return t.unpacked(result);
}

any_array all_gather(const any_array& of_rank, const communicator& c, const gather_options& options) {
  const any_array x = at_least_a_vector(of_rank);
  const int axis = checked_axis(options.axis, x.ndim());
  const transport t(c, x.device(), options.stream);
  t.group().begin(signature("all_gather", -1, axis));
  if (t.size() == 1) return gd::copy(x, gparray::order::C);
  return brought(t, x, shapes_of(all_described("all_gather", t, x, axis)), axis, {});
}

any_array gather(const any_array& of_rank, int root, const communicator& c, const gather_options& options) {
  check_rank("gather", "the root", root, c.size());
  const any_array x = at_least_a_vector(of_rank);
  const int axis = checked_axis(options.axis, x.ndim());
  const transport t(c, x.device(), options.stream);
  t.group().begin(signature("gather", root, axis));
  if (t.size() == 1) return gd::copy(x, gparray::order::C);
  return brought(t, x, shapes_of(all_described("gather", t, x, axis)), axis, root);
}

any_array scatter(const any_array& x, int root, const communicator& c, const gather_options& options) {
  check_rank("scatter", "the root", root, c.size());
  const transport t(c, x.device(), options.stream);
  t.group().begin(signature("scatter", root, options.axis));
  described of_root(x);
  t.group().host().broadcast(&of_root, sizeof of_root, root, default_stream(device::cpu()));
  dims shape = of_root.shape();
  const int axis = checked_axis(options.axis, static_cast<int>(shape.size()));
  const auto at = static_cast<std::size_t>(axis), me = static_cast<std::size_t>(t.rank());
  const std::vector<std::int64_t> cuts = even_cuts(shape[at], t.size());
  messages all(t);
  for (int r = 0; t.rank() == root && r < t.size(); ++r) {
    const auto i = static_cast<std::size_t>(r);
    all.send(r, part_of(x, axis, cuts[i], cuts[i + 1]));
  }
  shape[at] = cuts[me + 1] - cuts[me];
  const any_array result = t.room(shape, x.dtype());
  all.receive(root, result);
  all.exchange();
  return t.unpacked(result);
}

any_array all_to_all(const any_array& x, const communicator& c, const all_to_all_options& options) {
  const int split_axis = checked_axis(options.split_axis, x.ndim());
  const int concat_axis = checked_axis(options.concat_axis, x.ndim());
  const transport t(c, x.device(), options.stream);
  t.group().begin(signature("all_to_all", split_axis, concat_axis));
  if (t.size() == 1) return gd::copy(x, gparray::order::C);
  const auto split = static_cast<std::size_t>(split_axis), me = static_cast<std::size_t>(t.rank());
  const auto all = all_described("all_to_all", t, x, split_axis == concat_axis ? -1 : concat_axis);
  const std::vector<std::int64_t> cuts = even_cuts(x.shape(split_axis), t.size());
  // What goes to a rank lies side by side.
  std::vector<any_array> flat;
  std::vector<std::size_t> from{0}, to{0};
  std::vector<dims> shapes;
  for (std::size_t r = 0; r < all.size(); ++r) {
    const any_array part = part_of(x, split_axis, cuts[r], cuts[r + 1]);
    flat.push_back(gd::ravel(part, gparray::order::C));
    from.push_back(from.back() + static_cast<std::size_t>(part.nbytes()));
    dims shape = all[r].shape();
    shape[split] = cuts[me + 1] - cuts[me];
    to.push_back(to.back() + bytes_of(shape, x.dtype()));
    shapes.push_back(shape);
  }
  const any_array packed = t.movable(gd::join(gd::joining::concatenate, flat, 0, x.dtype()));
  const any_array buffer = t.room({static_cast<std::int64_t>(to.back() / itemsize(x.dtype()))}, x.dtype());
  t.moves().all_to_all(t.read(packed), from, t.written(buffer), to, t.stream());
  return joined(t, buffer, shapes, concat_axis);
}

void send(const any_array& x, int to, const communicator& c, const stream_option& options) {
  check_rank("send", "the receiver", to, c.size());
  const transport t(c, x.device(), options.stream, true);
  t.group().note(signature("send", x.dtype(), x.shape(), to));
  deliver(t, x, to, {}, -1);
}

any_array recv(const dims& shape, dtype type, int from, const communicator& c, const stream_option& options) {
  check_rank("recv", "the sender", from, c.size());
  const transport t(c, c.place(), options.stream, true);
  t.group().note(signature("recv", type, shape, from));
  const any_array result = t.room(shape, type);
  deliver(t, {}, -1, result, from);
  return t.unpacked(result);
}

any_array send_recv(const any_array& x, int to, int from, const communicator& c,
                    const stream_option& options) {
  check_rank("send_recv", "the receiver", to, c.size());
  check_rank("send_recv", "the sender", from, c.size());
  const transport t(c, x.device(), options.stream);
  t.group().note(signature("send_recv", x.dtype(), x.shape(), to));
  if (t.size() == 1) return gd::copy(x, gparray::order::C);
  const any_array result = t.room(x.shape(), x.dtype());
  deliver(t, x, to, result, from);
  return t.unpacked(result);
}

void all_gather_bytes(const void* mine, void* all, std::size_t count, const communicator& c) {
  c.state().begin(signature("all_gather_values", -1, static_cast<int>(count & 255)));
  c.state().host().all_gather(mine, all, count, default_stream(device::cpu()));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
