// compile(): the caches in front of the compiler, and what they have done so far.
#pragma once
#include <condition_variable>
#include <functional>
#include <set>

#include <core/compiler/disk_cache.hpp>
#include <core/compiler/program_cache.hpp>
#include <gparray/runtime/jit.hpp>
#include <plan/compiler_library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Safe from several threads. Of those that ask for the same program at the same time one compiles it, and
/// the others wait.
class compile_service {
 public:
  struct compiler {
    std::function<compiled_program(const compile_request&)> run;
    std::function<compiler_library()> load;
    std::function<std::string()> additions;  ///< what gparray adds to every program
  };

  compile_service(compiler library, std::size_t memory_limit, std::string folder, std::uint64_t disk_limit)
      : library_(std::move(library)), memory_(memory_limit), disk_(std::move(folder), disk_limit) {}

  /// Throws what the compiler throws; failures are not cached.
  compiled_program compile(const compile_request& request);
  void clear();
  jit_counters statistics();
  void count_loading(double seconds);

 private:
  class turn;
  std::optional<compiled_program> find(const std::string& description, const sha256_digest& key);
  compiled_program compile_now(const compile_request& request);
  std::string version();
  void learn_version();

  compiler library_;
  program_cache memory_;
  disk_cache disk_;
  std::mutex lock_;
  std::string version_;     // of the compiler; empty until known
  bool is_loaded_ = false;  // whether the compiler itself said so
  jit_counters counters_;
  std::set<sha256_digest> under_way_;
  std::condition_variable finished_;
};

/// Everything that a result depends on, as text in which no two requests read the same.
std::string describe(const compile_request& request, const std::string& additions,
                     const std::string& compiler_version, const std::string& included_files);

}  // namespace core
GPARRAY_END_NAMESPACE
