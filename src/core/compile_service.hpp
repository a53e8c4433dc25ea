// compile(): the caches in front of the compiler, and what they have done so far.
#pragma once
#include <core/compiler_library.hpp>
#include <core/program_cache.hpp>

#include <functional>

GPARRAY_BEGIN_NAMESPACE
namespace core {

class compile_service {
 public:
  struct compiler {
    std::function<compiled_program(const compile_request&)> run;
    std::function<std::string()> identity;
  };

  compile_service(compiler library, std::size_t memory_limit)
      : library_(std::move(library)), memory_(memory_limit) {}

  /// Safe from several threads. Throws what the compiler throws; failures are not cached.
  compiled_program compile(const compile_request& request);

 private:
  compiler library_;
  program_cache memory_;
};

/// Everything that a result depends on, as text in which no two requests read the same.
std::string describe(const compile_request& request, const std::string& compiler_identity);

}  // namespace core
GPARRAY_END_NAMESPACE
