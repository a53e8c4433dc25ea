// The kernel sources inside the library: complete, unchanged, and enough for NVRTC without any other file.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <plan/embedded_kernels.hpp>

#include "support/test_path.hpp"

#ifdef GPARRAY_TEST_NVRTC
#include <nvrtc.h>
#endif

namespace {

namespace core = gparray::core;

const char* embedded_text(const std::string& name) {
  for (unsigned i = 0; i < core::embedded_kernel_file_count; ++i)
    if (name == core::embedded_kernel_files[i].name) return core::embedded_kernel_files[i].text;
  return nullptr;
}

std::string file_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("every kernel header is embedded as it stands") {
  const std::filesystem::path root = test_path("..");
  unsigned found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "src" / "kernel")) {
    if (entry.path().extension() != ".hpp") continue;
    const std::string name = entry.path().lexically_relative(root / "src" / "kernel").generic_string();
    CAPTURE(name);
    const char* text = embedded_text(name);
    REQUIRE(text != nullptr);
    CHECK(file_text(entry.path()) == text);
    ++found;
  }
  CHECK(found > 0);
  for (const char* name : {"gparray/config.hpp", "gparray/dtype/float16.hpp"}) {
    CAPTURE(name);
    REQUIRE(embedded_text(name) != nullptr);
    CHECK(file_text(root / "include" / name) == embedded_text(name));
  }
}

#ifdef GPARRAY_TEST_NVRTC
TEST_CASE("NVRTC compiles every kernel header from the embedded texts alone") {
  // The templates of generated kernels are compiled with -default-device; portable headers must not need it.
  bool generated = false;
  SUBCASE("portable headers") {}
  SUBCASE("all of them, with the option of generated kernels") { generated = true; }
  std::vector<const char*> names, texts;
  std::string source;
  for (unsigned i = 0; i < core::embedded_kernel_file_count; ++i) {
    const std::string name = core::embedded_kernel_files[i].name;
    names.push_back(core::embedded_kernel_files[i].name);
    texts.push_back(core::embedded_kernel_files[i].text);
    const bool is_template = name.ends_with("_params.hpp") || name.ends_with(".cuh");
    if (is_template ? generated : name.ends_with(".hpp")) source += "#include <" + name + ">\n";
  }
  nvrtcProgram program;
  REQUIRE(nvrtcCreateProgram(&program, source.c_str(), "all.cu", static_cast<int>(names.size()), texts.data(),
                             names.data()) == NVRTC_SUCCESS);
  const char* options[] = {"--std=c++20", "--fmad=false", "-default-device"};
  const nvrtcResult result = nvrtcCompileProgram(program, generated ? 3 : 2, options);
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, log.data());
  CAPTURE(log);
  CHECK(result == NVRTC_SUCCESS);
  nvrtcDestroyProgram(&program);
}
#endif
