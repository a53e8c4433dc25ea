#include <algorithm>
#include <cstring>
#include <thread>

#include <distributed/mpi/mpi_engine.hpp>
#include <distributed/start/last_resort.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {
namespace {

using clock = std::chrono::steady_clock;

constexpr const char* same_calls = "All ranks must make the same calls in the same order, on arrays that fit";

/// Between two looks whether a message has come. A short wait stays short; in a longer one the processor is
/// another's who wants it, since there may be more ranks than processors.
void pause(unsigned looks, clock::duration waited) {
  if (looks < 64) return;
  if (waited < std::chrono::milliseconds(1)) std::this_thread::yield();
  else std::this_thread::sleep_for(std::chrono::microseconds(50));
}

}  // namespace

mpi_engine::mpi_engine(mpi_world& world, std::size_t piece)
    : world_(world),
      communicator_(world.communicator()),
      rank_(world.rank()),
      size_(world.size()),
      piece_(piece) {}

mpi_engine::mpi_engine(const mpi_engine& parent, int color, mpi_handle communicator, int rank, int size)
    : world_(parent.world_),
      communicator_(communicator),
      rank_(rank),
      size_(size),
      piece_(parent.piece_),
      of_split_(fmt::format(" among ranks of color {} of {}", color, parent.call_text())) {
  current = parent.current;
}

mpi_engine::~mpi_engine() {
  if (communicator_ == world_.communicator() || !world_.is_usable()) return;
  try {
    world_.call<&mpi_table::Comm_free>("MPI_Comm_free", &communicator_);
  } catch (const error&) {  // a destructor has nobody to tell
  }
}

/// Calls what gives a request, and keeps that.
template<auto Member, class... Arguments>
void mpi_engine::enqueue(const char* name, Arguments... arguments) {
  request r;
  try {
    world_.call<Member>(name, arguments..., &r.handle);
  } catch (const error& e) {
    fail_in_call(e.what());
  }
  requests_.push_back(r);
}

void mpi_engine::enqueue_pieces(std::span<const outgoing> sends, std::span<const incoming> receives) {
  const mpi_handle byte = world_.table().constants.byte;
  // What this rank sends to itself is copied.
  auto own = receives.begin();
  for (const outgoing& m : sends) {
    if (m.to != rank_) continue;
    own = std::find_if(own, receives.end(), [&](const incoming& r) { return r.from == rank_; });
    if (own == receives.end() || own->bytes != m.bytes)
      fail_in_call("what the rank sends to itself is not what it expects");
    if (m.bytes > 0 && own->data != m.data) std::memmove(own->data, m.data, m.bytes);
    ++own;
  }
  for (const incoming& m : receives)
    for (std::size_t done = 0; m.from != rank_ && done < m.bytes; done += piece_) {
      const auto n = static_cast<int>(std::min(piece_, m.bytes - done));
      enqueue<&mpi_table::Irecv>("MPI_Irecv", static_cast<std::byte*>(m.data) + done, n, byte, m.from, 0,
                                 communicator_);
      requests_.back().from = m.from;
      requests_.back().bytes = n;
    }
  for (const outgoing& m : sends)
    for (std::size_t done = 0; m.to != rank_ && done < m.bytes; done += piece_)
      enqueue<&mpi_table::Isend>("MPI_Isend", static_cast<const std::byte*>(m.data) + done,
                                 static_cast<int>(std::min(piece_, m.bytes - done)), byte, m.to, 0,
                                 communicator_);
}

bool mpi_engine::is_done(request& r) {
  int done = 0, bytes = r.bytes;
  mpi_status status;
  try {
    world_.call<&mpi_table::Test>("MPI_Test", &r.handle, &done, &status);
    if (!done) return false;
    if (r.from >= 0)
      world_.call<&mpi_table::Get_count>("MPI_Get_count", &status, world_.table().constants.byte, &bytes);
  } catch (const error& e) {
    fail_in_call(e.what());
  }
  if (bytes != r.bytes)
    fail_in_call(fmt::format("rank {} has sent {} bytes where {} are expected", r.from, bytes, r.bytes));
  return true;
}

void mpi_engine::wait() {
  const clock::time_point start = clock::now();
  clock::duration waited{};
  for (unsigned looks = 0;; ++looks) {
    std::erase_if(requests_, [this](request& r) { return is_done(r); });
    if (requests_.empty()) return;
    if (looks % 16 == 15) waited = clock::now() - start;
    if (waited > world_.timeout()) give_up();
    pause(looks, waited);
  }
}

/// MPI may still be writing to what other requests name, so nothing is begun after an error.
void mpi_engine::fail_in_call(const std::string& cause) {
  const std::string why = fmt::format("rank {} of {} failed in {}: {}. {}", world_.rank(), world_.size(),
                                      call_text(), cause, same_calls);
  world_.break_down(why);
  throw distributed_error(why);
}

