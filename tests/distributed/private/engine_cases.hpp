// What every engine must do: each rank calls check_engine, in the same order, with its own engine.
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include <distributed/runtime/engine.hpp>
#include <doctest/doctest.h>

namespace engine_cases {

namespace gp = gparray;
namespace gd = gparray::distributed::detail;
using bytes = std::vector<unsigned char>;

/// Memory of an engine's device, filled from and read by the host. On the CPU it is host memory.
struct host_memory {
  static void* allocate(std::size_t n) { return ::operator new(n + 1); }
  static void release(void* p) { ::operator delete(p); }
  static void put(void* to, const void* from, std::size_t n) {
    if (n) std::memcpy(to, from, n);
  }
  static void get(void* to, const void* from, std::size_t n) {
    if (n) std::memcpy(to, from, n);
  }
  static gp::stream_view stream() { return gp::default_stream(gp::device::cpu()); }
};

template<class Memory>
class buffer {
 public:
  explicit buffer(const bytes& content) : size_(content.size()), data_(Memory::allocate(size_)) {
    Memory::put(data_, content.data(), size_);
  }
  ~buffer() { Memory::release(data_); }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  unsigned char* data() const { return static_cast<unsigned char*>(data_); }
  bytes read() const {
    bytes content(size_);
    Memory::get(content.data(), data_, size_);
    return content;
  }

