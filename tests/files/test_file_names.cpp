// Names of what is no file.
#include <doctest/doctest.h>

#include <gparray/files.hpp>
#include <gparray/sparse.hpp>

#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace gp = gparray;
namespace sp = gp::sparse;

TEST_CASE("folders are no files") {
  const temporary_folder folder;
  const std::string path = folder.path.string();
  const auto check = [](const std::string& text) { check_contains(text, "Is a directory"); };
  check(error_of<gp::os_error>([&] { (void)gp::load(path); }));
  check(error_of<gp::os_error>([&] { (void)gp::load_npz(path); }));
  check(error_of<gp::os_error>([&] { (void)gp::loadtxt(path); }));
  check(error_of<gp::os_error>([&] { (void)gp::genfromtxt(path); }));
  check(error_of<gp::os_error>([&] { (void)gp::fromfile(path); }));
  check(error_of<gp::os_error>([&] { (void)sp::mmread(path); }));
  check(error_of<gp::os_error>([&] { (void)sp::load_npz(path); }));
}
