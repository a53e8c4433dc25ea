#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <distributed/arrays/node.hpp>
#include <distributed/collectives/moved.hpp>

#include <gparray/distributed/files.hpp>
#include <gparray/files/npy.hpp>
#include <support/errors.hpp>
#include <support/file_descriptor.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// What a rank could not do, as ranks tell each other: empty if all went well.
struct outcome {
  enum class kind_type : std::uint8_t { fine, os, value } kind;
  char text[511];
};

outcome outcome_of(const std::function<void()>& work) {
  outcome result{};
  const auto note = [&](outcome::kind_type kind, const char* text) {
    result.kind = kind;
    std::strncpy(result.text, text, sizeof result.text - 1);
  };
  try {
    work();
  } catch (const os_error& e) {
    note(outcome::kind_type::os, e.what());
  } catch (const std::exception& e) {
    note(outcome::kind_type::value, e.what());
  }
  return result;
}

/// Does something on each rank, and throws on all what it threw on one.
void on_all(const communicator& world, const std::function<void()>& work) {
  const outcome mine = outcome_of(work);
  for (const outcome& each : all_gather_values(mine, world)) {
    if (each.kind == outcome::kind_type::os) throw os_error(each.text);
    if (each.kind == outcome::kind_type::value) throw value_error(each.text);
  }
}

[[noreturn]] void fail_as(const std::string& file) {
  core::fail<os_error>("{}: {}", file, std::strerror(errno));
}

core::file_descriptor opened(const std::string& file, int flags) {
  core::file_descriptor to(::open(file.c_str(), flags | O_CLOEXEC, 0666));
  if (!to) fail_as(file);
  return to;
}

/// Calls f(offset in bytes, bytes, offset in the part) for what of a part lies side by side in a file of the
/// whole array.
template<class F>
void for_runs(const dims& shape, const box& part, std::size_t item, const F& f) {
  std::size_t last = shape.size();  // from here on axes are whole
  std::int64_t run = 1;
  while (last > 0 && part[last - 1].size() == shape[last - 1]) run *= shape[--last];
  if (last > 0) run *= part[--last].size();
  std::int64_t runs = 1;
  for (std::size_t a = 0; a < last; ++a) runs *= part[a].size();
  for (std::int64_t i = 0; i < (run ? runs : 0); ++i) {
    std::int64_t rest = i, at = 0, step = 1;
    for (std::size_t a = shape.size(); a-- > 0; step *= shape[a]) {
      std::int64_t index = part[a].begin;
      if (a < last) {
        index += rest % part[a].size();
        rest /= part[a].size();
      }
      at += index * step;
    }
    f(static_cast<std::size_t>(at) * item, static_cast<std::size_t>(run) * item,
      static_cast<std::size_t>(i * run) * item);
  }
}

/// pread or pwrite of all bytes.
template<class Call, class Byte>
void transfer(const Call& call, int number, Byte* bytes, std::size_t count, std::size_t offset,
              const std::string& file) {
  while (count > 0) {
    const ssize_t done = call(number, bytes, count, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_as(file);
    if (done == 0) core::fail<os_error>("{}: the file has become shorter", file);
    bytes += done;
    offset += static_cast<std::size_t>(done);
    count -= static_cast<std::size_t>(done);
  }
}

}  // namespace

void save(const std::string& name, const node_ptr& a) {
  const std::string file = name.ends_with(".npy") ? name : name + ".npy", beside = file + ".part";
  const auto s = shard_of(a);
  const placement& at = *s->where();
  const communicator& world = at.ranks->world;
  const std::string header = gd::npy_header(s->type(), at.shape);
  on_all(world, [&] {
    if (world.rank() != 0) return;
    // All of its length at once: a disk without room says so here, where it can.
    const core::file_descriptor to = opened(beside, O_WRONLY | O_CREAT | O_TRUNC);
    const std::size_t item = itemsize(s->type());
    std::size_t bytes = item;
    for (const std::int64_t n : at.shape) bytes *= static_cast<std::size_t>(n);
    transfer(::pwrite, to.get(), header.data(), header.size(), 0, beside);
    if (::ftruncate(to.get(), static_cast<off_t>(header.size() + bytes)) != 0) fail_as(beside);
  });
  try {
    on_all(world, [&] {
      if (!at.first_of_its_kind(world.rank())) return;
      const any_array part = gd::in_order(gd::to_host(s->own(), nullptr, {}), gparray::order::C);
      const auto* const bytes =
          static_cast<const char*>(gd::address_for(part, default_stream(device::cpu()), false));
      core::file_descriptor to = opened(beside, O_WRONLY);
      for_runs(at.shape, at.own(), itemsize(s->type()),
               [&](std::size_t offset, std::size_t count, std::size_t from) {
                 transfer(::pwrite, to.get(), bytes + from, count, header.size() + offset, beside);
               });
      if (!to.close()) fail_as(beside);
    });
    on_all(world, [&] {
      if (world.rank() == 0 && std::rename(beside.c_str(), file.c_str()) != 0) fail_as(file);
    });
  } catch (...) {
    if (world.rank() == 0) ::unlink(beside.c_str());
    throw;
  }
}

node_ptr load(const std::string& file, dtype type, const distributed::layout& where) {
  const communicator world = where.ranks().world();
  gd::npy_contents contents{};
  on_all(world, [&] { contents = gd::read_npy_contents(file); });
  const auto at = where.place(contents.shape);
  const box own = at->own();
  any_array part;
  on_all(world, [&] {
    if (contents.fortran_order || contents.is_swapped) {
      std::vector<gd::index_item> items;
      for (const range& r : own) items.emplace_back(slice(r.begin, r.end));
      part = gd::copy(gd::basic_index(gparray::load(file), items), gparray::order::C);
      return;
    }
    const any_array read = gd::create(shape_of(own), contents.type, {.device = device::cpu()});
    auto* const bytes = static_cast<char*>(gd::address_for(read, default_stream(device::cpu()), true));
    const core::file_descriptor from = opened(file, O_RDONLY);
    for_runs(contents.shape, own, itemsize(contents.type),
             [&](std::size_t offset, std::size_t count, std::size_t to) {
               transfer(::pread, from.get(), bytes + to, count, contents.offset + offset, file);
             });
    part = gd::to_device(read, default_device(), nullptr);
  });
  return node_of(at, gd::as_type(part, type));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
