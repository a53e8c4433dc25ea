// The programs of bench/applications against NumPy, on small arrays.
#include <map>

#include "../bench/applications/application.hpp"
#include "support/table.hpp"

namespace gp = gparray;

namespace {

using outcomes = std::map<std::string, bench::application_outcome>;

outcomes run_all() {
  outcomes all;
  bench::application_settings settings;
  settings.size = bench::scale::tiny;
  settings.report = [&](const auto& outcome) { all[outcome.row->name] = outcome; };
  bench::run_applications(settings);
  return all;
}

bench::checksum read(const std::string& text) {
  const std::vector<std::string> f = golden::split(text, ',');
  REQUIRE(f.size() == 7);
  return {std::stoll(f[0]), std::stod(f[1]), std::stod(f[2]), std::stod(f[3]),
          std::stod(f[4]),  std::stod(f[5]), std::stod(f[6])};
}

}  // namespace

TEST_CASE("programs in named steps have NumPy's results") {
  const golden::table numpy = golden::read_table("applications/applications.txt", 2);
  const outcomes ours = run_all();
  CHECK(ours.size() == numpy.size());
  for (const auto& [name, outcome] : ours) {
    CAPTURE(name);
    CHECK(outcome.error == "");
    const auto expected = golden::split(
        golden::find_row(numpy, name, "run tests/applications/make_applications_golden.py")[1], '|');
    REQUIRE(outcome.checks.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(outcome.checks[i].json());
      CAPTURE(expected[i]);
      CHECK(agree(outcome.checks[i], read(expected[i]), outcome.row->tolerance));
    }
  }
}

TEST_CASE("programs in named steps have the same bits when their kernels are there") {
  const outcomes before = run_all();
  gp::wait_for_kernels();
  const outcomes after = run_all();
  for (const auto& [name, outcome] : before) {
    CAPTURE(name);
    const auto& again = after.at(name);
    REQUIRE(outcome.checks.size() == again.checks.size());
    for (std::size_t i = 0; i < again.checks.size(); ++i)
      CHECK(outcome.checks[i].json() == again.checks[i].json());
  }
}
