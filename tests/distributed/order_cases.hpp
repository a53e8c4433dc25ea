// Sums of arrays that are cut anywhere, against those of a rank that is alone: the same bits.
#pragma once
#include "distributed/ranks.hpp"
#include "support/sampler.hpp"

namespace ranks {

/// Numbers that round when they are added.
template<class V>
gp::ndarray<V> numbers(const gp::dims& shape) {
  gp::random::Generator random(17);
  const gp::ndarray<double> re = random.standard_normal<double>(shape) * 9. + 0.01;
  if constexpr (gp::is_complex(gp::dtype_of<V>))
    return (re + std::complex<double>(0, 1) * random.standard_normal<double>(shape)).template astype<V>();
  else if constexpr (std::is_same_v<V, bool>) return gp::ndarray<bool>(re > 0.);
  else return re.astype<V>();
}

/// An array on all ranks, and on each rank as if it were alone.
template<class V>
struct twice_sharded {
  gd::sharded<V> here, alone;

  template<class F>
  void check(notes& note, const std::string& what, const F& f) const {
    note.check_same(gp::ndarray(f(here)), gp::ndarray(f(alone)), what);
  }
  /// Of results that are sharded.
  template<class F>
  void check_gathered(notes& note, const std::string& what, const F& f) const {
    note.check_same(f(here).gather(), f(alone).gather(), what);
  }
  template<class F>
  auto map(const F& f) const {
    const auto a = f(here);
    return twice_sharded<typename std::decay_t<decltype(a)>::value_type>{a, f(alone)};
  }
};

/// Boundaries of n elements with a part that is empty, and none at a multiple of much.
inline std::vector<std::int64_t> uneven_cuts(std::int64_t n, int ranks) {
  std::vector<std::int64_t> cuts{0};
  for (int r = 1; r < ranks; ++r) cuts.push_back(r == 2 ? cuts.back() : std::min(n, cuts.back() + n / 3 + r));
  cuts.push_back(n);
  return cuts;
}

class order_of_sums {
 public:
  /// Of how many ranks sums are compared.
  static std::vector<int> rank_counts() {
    if (wanted_sample() > 1) return {1, 2, 3};
    return {1, 2, 3, 4, 5};
  }

  /// Ranks have copies of one sampler, so that all take the same cases.
  order_of_sums(const gd::communicator& world, notes& note, const sampler& taken)
      : world_(world), alone_(world.split(world.rank())), note_(note), taken_(taken) {}

