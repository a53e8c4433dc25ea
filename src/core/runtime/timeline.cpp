#include <chrono>
#include <unistd.h>

#include <fmt/format.h>

#include <core/runtime/timeline.hpp>
#include <support/json_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

constexpr int host_process = 0;  // GPUs are the processes behind it

double steady_microseconds() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

timeline::timeline(const char* path) noexcept
    : file_(std::fopen(path, "we")), owner_(getpid()), start_(steady_microseconds()) {
  if (!file_) return;
  std::fputs("[", file_);
  try {
    write_name("process_name", host_process, 0, "CPU");
  } catch (...) {  // no memory: no name
  }
}

double timeline::now() const noexcept { return steady_microseconds() - start_; }

void timeline::write_line(const std::string& line) {
  if (!file_ || getpid() != owner_) return;
  std::fputs(std::exchange(is_first_, false) ? "\n" : ",\n", file_);
  std::fwrite(line.data(), 1, line.size(), file_);
}

void timeline::write_name(const char* kind, int process, int thread, std::string_view name) {
  write_line(fmt::format(R"({{"name":"{}","ph":"M","pid":{},"tid":{},"args":{{"name":{}}}}})", kind, process,
                         thread, json_text(name)));
}

void timeline::write(std::string_view name, std::int64_t elements, int process, int thread, double begin,
                     double end) {
  const std::string arguments = elements < 0 ? "" : fmt::format(R"(,"args":{{"elements":{}}})", elements);
  write_line(fmt::format(R"({{"name":{},"ph":"X","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f}{}}})",
                         json_text(name), process, thread, begin, end - begin, arguments));
}

void timeline::add(std::string_view name, std::int64_t elements, double begin, double end) noexcept {
  try {
    const int thread = gettid();
    const std::lock_guard hold(lock_);
    if (!std::exchange(threads_[thread], true))
      write_name("thread_name", host_process, thread, fmt::format("thread {}", thread));
    write(name, elements, host_process, thread, begin, end);
  } catch (...) {  // no memory
  }
}

event_handle timeline::mark(backend& gpu, queue q) noexcept {
  event_handle event = nullptr;
  try {
    {
      const std::lock_guard hold(lock_);
      if (!file_) return nullptr;
      origin_of(gpu, q);
    }
    event = gpu.create_event(q.device, true);
    gpu.record_event(event, q);
    return event;
  } catch (...) {  // the device is lost, or a graph is recorded
    if (event) gpu.destroy_event(q.device, event);
    return nullptr;
  }
}

const timeline::origin& timeline::origin_of(backend& gpu, queue q) {
  const auto found = origins_.find(q.device);
  if (found != origins_.end()) return found->second;
  const event_handle event = gpu.create_event(q.device, true);
  gpu.record_event(event, q);
  gpu.synchronize_event(q.device, event);
  write_name("process_name", 1 + q.device, 0, fmt::format("cuda:{} {}", q.device, gpu.device_name(q.device)));
  return origins_.emplace(q.device, origin{&gpu, event, now()}).first->second;
}

int timeline::number_of(queue q) {
  const auto [found, is_new] =
      streams_.emplace(std::pair(q.device, q.stream), static_cast<int>(streams_.size()));
  if (is_new)
    write_name("thread_name", 1 + q.device, found->second,
               q.stream ? fmt::format("stream {}", q.stream) : "default stream");
  return found->second;
}

void timeline::add(std::string_view name, std::int64_t elements, backend& gpu, queue q, event_handle begin,
                   event_handle end) noexcept {
  try {
    if (begin && end) {
      const std::lock_guard hold(lock_);
      running_.push_back({std::string(name), elements, &gpu, q, begin, end});
      begin = end = nullptr;
      write_finished(false);
    }
  } catch (...) {  // no memory, or a graph is recorded, which lets nobody ask for events
  }
  for (const event_handle left : {begin, end})
    if (left) gpu.destroy_event(q.device, left);
}

void timeline::write_finished(bool wait) {
  while (!running_.empty()) {
    const entry& e = running_.front();
    if (wait) e.gpu->synchronize_event(e.where.device, e.end);
    else if (!e.gpu->event_done(e.where.device, e.end)) return;
    const origin& zero = origins_.at(e.where.device);
    const auto at = [&](event_handle event) {
      return zero.at + 1000 * e.gpu->elapsed_ms(e.where.device, zero.event, event);
    };
    write(e.name, e.elements, 1 + e.where.device, number_of(e.where), at(e.begin), at(e.end));
    e.gpu->destroy_event(e.where.device, e.begin);
    e.gpu->destroy_event(e.where.device, e.end);
    running_.pop_front();
  }
}

void timeline::finish() noexcept {
  try {
    const std::lock_guard hold(lock_);
    if (!file_ || getpid() != owner_) return;
    try {
      write_finished(true);
      for (const auto& [device, zero] : std::exchange(origins_, {}))
        zero.gpu->destroy_event(device, zero.event);
    } catch (...) {  // the device is lost: what it still did is not known
    }
    std::fputs("\n]\n", file_);
    std::fclose(std::exchange(file_, nullptr));
  } catch (...) {  // the lock cannot be had
  }
}

}  // namespace core
GPARRAY_END_NAMESPACE
