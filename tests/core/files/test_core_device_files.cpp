// Files of arrays in a GPU's memory, which the host does not touch: written from a copy, read to where they
// stay.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"
#include "support/same_bits.hpp"
#include "support/temporary_folder.hpp"

namespace gp = gparray;

TEST_CASE("files of a GPU's arrays: in C order and in Fortran's, pending, and parts of others") {
  const temporary_folder folder;
  const std::string npy = (folder.path / "a.npy").string(), npz = (folder.path / "a.npz").string(),
                    raw = (folder.path / "a.bin").string();
  const gp::ndarray<double> on_host = gp::linspace<double>(0., 1., 5000).reshape({50, 100});
  const fake::installed gpu;
  const gp::device cuda = gp::device::cuda(0), cpu = gp::device::cpu();
  const gp::ndarray<double> a = gp::to_device(on_host, cuda);
  REQUIRE(a.device() == cuda);
  const auto check = [&](const gp::ndarray<double>& written, const gp::ndarray<double>& expected) {
    gp::save(npy, written);
    gp::savez(npz, {{"x", written}, {"y", written}});
    gp::tofile(written, raw);
    for (const gp::device where : {cuda, cpu}) {
      const gp::ndarray<double> from[] = {
          gp::ndarray<double>(gp::load(npy, where)), gp::ndarray<double>(gp::load_npz(npz, where).at("y")),
          gp::fromfile<double>(raw, {.device = where}).reshape(expected.shape())};
      for (const gp::ndarray<double>& read : from) {
        CHECK(read.device() == where);
        CHECK(same_bits(gp::to_device(read, cpu), expected));
      }
    }
  };
  check(a, on_host);
  check(a.T(), on_host.T());
  check(a * 2., on_host * 2.);
  check(a("::3, 5:"), on_host("::3, 5:"));
  // More than is copied to the host at once, of a size that this does not divide.
  const gp::ndarray<double> large = gp::to_device(gp::arange<double>(1'300'003, {.device = cpu}), cuda);
  gp::save(npy, large);
  CHECK(same_bits(gp::ndarray<double>(gp::load(npy, cpu)), gp::arange<double>(1'300'003, {.device = cpu})));
  gp::tofile(a("::3, 5:"), raw);
  const gp::ndarray<double> tail = gp::fromfile<double>(raw, {.count = 7, .offset = 80, .device = cuda});
  CHECK(same_bits(gp::to_device(tail, cpu), on_host("::3, 5:").ravel()("10:17")));
}