 private:
  std::size_t size_;
  void* data_;
};

/// The i-th byte that rank `from` has for rank `to`.
inline unsigned char sample(int from, int to, std::size_t i) {
  return static_cast<unsigned char>(37 * from + 11 * to + static_cast<int>(i % 251));
}
inline bytes samples(int from, int to, std::size_t n) {
  bytes b(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = sample(from, to, i);
  return b;
}
inline void append(bytes& to, const bytes& more) { to.insert(to.end(), more.begin(), more.end()); }

template<class M>
void check_all_gather(gd::engine& e, std::size_t n) {
  bytes expected;
  for (int r = 0; r < e.size(); ++r) append(expected, samples(r, 0, n));
  const buffer<M> mine(samples(e.rank(), 0, n)), all(bytes(expected.size()));
  e.all_gather(mine.data(), all.data(), n, M::stream());
  CHECK(all.read() == expected);
  // In its place.
  bytes start(expected.size(), 255);
  std::memcpy(start.data() + static_cast<std::size_t>(e.rank()) * n, samples(e.rank(), 0, n).data(), n);
  const buffer<M> placed(start);
  e.all_gather(placed.data() + static_cast<std::size_t>(e.rank()) * n, placed.data(), n, M::stream());
  CHECK(placed.read() == expected);
}

/// What rank `from` sends rank `to`: nothing to some.
inline std::size_t length(int from, int to, bool ragged, std::size_t unit) {
  return ragged ? unit * static_cast<std::size_t>((from + 2 * to) % 4) : unit;
}

template<class M>
void check_all_to_all(gd::engine& e, bool ragged, std::size_t unit) {
  bytes from, expected;
  std::vector<std::size_t> from_offsets{0}, to_offsets{0};
  for (int r = 0; r < e.size(); ++r) {
    append(from, samples(e.rank(), r, length(e.rank(), r, ragged, unit)));
    append(expected, samples(r, e.rank(), length(r, e.rank(), ragged, unit)));
    from_offsets.push_back(from.size());
    to_offsets.push_back(expected.size());
  }
  const buffer<M> in(from), out(bytes(expected.size()));
  e.all_to_all(in.data(), from_offsets, out.data(), to_offsets, M::stream());
  CHECK(out.read() == expected);
}

template<class M>
void check_broadcast(gd::engine& e, std::size_t n) {
  for (int root = 0; root < e.size(); ++root) {
    const buffer<M> data(samples(e.rank(), 1, n));
    e.broadcast(data.data(), n, root, M::stream());
    CHECK(data.read() == samples(root, 1, n));
  }
}

/// Around a ring both ways at once, two messages each way, and to itself.
template<class M>
void check_exchange(gd::engine& e, std::size_t n) {
  const int next = (e.rank() + 1) % e.size(), last = (e.rank() + e.size() - 1) % e.size();
  const buffer<M> up(samples(e.rank(), next, n)), up2(samples(e.rank(), next, 2 * n)),
      down(samples(e.rank(), last, n + 1)), own(samples(e.rank(), e.rank(), n)), from_last(bytes(n, 0)),
      from_last2(bytes(2 * n, 0)), from_next(bytes(n + 1, 0)), to_own(bytes(n, 0));
  const int me = e.rank();
  const gd::outgoing sends[] = {
      {next, up.data(), n}, {next, up2.data(), 2 * n}, {last, down.data(), n + 1}, {me, own.data(), n}};
  const gd::incoming receives[] = {{last, from_last.data(), n},
                                   {last, from_last2.data(), 2 * n},
                                   {next, from_next.data(), n + 1},
                                   {me, to_own.data(), n}};
  if (e.size() > 2) e.exchange(sends, receives, M::stream());
  else if (e.size() == 1)
    e.exchange(std::span(sends).subspan(3), std::span(receives).subspan(3), M::stream());
  else e.exchange(sends, receives, M::stream());  // next and last are one rank: order decides
  if (e.size() > 1) {
    CHECK(from_last.read() == samples(last, me, n));
    CHECK(from_last2.read() == samples(last, me, 2 * n));
    CHECK(from_next.read() == samples(next, me, n + 1));
  }
  CHECK(to_own.read() == samples(me, me, n));
  // Only the first and the last rank take part.
  if (e.rank() == 0 && e.size() > 1)
    e.exchange(std::vector<gd::outgoing>{{e.size() - 1, up.data(), n}}, {}, M::stream());
  if (e.rank() == e.size() - 1 && e.size() > 1) {
    e.exchange({}, std::vector<gd::incoming>{{0, from_last.data(), n}}, M::stream());
    CHECK(from_last.read() == samples(0, 1 % e.size(), n));
  }
}

template<class M, class V>
void check_all_reduce(gd::engine& e, gp::dtype type, gd::combination op, bool known, V expected) {
  const V mine = static_cast<V>(e.rank() + 1);
  for (const bool in_place : {false, true}) {
    bytes content(sizeof(V) * 3);
    for (std::size_t i = 0; i < 3; ++i) std::memcpy(content.data() + i * sizeof(V), &mine, sizeof(V));
    const buffer<M> in(content), out(bytes(content.size()));
    const buffer<M>& to = in_place ? in : out;
    REQUIRE(e.all_reduce(in.data(), to.data(), 3, type, op, M::stream()) == known);
    if (!known) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      V found;
      std::memcpy(&found, to.read().data() + i * sizeof(V), sizeof(V));
      CHECK(found == expected);
    }
  }
}

/// Integers, so that every order of addition gives the same.
template<class M>
void check_reductions(gd::engine& e) {
  const int n = e.size();
  std::int64_t factorial = 1;
  for (int r = 2; r <= n; ++r) factorial *= r;
  using gd::combination;
  check_all_reduce<M>(e, gp::dtype::float64, combination::sum, true, n * (n + 1) / 2.0);
  check_all_reduce<M>(e, gp::dtype::float32, combination::prod, true, static_cast<float>(factorial));
  check_all_reduce<M>(e, gp::dtype::int64, combination::max, true, std::int64_t{n});
  check_all_reduce<M>(e, gp::dtype::uint8, combination::min, true, std::uint8_t{1});
  check_all_reduce<M>(e, gp::dtype::int32, combination::sum, true, n * (n + 1) / 2);
  // NaN is not treated as NumPy does.
  check_all_reduce<M>(e, gp::dtype::float64, combination::max, false, 0.0);
  check_all_reduce<M>(e, gp::dtype::bool_, combination::sum, false, false);
}

template<class M>
void check_engine(gd::engine& e, bool has_reductions) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{8}, std::size_t{1000}, std::size_t{100'000}}) {
    CAPTURE(n);
    check_all_gather<M>(e, n);
    check_broadcast<M>(e, n);
    check_all_to_all<M>(e, false, n);
    check_all_to_all<M>(e, true, n);
    check_exchange<M>(e, n);
  }
  if (has_reductions) check_reductions<M>(e);
  e.barrier();
  // Odd and even ranks, the last first; a group of the group.
  const auto half = e.split(e.rank() % 2, e.size() - e.rank());
  CHECK(half->size() == (e.size() + 1 - e.rank() % 2) / 2);
  CHECK(half->rank() == half->size() - 1 - e.rank() / 2);
  check_all_gather<M>(*half, 5);
  const auto alone = half->split(half->rank(), 0);
  CHECK(alone->size() == 1);
  check_all_gather<M>(*alone, 5);
  check_exchange<M>(e, 3);
}

}  // namespace engine_cases
