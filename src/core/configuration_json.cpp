// show_config() for programs.
#include <fmt/format.h>

#include <core/configuration.hpp>
#include <support/json_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// What is not known is null.
std::string text_or_null(std::string_view text) { return text.empty() ? "null" : json_text(text); }

/// The members of an object, or the elements of an array, with commas between them.
class json_list {
 public:
  explicit json_list(char open) : text_(1, open) {}
  json_list& text(std::string_view name, std::string_view value) { return raw(name, text_or_null(value)); }
  template<class Number>
  json_list& number(std::string_view name, Number value) {
    return raw(name, fmt::format("{}", value));
  }
  json_list& raw(std::string_view name, std::string_view value) {
    return raw(json_text(name) + ": " + std::string(value));
  }
  json_list& raw(std::string_view element) {
    if (text_.size() > 1) text_ += ", ";
    text_ += element;
    return *this;
  }
  std::string close(char end) const { return text_ + end; }

 private:
  std::string text_;
};

template<class Range, class Each>
std::string array_of(const Range& range, Each each) {
  json_list list('[');
  for (const auto& element : range) list.raw(each(element));
  return list.close(']');
}

std::string json_of(const device_facts& d) {
  return json_list('{')
      .text("device", d.name)
      .text("name", d.title)
      .text("compute_capability", d.compute_capability)
      .number("free_bytes", d.free_bytes)
      .number("total_bytes", d.total_bytes)
      .text("problem", d.problem)
      .close('}');
}

std::string json_of(const library_facts& l) {
  return json_list('{')
      .text("name", l.name)
      .text("use", l.use)
      .text("path", l.path)
      .text("version", l.version)
      .text("problem", l.problem)
      .close('}');
}

std::string json_of(const variable_facts& v) {
  return json_list('{')
      .text("name", v.name)
      .raw("value", v.is_set ? json_text(v.value) : "null")
      .text("values", v.values)
      .text("meaning", v.meaning)
      .close('}');
}

std::string json_of(const cuda_facts& cuda, const std::string& problem) {
  return json_list('{')
      .text("compiler", cuda.compiler)
      .text("architectures", cuda.architectures)
      .text("runtime", cuda.runtime)
      .text("driver", cuda.driver)
      .text("driver_version", cuda.module)
      .text("problem", problem)
      .close('}');
}

std::string json_of_kernels(const configuration& c) {
  return json_list('{')
      .text("folder", c.cache_folder)
      .number("limit_bytes", c.cache_limit)
      .number("disk_bytes", c.kernels.disk_bytes)
      .number("disk_programs", c.kernels.disk_programs)
      .number("memory_bytes", c.kernels.memory_bytes)
      .number("memory_hits", c.kernels.memory_hits)
      .number("disk_hits", c.kernels.disk_hits)
      .number("compilations", c.kernels.compilations)
      .number("compile_seconds", c.kernels.compile_seconds)
      .number("load_seconds", c.kernels.load_seconds)
      .close('}');
}

}  // namespace

std::string as_json(const configuration& c) {
  const auto each = [](const auto& facts) { return json_of(facts); };
  return json_list('{')
             .text("version", c.version)
             .text("commit", c.commit)
             .text("compiler", c.compiler)
             .text("build_type", c.build_type)
             .raw("processor", json_list('{')
                                   .text("vectors", c.processor.vectors)
                                   .text("loops", c.processor.loops)
                                   .number("processors", c.processors)
                                   .number("threads", c.threads)
                                   .close('}'))
             .raw("devices", array_of(c.devices, each))
             .raw("cuda", json_of(c.cuda, c.cuda_problem))
             .raw("libraries", array_of(c.libraries, each))
             .raw("kernels", json_of_kernels(c))
             .raw("environment", array_of(c.environment, each))
             .close('}') +
         "\n";
}

}  // namespace core
GPARRAY_END_NAMESPACE
