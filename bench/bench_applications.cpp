// The applications of applications/ with their times and checksums; one line of JSON each, as
// peer_applications.py prints for other libraries.
#include <cstdlib>

#include "../examples/options.hpp"
#include "applications/application.hpp"

namespace gp = gparray;

namespace {

/// JSON's text of an error.
std::string quoted(const std::string& text) {
  std::string json;
  for (const char c : text)
    if (c == '"' || c == '\\') json += {'\\', c};
    else json += c == '\n' ? ' ' : c;
  return '"' + json + '"';
}

void print(const std::string& peer, const bench::application_outcome& o) {
  fmt::print("{{\"peer\": \"{}\", \"case\": \"{}\", ", peer, o.row->name);
  if (o.error.empty()) {
    std::string checks;
    for (const bench::checksum& c : o.checks) checks += (checks.empty() ? "" : ", ") + c.json();
    fmt::print(
        "\"us\": {:.3f}, \"us_sync\": {:.3f}, \"first_us\": {:.3f}, \"tolerance\": {:g}, \"checks\": "
        "[{}]}}\n",
        o.time.us, o.time.us_sync, o.first_us, o.row->tolerance, checks);
  } else {
    fmt::print("\"error\": {}}}\n", quoted(o.error));
  }
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  command_line options(argc, argv,
                       "Times programs as NumPy users write them, and prints sums of their results.");
  const gp::device device(options.value("--device", gp::default_device().str(), "cpu or cuda:0"));
  bench::application_settings settings;
  settings.only =
      options.value("--only", "", "run the cases whose name contains one of these, separated by commas");
  const std::string size = options.value("--size", device.is_cpu() ? "small" : "large",
                                         "large, small or tiny arrays: see applications/applications.def");
  settings.seconds = options.flag("--quick", "time each case for a shorter time") ? 0.05 : 0.25;
  settings.explained = options.flag("--explain", "print how the first result of each case is computed");
  options.finish();
  if (size != "large" && size != "small" && size != "tiny")
    throw gp::value_error(fmt::format("--size {}: it is large, small or tiny", size));
  settings.size = size == "large"   ? bench::scale::large
                  : size == "small" ? bench::scale::small
                                    : bench::scale::tiny;
  settings.report = [peer = device.is_cpu() ? "gparray-cpu" : "gparray",
                     explained = settings.explained](const auto& outcome) {
    if (explained) fmt::print("{}\n{}\n\n", outcome.row->name, outcome.plan);
    else print(peer, outcome);
  };
  if (settings.explained) settings.seconds = 0;
  gp::set_default_device(device);
  bench::run_applications(settings);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
