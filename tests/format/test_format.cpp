// Printing agrees with NumPy, character by character: the cases of format/format.txt.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/text/print_options.hpp>

#include "format/array.hpp"
#include "format/dtype.hpp"
#include "support/test_path.hpp"

namespace core = gparray::core;

namespace {

using option_map = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// One case, as make_format_golden.py describes it.
struct golden_case {
  std::string header, operation, expected;
  char code = 0;
  std::vector<std::int64_t> shape, strides;
  std::vector<std::byte> memory;
  std::ptrdiff_t offset = 0;
  option_map options;

  explicit golden_case(const std::string& line) : header(line.substr(0, 150)) {
    const std::vector<std::string> fields = split(line, '\t');
    REQUIRE(fields.size() == 8);
    operation = fields[0];
    code = fields[1].at(0);
    const std::int64_t item_size = static_cast<std::int64_t>(core::find_printed_dtype(code).item_size);
    if (fields[2] != "-") {
      for (const std::string& length : split(fields[2], ',')) shape.push_back(std::stoll(length));
      for (const std::string& stride : split(fields[3], ','))
        strides.push_back(std::stoll(stride) * item_size);
    }
    offset = std::stol(fields[4]) * item_size;
    for (const std::string& option : split(fields[6], ';'))
      options[option.substr(0, option.find('='))] = option.substr(option.find('=') + 1);
    fill(fields[7], std::stoul(fields[5]) * static_cast<std::size_t>(item_size));
  }

  void fill(const std::string& hexadecimal, std::size_t size) {
    memory.resize(size);
    if (hexadecimal == "-") return;
    const std::size_t period = hexadecimal.size() / 2;
    for (std::size_t i = 0; i < size; ++i)
      memory[i] = static_cast<std::byte>(std::stoi(hexadecimal.substr(i % period * 2, 2), nullptr, 16));
  }

  std::string text(const std::string& name, const std::string& otherwise) const {
    const auto found = options.find(name);
    return found == options.end() ? otherwise : found->second;
  }
  std::int64_t number(const std::string& name, std::int64_t otherwise) const {
    return std::stoll(text(name, std::to_string(otherwise)));
  }
  std::optional<int> count(const std::string& name) const {
    return options.count(name) ? std::optional(static_cast<int>(number(name, 0))) : std::nullopt;
  }

  template<class Float>
  std::string number_text() const {
    Float value;
    std::memcpy(&value, memory.data(), sizeof value);
    const bool unique = number("unique", 1) != 0, sign = number("sign", 0) != 0;
    const char trim = text("trim", "k")[0];
    if (operation == "scientific")
      return gparray::format_float_scientific(
          value, {count("precision"), unique, trim, sign, count("pad_left"), count("exp_digits"),
                  count("min_digits")});
    return gparray::format_float_positional(
        value, {count("precision"), unique, number("fractional", 1) != 0, trim, sign, count("pad_left"),
                count("pad_right"), count("min_digits")});
  }

  std::string printed() const {
    if (operation == "positional" || operation == "scientific")
      return code == 'e'   ? number_text<gparray::float16>()
             : code == 'f' ? number_text<float>()
                           : number_text<double>();

    const gparray::print_options print{.precision = static_cast<int>(number("precision", 8)),
                                       .threshold = number("threshold", 1000),
                                       .edgeitems = static_cast<int>(number("edgeitems", 3)),
                                       .linewidth = static_cast<int>(number("linewidth", 75)),
                                       .suppress = number("suppress", 0) != 0,
                                       .nanstr = text("nanstr", "nan"),
                                       .infstr = text("infstr", "inf"),
                                       .sign = text("sign", "-")[0],
                                       .floatmode = text("floatmode", "maxprec")};
    const core::host_view view{code, memory.data() + offset, static_cast<int>(shape.size()), shape.data(),
                               strides.data()};
    if (operation == "str") return core::array_str(view, print);
    if (operation == "repr") return core::array_repr(view, print);
    REQUIRE(operation == "array2string");
    return core::array2string(view, print, text("separator", " "), text("prefix", ""), text("suffix", ""));
  }
};

std::vector<golden_case> read_cases() {
  std::ifstream file(test_path("format/format.txt"));
  REQUIRE(file.good());
  std::vector<golden_case> cases;
  bool first_line = true;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '|') {
      cases.back().expected += (first_line ? "" : "\n") + line.substr(1);
      first_line = false;
    } else {
      cases.emplace_back(line);
      first_line = true;
    }
  }
  return cases;
}

}  // namespace

TEST_CASE("printing: every golden case has NumPy's text") {
  const std::vector<golden_case> cases = read_cases();
  CHECK(cases.size() >= 400);
  for (const golden_case& golden : cases) {
    INFO(golden.header);
    CHECK(golden.printed() == golden.expected);
  }
}
