// show_config() for people.
#include <fmt/format.h>

#include <core/configuration.hpp>
#include <support/bytes_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

void line(std::string& text, std::string_view name, std::string_view said) {
  if (!said.empty()) text += fmt::format("  {:<14}{}\n", name, said);
}

std::string device_text(const device_facts& d) {
  if (!d.problem.empty()) return d.problem;
  const std::string capability =
      d.compute_capability.empty() ? "" : ", compute capability " + d.compute_capability;
  return fmt::format("{}{}, {} of {} free", d.title, capability, bytes_text(d.free_bytes),
                     bytes_text(d.total_bytes));
}

std::string library_text(const library_facts& l) {
  if (!l.problem.empty()) return "missing: " + l.problem;
  return l.version.empty() ? l.path : fmt::format("{}, {}", l.version, l.path);
}

}  // namespace

std::string as_text(const configuration& c) {
  std::string text = fmt::format("gparray {}\n", c.version);
  line(text, "commit", c.commit);
  line(text, "compiler", fmt::format("{}{}{}", c.compiler, c.build_type.empty() ? "" : ", ", c.build_type));
  line(text, "kernels",
       c.cuda.compiler.empty() ? "none: a build without CUDA"
                               : fmt::format("{}, for {}", c.cuda.compiler, c.cuda.architectures));

  text += "\ndevices\n";
  for (const device_facts& d : c.devices) line(text, d.name, device_text(d));
  line(text, "cuda", c.cuda_problem);
  line(text, "threads", fmt::format("{}, on {} processors", c.threads, c.processors));
  line(text, "vectors",
       fmt::format("{}; loops for {}", c.processor.vectors.empty() ? "none known" : c.processor.vectors,
                   c.processor.loops));
  if (!c.cuda.driver.empty())
    line(text, "driver",
         fmt::format("{}{}CUDA {}", c.cuda.module, c.cuda.module.empty() ? "" : ", for ", c.cuda.driver));
  if (!c.cuda.runtime.empty()) line(text, "run time", "CUDA " + c.cuda.runtime);

  text += "\nlibraries\n";
  for (const library_facts& l : c.libraries) line(text, l.name, library_text(l));

  text += "\ncompiled kernels\n";
  line(text, "folder", c.cache_folder.empty() ? "none" : c.cache_folder);
  line(text, "on disk",
       fmt::format("{} files, {} of at most {}", c.kernels.disk_programs, bytes_text(c.kernels.disk_bytes),
                   bytes_text(c.cache_limit)));
  line(text, "this process",
       fmt::format("{} found in memory, {} on disk, {} compiled in {:.1f} s", c.kernels.memory_hits,
                   c.kernels.disk_hits, c.kernels.compilations, c.kernels.compile_seconds));

  text += "\nenvironment\n";
  for (const variable_facts& v : c.environment)
    text += fmt::format("  {}{}\n      {}: {}\n", v.name, v.is_set ? "=" + v.value : " is not set", v.values,
                        v.meaning);
  return text;
}

}  // namespace core
GPARRAY_END_NAMESPACE
