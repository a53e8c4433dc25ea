// Arrays and matrices in files that nobody vouches for.
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include <core/files/files.hpp>
#include <gparray/gparray.hpp>

#include "targets.hpp"

namespace gp = gparray;

namespace {

/// The name of a file of these bytes, in memory.
std::string file_of(std::string_view bytes) {
  static const int file = memfd_create("input", MFD_CLOEXEC);
  if (pwrite(file, bytes.data(), bytes.size(), 0) < 0 ||
      ftruncate(file, static_cast<off_t>(bytes.size())) != 0)
    std::perror("memfd"), std::abort();
  return "/proc/self/fd/" + std::to_string(file);
}

/// Looks at every element, so that one outside the array is noticed.
void read_all(const gp::any_array& a) { (void)gp::array2string(a, {.threshold = 1 << 20}); }

/// Coordinates take no more memory than the file has entries; compressed rows may have any number of rows.
using matrix = gp::sparse::coo_matrix<double>;
void read_all_of_matrix(const matrix& coordinates) {
  constexpr std::int64_t largest = 1 << 12;
  const auto [rows, columns] = std::array<std::int64_t, 2>{coordinates.shape()[0], coordinates.shape()[1]};
  if (rows > largest || columns > largest) return;
  const auto m = coordinates.tocsr();
  (void)(m.sum().item());
  (void)gp::eval(m.dot(gp::ones({columns})));
  (void)m.T().tocsr();
  if (rows * columns < largest) (void)gp::eval(m.toarray());
}

void npy(std::string_view input) { read_all(gp::load(file_of(input))); }

void npz(std::string_view input) {
  for (const auto& [name, a] : gp::load_npz(file_of(input))) read_all(a);
}

void mtx(std::string_view input) {
  read_all_of_matrix(gp::sparse::mmread<double, matrix::format_of>(file_of(input)));
}

/// The first byte chooses the reader.
void text(std::string_view input) {
  if (input.empty()) return;
  const std::string file = file_of(input.substr(1));
  switch (input[0]) {
    case 'l':
      read_all(gp::loadtxt(file));
      break;
    case 'i':
      read_all(gp::loadtxt<std::int64_t>(file, {.delimiter = ","}));
      break;
    case 'c':
      read_all(gp::loadtxt<std::complex<double>>(file));
      break;
    case 'g':
      read_all(gp::genfromtxt(file, {.delimiter = ","}));
      break;
    case 'u':
      read_all(gp::genfromtxt<std::uint8_t>(file, {.filling_values = gp::scalar(7)}));
      break;
    case 's':
      read_all(gp::fromstring<std::int32_t>(input.substr(1), -1, " "));
      break;
    case 'f':
      read_all(gp::fromfile(file, {.sep = ","}));
      break;
    default:
      read_all(gp::fromfile<std::int16_t>(file));
  }
}

/// A line with the names of the members, then the .npy files: an archive's checksums would refuse most
/// changes.
void sparse_npz(std::string_view input) {
  constexpr std::string_view magic = "\x93NUMPY";
  std::string_view names = input.substr(0, input.find('\n'));
  std::vector<gp::core::zip_entry> entries;
  std::size_t at = input.find(magic);
  while (!names.empty() && at != std::string_view::npos) {
    const std::size_t next = input.find(magic, at + 1);
    const std::size_t end = std::min(names.find(' '), names.size());
    entries.push_back({std::string(names.substr(0, end)) + ".npy", std::string(input.substr(at, next - at))});
    names.remove_prefix(std::min(end + 1, names.size()));
    at = next;
  }
  read_all_of_matrix(
      gp::sparse::load_npz<double, matrix::format_of>(file_of(gp::core::to_zip(entries, false))));
}

constexpr fuzz::target targets[] = {
    {"npy", npy}, {"npz", npz}, {"mtx", mtx}, {"text", text}, {"sparse_npz", sparse_npz}};

}  // namespace

std::span<const fuzz::target> fuzz::file_targets() { return targets; }