  void check_vectors() {
    for (const std::int64_t n : {1, 5, 2047, 2048, 4099, 40'001}) {
      check_vector<double>(n);
      check_vector<float>(n);
    }
    check_vector<std::complex<float>>(9'003);
    check_vector<gp::float16>(5'000);
    check_vector<std::int32_t>(5'000);
  }

  void check_matrices() {
    // Lines of a few elements, of some, and of as many as are a block; long rows; with axes behind.
    for (const gp::dims& shape : {gp::dims{3'001, 7}, gp::dims{700, 300}, gp::dims{97, 1'000},
                                  gp::dims{5, 20'000}, gp::dims{50, 6, 40}, gp::dims{600, 1}})
      for (const bool uneven : {false, true}) {
        if (!taken_()) continue;
        check_all(cut(numbers<double>(shape), uneven),
                  gp::array_str(gp::array<std::int64_t>({shape[0], shape[1]})));
        check_all(cut(numbers<float>(shape), uneven), "float32");
      }
    const auto m = cut(numbers<float>({301, 130}), true);
    check_all(m.map([](const auto& a) { return gd::sharded<float>(a("1:-1, 1:-1")); }), "a window");
    m.check(note_, "every second column", [](const auto& a) { return gp::sum(a(":, ::2")); });
    m.check(note_, "backwards", [](const auto& a) { return gp::sum(a(":, ::-1")); });
    m.check(note_, "with room beside it", [](const auto& a) {
      const gd::sharded<float> copy = a.copy();
      copy("1:-1, 1:-1") = a(":-2, 1:-1") + a("2:, 1:-1");
      const gd::sharded<float> next = copy(":-1") + copy("1:");
      return gp::sum(next) + gp::sum(copy);
    });
  }

  /// Along axes, and on grids: `everywhere` of the last two, which the CPU does not promise.
  void check_axes(bool everywhere) {
    for (const std::int64_t columns : {1, 3, 40}) {
      if (!taken_()) continue;
      const auto m = cut_at_blocks(numbers<double>({9'000, columns}));
      const std::string what = std::to_string(columns) + " columns";
      m.check_gathered(note_, what, [](const auto& a) { return gp::sum(a, 0); });
      m.check_gathered(note_, what + " var", [](const auto& a) { return gp::var(a, 0); });
      m.check_gathered(note_, what + " along rows", [](const auto& a) { return gp::sum(a, 1); });
      m.check(note_, what + " of all", [](const auto& a) { return gp::std(a); });
    }
    const auto deep = cut_at_blocks(numbers<float>({4'500, 6, 5}));
    deep.check_gathered(note_, "the first axes", [](const auto& a) { return gp::mean(a, gp::dims{0, 1}); });
    deep.check_gathered(note_, "the middle axis", [](const auto& a) { return gp::sum(a, 1); });
    if (!everywhere || !taken_()) return;
    deep.check_gathered(note_, "axes apart", [](const auto& a) { return gp::sum(a, gp::dims{0, 2}); });
    gp::dims most_axes = gp::dims::filled(gp::max_ndim, 1);
    most_axes[9] = 700;
    most_axes[30] = 5;
    const auto a = numbers<float>(most_axes);
    const auto as_many = [&](const gd::communicator& of) {
      std::vector<int> axes(gp::max_ndim, -1);
      axes[9] = 0;
      return gd::shard(a, gd::layout::blocks(of, axes));
    };
    check_all(twice_sharded<float>{as_many(world_), as_many(alone_)}, "as many axes as there may be");
    const auto long_lines = cut(numbers<float>({16'500, 520}), true);
    long_lines.check(note_, "many long lines", [](const auto& a) { return gp::sum(a); });
    const auto few = cut(numbers<double>({5'000, 3}), true);
    few.check_gathered(note_, "few columns", [](const auto& a) { return gp::sum(a, 0); });
    for (const gp::dims& shape : {gp::dims{70, 90}, gp::dims{9, 3'000}, gp::dims{2'000, 7}}) {
      check_layout(shape, gd::layout::blocks(world_, {-1, 0}), gd::layout::blocks(alone_, {-1, 0}),
                   "columns");
      if (world_.size() % 2 != 0) continue;
      const gd::mesh grid(world_, {2, world_.size() / 2}), one(alone_, {1, 1});
      check_layout(shape, gd::layout::blocks(grid, {0, 1}), gd::layout::blocks(one, {0, 1}), "grid");
      check_layout(shape, gd::layout::blocks(grid, {1, 0}), gd::layout::blocks(one, {1, 0}), "grid across");
      check_layout(shape, gd::layout::blocks(grid, {1}), gd::layout::blocks(one, {1}), "half replicated");
      const auto row = numbers<float>({1, 5'000});
      check_all(twice_sharded<float>{gd::shard(row, gd::layout::blocks(grid, {0, 1})),
                                     gd::shard(row, gd::layout::blocks(one, {0, 1}))},
                "a row, both axes of which are cut");
    }
  }

 private:
  template<class V>
  twice_sharded<V> cut(const gp::ndarray<V>& a, bool uneven) const {
    const auto rows = gd::layout::rows(world_);
    return {gd::shard(a, uneven ? rows.with_boundaries(0, uneven_cuts(a.shape()[0], world_.size())) : rows),
            gd::shard(a, gd::layout::rows(alone_))};
  }
  template<class V>
  twice_sharded<V> cut_at_blocks(const gp::ndarray<V>& a) const {
    std::vector<std::int64_t> cuts{0};
    for (int r = 1; r < world_.size(); ++r)
      cuts.push_back(std::min(a.shape()[0], cuts.back() + r % 3 * std::int64_t{2048}));
    cuts.push_back(a.shape()[0]);
    return {gd::shard(a, gd::layout::rows(world_).with_boundaries(0, cuts)),
            gd::shard(a, gd::layout::rows(alone_))};
  }

  template<class V>
  void check_all(const twice_sharded<V>& x, const std::string& what) {
    x.check(note_, what + " sum", [](const auto& a) { return gp::sum(a); });
    x.check(note_, what + " mean", [](const auto& a) { return gp::mean(a); });
    x.check(note_, what + " var", [](const auto& a) { return gp::var(a); });
    x.check(note_, what + " norm", [](const auto& a) { return gp::norm(a); });
    x.check(note_, what + " sum of an expression", [](const auto& a) { return gp::sum(a * a - a); });
  }

  template<class V>
  void check_vector(std::int64_t n) {
    for (const bool uneven : {false, true}) {
      if (!taken_()) continue;
      const auto x = cut(numbers<V>({n}), uneven);
      const std::string what =
          std::string(name(gp::dtype_of<V>)) + " " + std::to_string(n) + (uneven ? " uneven" : "");
      check_all(x, what);
      x.check(note_, what + " max", [](const auto& a) { return gp::max(a); });
      x.check(note_, what + " std", [](const auto& a) { return gp::std(a); });
      x.check(note_, what + " nansum", [](const auto& a) { return gp::nansum(a); });
      if constexpr (!gp::is_complex(gp::dtype_of<V>))
        x.check(note_, what + " prod", [](const auto& a) { return gp::prod(a); });
      if constexpr (gp::is_inexact(gp::dtype_of<V>))
        x.check(note_, what + " vdot", [](const auto& a) { return gp::vdot(a, a); });
      if (n > 5) x.check(note_, what + " window", [](const auto& a) { return gp::sum(a("3:-2")); });
    }
  }

  void check_layout(const gp::dims& shape, const gd::layout& here, const gd::layout& alone,
                    const std::string& how) {
    const auto a = numbers<float>(shape);
    const twice_sharded<float> x{gd::shard(a, here), gd::shard(a, alone)};
    const std::string what = how + " of " + std::to_string(shape[0]) + " rows";
    check_all(x, what);
    x.check_gathered(note_, what + ", axis 0", [](const auto& m) { return gp::sum(m, 0); });
    x.check_gathered(note_, what + ", axis 1", [](const auto& m) { return gp::sum(m, 1); });
    const gd::sharded<float> moved = x.here(":-1, :-1") + x.here("1:, 1:");  // makes room beside blocks
    check_all(x, what + " with room");
  }

  gd::communicator world_, alone_;
  notes& note_;
  sampler taken_;
};

}  // namespace ranks
