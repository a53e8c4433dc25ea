// GPARRAY_TRACE: what threads and streams do when, as a file that chrome://tracing and ui.perfetto.dev show.
#pragma once
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Safe from several threads. Nothing here throws: what cannot be noted is left out.
class timeline {
 public:
  /// Begins the file. Of one that cannot be written nothing is noted.
  explicit timeline(const char* path) noexcept;
  /// Waits for what GPUs still do, and ends the file.
  ~timeline() { finish(); }
  timeline(const timeline&) = delete;
  timeline& operator=(const timeline&) = delete;

  /// Microseconds since the beginning.
  double now() const noexcept;
  /// What this thread did.
  void add(std::string_view name, std::int64_t elements, double begin, double end) noexcept;
  /// An event behind the work of a queue so far; null if none can be made.
  event_handle mark(backend& gpu, queue q) noexcept;
  /// What a stream does between two marks, which become the timeline's own.
  void add(std::string_view name, std::int64_t elements, backend& gpu, queue q, event_handle begin,
           event_handle end) noexcept;
  void finish() noexcept;

 private:
  struct entry {
    std::string name;
    std::int64_t elements;
    backend* gpu;
    queue where;
    event_handle begin, end;
  };
  struct origin {  // of the times of a device
    backend* gpu;
    event_handle event;
    double at;
  };
  const origin& origin_of(backend& gpu, queue q);
  void write_finished(bool wait);
  void write(std::string_view name, std::int64_t elements, int process, int thread, double begin, double end);
  void write_name(const char* kind, int process, int thread, std::string_view name);
  void write_line(const std::string& line);
  int number_of(queue q);

  std::mutex lock_;
  std::FILE* file_ = nullptr;
  int owner_ = 0;  // the process: a child of fork leaves the file alone
  double start_ = 0;
  bool is_first_ = true;
  std::deque<entry> running_;
  std::map<int, origin> origins_;
  std::map<std::pair<int, stream_handle>, int> streams_;
  std::map<int, bool> threads_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
