#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include <distributed/mpi/mpi_world.hpp>
#include <distributed/start/last_resort.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {
namespace {

using clock = std::chrono::steady_clock;

mpi_world* made = nullptr;

/// What a rank says of itself when it has waited in vain.
using statement = std::array<char, 240>;
constexpr std::chrono::milliseconds time_to_answer{500};
constexpr int statement_tag = 1;

std::string seconds(std::chrono::milliseconds t) {
  return fmt::format("{} s", std::chrono::duration<double>(t).count());
}

/// At exit, if it was us who began MPI. Communicators in static variables may live longer: is_usable().
void end_of_mpi(int status, void*) {
  const mpi_table& calls = mpi();
  int is_running = 0, is_over = 0;
  if (calls.Initialized(&is_running) != 0 || !is_running) return;
  if (calls.Finalized(&is_over) != 0 || is_over) return;
  if (status == 0 && made && made->is_broken()) status = 1;
  if (status != 0) {
    // The others may wait for this rank, for which MPI_Finalize would wait in turn.
    calls.Abort(calls.constants.comm_world, status);
    std::_Exit(status);
  }
  const std::chrono::milliseconds timeout = made ? made->timeout() : std::chrono::minutes(1);
  const last_resort guard(
      fmt::format("MPI_Finalize did not return within {}: not all ranks have come to their end",
                  seconds(timeout)),
      timeout);
  calls.Finalize();
}

}  // namespace

mpi_world& mpi_world::get(std::chrono::milliseconds timeout, int launched_size) {
  static std::mutex one_at_a_time;
  const std::lock_guard guard(one_at_a_time);
  if (made) return *made;
  made = new mpi_world(mpi(), timeout,
                       launched_size);  // never destroyed: communicators in static variables use it
  return *made;
}

mpi_world::mpi_world(const mpi_table& calls, std::chrono::milliseconds timeout, int launched_size)
    : calls_(calls), timeout_(timeout) {
  std::array<char, 8192> description{};  // the longest in any ABI
  int length = 0, is_running = 0;
  call<&mpi_table::Get_library_version>("MPI_Get_library_version", description.data(), &length);
  name_ = mpi_name_in(description.data());
  call<&mpi_table::Initialized>("MPI_Initialized", &is_running);
  // To start takes what it takes, whatever deadline the program wants for its calls.
  const std::chrono::milliseconds start_timeout =
      std::max<std::chrono::milliseconds>(timeout, std::chrono::minutes(1));
  const last_resort guard(
      fmt::format("{} did not start within {}: not all ranks have come. They must be started together, with "
                  "the mpirun of this MPI",
                  name_, seconds(start_timeout)),
      start_timeout);
  if (!is_running) {
    int provided = 0;
    call<&mpi_table::Init_thread>("MPI_Init_thread", nullptr, nullptr, calls_.constants.thread_serialized,
                                  &provided);
    // Unlike atexit it tells the status. It must run before what MPI_Init registers, as MPICH's handler takes
    // leave of the launcher, and does so only if MPI_Finalize was called: a rank that then ends is one that
    // died, and all others are killed.
    on_exit(end_of_mpi, nullptr);
    // Open MPI reports what fails in a request of a collective call to the world.
    call<&mpi_table::Comm_set_errhandler>("MPI_Comm_set_errhandler", calls_.constants.comm_world,
                                          calls_.constants.errors_return);
  }
  const mpi_handle world = calls_.constants.comm_world;
  call<&mpi_table::Comm_rank>("MPI_Comm_rank", world, &rank_);
  call<&mpi_table::Comm_size>("MPI_Comm_size", world, &size_);
  if (!is_running && size_ != launched_size)
    core::fail<library_error>(
        "this process is one of {} ranks, {} was loaded, and that knows of {}: it is not the MPI of the "
        "launcher. Start the "
        "program with the mpirun of {}, or set GPARRAY_MPI_LIBRARY to the launcher's library",
        launched_size, name_, size_, name_);
  call<&mpi_table::Comm_dup>("MPI_Comm_dup", world, &communicator_);
  call<&mpi_table::Comm_set_errhandler>("MPI_Comm_set_errhandler", communicator_,
                                        calls_.constants.errors_return);
}

void mpi_world::throw_mpi_error(const char* call, int code) {
  std::array<char, 512> text{};  // the longest in any ABI
  int length = 0;
  {
    const std::lock_guard guard(lock_);
    if (calls_.Error_string(code, text.data(), &length) != 0) text[0] = '\0';
  }
  core::fail<distributed_error>("{} failed: {} ({})", call, text.data(), code);
}

void mpi_world::check() const {
  if (is_broken()) core::fail<distributed_error>("the ranks are no longer connected: {}", why_);
}

void mpi_world::break_down(std::string why) {
  const std::lock_guard guard(lock_);
  if (is_broken()) return;
  why_ = std::move(why);
  broken_.store(true, std::memory_order_release);
}

bool mpi_world::is_usable() {
  int is_over = 0;
  return !is_broken() && calls_.Finalized(&is_over) == 0 && !is_over;
}

void mpi_world::abort(std::string_view why) {
  say(fmt::format("rank {} of {} ends all ranks: {}", rank_, size_, why));
  calls_.Abort(calls_.constants.comm_world, 1);
  std::_Exit(1);
}

namespace {

/// MPI may still write here later, so it is never given back.
std::vector<statement>& kept_forever(std::size_t count) {
  static std::mutex lock;
  static auto& all = *new std::list<std::vector<statement>>;
  const std::lock_guard guard(lock);
  return all.emplace_back(count);
}

}  // namespace

std::vector<std::string> mpi_world::statements(const std::string& own) {
  const std::lock_guard guard(lock_);
  const auto n = static_cast<std::size_t>(size_);
  std::vector<statement>& kept = kept_forever(n + 1);
  const std::span texts = std::span(kept).first(n);
  statement& mine = kept.back();
  own.copy(mine.data(), mine.size() - 1);
  std::vector<mpi_handle> sends(n), receives(n);
  const auto bytes = static_cast<int>(mine.size());
  for (int r = 0; r < size_; ++r) {
    if (r == rank_) continue;
    const auto at = static_cast<std::size_t>(r);
    if (calls_.Irecv(texts[at].data(), bytes, calls_.constants.byte, r, statement_tag, communicator_,
                     &receives[at]) != 0)
      receives[at] = 0;
    if (calls_.Isend(mine.data(), bytes, calls_.constants.byte, r, statement_tag, communicator_,
                     &sends[at]) != 0)
      sends[at] = 0;
  }
  std::vector<std::string> heard(n);
  const auto is_done = [&](mpi_handle& request) {
    int done = 0;
    mpi_status ignored;
    if (request && calls_.Test(&request, &done, &ignored) == 0 && done) request = 0;
    return done != 0;
  };
  for (const auto end = clock::now() + time_to_answer; clock::now() < end;
       std::this_thread::sleep_for(std::chrono::milliseconds(1)))
    for (std::size_t r = 0; r < n; ++r) {
      is_done(sends[r]);
      if (is_done(receives[r])) heard[r] = texts[r].data();
    }
  return heard;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
