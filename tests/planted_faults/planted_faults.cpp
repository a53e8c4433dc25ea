// planted_faults NAME: does what no program should.
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <thread>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

volatile double seen;

void read_past_the_end() {
  const auto a = gp::ones<double>({3});
  seen = a.data()[3];
}

void read_what_was_freed() {
  const double* p = nullptr;
  {
    const auto a = gp::ones<double>({3});
    p = a.data();
  }
  seen = *p;
}

/// In a loop of the library's.
void sum_past_the_end() {
  auto* const p = static_cast<double*>(std::calloc(100, sizeof(double)));
  seen = gp::sum(gp::frombuffer(p, {101})).item();
  std::free(p);
}

void signed_overflow() {
  volatile int n = std::numeric_limits<int>::max();
  seen = n + 1;
}

void leak() {
  // In a function of its own, as a register may still hold the address at the end.
  static void* volatile lost;
  lost = std::malloc(1000);
  lost = nullptr;
}

void race() {
  auto a = gp::ones<double>({3});
  double* const p = a.data();
  std::thread other([&] { p[1] = 2; });
  p[1] = 3;
  other.join();
}

/// Both write the same elements, in loops of the library's.
void race_of_loops() {
  const auto a = gp::ones<double>({1000});
  std::thread other([&] { a.fill(2); });
  a.fill(3);
  other.join();
}

constexpr struct {
  std::string_view name;
  void (*commit)();
} faults[] = {{"read_past_the_end", read_past_the_end},
              {"read_what_was_freed", read_what_was_freed},
              {"sum_past_the_end", sum_past_the_end},
              {"signed_overflow", signed_overflow},
              {"leak", leak},
              {"race", race},
              {"race_of_loops", race_of_loops}};

}  // namespace

int main(int argc, char** argv) {
  for (const auto& fault : faults)
    if (argc == 2 && fault.name == argv[1]) {
      fault.commit();
      std::printf("%s: nobody saw it\n", argv[1]);
      return 0;
    }
  return 2;
}
