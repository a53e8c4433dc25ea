// Ranks as threads with a fake GPU each, which the fake NCCL connects: memory that the host must not touch,
// and counts of what is enqueued.
#pragma once
#include <functional>

#include <distributed/nccl/nccl.hpp>

#include <gparray/distributed.hpp>
#include <plan/fft_engine.hpp>
#include <plan/sparse_engine.hpp>

#include "core/support/fake_gpu.hpp"
#include "distributed/private/fake_nccl.hpp"

namespace fake_ranks {

namespace gp = gparray;
namespace core = gparray::core;
namespace dd = gparray::distributed::detail;

inline fake::gpu_backend* gpus = nullptr;
/// Calls of NCCL; a group of messages is one.
inline std::atomic<int> exchanges = 0;

/// Work that is done at once, when what was enqueued before is.
struct at_once {
  explicit at_once(core::queue q) { gpus->synchronize_stream(q); }
  fake::touching_memory memory;
};
inline core::queue queue_here(void* stream) { return {gp::default_device().index(), stream}; }

/// The CPU's routines of those that every engine has.
class sparse_routines final : public core::sparse_engine {
  using rows = core::compressed_rows;
  using made = std::unique_ptr<core::counted_matrix>;
  static core::sparse_engine& cpu() { return *core::host_backend().sparse(); }

  struct matrix final : core::counted_matrix {
    std::int64_t count() const override { return counted; }
    void write(void* indices, void* data) override {
      const at_once now(where);
      of_cpu->write(indices, data);
    }
    made of_cpu;
    std::int64_t counted = 0;
    core::queue where;
  };
  static made with_memory(made of_cpu, core::queue q) {
    if (!of_cpu) return nullptr;
    auto result = std::make_unique<matrix>();
    result->counted = of_cpu->count();
    result->of_cpu = std::move(of_cpu);
    result->where = q;
    return result;
  }

 public:
  bool times_dense(const rows& a, std::int64_t width, const void* x, void* y, core::queue q) override {
    gpus->enqueue(q, [a, width, x, y] { cpu().times_dense(a, width, x, y, {}); });
    ++products;
    return true;
  }
  bool transposed_times_dense(const rows&, std::int64_t, const void*, void*, core::queue) override {
    return false;
  }
  made times_sparse(const rows& a, const rows& b, void* indptr, bool& sorted, core::queue q) override {
    const at_once now(q);
    return with_memory(cpu().times_sparse(a, b, indptr, sorted, {}), q);
  }
  made combine(gp::ufunc f, const rows& a, const rows& b, void* indptr, core::queue q) override {
    const at_once now(q);
    return with_memory(cpu().combine(f, a, b, indptr, {}), q);
  }
  void compress(const core::numbered_entries& e, void* indptr, void* others, void* data,
                core::queue q) override {
    const at_once now(q);
    cpu().compress(e, indptr, others, data, {});
  }
  void starts(const void* numbers, std::int64_t count, std::int64_t n, gp::dtype index, void* indptr,
              core::queue q) override {
    const at_once now(q);
    cpu().starts(numbers, count, n, index, indptr, {});
  }
  void expand(const void* indptr, std::int64_t n, std::int64_t count, gp::dtype index, void* row,
              core::queue q) override {
    const at_once now(q);
    cpu().expand(indptr, n, count, index, row, {});
  }
  void search(const std::int64_t* keys, std::int64_t n_keys, const std::int64_t* numbers, std::int64_t n,
              bool after, std::int64_t* positions, core::queue q) override {
    const at_once now(q);
    cpu().search(keys, n_keys, numbers, n, after, positions, {});
  }
  void reduce_rows(gp::reduction op, gp::dtype type, const void* values, const void* indptr, gp::dtype index,
                   std::int64_t n, void* out, core::queue q) override {
    const at_once now(q);
    cpu().reduce_rows(op, type, values, indptr, index, n, out, {});
  }
  std::atomic<int> products = 0;
};

/// The CPU's transforms.
class transforms final : public core::fft_engine {
  static core::fft_engine& cpu() { return *core::host_backend().fft(); }

