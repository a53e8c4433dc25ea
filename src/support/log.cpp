#include <algorithm>
#include <memory>
#include <mutex>
#include <unistd.h>

#include <support/environment.hpp>
#include <support/errors.hpp>
#include <support/fork.hpp>
#include <support/log.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

constexpr std::string_view words[] = {"jit", "memory", "transfer", "fallback", "library"};
constexpr log_category categories[] = {log_category::jit, log_category::memory, log_category::transfer,
                                       log_category::fallback, log_category::library};
constexpr unsigned unread = 1u << 31;
constexpr unsigned both(log_category c) {
  return log_bit(c, log_level::info) | log_bit(c, log_level::warning);
}
// What nobody expects of a machine that is set up well.
constexpr unsigned usual =
    log_bit(log_category::jit, log_level::warning) | log_bit(log_category::library, log_level::warning);

unsigned mask_of(std::string_view list) {
  if (list == "none") return 0;
  unsigned mask = usual;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::string_view word = list.substr(0, end);
    bool known = false;
    for (const log_category c : categories)
      if (word == "all" || word == name(c)) {
        mask |= both(c);
        known = true;
      }
    if (!known)
      fail<value_error>(
          "\"{}\" is no category of messages; there are jit, memory, transfer, fallback, library and all, "
          "with commas between them, and none",
          word);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return mask;
}

unsigned mask_of_environment() noexcept {
  const char* const text = environment("GPARRAY_LOG");
  try {
    return text ? mask_of(text) : usual;
  } catch (const std::exception& e) {
    // The place that happens to log first is none to throw at.
    give_message(log_category::library, log_level::warning, std::string("GPARRAY_LOG: ") + e.what());
    return usual;
  }
}

using callback = std::function<void(const log_message&)>;
struct receiver {
  std::mutex lock;
  std::shared_ptr<const callback> function;
};
receiver& the_receiver() {
  static receiver& one = []() -> receiver& {
    auto made = std::make_unique<receiver>();
    hold_across_fork(made->lock);
    return *made.release();  // threads that outlive static objects log, too
  }();
  return one;
}

thread_local constinit lasting<bool> inside = false;

void write_line(const log_message& m) {
  const std::string line = fmt::format("gparray {}{}: {}\n", m.level == log_level::warning ? "warning, " : "",
                                       name(m.category), m.text);
  // One call, so that lines of several threads do not mix.
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

bool logs_now(log_category c, log_level level) noexcept {
  if (inside) return false;
  unsigned mask = log_mask.load(std::memory_order_relaxed);
  if (mask & unread) {
    inside = true;
    const unsigned read = mask_of_environment();
    inside = false;
    // Another thread may have set it meanwhile.
    if (log_mask.compare_exchange_strong(mask, read, std::memory_order_relaxed)) mask = read;
  }
  return (mask & log_bit(c, level)) != 0;
}

void give_message(log_category c, log_level level, std::string_view text) noexcept {
  const bool before = std::exchange(inside, true);
  try {
    std::shared_ptr<const callback> function;
    {
      const std::lock_guard hold(the_receiver().lock);
      function = the_receiver().function;
    }
    const log_message message{c, level, text};
    if (function) (*function)(message);
    else write_line(message);
  } catch (...) {  // the callback's own
  }
  inside = before;
}

}  // namespace core

std::string_view name(log_category category) noexcept {
  return core::words[static_cast<std::size_t>(category)];
}

void set_log_categories(std::string_view words) {
  core::log_mask.store(core::mask_of(words), std::memory_order_relaxed);
}

std::string log_categories() {
  std::string result;
  for (const log_category c : core::categories)
    if (core::logs(c)) result += (result.empty() ? "" : ",") + std::string(name(c));
  return result;
}

void set_log_callback(std::function<void(const log_message&)> callback) {
  auto function = callback ? std::make_shared<const core::callback>(std::move(callback)) : nullptr;
  const std::lock_guard hold(core::the_receiver().lock);
  core::the_receiver().function.swap(function);
}

GPARRAY_END_NAMESPACE
