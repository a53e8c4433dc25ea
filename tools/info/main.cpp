// gparray-info: what the library is, was built with and finds on this machine, and whether it computes right
// there.
#include <cstdio>
#include <exception>
#include <string_view>

#include <gparray/error.hpp>
#include <gparray/runtime/jit.hpp>
#include <gparray/runtime/show_config.hpp>

#include "selftest.hpp"

namespace gp = gparray;

namespace {

constexpr const char* usage =
    "Usage: gparray-info [OPTION]\n"
    "\n"
    "Without an option it prints what gparray was built with and finds here: devices, libraries, the folder "
    "of\n"
    "compiled kernels and the variables of the environment.\n"
    "\n"
    "  --json         the same as an object of JSON\n"
    "  --cache        the folder of compiled kernels, and what is in it\n"
    "  --clear-cache  removes the compiled kernels\n"
    "  --selftest     computes on each device what has known answers, within a minute\n"
    "  --version      the version of the library\n"
    "  -h, --help     this text\n"
    "\n"
    "The exit status is 0; 1 if something was computed wrong or could not be done; 2 for a wrong option.\n";

int print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

int cache() {
  const std::string folder = gp::kernel_cache_folder();
  const gp::jit_counters kernels = gp::jit_statistics();
  std::printf("%s: %llu files, %llu bytes\n", folder.empty() ? "no folder" : folder.c_str(),
              static_cast<unsigned long long>(kernels.disk_programs),
              static_cast<unsigned long long>(kernels.disk_bytes));
  return 0;
}

int clear_cache() {
  const auto before = gp::jit_statistics().disk_programs;
  gp::clear_kernel_cache();
  const auto left = gp::jit_statistics().disk_programs;
  std::printf("%llu files removed\n", static_cast<unsigned long long>(before - left));
  return left == 0 ? 0 : 1;
}

int version() {
  std::printf("gparray %d.%d.%d\n", GPARRAY_VERSION_MAJOR, GPARRAY_VERSION_MINOR, GPARRAY_VERSION_PATCH);
  return 0;
}

constexpr struct {
  std::string_view name;
  int (*run)();
} options[] = {{"", [] { return print(gp::show_config()); }},
               {"--json", [] { return print(gp::show_config("json")); }},
               {"--cache", cache},
               {"--clear-cache", clear_cache},
               {"--selftest", [] { return info::selftest() ? 0 : 1; }},
               {"--version", version},
               {"--help", [] { return print(usage); }},
               {"-h", [] { return print(usage); }}};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  for (const auto& option : options)
    if (argc <= 2 && option.name == wanted && (argc == 1 || !wanted.empty())) try {
        return option.run();
      } catch (const std::exception& e) {
        std::fprintf(stderr, "gparray-info: %s\n", e.what());
        return 1;
      }
  std::fprintf(stderr, "gparray-info: %s %s\n\n%s", argc > 2 ? "more than one option:" : "unknown option",
               argc > 2 ? argv[2] : argv[1], usage);
  return 2;
}
