// Streams and events: the order in which a device does its work, and marks in that order.
//
// Every call here is an effect: what this thread has left pending is enqueued first. On the CPU work is done
// when it has been enqueued, so its streams are always done and its events keep nothing but the time.
#pragma once
#include <utility>

#include <gparray/device.hpp>

GPARRAY_BEGIN_NAMESPACE

class stream_view;
class event;

namespace core {
struct queue;
/// The internal queue of a stream.
queue queue_of(const stream_view& stream) noexcept;
}  // namespace core

/// Keyword arguments of events.
struct event_options {
  bool timing = true;  ///< whether elapsed_time can use it; an event without is cheaper
};

/// A stream that is owned elsewhere. Copies refer to the same stream.
class GPARRAY_API stream_view {
 public:
  /// The stream with this native handle (a cudaStream_t); nullptr is the device's default stream.
  constexpr stream_view(gparray::device on_device, void* handle) noexcept
      : device_(on_device), handle_(handle) {}

  /// The device that the stream belongs to.
  gparray::device device() const noexcept { return device_; }
  /// The cudaStream_t; nullptr for the default stream and on the CPU. Work given to it comes after what this
  /// thread has enqueued there.
  void* native_handle() const;

  /// Waits until everything enqueued here so far is done. Throws what that work failed with (cuda_error).
  void synchronize() const;
  /// Whether everything enqueued here so far is done. Does not wait.
  [[nodiscard]] bool done() const;
  /// Work enqueued here from now on begins after what the event marks; on any device. The host does not wait.
  /// An event that was never recorded holds nothing up.
  void wait(const event& e) const;
  /// Work enqueued here from now on begins after everything enqueued on another stream so far. The host does
  /// not wait.
  void wait(const stream_view& other) const;
  /// Marks the point behind everything enqueued so far.
  event record(const event_options& options = {}) const;

  friend constexpr bool operator==(const stream_view&, const stream_view&) = default;

 protected:
  gparray::device device_;
  void* handle_;

 private:
  friend core::queue core::queue_of(const stream_view& stream) noexcept;
};

/// Keyword arguments of streams.
struct stream_options {
  bool non_blocking = true;  ///< false: ordered with the device's default stream
  int priority = 0;          ///< lower numbers are served first; clamped to what the device has
};

/// A stream of its own, gone with this object. Destroying it does not wait: work enqueued here is still done,
/// and memory that it uses is not handed out before. Arrays made on it stay valid. A thread's current stream
/// that is destroyed in that thread becomes the default stream; other threads must not have it as theirs.
class GPARRAY_API stream : public stream_view {
 public:
  /// A new non-blocking stream of the default device.
  stream();
  /// A new stream of a device. Throws device_error if there is no such device.
  explicit stream(gparray::device on_device, const stream_options& options = {});
  /// Takes over another's stream.
  stream(stream&& other) noexcept : stream_view(other.device_, std::exchange(other.handle_, nullptr)) {}
  stream& operator=(stream&& other) noexcept {
    stream old(std::move(*this));
    device_ = other.device_;
    handle_ = std::exchange(other.handle_, nullptr);
    return *this;
  }
  /// Ends the stream; does not wait.
  ~stream();

  /// A stream made elsewhere, which must live as long as it is used here; nullptr is the default stream.
  static stream_view borrow(void* native_handle, gparray::device on_device);
};

/// A mark in a stream. Moved, not copied.
class GPARRAY_API event {
 public:
  /// An event of the default device, for timing.
  event();
  /// An event of a device. Throws device_error if there is no such device.
  explicit event(gparray::device on_device, const event_options& options = {});
  /// Takes over another's mark.
  event(event&& other) noexcept
      : device_(other.device_),
        handle_(std::exchange(other.handle_, nullptr)),
        timing_(other.timing_),
        recorded_(std::exchange(other.recorded_, false)) {}
  event& operator=(event&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    std::swap(timing_, other.timing_);
    std::swap(recorded_, other.recorded_);
    return *this;
  }
  /// Ends the event; does not wait.
  ~event();

  /// The device that the event belongs to.
  gparray::device device() const noexcept { return device_; }
  /// The cudaEvent_t.
  void* native_handle() const;

  /// Marks the point behind everything enqueued so far on the current stream of its device, or on `on`; an
  /// earlier mark is forgotten. Throws device_error if the stream is another device's.
  void record();
  /// Marks the point behind everything enqueued so far on this stream.
  void record(const stream_view& on);
  /// Waits for the work before the mark. Returns at once if nothing was recorded.
  void synchronize() const;
  /// Whether the work before the mark is done. Does not wait.
  [[nodiscard]] bool done() const;

 private:
  friend class stream_view;
  friend GPARRAY_API double elapsed_time(const event& start, const event& end);
  void check_usable() const;

  gparray::device device_;
  void* handle_ = nullptr;
  bool timing_ = true, recorded_ = false;
};

/// Milliseconds between two marks of one device; waits for the later one. Throws value_error if one was not
/// recorded or has no timing, device_error if they are of two devices.
[[nodiscard]] GPARRAY_API double elapsed_time(const event& start, const event& end);

/// The stream that every device has from the start.
GPARRAY_API stream_view default_stream(device d = default_device());
/// The stream that this thread's work for a device goes to. Initially its default stream.
GPARRAY_API stream_view current_stream(device d = default_device());

/// Makes a stream the current one of its device in this thread for the guard's lifetime. What is pending when
/// that begins or ends is enqueued on the stream that was current until then.
class GPARRAY_API stream_guard {
 public:
  /// Makes s the current stream of its device.
  explicit stream_guard(const stream_view& s);
  /// Makes the stream current again that was so before.
  ~stream_guard();
  stream_guard(const stream_guard&) = delete;
  stream_guard& operator=(const stream_guard&) = delete;

 private:
  stream_view previous_;
};

/// Waits for all work on all streams of the default device.
GPARRAY_API void synchronize();

GPARRAY_END_NAMESPACE
