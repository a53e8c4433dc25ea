#include <core/compile_service.hpp>
#include <core/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

// Every field with its length in front, so that no text can pass for another field.
void add(std::string& text, std::string_view field) { text += fmt::format("{}:{}\n", field.size(), field); }

void add(std::string& text, const std::vector<std::string>& fields) {
  text += fmt::format("{} fields\n", fields.size());
  for (const std::string& field : fields) add(text, field);
}

constexpr std::size_t memory_limit = std::size_t{64} << 20;

compile_service& service() {
  // Never destroyed: kernels in static storage may be compiled and dropped after main.
  static compile_service& instance = *new compile_service(
      {.run = run_compiler, .identity = [] { return compiler_identity(); }}, memory_limit);
  return instance;
}

}  // namespace

std::string describe(const compile_request& request, const std::string& compiler_identity) {
  std::string text;
  add(text,
      fmt::format("gparray {}.{}.{}", GPARRAY_VERSION_MAJOR, GPARRAY_VERSION_MINOR, GPARRAY_VERSION_PATCH));
  add(text, compiler_identity);
  add(text, request.architecture);
  add(text, request.kernel_headers ? "own" : "user");
  add(text, request.options);
  add(text, request.name_expressions);
  add(text, request.file_name);
  add(text, request.source);
  return text;
}

compiled_program compile_service::compile(const compile_request& request) {
  const sha256_digest key = sha256(describe(request, library_.identity()));
  if (auto found = memory_.find(key)) return *std::move(found);
  compiled_program program = library_.run(request);
  memory_.store(key, program);
  return program;
}

compiled_program compile(const compile_request& request) { return service().compile(request); }

}  // namespace core
GPARRAY_END_NAMESPACE
