// Reading the tables of expected values in golden/: one case a line, columns between tabs, the first names
// the case.
#pragma once
#include <doctest/doctest.h>
#include <gparray/dims.hpp>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace golden {

using table = std::map<std::string, std::vector<std::string>>;

/// The rows of golden/NAME by their first column; each must have as many columns as said.
inline table read_table(const std::string& name, std::size_t columns) {
  table rows;
  std::ifstream file(GPARRAY_TEST_DATA "/golden/" + name);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> row;
    for (std::size_t begin = 0, end; begin <= line.size(); begin = end + 1) {
      end = std::min(line.find('\t', begin), line.size());
      row.push_back(line.substr(begin, end - begin));
    }
    REQUIRE(row.size() == columns);
    const std::string key = row[0];
    rows[key] = std::move(row);
  }
  INFO("no cases in golden/" << name);
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