 public:
  void run(const core::fft_plan& plan, core::queue q) override {
    gpus->enqueue(q, [copy = plan] { cpu().run(copy, {}); });
    ++runs;
  }
  core::fft_cache& cache(int device) override { return cpu().cache(device); }
  std::atomic<int> runs = 0;
};

inline const dd::nccl_table& plain_nccl() {
  static const dd::nccl_table table = fake_nccl::table_with_windows();
  return table;
}
/// What has come for a GPU, and is not there before its stream comes to it.
struct arrival {
  arrival(void* target, std::size_t bytes, void* stream)
      : to(target), where(queue_here(stream)), content(std::make_shared<std::vector<char>>(bytes)) {}
  void land() const {
    gpus->enqueue(where, [*this] { std::memcpy(to, content->data(), content->size()); });
  }
  void* to;
  core::queue where;
  std::shared_ptr<std::vector<char>> content;
};
inline thread_local std::vector<arrival> arrivals;

/// What a call makes of so many bytes is in `to` when the stream comes to it.
template<class Call>
int arriving(void* to, std::size_t bytes, void* stream, Call call) {
  const at_once now(queue_here(stream));
  ++exchanges;
  const arrival all(to, bytes, stream);
  const int code = call(all.content->data());
  all.land();
  return code;
}

/// The fake NCCL behind the work of the stream. Its windows are of the GPUs' memory.
inline dd::nccl_table nccl_of_gpus(bool has_windows) {
  dd::nccl_table t = has_windows ? plain_nccl() : fake_nccl::table();
  t.AllGather = [](const void* from, void* to, std::size_t n, int type, dd::nccl_comm c, void* stream) {
    return arriving(to, n * fake_nccl::of(c).ranks->shown.size(), stream,
                    [&](void* here) { return plain_nccl().AllGather(from, here, n, type, c, stream); });
  };
  t.AllReduce = [](const void* from, void* to, std::size_t n, int type, int op, dd::nccl_comm c,
                   void* stream) {
    return arriving(to, n * fake_nccl::bytes_of(type), stream,
                    [&](void* here) { return plain_nccl().AllReduce(from, here, n, type, op, c, stream); });
  };
  t.Broadcast = [](const void* from, void* to, std::size_t n, int type, int root, dd::nccl_comm c,
                   void* stream) {
    const at_once now(queue_here(stream));
    ++exchanges;
    return plain_nccl().Broadcast(from, to, n, type, root, c, stream);
  };
  t.Send = [](const void* from, std::size_t n, int type, int peer, dd::nccl_comm c, void* stream) {
    const at_once now(queue_here(stream));
    return plain_nccl().Send(from, n, type, peer, c, stream);
  };
  if (has_windows) {
    t.Signal = [](int peer, int index, int context, unsigned flags, dd::nccl_comm c, void* stream) {
      const at_once now(queue_here(stream));
      return plain_nccl().Signal(peer, index, context, flags, c, stream);
    };
    t.WaitSignal = [](int n, dd::nccl_signals* of_ranks, dd::nccl_comm c, void* stream) {
      const at_once now(queue_here(stream));
      return plain_nccl().WaitSignal(n, of_ranks, c, stream);
    };
  }
  t.Recv = [](void* to, std::size_t n, int type, int peer, dd::nccl_comm c, void* stream) {
    arrivals.emplace_back(to, n, stream);
    return plain_nccl().Recv(arrivals.back().content->data(), n, type, peer, c, stream);
  };
  t.GroupEnd = [] {
    int code = 0;
    {
      const fake::touching_memory memory;
      code = plain_nccl().GroupEnd();
    }
    ++exchanges;
    for (const arrival& a : std::exchange(arrivals, {})) a.land();
    return code;
  };
  return t;
}

/// What all ranks together have enqueued and waited for.
struct counts {
  int maps = 0, reductions = 0, gathers = 0, copies = 0, products = 0, exchanges = 0, waits = 0;

  friend counts operator-(const counts& a, const counts& b) {
    return {a.maps - b.maps,         a.reductions - b.reductions, a.gathers - b.gathers, a.copies - b.copies,
            a.products - b.products, a.exchanges - b.exchanges,   a.waits - b.waits};
  }
  /// Rounded.
  counts divided(int by) const {
    const auto part = [by](int n) { return (n + by / 2) / by; };
    return {part(maps),     part(reductions), part(gathers), part(copies),
            part(products), part(exchanges),  part(waits)};
  }
  bool operator==(const counts&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const counts& c) {
    return out << c.maps << " maps, " << c.reductions << " reductions, " << c.gathers << " gathers, "
               << c.copies << " copies, " << c.products << " products, " << c.exchanges << " exchanges, "
               << c.waits << " waits";
  }
};

/// Fake GPUs in place of the machine's.
class session {
 public:
  explicit session(bool has_windows = false) : nccl_(nccl_of_gpus(has_windows)) {
    fake::guarded_memory::get().turn_on();
    fake_nccl::model.reset();
    fake_nccl::model.allocate = [](std::size_t n) { return fake::guarded_memory::get().allocate(n); };
    fake_nccl::model.deallocate = [](void* p) { fake::guarded_memory::get().deallocate(p); };
    installed_.emplace();
    gpus = &installed_->gpu;
    gpus->sparse_of_tests = &sparse_;
    gpus->fft_of_tests = &transforms_;
    before_ = dd::exchange_nccl(&nccl_);
  }
  ~session() {
    dd::exchange_nccl(before_);
    installed_.reset();
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  counts now() {
    const std::lock_guard guard(gpus->lock);
    return {static_cast<int>(gpus->maps.size()),
            static_cast<int>(gpus->reductions.size()),
            static_cast<int>(gpus->gathers.size()),
            static_cast<int>(gpus->copies.size()),
            sparse_.products,
            exchanges,
            gpus->waits};
  }

  /// Calls of Fourier transforms.
  int transforms_run() const { return transforms_.runs; }
  /// Copies to memory of other ranks.
  static int puts() {
    const std::lock_guard guard(gpus->lock);
    return gpus->pitched_copies;
  }
  /// Streams that were made so far.
  static int streams() { return static_cast<int>(gpus->last_handle - 100); }

 private:
  sparse_routines sparse_;
  transforms transforms_;
  dd::nccl_table nccl_;
  const dd::nccl_table* before_ = nullptr;
  std::optional<fake::installed> installed_;
};

}  // namespace fake_ranks
