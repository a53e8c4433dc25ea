// Says which device the environment gave it: a wrong one is an exception.
#include <gparray/device.hpp>
#include <gparray/error.hpp>

#include <cstdio>

int main() {
  try {
    std::puts(gparray::default_device().str().c_str());
  } catch (const gparray::error& e) {
    return std::puts(e.what()), 3;
  }
}
