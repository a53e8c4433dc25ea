// Variables of the environment in a program that runs with more rights than its caller.
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "support/missing_cases.hpp"
#include "support/temporary_folder.hpp"

namespace {

/// The exit status of the program, whose environment names a device that does not exist.
int run(const std::filesystem::path& program) {
  const std::string command = "GPARRAY_DEVICE=nowhere '" + program.string() + "' > /dev/null";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a set-uid or set-gid program does not obey its caller's environment") {
  const temporary_folder folder;
  const std::filesystem::path program = folder.path / "program";
  std::filesystem::copy_file(GPARRAY_TEST_SET_UID, program);
  CHECK(run(program) == 3);
  // Of another group, which counts as much as another user and may read the library all the same.
  constexpr gid_t nogroup = 65534;
  if (getuid() != 0 || chown(program.c_str(), 0, nogroup) != 0)
    throw std::runtime_error(missing_cases::not_here +
                             std::string("the right to make a program of another group"));
  REQUIRE(chmod(program.c_str(), S_ISGID | 0755) == 0);
  CHECK(run(program) == 0);
}
