// The rows of applications.def, in turn.
#include "application.hpp"

namespace bench {

namespace applications {
#define GPARRAY_APPLICATION(name, ...) void name(application& a);
#include "applications.def"
}  // namespace applications

namespace {

#define GPARRAY_SIZES(...) {__VA_ARGS__}

struct program {
  application_row row;
  void (*run)(application&);
};

const std::vector<program>& programs() {
  static const std::vector<program> all{
#define GPARRAY_APPLICATION(name, large, small, tiny, tolerance) \
  {{#name, GPARRAY_SIZES large, GPARRAY_SIZES small, GPARRAY_SIZES tiny, tolerance}, &applications::name},
#include "applications.def"
  };
  return all;
}

}  // namespace

void run_applications(const application_settings& settings) {
  for (const program& p : programs()) {
    if (!asks_for(settings.only, p.row.name)) continue;
    application a(p.row, settings);
    try {
      p.run(a);
    } catch (const gp::error& e) {
      settings.report({&p.row, 0, {}, {}, {}, e.what()});
    }
  }
}

}  // namespace bench
