// Says which device the environment gave it: a wrong one is an exception.
#include <cstdio>

#include <gparray/device.hpp>
#include <gparray/error.hpp>

int main() {
  try {
    std::puts(gparray::default_device().str().c_str());
  } catch (const gparray::error& e) {
    return std::puts(e.what()), 3;
  }
}
