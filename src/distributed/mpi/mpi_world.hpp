// What all communicators of this process share of MPI.
#pragma once
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <distributed/mpi/mpi.hpp>

#include <gparray/distributed/communicator.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

class mpi_world {
 public:
  /// The one of this process. The first call begins MPI, unless the program has done so, and then MPI ends
  /// with the process: at once for all ranks if its exit status is not 0. Throws library_error if there is no
  /// MPI, or if it is not that of the launcher, which has started `launched_size` ranks.
  static mpi_world& get(std::chrono::milliseconds timeout, int launched_size);

  /// Begins MPI if nobody has. get() is for programs; this serves tests.
  mpi_world(const mpi_table& calls, std::chrono::milliseconds timeout, int launched_size);

  int rank() const { return rank_; }
  int size() const { return size_; }
  mpi_handle communicator() const { return communicator_; }
  std::chrono::milliseconds timeout() const { return timeout_; }
  const std::string& name() const { return name_; }
  const mpi_table& table() const { return calls_; }

  /// Makes a call of MPI; one thread at a time. Throws distributed_error with MPI's text if it fails. `call`
  /// is for that message.
  template<auto Member, class... Arguments>
  void call(const char* name, Arguments... arguments) {
    int code;
    {
      const std::lock_guard guard(lock_);
      code = (calls_.*Member)(arguments...);
    }
    if (code != 0) [[unlikely]]
      throw_mpi_error(name, code);
  }

  bool is_broken() const { return broken_.load(std::memory_order_acquire); }
  /// Throws what broke the communicators, if anything did.
  void check() const;
  /// From now on every use throws. MPI still knows addresses of arrays that it was to write to: nothing may
  /// give it the time to do so.
  void break_down(std::string why);
  /// Whether there is still an MPI to give things back to.
  bool is_usable();
  /// What the ranks that wait in vain as well say of themselves, by rank; empty for the others.
  std::vector<std::string> statements(const std::string& own);
  /// Ends all ranks.
  [[noreturn]] void abort(std::string_view why);

 private:
  [[noreturn]] void throw_mpi_error(const char* call, int code);

  const mpi_table& calls_;
  std::chrono::milliseconds timeout_;
  std::mutex lock_;
  int rank_ = 0, size_ = 1;
  mpi_handle communicator_ = 0;  // ours, so that the program's own messages are not taken for ours
  std::string name_;
  std::atomic<bool> broken_ = false;
  std::string why_;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
