// MPI as an engine: for data in the memory of the host.
#pragma once
#include <distributed/mpi/mpi_world.hpp>
#include <distributed/runtime/engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

class mpi_engine final : public engine {
 public:
  /// All ranks of the world. No message is longer than `piece` bytes: MPI 3 counts in int.
  explicit mpi_engine(mpi_world& world, std::size_t piece = std::size_t{1} << 30);
  ~mpi_engine() override;

  std::string name() const override { return world_.name(); }
  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  device place() const noexcept override { return device::cpu(); }

  void all_gather(const void* mine, void* all, std::size_t bytes, const stream_view& on) override;
  void all_to_all(const void* from, std::span<const std::size_t> from_offsets, void* to,
                  std::span<const std::size_t> to_offsets, const stream_view& on) override;
  void broadcast(void* data, std::size_t bytes, int root, const stream_view& on) override;
  void exchange(std::span<const outgoing> sends, std::span<const incoming> receives,
                const stream_view& on) override;
  bool all_reduce(const void* from, void* to, std::size_t count, dtype type, combination op,
                  const stream_view& on) override;
  void barrier() override;
  std::shared_ptr<engine> split(int color, int key) override;
  void poll() override { world_.check(); }
  void abort(std::string_view why) noexcept override { world_.abort(why); }

 private:
  mpi_engine(const mpi_engine& parent, int color, mpi_handle communicator, int rank, int size);

  /// What MPI is at, and what has to come.
  struct request {
    mpi_handle handle = 0;
    int from = -1, bytes = 0;  // of a receive
  };

  template<auto Member, class... Arguments>
  void enqueue(const char* name, Arguments... arguments);
  void enqueue_pieces(std::span<const outgoing> sends, std::span<const incoming> receives);
  bool is_done(request& r);
  /// What this rank is in, for people.
  std::string call_text() const { return current.text() + of_split_; }
  void wait();
  [[noreturn]] void fail_in_call(const std::string& cause);
  [[noreturn]] void give_up();

  mpi_world& world_;
  mpi_handle communicator_;
  int rank_, size_;
  std::size_t piece_;
  std::string of_split_;  // which ranks these are; of all: empty
  std::vector<request> requests_;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
