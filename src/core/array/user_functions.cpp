// Functions of the program: they are gone when the library that they are in is unloaded.
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <core/array/pending_list.hpp>
#include <gparray/ufunc/user_loop.hpp>
#include <plan/user_functions.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

struct kept_loop {
  kept_loop(const detail::user_loop& loop)
      : name(loop.function->name),
        parameters(loop.function->parameters),
        expression(loop.function->expression),
        file(loop.function->file),
        function{name.c_str(), parameters.c_str(),  expression.c_str(),
                 file.c_str(), loop.function->line, loop.function->arity},
        copy{&function, loop.type, loop.result, nullptr} {}

  std::string name, parameters, expression, file;
  detail::user_function function;
  detail::user_loop copy;
};

}  // namespace

const detail::user_loop* kept_text(const detail::user_loop& loop) {
  const detail::user_function& f = *loop.function;
  std::string key;
  for (const char* part : {f.name, f.parameters, f.expression, f.file}) key.append(part).push_back('\0');
  for (const int number : {f.line, static_cast<int>(loop.type), static_cast<int>(loop.result)})
    key.append(std::to_string(number)).push_back('\0');
  // Never destroyed: kernels may be compiled until the process ends.
  static auto& lock = *new std::mutex;
  static auto& known = *new std::unordered_map<std::string, std::unique_ptr<const kept_loop>>;
  const std::lock_guard guard(lock);
  auto& entry = known[key];
  if (!entry) entry = std::make_unique<const kept_loop>(loop);
  return &entry->copy;
}

}  // namespace core

namespace detail {

void forget_user_function(const user_function* function) noexcept {
  try {
    core::compute_calls(function);
  } catch (...) {  // the next use of the array throws the error; there is no caller here to throw to
  }
}

}  // namespace detail
GPARRAY_END_NAMESPACE
