// The generated kernels of this process: found by their key, compiled when they are first wanted.
#pragma once
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <cuda/fusion/jit_key.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A loaded kernel; its module is unloaded with it.
struct loaded_kernel {
  kernel_handle kernel = nullptr;
  std::shared_ptr<void> module;
  program_origin origin = program_origin::compiler;
  double compile_seconds = 0;
};

/// Compiles a program of one kernel and loads it; throws what compilers throw.
loaded_kernel load_kernel(const compile_request& request, int device);
enum class kernel_state : std::uint8_t { none, waiting, ready, failed };

struct kernel_report {
  kernel_state state;
  std::string failure;  ///< the compiler's message
  program_origin origin;
  double compile_seconds;
};

struct kernel_counts {
  std::size_t kernels, made, failed, dropped, refused;
};

/// Safe from several threads; its lock is held for a look-up, never while a kernel is compiled. Hash: of
/// keys.
template<class Key, class Hash>
class kernel_cache {
 public:
  /// Compiles and loads the kernel of a key.
  using maker = loaded_kernel (*)(const Key&);

  kernel_cache(std::size_t limit, maker make) : limit_(limit), make_(make) {}

  /// The kernel if it can be launched now; null: go step by step. In jit_mode async a new kernel is handed to
  /// the background thread, in sync it is made before this returns. `capturing`: the launch is recorded, so
  /// that the kernel is made now and must stay for as long as the process. `required`: there is no other way,
  /// so it is made in every mode, and what the compiler throws is thrown; unless its text is at fault the
  /// next call tries again.
  std::shared_ptr<const loaded_kernel> find(const Key& key, bool capturing, bool required = false);

  /// What find would see; nothing is compiled.
  kernel_report look(const Key& key);
  kernel_counts counts();

 private:
  struct entry {
    explicit entry(const Key& k) : key(k) {}
    const Key key;
    std::mutex making;  // held while it is made: a caller that needs it waits
    kernel_state state = kernel_state::waiting;
    bool pinned = false;
    std::shared_ptr<const loaded_kernel> loaded;
    std::string failure;
    std::exception_ptr error;
    bool may_come = false;  // it failed for want of something that may be there the next time
  };
  using shared_entry = std::shared_ptr<entry>;

  shared_entry insert(const Key& key, std::vector<shared_entry>& dropped);
  void erase(const Key& key);
  void make(const shared_entry& e);

  const std::size_t limit_;
  const maker make_;
  std::mutex lock_;                 // of everything below, and of the entries' fields but `making`
  std::list<shared_entry> recent_;  // the most recently used first
  std::unordered_map<Key, typename std::list<shared_entry>::iterator, Hash> index_;
  kernel_counts counts_{};
};

using kernel_table = kernel_cache<kernel_key, kernel_key_hash>;
using chain_table = kernel_cache<chain_key, chain_key_hash>;

/// The tables of the CUDA backend.
kernel_table& fused_kernels();
chain_table& chain_kernels();
/// Tables for tests in their place; null ends that. The previous one is returned.
kernel_table* exchange_fused_kernels(kernel_table* substitute) noexcept;
chain_table* exchange_chain_kernels(chain_table* substitute) noexcept;

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
