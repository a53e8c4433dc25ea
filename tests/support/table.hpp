// Reading the tables of expected values beside the tests: one case a line, columns between tabs, the first
// names the case.
#pragma once
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/test_path.hpp"

namespace golden {

using table = std::map<std::string, std::vector<std::string>>;

/// The pieces of a text between separators, empty ones too; none of an empty text.
inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (std::size_t begin = 0, end; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

/// The numbers of a list as the tables have it: 2,3 and nothing for none.
inline std::vector<std::int64_t> numbers(const std::string& text) {
  std::vector<std::int64_t> values;
  for (const std::string& part : split(text, ',')) values.push_back(std::stoll(part));
  return values;
}

/// The array whose element number i, in C order, is element(i).
template<class V, class Element>
gparray::ndarray<V> filled(const gparray::dims& shape, Element element) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size *= n;
  const auto values = std::make_unique<V[]>(static_cast<std::size_t>(size) + 1);
  for (std::int64_t i = 0; i < size; ++i) values[static_cast<std::size_t>(i)] = element(i);
  return gparray::detail::typed<V>(
      gparray::detail::from_host(values.get(), shape, gparray::dtype_of<V>, gparray::default_device()));
}

/// The rows of a file of tests/ by their first column; each must have as many columns as said.
inline table read_table(const std::string& name, std::size_t columns) {
  table rows;
  std::ifstream file(test_path(name));
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> row = split(line, '\t');
    REQUIRE(row.size() == columns);
    const std::string key = row[0];
    rows[key] = std::move(row);
  }
  INFO("no cases in tests/" << name);
  REQUIRE(!rows.empty());
  return rows;
}

/// The row of a case; fails the test, saying what to do, if there is none.
inline const std::vector<std::string>& find_row(const table& rows, const std::string& key,
                                                const char* remedy) {
  const auto row = rows.find(key);
  INFO("there is no case " << key << "; " << remedy);
  REQUIRE(row != rows.end());
  return row->second;
}

/// A dimension list as the tables have it: 2,3 and nothing for 0-d.
inline std::string spelled(const gparray::dims& shape) {
  std::string text;
  for (const std::int64_t n : shape) text += (text.empty() ? "" : ",") + std::to_string(n);
  return text;
}

}  // namespace golden
