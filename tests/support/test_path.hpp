// Where the tests' files are.
#pragma once
#include <string>

/// The path of a file or folder beside the tests: test_path("fft/fft.txt"). Compiled in main.cpp alone, so
/// that no other object depends on where the sources are.
std::string test_path(const std::string& name);
