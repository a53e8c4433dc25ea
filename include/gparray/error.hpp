// The exceptions that gparray throws. Names and kinds follow Python's and NumPy's.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

class device;

/// Base of everything thrown here. what() names the operation, the shapes or dtypes, and the remedy.
class GPARRAY_API error : public std::runtime_error {
 public:
  /// With this text for what().
  explicit error(const std::string& text) : std::runtime_error(text) {}
};

/// A value, shape or combination of arguments that the operation does not accept.
class GPARRAY_API value_error : public virtual error {
 public:
  /// With this text for what().
  explicit value_error(const std::string& text) : error(text) {}
};

/// A dtype that the operation does not accept.
class GPARRAY_API type_error : public virtual error {
 public:
  /// With this text for what().
  explicit type_error(const std::string& text) : error(text) {}
};

/// An index outside an array.
class GPARRAY_API index_error : public virtual error {
 public:
  /// With this text for what().
  explicit index_error(const std::string& text) : error(text) {}
};

/// An axis outside [-ndim, ndim). NumPy's AxisError is a ValueError and an IndexError, and so is this.
class GPARRAY_API axis_error : public value_error, public index_error {
 public:
  /// With this text for what().
  explicit axis_error(const std::string& text) : error(text), value_error(text), index_error(text) {}
};

/// A number that does not fit: a weak scalar out of its dtype's range, a shape product over 2^63.
class GPARRAY_API overflow_error : public virtual error {
 public:
  /// With this text for what().
  explicit overflow_error(const std::string& text) : error(text) {}
};

/// A NaN that an operation made of numbers, where the environment variable GPARRAY_DEBUG asks for that:
/// NumPy's FloatingPointError.
class GPARRAY_API floating_point_error : public virtual error {
 public:
  /// With this text for what().
  explicit floating_point_error(const std::string& text) : error(text) {}
};

/// Memory that cannot be handed to another library as it asks, Python's BufferError.
class GPARRAY_API buffer_error : public virtual error {
 public:
  /// With this text for what().
  explicit buffer_error(const std::string& text) : error(text) {}
};

/// Memory that neither the pool nor the system or the driver has, or that is over a pool's limit.
class GPARRAY_API out_of_memory : public virtual error {
 public:
  /// With this text for what().
  explicit out_of_memory(const std::string& text) : error(text) {}
};

/// No such device, no driver, backend not built, or operands on different devices.
class GPARRAY_API device_error : public virtual error {
 public:
  /// With this text for what().
  explicit device_error(const std::string& text) : error(text) {}
};

/// Work for a GPU in the child of a process that had begun to use one: CUDA does not survive fork(), and what
/// a child inherits of it is refused before the driver sees it. The child can compute on the CPU, and on a
/// GPU after exec().
class GPARRAY_API fork_error : public device_error {
 public:
  /// With this text for what().
  explicit fork_error(const std::string& text) : error(text), device_error(text) {}
};

/// A CUDA runtime, driver or library call failed; code() is its status.
class GPARRAY_API cuda_error : public virtual error {
 public:
  /// With this text for what() and the status of CUDA.
  cuda_error(const std::string& text, int code) : error(text), code_(code) {}
  /// The status that CUDA returned.
  int code() const noexcept { return code_; }

 private:
  int code_;
};

/// A kernel has failed while it ran (an illegal or misaligned address, an illegal instruction, a failed
/// assertion, a timeout, an error of the hardware), and CUDA has taken the GPU from this process, with all
/// that was in its memory. Whatever asks for that GPU later gets the same error at once, without a call of
/// CUDA; arrays on the CPU work as before, so that what is there can be saved. Only a new process can use the
/// GPU. The call that notices a fault may be a long way behind the one that is at fault: the environment
/// variable GPARRAY_DEBUG=sync brings the two together.
class GPARRAY_API device_fault : public cuda_error {
 public:
  /// What is known of the call that noticed the fault.
  struct notice {
    std::string operation;          ///< as in the text: "launching add", "waiting for a stream"
    int device = 0;                 ///< the number of the GPU
    std::optional<void*> stream{};  ///< see device_fault::stream
    std::string kernel{};           ///< see device_fault::kernel
  };
  /// With this text for what(), the status of CUDA, and what is known of the call.
  device_fault(const std::string& text, int code, notice noticed)
      : error(text), cuda_error(text, code), noticed_(std::make_shared<const notice>(std::move(noticed))) {}

  /// The operation that noticed the fault first; with GPARRAY_DEBUG=sync the one that is at fault.
  const std::string& operation() const noexcept { return noticed_->operation; }
  /// The GPU that is lost.
  gparray::device device() const noexcept;
  /// The stream of that operation, as CUDA's handle, null for the default stream; nothing if it had none, as
  /// questions about events and memory.
  std::optional<void*> stream() const noexcept { return noticed_->stream; }
  /// The RawKernel or kernel of a RawModule that was launched last before, by any thread; empty if there was
  /// none.
  const std::string& kernel() const noexcept { return noticed_->kernel; }

 private:
  std::shared_ptr<const notice> noticed_;  // copies of an exception must not throw
};

/// A shared library that is loaded at first use is missing or too old; the text names the package.
class GPARRAY_API library_error : public virtual error {
 public:
  /// With this text for what().
  explicit library_error(const std::string& text) : error(text) {}
};

/// CUDA source that does not compile: what() ends with the compiler's whole log, which names lines.
class GPARRAY_API compile_error : public virtual error {
 public:
  /// With this text for what().
  explicit compile_error(const std::string& text) : error(text) {}
};

/// A file that cannot be opened, read or written: the text has the system's reason and the name.
class GPARRAY_API os_error : public virtual error {
 public:
  /// With this text for what().
  explicit os_error(const std::string& text) : error(text) {}
};

/// A matrix that a computation of linear algebra cannot use, or an iteration that does not converge: NumPy's
/// LinAlgError.
class GPARRAY_API linalg_error : public value_error {
 public:
  /// With this text for what().
  explicit linalg_error(const std::string& text) : error(text), value_error(text) {}
};

GPARRAY_END_NAMESPACE
