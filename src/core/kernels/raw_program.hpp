// A program of the user's own: compiled or read once, loaded on each GPU when first used there.
#pragma once
#include <memory>
#include <mutex>

#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct storage;

/// "sm_90" for a GPU; without one $GPARRAY_JIT_ARCH, or sm_90.
std::string architecture_of(device d);
/// The GPU that work which names none goes to: the default device, or else cuda:0.
device default_gpu();

class raw_program {
 public:
  /// Compiles for the default GPU. Throws compile_error, library_error.
  explicit raw_program(compile_request request);
  /// A program that is machine code, PTX or a fat binary already; `origin` names it in errors.
  raw_program(std::string image, std::string origin);
  ~raw_program();
  raw_program(const raw_program&) = delete;
  raw_program& operator=(const raw_program&) = delete;

  /// The symbol of a kernel or variable: of a name expression, what it was lowered to; else the name itself.
  const std::string& symbol_of(const std::string& name) const;
  /// Throws value_error, which lists what there is, if the image has no such kernel.
  void check_kernel(const std::string& name) const;
  const std::string& source() const { return request_.source; }
  const std::string& origin() const { return request_.file_name; }
  const std::string& log() const { return compiled_.log; }

  /// Loads the program at the first call for a device, compiling it again if that GPU is of another
  /// architecture. Safe from several threads. Throws cuda_error, device_error.
  module_handle on(device d);
  /// If this thread records the device's work into a graph: the program stays loaded as long as the graph.
  void keep_in_graph(int device) const;

 private:
  void make_owner();

  struct loaded_module {
    backend* owner;
    int device;
    module_handle module;
  };
  /// Unloads them when the program and all graphs that launch it are gone.
  struct loaded_modules {
    std::vector<loaded_module> all;
    ~loaded_modules();
  };
  struct release_storage {
    void operator()(storage* s) const noexcept;
  };

  compile_request request_;  // without a source: the image was given
  compiled_program compiled_;
  std::mutex lock_;
  // Graphs keep memory, so the modules are owned by a borrowed piece of none.
  loaded_modules* loaded_;
  std::unique_ptr<storage, release_storage> owner_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
