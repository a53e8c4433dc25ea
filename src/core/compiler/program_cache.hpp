// Compiled programs in memory: bounded, the least recently used one leaves first.
#pragma once
#include <list>
#include <map>
#include <mutex>
#include <optional>

#include <plan/compiler.hpp>
#include <support/sha256.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Safe from several threads.
class program_cache {
 public:
  explicit program_cache(std::size_t byte_limit) : byte_limit_(byte_limit) {}

  std::optional<compiled_program> find(const sha256_digest& key);
  /// A program larger than the limit is not kept.
  void store(const sha256_digest& key, const compiled_program& program);
  void clear();
  std::size_t bytes();
  std::size_t size();

 private:
  struct entry {
    sha256_digest key;
    compiled_program program;
    std::size_t bytes;
  };

  std::mutex lock_;
  const std::size_t byte_limit_;
  std::size_t bytes_ = 0;
  std::list<entry> recent_;  // the most recently used first
  std::map<sha256_digest, std::list<entry>::iterator> index_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