void mpi_engine::give_up() {
  const std::string own = call_text();
  const std::vector<std::string> heard = world_.statements(own);
  std::string others;
  int late = -1;
  for (int r = 0; r < world_.size(); ++r) {
    if (r == world_.rank()) continue;
    const std::string& text = heard[static_cast<std::size_t>(r)];
    if (text.empty() && late < 0) late = r;
    others += text.empty() ? fmt::format("; rank {} is in no call", r)
                           : fmt::format("; rank {} waits in {}", r, text);
  }
  const std::string why = fmt::format(
      "rank {} of {} waited {} s in {}{}. {}; one that needs more time is given it by "
      "init({{.timeout = ...}}) or GPARRAY_DISTRIBUTED_TIMEOUT",
      world_.rank(), world_.size(), std::chrono::duration<double>(world_.timeout()).count(), own, others,
      same_calls);
  world_.break_down(why);
  throw late < 0 ? distributed_error(why) : distributed_error(why, late);
}

void mpi_engine::all_gather(const void* mine, void* all, std::size_t bytes, const stream_view&) {
  world_.check();
  const mpi_constants& known = world_.table().constants;
  if (bytes <=
      piece_ / static_cast<std::size_t>(size_)) {  // Open MPI 4.1 counts all blocks together in an int
    const auto n = static_cast<int>(bytes);
    const void* const place = static_cast<std::byte*>(all) + static_cast<std::size_t>(rank_) * bytes;
    enqueue<&mpi_table::Iallgather>("MPI_Iallgather", mine == place ? known.in_place : mine, n, known.byte,
                                    all, n, known.byte, communicator_);
  } else {
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
    for (int r = 0; r < size_; ++r) {
      sends.push_back({r, mine, bytes});
      receives.push_back({r, static_cast<std::byte*>(all) + static_cast<std::size_t>(r) * bytes, bytes});
    }
    enqueue_pieces(sends, receives);
  }
  wait();
}

void mpi_engine::all_to_all(const void* from, std::span<const std::size_t> from_offsets, void* to,
                            std::span<const std::size_t> to_offsets, const stream_view&) {
  world_.check();
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  for (int r = 0; r < size_; ++r) {
    const auto i = static_cast<std::size_t>(r);
    sends.push_back(
        {r, static_cast<const std::byte*>(from) + from_offsets[i], from_offsets[i + 1] - from_offsets[i]});
    receives.push_back({r, static_cast<std::byte*>(to) + to_offsets[i], to_offsets[i + 1] - to_offsets[i]});
  }
  enqueue_pieces(sends, receives);
  wait();
}

void mpi_engine::broadcast(void* data, std::size_t bytes, int root, const stream_view&) {
  world_.check();
  for (std::size_t done = 0; done < bytes; done += piece_)
    enqueue<&mpi_table::Ibcast>("MPI_Ibcast", static_cast<std::byte*>(data) + done,
                                static_cast<int>(std::min(piece_, bytes - done)),
                                world_.table().constants.byte, root, communicator_);
  wait();
}

void mpi_engine::exchange(std::span<const outgoing> sends, std::span<const incoming> receives,
                          const stream_view&) {
  world_.check();
  enqueue_pieces(sends, receives);
  wait();
}

bool mpi_engine::all_reduce(const void* from, void* to, std::size_t count, dtype type, combination op,
                            const stream_view&) {
  const mpi_constants& known = world_.table().constants;
  const mpi_handle mpi_type = mpi_type_of(known, type);
  // What MPI makes of NaN in a minimum is not NumPy's.
  const bool is_order = op == combination::min || op == combination::max;
  if (mpi_type == 0 || (is_order && is_floating(type))) return false;
  world_.check();
  const mpi_handle mpi_op = op == combination::sum    ? known.sum
                            : op == combination::prod ? known.prod
                            : op == combination::min  ? known.min
                                                      : known.max;
  const std::size_t size = itemsize(type), piece = std::max<std::size_t>(piece_ / size, 1);
  for (std::size_t done = 0; done < count; done += piece)
    enqueue<&mpi_table::Iallreduce>(
        "MPI_Iallreduce", from == to ? known.in_place : static_cast<const std::byte*>(from) + done * size,
        static_cast<std::byte*>(to) + done * size, static_cast<int>(std::min(piece, count - done)), mpi_type,
        mpi_op, communicator_);
  wait();
  return true;
}

void mpi_engine::barrier() {
  world_.check();
  enqueue<&mpi_table::Ibarrier>("MPI_Ibarrier", communicator_);
  wait();
}

std::shared_ptr<engine> mpi_engine::split(int color, int key) {
  barrier();  // all ranks are here before the call that knows no deadline
  const last_resort guard(
      fmt::format("rank {} of {} waited in {} for ranks that make another call or have ended. {}",
                  world_.rank(), world_.size(), call_text(), same_calls),
      world_.timeout());
  mpi_handle part = 0;
  int rank = 0, size = 1;
  world_.call<&mpi_table::Comm_split>("MPI_Comm_split", communicator_, color, key, &part);
  world_.call<&mpi_table::Comm_rank>("MPI_Comm_rank", part, &rank);
  world_.call<&mpi_table::Comm_size>("MPI_Comm_size", part, &size);
  return std::shared_ptr<engine>(new mpi_engine(*this, color, part, rank, size));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
