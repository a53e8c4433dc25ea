// The rows of semantics/promotion.txt: what NumPy answers about dtypes.
#pragma once
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/test_path.hpp"

/// The rows whose first word is `tag`, as words.
inline std::vector<std::vector<std::string>> promotion_rows(const std::string& tag) {
  std::ifstream file(test_path("semantics/promotion.txt"));
  REQUIRE(file);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; words >> word;) row.push_back(word);
    if (row[0] == tag) rows.push_back(row);
  }
  REQUIRE(!rows.empty());
  return rows;
}
