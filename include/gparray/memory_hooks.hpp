// Memory hooks that show what allocates: CuPy's cupy.cuda.memory_hooks. Not part of gparray.hpp.
//
//   auto hook = std::make_shared<gp::memory_hooks::LineProfileHook>();
//   gp::get_default_memory_pool().add_hook(hook);
//   step();
//   hook->print_report();
#pragma once
#include <cstdio>
#include <string>

#include <gparray/memory.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace memory_hooks {

/// Prints a line of JSON for each event: {"hook":"malloc","size":800,"mem_size":1024,"mem_ptr":"0x7f...",
/// "stream":"0x0"}. The hook is "alloc" where the pool takes memory from the system or the driver, "malloc"
/// where a block is handed out, "free" where one comes back.
class GPARRAY_API DebugPrintHook final : public memory_hook {
 public:
  /// Prints to a file that stays open; with `flush`, so that nothing is lost if the program ends there.
  explicit DebugPrintHook(std::FILE* file = stdout, bool flush = true) : file_(file), flush_(flush) {}
  /// Prints "malloc".
  void on_allocate(const allocation& a) override;
  /// Prints "free".
  void on_deallocate(const allocation& a) override;
  /// Prints "alloc".
  void on_upstream_allocate(void* pointer, std::size_t bytes) override;

 private:
  void print(const std::string& line) const;
  std::FILE* file_;
  bool flush_;
};

/// Adds up by the lines of the program at which memory is asked for: the innermost line outside of gparray's
/// library and headers. An expression asks where it is computed. Lines are known of what was compiled with -g
/// and if addr2line (binutils) is there; else the function stands for the line. Safe from several threads.
class GPARRAY_API LineProfileHook final : public memory_hook {
 public:
  /// Counts from now on.
  LineProfileHook();
  /// Forgets what was counted.
  ~LineProfileHook() override;
  LineProfileHook(const LineProfileHook&) = delete;
  LineProfileHook& operator=(const LineProfileHook&) = delete;
  /// Counts the block.
  void on_allocate(const allocation& a) override;
  /// Counts what its line has caused the pool to take.
  void on_upstream_allocate(void* pointer, std::size_t bytes) override;

  /// A line for each line of the program, that with the most bytes first: bytes handed out there, in how many
  /// blocks, bytes taken from the system or the driver, the place. Runs addr2line, once for each program or
  /// library that has such lines.
  [[nodiscard]] std::string report() const;
  /// Prints the report.
  void print_report(std::FILE* file = stdout) const;

 private:
  struct counts;
  std::unique_ptr<counts> counts_;
};

}  // namespace memory_hooks
GPARRAY_END_NAMESPACE
