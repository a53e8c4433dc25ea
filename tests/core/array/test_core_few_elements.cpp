// Reductions of a few elements that become operands: steps of the kernel that uses them, in the order of the
// kernels that reduce.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/recorded_maps.hpp"
#include "support/few_elements.hpp"

namespace gp = gparray;

namespace {

using fixture = fake::recorded_maps;
using few_elements::layout;
using few_elements::operation;

/// Numbers whose sums show in which order they are added, and some that compare equal and are not.
template<class T>
gp::ndarray<T> numbers(const gp::dims& shape) {
  gp::ndarray<T> x = gp::random::default_rng(7).standard_normal<T>(shape);
  x *= gp::random::default_rng(8).integers(1, 1000, shape).template astype<T>();
  x(gp::random::default_rng(9).random<T>(shape) < 0.1) = T(-0.0);
  x(gp::random::default_rng(10).random<T>(shape) < 0.1) = T(0);
  return x.eval();
}

template<class T>
gp::ndarray<T> reduction_of(operation what, const gp::ndarray<T>& x, int axis) {
  switch (what) {
    case operation::sum:
      return gp::sum(x, axis);
    case operation::mean:
      return gp::mean(x, axis);
    case operation::prod:
      return gp::prod(x, axis);
    case operation::norm:
      return gp::linalg::norm(x, {.axis = axis});
    default:
      return gp::max(x, axis);
  }
}

/// The same as an operand: chosen everywhere.
template<class T>
gp::ndarray<T> used(const gp::ndarray<T>& reduction, const gp::ndarray<bool>& yes) {
  return gp::where(yes, reduction, T(7));
}

template<class T>
void check_order(fixture& f, operation what, std::int64_t n, layout where) {
  CAPTURE(n);
  CAPTURE(static_cast<int>(what));
  CAPTURE(static_cast<int>(where));
  const bool in_rows = where == layout::rows;
  const std::int64_t results = 5000;
  const gp::ndarray<T> x = numbers<T>(in_rows ? gp::dims{results, n} : gp::dims{n, results});
  const gp::ndarray<bool> yes = gp::ones<bool>({results});
  yes.eval();
  gp::ndarray<T> result;
  f.fake.gpu.reductions.clear();
  const fake::map_calls made = f.calls_of([&] {
    result = used(reduction_of(what, x, in_rows ? 1 : 0), yes);
    result.eval();
  });
  CHECK(made.size() == 1);
  CHECK(f.fake.gpu.reductions.empty());
  const std::vector<T> elements = gp::ndarray<T>(in_rows ? x : gp::ascontiguousarray(x.T())).to_vector(),
                       found = result.to_vector();
  int different = 0;
  for (std::int64_t i = 0; i < results; ++i) {
    const auto first = elements.begin() + i * n;
    const T expected = few_elements::reduced(what, std::vector<T>(first, first + n), where);
    different += std::memcmp(&expected, &found[static_cast<std::size_t>(i)], sizeof(T)) != 0;
  }
  CHECK(different == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("few elements: as operands they are combined as the kernels of reductions do", T, float,
                   double) {
  fixture f;
  for (const operation what :
       {operation::sum, operation::mean, operation::prod, operation::norm, operation::max})
    for (const std::int64_t n : {2, 3, 4, 5, 7, 8, 9})
      for (const layout where : {layout::rows, layout::columns})
        if (where == layout::columns || n * static_cast<std::int64_t>(sizeof(T)) <= 64)
          check_order<T>(f, what, n, where);
}

TEST_CASE("few elements: pairwise forces are a reduction of one kernel") {
  fixture f;
  const gp::ndarray<float> x = numbers<float>({600, 3}), mass = numbers<float>({600});
  gp::ndarray<float> force;
  f.fake.gpu.reductions.clear();
  const fake::map_calls made = f.calls_of([&] {
    const gp::ndarray<float> d = x - x(":, None");
    const gp::ndarray<float> squared = gp::sum(gp::square(d), 2) + 0.01;
    const gp::ndarray<float> pull = mass / (squared * gp::sqrt(squared));
    force = gp::sum(pull("..., None") * d, 1);
    force.eval();
  });
  CHECK(made.empty());
  CHECK(f.fake.gpu.reductions == std::vector<std::size_t>{1});
}

TEST_CASE("few elements: directions and lengths of vectors are one kernel") {
  fixture f;
  const gp::ndarray<float> p = numbers<float>({300'000, 3}), q = numbers<float>({300'000, 3});
  gp::ndarray<float> away;
  f.fake.gpu.reductions.clear();
  const fake::map_calls made = f.calls_of([&] {
    const gp::ndarray<float> along = gp::sum(p * q, 1);
    away = p - 2 * along(":, None") * q;
    away.eval();
  });
  CHECK(made.size() == 1);
  CHECK(f.fake.gpu.reductions.empty());
}

TEST_CASE("few elements: rows that an index array picks are read by what reduces them") {
  fixture f;
  const gp::ndarray<float> table = numbers<float>({500, 64});
  const auto picked = [&](const gp::ndarray<std::int64_t>& words, auto reduce) {
    gp::eval(table, words);
    const gp::ndarray<float> rows = table(words).eval();
    const std::vector<float> expected = reduce(rows).eval().to_vector();
    f.fake.gpu.gathers.clear();
    f.fake.gpu.reductions.clear();
    gp::ndarray<float> result;
    const fake::map_calls made = f.calls_of([&] {
      const gp::ndarray<float> gathered = table(words);
      result = reduce(gathered);
      result.eval();
    });
    CHECK(result.to_vector() == expected);
    return std::pair(made.size(), f.fake.gpu.gathers.size());
  };
  using counts = std::pair<std::size_t, std::size_t>;
  const gp::ndarray<std::int64_t> words = gp::random::default_rng(4).integers(0, 500, {700, 8}),
                                  from_end = gp::random::default_rng(3).integers(-500, 500, {700, 3}),
                                  many = gp::random::default_rng(5).integers(0, 500, {700, 40});
  const auto mean = [](const auto& rows) { return gp::ndarray<float>(gp::mean(rows, 1)); };
  const auto kept = [](const auto& rows) {
    return gp::ndarray<float>(gp::sum(rows, {1}, {.keepdims = true}) * 2);
  };
  const auto of_rows = [](const auto& rows) { return gp::ndarray<float>(gp::max(rows, 0)); };
  CHECK(picked(words, mean) == counts(1, 0));
  CHECK(picked(words, kept) == counts(1, 0));
  // Of more than there is room for, by numbers from the end, or along another axis, they are gathered first.
  CHECK(picked(from_end, mean) == counts(1, 1));
  CHECK(picked(many, mean) == counts(0, 1));
  CHECK(picked(words, of_rows) == counts(0, 1));
}

TEST_CASE("few elements: what is picked before a write is what is reduced after it") {
  fixture f;
  gp::ndarray<float> table = numbers<float>({500, 64});
  gp::ndarray<std::int64_t> words = gp::random::default_rng(4).integers(0, 500, {700, 8});
  gp::eval(table, words);
  const std::vector<float> expected = gp::mean(table(words).eval(), 1).to_vector();
  const gp::ndarray<float> rows = table(words);
  const gp::ndarray<float> mean = gp::mean(rows, 1);
  CHECK(gp::explain(rows).find("gathered by a kernel of its own") != std::string::npos);
  table(gp::ellipsis) = 7.f;
  words(gp::ellipsis) = 0;
  CHECK(gp::ndarray<float>(gp::mean(rows, 1)).to_vector() == expected);
  CHECK(mean.to_vector() == expected);
}

TEST_CASE("few elements: the cross product of differences reads what they are made of") {
  fixture f;
  const gp::ndarray<float> p = numbers<float>({200'000, 3}), q = numbers<float>({200'000, 3}),
                           r = numbers<float>({200'000, 3});
  const std::vector<float> expected = gp::cross((q - p).eval(), (r - p).eval()).eval().to_vector();
  gp::ndarray<float> n, area;
  f.fake.gpu.reductions.clear();
  const fake::map_calls made = f.calls_of([&] {
    n = gp::cross(q - p, r - p);
    area = gp::sqrt(gp::sum(n * n, 1));
    gp::eval(n, area);
  });
  CHECK(made.size() == 2);
  CHECK(f.fake.gpu.reductions.empty());
  CHECK(n.to_vector() == expected);
}

TEST_CASE("few elements: integers, truth values and counts") {
  fixture f;
  const gp::ndarray<int> x = gp::arange<int>(3 * 5000).reshape({5000, 3}) % 4;
  const gp::ndarray<std::int64_t> sums = gp::sum(x, 1) + 0, counts = gp::count_nonzero(x, 1) + 0;
  const gp::ndarray<bool> all = ~gp::all(x, 1), any = ~gp::any(x > 2, 1);
  const gp::ndarray<double> means = gp::mean(x, 1) + 0;
  f.fake.gpu.reductions.clear();
  gp::eval(sums, counts, all, any, means);
  CHECK(f.fake.gpu.reductions.empty());
  for (const std::int64_t i : {0, 1, 2, 3, 4999}) {
    const int a = x.item(i, 0), b = x.item(i, 1), c = x.item(i, 2);
    CHECK(sums.item(i) == a + b + c);
    CHECK(counts.item(i) == (a != 0) + (b != 0) + (c != 0));
    CHECK(all.item(i) == !(a && b && c));
    CHECK(any.item(i) == !(a > 2 || b > 2 || c > 2));
    CHECK(means.item(i) == (a + b + c) / 3.0);
  }
}

TEST_CASE("few elements: alone, or of more operands than a kernel has, they are reductions") {
  fixture f;
  const gp::ndarray<float> x = numbers<float>({5000, 3});
  f.fake.gpu.reductions.clear();
  const gp::ndarray<float> alone = gp::sum(x, 1);
  alone.eval();
  CHECK(f.fake.gpu.reductions.size() == 1);
  const gp::ndarray<float> wide = numbers<float>({500, 100});
  const gp::ndarray<float> many = gp::sum(wide, 1) * 2;
  many.eval();
  CHECK(f.fake.gpu.reductions.size() == 2);
}

TEST_CASE("few elements: what is reduced changes behind the reduction") {
  fixture f;
  gp::ndarray<float> x = numbers<float>({5000, 3});
  const gp::ndarray<float> before = (gp::sum(x.copy(), 1) + 1).eval();
  const gp::ndarray<float> lengths = gp::sum(x, 1) + 1;
  x("..., 1") = 0;
  CHECK(gp::array_equal(lengths, before));
}

TEST_CASE("few elements: few rows of many columns are a map of them, alone too") {
  fixture f;
  const gp::ndarray<float> x = numbers<float>({70, 8, 64});
  f.fake.gpu.reductions.clear();
  const fake::map_calls made = f.calls_of([&] { gp::mean(x, 1).eval(); });
  CHECK(made.size() == 1);
  CHECK(f.fake.gpu.reductions.empty());
  // Several of them are one pass of reductions.
  gp::eval(gp::sum(x, 1), gp::max(x, 1));
  CHECK(f.fake.gpu.reductions == std::vector<std::size_t>{2});
}
