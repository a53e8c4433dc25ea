// Files of which ranks write and read parts, and gradients of parts of a batch.
#include <fstream>

#include <gparray/files/npy.hpp>

#include "distributed/ranks.hpp"
#include "support/temporary_folder.hpp"

using namespace ranks;

TEST_CASE("a .npy file of all ranks is the file of one, and any number of ranks reads it") {
  const temporary_folder folder;
  const gp::ndarray<double> a = gp::random::Generator(5).random<double>({9, 4, 3});
  gp::save(folder.file("one.npy"), a);
  gp::save(folder.file("fortran.npy"), a.copy(gp::order::F));
  with_ranks({1, 2, 3, 4}, [&](const gd::communicator& world, notes& note) {
    const std::string common = of_first_rank(folder.path.string(), world) + "/";
    std::vector<gd::layout> layouts{gd::layout::rows(world), gd::layout::blocks(world, {-1, 0}),
                                    gd::layout::blocks(world, {-1, -1, 0}), gd::layout::replicated(world)};
    if (world.size() == 4) layouts.push_back(gd::layout::blocks(gd::mesh(world, {2, 2}), {1, 0}));
    if (world.size() == 4) layouts.push_back(gd::layout::blocks(gd::mesh(world, {2, 2}), {-1, 1}));
    for (const gd::layout& where : layouts) {
      const std::string file = common + "all" + std::to_string(world.size());
      gd::save(file, gd::shard(here(a), where));
      const auto bytes = [](const std::string& name) {
        std::ifstream in(name, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
      };
      note.check(bytes(file + ".npy") == bytes(folder.file("one.npy")), "written from " + where.str());
      note.check(!std::filesystem::exists(file + ".npy.part"), "nothing stays beside it");
      note.check(same_bits(gd::load<double>(folder.file("one.npy"), where).gather(), a),
                 "read to " + where.str());
      note.check(same_bits(gd::load<double>(folder.file("fortran.npy"), where).gather(), a),
                 "from Fortran order");
      world.barrier();
    }
    note.check(same_bits(gd::load<float>(folder.file("one.npy"), layouts[0]).gather(),
                         gp::ndarray<float>(a.astype<float>())),
               "converted");
    gd::save(common + "empty.npy", gd::zeros({0, 3}, layouts[0]));
    note.check(gd::load<double>(common + "empty.npy", layouts[0]).shape() == gp::dims{0, 3}, "no elements");
    note.check(
        contains(error_of<gp::os_error>([&] { gd::load<double>(folder.file("none.npy"), layouts[0]); }),
                 "none.npy"),
        "no file");
    note.check(
        contains(error_of<gp::os_error>([&] { gd::save(common + "no/where.npy", gd::zeros(3, layouts[0])); }),
                 "no/where"),
        "no folder");
    if (world.rank() == 0) folder.write("short.npy", gp::detail::npy_header(gp::dtype::float64, {5}) + "few");
    world.barrier();
    note.check(
        contains(error_of<gp::value_error>([&] { gd::load<double>(common + "short.npy", layouts[0]); }),
                 "expected 40 bytes got 3"),
        "too short");
    world.barrier();  // the folder is the first rank's
  });
}

TEST_CASE("gradients of a fixed number of parts have the same bits for any number of ranks") {
  const gp::ndarray<float> x = gp::random::Generator(1).standard_normal<float>({100, 7});
  // A tree over the parts, in one place.
  const auto expected = [&](int parts) {
    std::vector<gp::ndarray<float>> sums;
    for (const auto& part : gp::array_split(x, parts, 0)) sums.push_back(gp::matmul(part.T(), part));
    while (sums.size() > 1) {
      std::vector<gp::ndarray<float>> merged;
      for (std::size_t i = 0; i + 1 < sums.size(); i += 2) merged.push_back(sums[i] + sums[i + 1]);
      if (sums.size() % 2) merged.push_back(sums.back());
      sums = merged;
    }
    return sums[0];
  };
  for (const int parts : {5, 8, 11}) {
    const gp::ndarray<float> wanted = expected(parts);
    with_ranks({1, 2, 3, 4, 5}, [&](const gd::communicator& world, notes& note) {
      gd::gradient_sum reduce(world, {.parts = parts});
      for (int turn = 0; turn < 2; ++turn) {
        for (const gd::part& b : reduce.my_parts(100)) {
          const gp::ndarray<float> mine = here(x)(b);
          reduce.add(gp::matmul(mine.T(), mine), gp::sum(mine.astype<double>(), 0), gp::ndarray<float>{1.f});
        }
        const auto g = reduce.finish_arrays();
        note.check(g.size() == 3 && same_bits(g[0], wanted), "sum of " + std::to_string(parts));
        note.check(g[1].dtype() == gp::dtype::float64 && gp::ndarray<float>(g[2]).item() == float(parts),
                   "others");
      }
      note.check(contains(error_of<gp::value_error>([&] { static_cast<void>(reduce.finish<float>()); }),
                          "for 0 of the"),
                 "nothing added");
    });
  }
  with_ranks({3}, [&](const gd::communicator& world, notes& note) {
    note.check(contains(error_of<gp::value_error>([&] { gd::gradient_sum(world, {.parts = 2}); }),
                        "2 parts for 3 ranks"),
               "parts");
  });
}
