#include <chrono>

#include <core/compiler/compile_service.hpp>
#include <core/compiler/compiler_version.hpp>
#include <core/compiler/included_files.hpp>
#include <core/compiler/program_file.hpp>
#include <core/compiler/saved_source.hpp>
#include <support/errors.hpp>
#include <support/log.hpp>
#include <support/wait.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

// Every field with its length in front, so that no text can be mistaken for another field.
void add(std::string& text, std::string_view field) { text += fmt::format("{}:{}\n", field.size(), field); }

void add(std::string& text, const std::vector<std::string>& fields) {
  text += fmt::format("{} fields\n", fields.size());
  for (const std::string& field : fields) add(text, field);
}

class stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::string describe(const compile_request& request, const std::string& additions,
                     const std::string& compiler_version, const std::string& included_files) {
  std::string text;
  add(text,
      fmt::format("gparray {}.{}.{}", GPARRAY_VERSION_MAJOR, GPARRAY_VERSION_MINOR, GPARRAY_VERSION_PATCH));
  add(text, additions);
  add(text, compiler_version);
  add(text, request.architecture);
  add(text, request.kernel_headers ? "own" : "user");
  add(text, request.options);
  add(text, request.name_expressions);
  add(text, request.file_name);
  add(text, request.source);
  add(text, included_files);
  return text;
}

/// While one thread has it, the others that want it wait.
class compile_service::turn {
 public:
  turn(compile_service& service, const sha256_digest& key) : service_(service), key_(key) {
    std::unique_lock hold(service_.lock_);
    for (; !service_.under_way_.insert(key_).second; has_waited_ = true) wait(service_.finished_, hold);
  }
  ~turn() {
    {
      const std::lock_guard hold(service_.lock_);
      service_.under_way_.erase(key_);
    }
    service_.finished_.notify_all();
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

  bool has_waited() const noexcept { return has_waited_; }

 private:
  compile_service& service_;
  const sha256_digest& key_;
  bool has_waited_ = false;
};

compiled_program compile_service::compile(const compile_request& request) {
  const auto included = digest_of_included_files(request);
  if (!included) return compile_now(request);
  std::string assumed = version();
  std::string description = describe(request, library_.additions(), assumed, *included);
  sha256_digest key = sha256(description);
  if (auto found = find(description, key)) return *std::move(found);

  // The compiler is needed after all. If it turns out to be another than an earlier process noted, so is the
  // name of the result.
  learn_version();
  if (version() != assumed) {
    description = describe(request, library_.additions(), version(), *included);
    key = sha256(description);
    if (auto found = find(description, key)) return *std::move(found);
  }
  const turn mine(*this, key);
  if (mine.has_waited())
    if (auto found = find(description, key)) return *std::move(found);
  compiled_program program = compile_now(request);
  memory_.store(key, program);
  disk_.store(hexadecimal(key), encode_program(description, program));
  return program;
}

std::optional<compiled_program> compile_service::find(const std::string& description,
                                                      const sha256_digest& key) {
  if (auto found = memory_.find(key)) {
    const std::lock_guard hold(lock_);
    ++counters_.memory_hits;
    found->origin = program_origin::memory;
    return found;
  }
  const auto bytes = disk_.load(hexadecimal(key));
  if (!bytes) return std::nullopt;
  auto found = decode_program(*bytes, description);
  if (!found) return std::nullopt;
  memory_.store(key, *found);
  found->origin = program_origin::disk;
  if (logs(log_category::jit))
    log(log_category::jit, "found program {} on disk", hexadecimal(key).substr(0, 16));
  const std::lock_guard hold(lock_);
  ++counters_.disk_hits;
  return found;
}

compiled_program compile_service::compile_now(const compile_request& request) {
  const stopwatch watch;
  const auto count = [&] {
    const std::lock_guard hold(lock_);
    ++counters_.compilations;
    counters_.compile_seconds += watch.seconds();
  };
  try {
    compiled_program program = library_.run(request);
    count();
    program.origin = program_origin::compiler;
    program.seconds = watch.seconds();
    log(log_category::jit, "compiled {} for {} in {:.0f} ms", request.file_name, request.architecture,
        program.seconds * 1000);
    return program;
  } catch (const compile_error& e) {
    count();
    log(log_category::jit, "{} does not compile for {}", request.file_name, request.architecture);
    throw compile_error(e.what() + save_source_on_error(request));
  }
}

std::string compile_service::version() {
  {
    const std::lock_guard hold(lock_);
    if (!version_.empty()) return version_;
  }
  if (const auto noted = noted_compiler_version(disk_)) {
    const std::lock_guard hold(lock_);
    if (version_.empty()) version_ = *noted;
    return version_;
  }
  learn_version();
  const std::lock_guard hold(lock_);
  return version_;
}

void compile_service::learn_version() {
  {
    const std::lock_guard hold(lock_);
    if (is_loaded_) return;
  }
  const compiler_library loaded = library_.load();
  note_compiler_version(disk_, loaded);
  const std::lock_guard hold(lock_);
  version_ = loaded.version;
  is_loaded_ = true;
}

void compile_service::clear() {
  memory_.clear();
  disk_.clear();
}

jit_counters compile_service::statistics() {
  const std::uint64_t on_disk = disk_.bytes(), programs = disk_.size(), in_memory = memory_.bytes();
  const std::lock_guard hold(lock_);
  jit_counters result = counters_;
  result.memory_bytes = in_memory;
  result.disk_bytes = on_disk;
  result.disk_programs = programs;
  return result;
}

void compile_service::count_loading(double seconds) {
  const std::lock_guard hold(lock_);
  counters_.load_seconds += seconds;
}

}  // namespace core
GPARRAY_END_NAMESPACE
