// draw_comparison PERFORMANCE.md OUTPUT.svg: the README's chart, of rows of the measured table of
// docs/performance.md.
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "plot.hpp"

namespace {

/// The number that a cell begins with, of "3.5 to 4.5" the second; NaN for "-".
double microseconds(const std::string& cell) {
  const auto to = cell.find(" to ");
  std::istringstream text(to == std::string::npos ? cell : cell.substr(to + 4));
  double number = plot::nan;
  text >> number;
  return number;
}

}  // namespace

int main(int, char** argv) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"heat_jacobi_256", "heat step, 256²"},
      {"fused3_f32_5000", "ab + sin a + cos b, 5000²"},
      {"sum_mean_std_f32_5000", "sum, mean, std, 5000²"},
      {"sort_f32_1e8", "sort, 10⁸"},
      {"normal_f32_1e8", "normal numbers, 10⁸"},
      {"svd_f32_1024", "svd, 1024²"},
      {"fft2_f64_2048", "fft2, 2048²"},
      {"matmul_f32_4096", "matmul, 4096²"}};
  std::map<std::string, std::vector<double>> rows;
  std::ifstream page(argv[1]);
  for (std::string line; std::getline(page, line);) {
    std::istringstream cells(line);
    std::string cell, name;
    std::getline(cells, cell, '|');
    std::getline(cells, name, '|');
    if (name.size() < 3) continue;
    auto& times = rows[name.substr(1, name.size() - 2)];
    if (times.empty())
      while (std::getline(cells, cell, '|')) times.push_back(microseconds(cell));
  }

  plot::figure f({.title = "Time on an H100, gparray = 1 (shorter is better)",
                  .x = {.low = 0, .high = 12},
                  .width = 560,
                  .height = 470});
  std::vector<std::string> names;
  std::vector<std::vector<double>> times(4);
  for (const auto& [row, name] : cases) {
    const std::vector<double>& columns = rows.at(row);
    names.push_back(name);
    for (std::size_t peer = 0; peer < 4; ++peer)
      times[peer].push_back(std::isnan(columns[peer]) ? 0 : columns[peer] / columns[0]);
  }
  const std::vector<std::string> peers{"gparray", "PyTorch", "CuPy", "JAX"};
  const std::vector<plot::rgb> colours{{213, 94, 0}, {120, 120, 120}, {86, 180, 233}, {190, 190, 190}};
  for (std::size_t peer = 0; peer < 4; ++peer)
    f.bars(names, times[peer], {.label = peers[peer], .colour = colours[peer]});
  plot::save(argv[2], {f});
}
