#include <cstdio>

#include <gparray/distributed/communicator.hpp>

int main() {
  int sum = 0;
  gparray::distributed::spawn(2, [&](const gparray::distributed::communicator& world) {
    for (int turn = 0; turn < 2; ++turn) {
      if (world.rank() == turn) sum = 10 * sum + turn + 1;
      world.barrier();
    }
  });
  if (gparray::distributed::init().size() == 1 && sum == 12) std::puts("gparray works");
}
