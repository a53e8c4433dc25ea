// Reads kernel/ufuncs.txt: the inputs of the kernel tests and what NumPy makes of them.
#pragma once
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "../src/kernel/functors.hpp"
#include "support/test_path.hpp"

namespace kernel = gparray::kernel;

namespace golden_test {

template<class T>
struct type_name;
#define GPARRAY_DTYPE(name, cxx_type, kernel_type, code, kind) \
  template<>                                                   \
  struct type_name<kernel_type> {                              \
    static constexpr std::string_view value = #name;           \
  };
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE

/// "row sqrt float32" or "unary float32" -> the words of that line.
using golden_file = std::map<std::string, std::vector<std::string>>;

inline const golden_file& golden() {
  static const golden_file file = [] {
    golden_file lines;
    std::ifstream in(test_path("kernel/ufuncs.txt"));
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string key, part;
      words >> key;
      for (int parts = key == "row" || key == "cast" ? 2 : 1; parts > 0 && words >> part; --parts)
        key += " " + part;
      std::vector<std::string>& values = lines[key];
      while (words >> part) values.push_back(part);
    }
    return lines;
  }();
  return file;
}

/// One value from its words; advances over one word, or two for a complex number.
template<class T>
T parse(std::vector<std::string>::const_iterator& word) {
  if constexpr (kernel::is_complex<T>) {
    using R = kernel::real_t<T>;
    const R re = parse<R>(word);
    return {re, parse<R>(word)};
  } else {
    const std::string& text = *word++;
    if constexpr (kernel::is_bool<T>) {
      return text == "1";
    } else if constexpr (kernel::is_integer<T>) {
      return static_cast<T>(std::stoull(text, nullptr, 16));
    } else {
      if (text == "n") return kernel::quiet_nan<T>();
      return kernel::from_bits<T>(static_cast<kernel::unsigned_t<T>>(std::stoull(text, nullptr, 16)));
    }
  }
}

template<class T>
std::vector<T> parse_all(const std::string& key) {
  std::vector<T> values;
  const auto found = golden().find(key);
  if (found == golden().end()) return values;
  for (auto word = found->second.begin(); word != found->second.end();) values.push_back(parse<T>(word));
  return values;
}

template<class T>
std::string show(T value) {
  std::ostringstream out;
  out.precision(17);
  if constexpr (kernel::is_complex<T>) out << '(' << value.re << ", " << value.im << ')';
  else if constexpr (kernel::is_half<T>) out << static_cast<float>(value);
  else out << +value;
  return out.str();
}

template<class T>
std::string dtype_of() {
  return std::string(kernel::is_bool<T> ? "bool" : type_name<T>::value);
}

template<class R>
bool same_real(R got, R expected) {
  const double x = static_cast<double>(got), y = static_cast<double>(expected);
  return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
}

}  // namespace golden_test
