// Times every public function, as ../peer_sweep.py those of NumPy and SciPy, or of CuPy.
#include "../../examples/options.hpp"
#include "sweep.hpp"

namespace {

int run(int argc, char** argv) {
  command_line options(argc, argv,
                       "Times every public function, as peer_sweep.py those of NumPy, SciPy and CuPy.");
  const gparray::device device(options.value("--device", std::string("cpu"), "cpu or cuda:0"));
  const std::string only =
      options.value("--only", "", "run the cases whose name contains one of these, separated by commas");
  const std::string sizes = options.value("--sizes", device.is_cpu() ? "1e2,1e4,1e6" : "1e4,1e7", "elements");
  const bool quick = options.flag("--quick", "leave out the largest size");
  options.finish();
  gparray::set_default_device(device);
  const bench::sweep sweep(device, only, 0.012);
  for (std::size_t begin = 0; begin < sizes.size();) {
    const std::size_t end = std::min(sizes.find(',', begin), sizes.size());
    const std::string size = sizes.substr(begin, end - begin);
    begin = end + 1;
    if (quick && begin > sizes.size()) break;
    const auto n = static_cast<std::int64_t>(std::stod(size));
    for (bench::table* table :
         {bench::ufuncs, bench::reductions, bench::creation, bench::moving, bench::math, bench::orders,
          bench::matrices, bench::signals, bench::random, bench::sparse, bench::files})
      table(sweep, n, size);
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
