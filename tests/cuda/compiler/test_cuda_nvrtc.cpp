// NVRTC compiles every row of ufuncs.def for every dtype of its domain, and every cast, with no include path:
// the portable headers must be complete in themselves. It needs the compiler library, but no GPU.
#ifdef GPARRAY_TEST_NVRTC
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nvrtc.h>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "support/test_path.hpp"

namespace {

struct dtype_row {
  std::string_view name, kernel_type;
  char kind;
};

constexpr dtype_row dtypes[] = {
#define GPARRAY_DTYPE(name, cxx_type, kernel_type, code, kind) {#name, #kernel_type, (#kind)[0]},
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
};

struct ufunc_row {
  std::string_view name, signature, domain;
};

constexpr ufunc_row ufuncs[] = {
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) {#name, #signature, domain},
#include <gparray/tables/ufuncs.def>
};

/// Header name as #include spells it -> text: all that NVRTC gets to see.
struct header_map {
  std::vector<std::string> names, texts;

  header_map() {
    const std::filesystem::path root = test_path("..");
    for (const auto& entry : std::filesystem::directory_iterator(root / "src" / "kernel"))
      if (entry.path().extension() == ".hpp") add(entry.path().filename().string(), entry.path());
    for (const char* name : {"gparray/config.hpp", "gparray/dtype/float16.hpp", "gparray/tables/ufuncs.def"})
      add(name, root / "include" / name);
  }

  void add(std::string name, const std::filesystem::path& path) {
    std::ifstream in(path);
    names.push_back(std::move(name));
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
};

void compile(const std::string& source, const char* standard) {
  static const header_map headers;
  std::vector<const char*> names, texts;
  for (const std::string& name : headers.names) names.push_back(name.c_str());
  for (const std::string& text : headers.texts) texts.push_back(text.c_str());
  nvrtcProgram program;
  REQUIRE(nvrtcCreateProgram(&program, source.c_str(), "kernels.cu", static_cast<int>(names.size()),
                             texts.data(), names.data()) == NVRTC_SUCCESS);
  const char* options[] = {"--gpu-architecture=sm_90", "-fmad=false", standard};
  const nvrtcResult result = nvrtcCompileProgram(program, 3, options);
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, log.data());
  nvrtcDestroyProgram(&program);
  CHECK_MESSAGE(result == NVRTC_SUCCESS, log);
  // A warning from a header would be repeated in every kernel that a user's program compiles.
  CHECK_MESSAGE(log.find("warning") == std::string::npos, log);
}

std::string parameter_type(char letter, std::string_view type) {
  return letter == 'T' ? std::string(type) : letter == 'b' ? "bool" : "int";
}

std::string kernel_of(const ufunc_row& row, const dtype_row& dtype) {
  const std::string operation = "k::" + std::string(row.name) + "_op, " + std::string(dtype.kernel_type);
  std::string parameters, arguments;
  for (std::size_t input = 0; input < row.signature.find('_'); ++input) {
    const std::string name = "in" + std::to_string(input);
    parameters += "const " + parameter_type(row.signature[input], dtype.kernel_type) + "* " + name + ", ";
    arguments += (input == 0 ? "" : ", ") + name + "[i]";
  }
  return "extern \"C\" __global__ void " + std::string(row.name) + "_" + std::string(dtype.name) + "(" +
         parameters + "k::output_t<" + operation +
         ">* out) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  out[i] = k::invoke<" +
         operation + ">(" + arguments + ");\n}\n";
}

bool in_domain(std::string_view domain, char kind) {
  return domain.find(kind == 'u' ? 'i' : kind) != domain.npos;
}

constexpr const char* prologue = "#include \"functors.hpp\"\nnamespace k = gparray::kernel;\n";

}  // namespace

// One program per kind of dtype, so that a failure names where to look and no log drowns the others.
TEST_CASE("NVRTC compiles every row for every dtype of its domain") {
  for (char kind : {'b', 'i', 'u', 'f', 'c'}) {
    std::string source = prologue;
    int kernels = 0;
    for (const ufunc_row& row : ufuncs) {
      for (const dtype_row& dtype : dtypes) {
        if (dtype.kind != kind || !in_domain(row.domain, kind)) continue;
        source += kernel_of(row, dtype);
        ++kernels;
      }
    }
    CAPTURE(kind);
    REQUIRE(kernels > 0);
    compile(source, "-std=c++17");
  }
}

TEST_CASE("NVRTC compiles every cast, and the headers as C++20") {
  std::string source = prologue;
  for (const dtype_row& from : dtypes)
    for (const dtype_row& to : dtypes)
      source += "extern \"C\" __global__ void cast_" + std::string(from.name) + "_" + std::string(to.name) +
                "(const " + std::string(from.kernel_type) + "* in, " + std::string(to.kernel_type) +
                "* out) { out[threadIdx.x] = k::cast<" + std::string(to.kernel_type) +
                ">(in[threadIdx.x]); }\n";
  compile(source, "-std=c++20");
}

#endif
