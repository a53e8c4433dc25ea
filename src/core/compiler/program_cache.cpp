#include <core/compiler/program_cache.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

std::size_t bytes_of(const compiled_program& program) {
  std::size_t bytes = sizeof(program) + program.image.size() + program.log.size();
  for (const std::string& name : program.lowered_names) bytes += sizeof(name) + name.size();
  return bytes;
}

}  // namespace

std::optional<compiled_program> program_cache::find(const sha256_digest& key) {
  const std::lock_guard hold(lock_);
  const auto found = index_.find(key);
  if (found == index_.end()) return std::nullopt;
  recent_.splice(recent_.begin(), recent_, found->second);
  return found->second->program;
}

void program_cache::store(const sha256_digest& key, const compiled_program& program) {
  const std::size_t bytes = bytes_of(program);
  const std::lock_guard hold(lock_);
  if (bytes > byte_limit_ || index_.contains(key)) return;
  recent_.push_front({key, program, bytes});
  index_.emplace(key, recent_.begin());
  bytes_ += bytes;
  while (bytes_ > byte_limit_) {
    bytes_ -= recent_.back().bytes;
    index_.erase(recent_.back().key);
    recent_.pop_back();
  }
}

void program_cache::clear() {
  const std::lock_guard hold(lock_);
  recent_.clear();
  index_.clear();
  bytes_ = 0;
}

std::size_t program_cache::bytes() {
  const std::lock_guard hold(lock_);
  return bytes_;
}

std::size_t program_cache::size() {
  const std::lock_guard hold(lock_);
  return index_.size();
}

}  // namespace core
GPARRAY_END_NAMESPACE
