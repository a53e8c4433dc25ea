// Writes down what a memory pool is asked for.
#pragma once
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <gparray/memory.hpp>

namespace bench {

/// Lines of a trace: "a BLOCK BYTES STREAM" takes a block, "u BLOCK STREAM" uses it on another stream than
/// its own, "f BLOCK" gives it back. The number of a block that was given back is used again. The CPU has no
/// streams, so the program says which one it would work on.
class memory_recorder final : public gparray::memory_hook {
 public:
  explicit memory_recorder(const std::string& path) : file_(std::fopen(path.c_str(), "w")) {
    if (!file_) std::perror(path.c_str());
  }
  ~memory_recorder() override {
    if (file_) std::fclose(file_);
  }
  bool good() const { return file_; }

  void on_allocate(const gparray::allocation& a) override {
    if (a.requested == 0) return;
    const std::lock_guard guard(lock_);
    std::size_t id = live_.size();
    if (!unused_.empty()) id = unused_.back(), unused_.pop_back();
    live_[a.pointer] = {id, stream};
    std::fprintf(file_, "a %zu %zu %d\n", id, a.requested, stream);
  }
  void on_deallocate(const gparray::allocation& a) override {
    const std::lock_guard guard(lock_);
    const auto found = live_.find(a.pointer);
    if (found == live_.end()) return;  // older than the recording
    std::fprintf(file_, "f %zu\n", found->second.id);
    unused_.push_back(found->second.id);
    live_.erase(found);
  }
  /// The program's current stream uses the block that begins here.
  void used(const void* pointer) {
    const std::lock_guard guard(lock_);
    const auto found = live_.find(pointer);
    if (found != live_.end() && found->second.stream != stream)
      std::fprintf(file_, "u %zu %d\n", found->second.id, stream);
  }

  int stream = 0;

 private:
  struct known {
    std::size_t id;
    int stream;
  };
  std::FILE* file_;
  std::mutex lock_;
  std::map<const void*, known> live_;
  std::vector<std::size_t> unused_;
};

}  // namespace bench
