// What a loop's body enqueues while it is recorded: the kernels, as text and parameters, that one kernel for
// the whole loop can be put together from.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include <cuda/fusion/jit_launch.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Bytes that a step reads or writes, all in between included, as elements of a type.
struct memory_range {
  const char* begin;
  const char* end;
  bool is_written;
  dtype type = dtype::bool_;

  bool conflicts(const memory_range& other) const {
    return (is_written || other.is_written) && begin < other.end && other.begin < end;
  }
};

/// What calls a part of a step.
enum class persistent_scope : std::uint8_t {
  block,  ///< f(parameters, block) by a team
  whole,  ///< f(parameters) by a team, whose first thread stores one element and returns it
  point   ///< f(parameters, values that are known...), the same by a warp
};
struct persistent_call {
  std::string function;
  persistent_scope scope = persistent_scope::block;

  bool stores_element() const { return scope != persistent_scope::block; }
};

/// Side-by-side elements of which each block of a reduction reads `bytes` more, from `begin` on.
struct parted_operand {
  const char* begin;
  std::uint32_t bytes;
};

/// A kernel launch of the body. In texts, "expression_N" is the struct of the step's own number N.
struct persistent_step {
  kernel_form form;
  std::string definition;  // of the struct
  persistent_call work;    // of one block
  /// Of a reduction whose blocks share outputs: the call that merges their partial states; else no function.
  persistent_call merge;
  std::string fixed;        // a function that the parameters go through first, or empty
  std::string parameters;   // their type
  std::vector<char> bytes;  // and value
  std::size_t alignment;
  std::int64_t n_blocks, n_merges;
  std::size_t team_bytes;              // of shared memory
  std::vector<memory_range> accesses;  // without those to partial states; the outputs are the last
  std::size_t n_outputs;
  memory_range partials;  // if there is a merge call
  std::string states;     // the type that holds them in the registers of a warp, if they fit
  std::vector<parted_operand> parts;
  std::uint32_t row_bytes;  // of a map: from one row of the output to the next; 0 if it is not that simple
};

/// Records what the thread enqueues on one stream, from construction to destruction. Traces of loops within
/// loops are nested.
class persistent_trace {
 public:
  explicit persistent_trace(queue body);
  ~persistent_trace();
  persistent_trace(const persistent_trace&) = delete;
  persistent_trace& operator=(const persistent_trace&) = delete;

  /// The innermost trace if it is one of q; null nearly always.
  static persistent_trace* of(queue q) noexcept;

  /// A map that is enqueued as one node, whatever kernel that is.
  void add(const map_plan& plan);
  /// A reduction, or joined ones, enqueued as one kernel. `generated`: null if it was compiled ahead of time.
  template<class Params>
  void add(std::span<const reduce_plan* const> plans, const fused_reduction* generated, const Params& params,
           const joined_results& joined, kernel_form form, std::int64_t n_blocks, std::size_t state_bytes);

  const std::vector<persistent_step>& steps() const noexcept { return steps_; }
  queue body() const noexcept { return body_; }
  bool is_nested() const noexcept { return outer_ != nullptr; }
  /// About how many bytes a multiprocessor could load in the time that all steps take.
  double work() const noexcept { return work_; }

 private:
  void count_work(const map_plan& plan);

  queue body_;
  persistent_trace* outer_;
  std::vector<persistent_step> steps_;
  double work_ = 0;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
