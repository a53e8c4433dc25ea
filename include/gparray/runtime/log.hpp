// What the library does inside, as messages: GPARRAY_LOG, or these functions.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// What a message is about.
enum class log_category : std::uint8_t {
  jit,       ///< a kernel is compiled, found on disk, or could not be made
  memory,    ///< a pool takes memory from the system or the driver, or gives it back
  transfer,  ///< bytes go from the CPU to a GPU, back, or from one GPU to another
  fallback,  ///< work on arrays of a GPU is done by the CPU, or step by step
  library    ///< a library is loaded, is missing, or has chosen slow code
};

/// Whether something was expected. A warning is given once in a process for each of its causes; what happens
/// again is info.
enum class log_level : std::uint8_t { info, warning };

/// One message.
struct log_message {
  log_category category;  ///< what it is about
  log_level level;        ///< whether it was expected
  std::string_view text;  ///< one line, without its end; valid during the call
};

/// The word for a category, as in GPARRAY_LOG: "jit".
[[nodiscard]] GPARRAY_API std::string_view name(log_category category) noexcept;

/// Which messages are given from now on, in all threads: words with commas between them, of jit, memory,
/// transfer, fallback, library and all. Warnings about jit and library are given besides, unless the word is
/// none. Begins as the variable GPARRAY_LOG says, without it as after "". Throws value_error for another
/// word.
GPARRAY_API void set_log_categories(std::string_view words);
/// The words for what is given now, in the order above, warnings alone left out: "jit,memory".
[[nodiscard]] GPARRAY_API std::string log_categories();

/// Gets the messages from now on, in place of the standard error; an empty function ends that. It is called
/// by the thread that does what the message is about, which may be the library's own that compiles kernels,
/// by several at once, and with no lock held: it may use the library, whose messages about that are dropped.
/// What it throws is dropped, too. A thread may still be inside the old function when this returns.
GPARRAY_API void set_log_callback(std::function<void(const log_message&)> callback);

GPARRAY_END_NAMESPACE
