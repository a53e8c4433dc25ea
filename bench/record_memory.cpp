// Records the traces that the tests of the memory pool run again: record_memory tests/memory/traces.
#include <cstdio>
#include <memory>
#include <string>

#include "memory_programs.hpp"

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  gparray::set_default_device(gparray::device("cpu"));
  gparray::set_num_threads(1);  // the threads' scratch memory would depend on the machine
  const struct {
    const char* name;
    void (*run)(bench::memory_recorder&);
  } programs[] = {{"train", bench::train},
                  {"transform", bench::transform},
                  {"analyse", bench::analyse},
                  {"solve", bench::solve}};
  for (const auto& p : programs) {
    const auto record = std::make_shared<bench::memory_recorder>(folder + "/" + p.name + ".txt");
    if (!record->good()) return 1;
    auto pool = gparray::default_memory_pool(gparray::memory_space::host);
    pool.add_hook(record);
    p.run(*record);
    pool.remove_hook(record.get());
    std::printf("%s: peak of blocks so far %.1f MiB\n", p.name,
                static_cast<double>(pool.peak_bytes()) / (1 << 20));
  }
  return 0;
}
