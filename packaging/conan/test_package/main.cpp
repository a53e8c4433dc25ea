#include <iostream>

#include <gparray/gparray.hpp>

int main() { std::cout << gparray::arange<double>(9).sum() << '\n'; }
