// How many kernels gathers become on a GPU, together with what is made of them.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;
using array = gp::ndarray<float>;
using numbers = gp::ndarray<std::int64_t>;

namespace {

struct fixture {
  fake::installed fake;
  array image = gp::arange<float>(600).reshape({20, 30});
  numbers rows = gp::arange(15).reshape({15, 1}), columns = gp::arange(25);
  array fx = gp::linspace<float>(0, 1, 25), fy = gp::linspace<float>(0, 1, 15).reshape({15, 1});

  fixture() { gp::eval(image, rows, columns, fx, fy); }
  void clear() {
    fake.gpu.maps.clear();
    fake.gpu.gathers.clear();
  }
};

}  // namespace

TEST_CASE("gathers on a GPU: a bilinear interpolation is one kernel behind the checks") {
  fixture f;
  f.clear();
  const array top = f.image(f.rows, f.columns) * (1 - f.fx) + f.image(f.rows, f.columns + 1) * f.fx;
  const array bottom =
      f.image(f.rows + 1, f.columns) * (1 - f.fx) + f.image(f.rows + 1, f.columns + 1) * f.fx;
  const array result = top * (1 - f.fy) + bottom * f.fy;
  result.eval();
  CHECK(f.fake.gpu.maps.size() == 1);
  CHECK(f.fake.gpu.gathers.empty());
  const array between = f.image("1:16, 1:26");
  CHECK(result(14, 24).item() == between(14, 24).item());
}

namespace {

/// As a user writes it, with a name for each step.
array resized(const array& image, std::int64_t height, std::int64_t width) {
  array y = (gp::arange<float>(height) + 0.5) * image.shape(0) / height - 0.5;
  array x = (gp::arange<float>(width) + 0.5) * image.shape(1) / width - 0.5;
  y = gp::clip(y, 0, image.shape(0) - 1), x = gp::clip(x, 0, image.shape(1) - 1);
  const numbers y0 = gp::minimum(y.astype<std::int64_t>(), image.shape(0) - 2);
  const numbers x0 = gp::minimum(x.astype<std::int64_t>(), image.shape(1) - 2);
  const array fy = (y - y0.astype<float>())(":, None"), fx = x - x0.astype<float>();
  const numbers rows = y0(":, None");
  const array top = image(rows, x0) * (1 - fx) + image(rows, x0 + 1) * fx;
  const array bottom = image(rows + 1, x0) * (1 - fx) + image(rows + 1, x0 + 1) * fx;
  return top * (1 - fy) + bottom * fy;
}

}  // namespace

TEST_CASE("gathers on a GPU: a picture is resized by few kernels, which nothing waits for") {
  array expected[2];
  const gp::dims sizes[] = {{31, 47}, {1200, 2100}};
  {
    const gp::device_guard guard(gp::device::cpu());
    const array image = gp::arange<float>(600).reshape({20, 30});
    for (int k = 0; k < 2; ++k) expected[k] = resized(image, sizes[k][0], sizes[k][1]).eval();
  }
  fixture f;
  for (int k = 0; k < 2; ++k) {
    f.clear();
    f.fake.gpu.reductions.clear();
    const array result = resized(f.image, sizes[k][0], sizes[k][1]);
    result.eval();
    CHECK(f.fake.gpu.reductions.empty());
    CHECK(f.fake.gpu.results_taken == 0);
    // Of a large one the places of rows and of columns are stored first, each with what else is made of them.
    CHECK(f.fake.gpu.maps.size() <= 6);
    CHECK(gp::array_equal(gp::asnumpy(result), expected[k]));
  }
}

TEST_CASE("gathers on a GPU: addresses are kept inside only where ends could be outside") {
  fixture f;
  const array line = f.image.ravel();
  const auto clips = [](const array& gathered) {
    return gp::explain(gathered * 2).find("clip<int64>") != std::string::npos;
  };
  const numbers i = gp::arange(5, 25), stored = gp::array<std::int64_t>({7, 5});
  CHECK(clips(line(i)));  // a range goes on beyond its ends
  i.eval();
  CHECK_FALSE(clips(line(i)));
  CHECK_FALSE(clips(line(i + 3)));
  CHECK_FALSE(clips(line(stored)));
  CHECK_FALSE(clips(line(stored - 600)));
  CHECK_FALSE(clips(f.image(f.rows + 1, f.columns + 1)));
  CHECK(clips(line(i - 3)));
  CHECK(clips(line(600 - i)));
}

TEST_CASE("gathers on a GPU: of a pending array they are computed, and nothing else of it") {
  fixture f;
  const array x = gp::arange<float>(40 * 50).reshape({40, 50}) * 0.37f % 5.f,
              scale = gp::arange<float>(50) + 1;
  const numbers i = gp::arange(30), labels = gp::arange(30) * 7 % 50, negative = labels - 50;
  gp::eval(x, scale, i, labels, negative);
  const array largest = gp::max(x, 1, {.keepdims = true});
  largest.eval();
  const auto shifted = [&] { return (x - largest) * scale - 2; };
  const array expected_all = shifted().eval();
  const array expected[] = {array(expected_all(i, labels)).eval(), array(expected_all(i + 3, labels)).eval(),
                            array(expected_all(gp::arange(4).reshape({4, 1}), labels)).eval()};
  f.clear();
  const array base = shifted();
  const array results[] = {base(i, labels), base(i + 3, negative),
                           base(gp::arange(4).reshape({4, 1}), labels)};
  for (const array& result : results) result.eval();
  CHECK(base.pending());
  CHECK(f.fake.gpu.gathers.empty());
  for (int k = 0; k < 3; ++k) CHECK(gp::array_equal(results[k], expected[k]));
  // Written to, and wanted whole.
  array named = shifted();
  const array kept = named(i, labels);
  named(i, labels) -= 1;
  CHECK(gp::array_equal(array(named(i, labels)), array(expected[0] - 1)));
  CHECK(gp::array_equal(kept, expected[0]));
  CHECK(named(39, 0).item() == expected_all(39, 0).item());
  // As many as there are: those of the array in memory.
  const array again = shifted();
  const array all = again(gp::arange(40).reshape({40, 1}), gp::arange(50));
  CHECK(gp::array_equal(all, expected_all));
  CHECK_THROWS_AS(shifted()(i + 30, labels), gp::index_error);
  const array transposed = (x.T() - 1);
  CHECK(gp::array_equal(array(transposed(labels, i)), array((x - 1).eval()(i, labels))));
}

TEST_CASE("gathers on a GPU: elements by one index array alone need no plan") {
  fixture f;
  const array line = f.image.ravel();
  f.clear();
  line(f.columns).eval();
  CHECK(f.fake.gpu.maps.empty());
  CHECK(f.fake.gpu.gathers == std::vector<std::size_t>{sizeof(float)});
  f.clear();
  (line(f.columns) * 2).eval();
  CHECK(f.fake.gpu.maps.size() == 1);
  CHECK(f.fake.gpu.gathers.empty());
}

TEST_CASE("gathers on a GPU: numbers that no axis is too short for are not looked at") {
  fixture f;
  const gp::ndarray<std::uint8_t> pixels = f.image.astype<std::uint8_t>();
  const array curve = gp::arange<float>(256);
  gp::eval(pixels, curve);
  f.clear();
  curve(pixels).eval();
  CHECK(f.fake.gpu.maps.size() == 1);
  CHECK(f.fake.gpu.gathers.empty());
}

TEST_CASE("gathers on a GPU: memory that is gathered from stays until then") {
  fixture f;
  array result;
  {
    const array local = f.image + 1;
    local.eval();
    result = local(f.rows, f.columns) * 2;
  }
  const array other = gp::zeros<float>({20, 30});
  other.eval();
  CHECK(result(3, 4).item() == (3 * 30 + 4 + 1) * 2);
}

TEST_CASE("positions on a GPU are one kernel behind the one that picks them") {
  fixture f;
  for (const gp::dims& shape :
       {gp::dims{20, 30}, gp::dims{4, 15, 10}, gp::dims{2, 5, 6, 10}, gp::dims{2, 3, 5, 2, 10}}) {
    const gp::ndarray<bool> mask = (gp::arange(600) % 7 == 3).reshape(shape).copy();
    mask.eval();
    f.clear();
    const numbers where = gp::argwhere(mask);
    where.eval();
    if (shape.size() <= 4) CHECK(f.fake.gpu.maps.size() == 1);
    const numbers each = gp::stack(gp::nonzero(mask), 1);
    CHECK(gp::array_equal(where, each));
  }
}

TEST_CASE("interpolation on a GPU gathers where it computes") {
  fixture f;
  const gp::ndarray<double> points = gp::linspace(0, 1, 11), values = gp::sin(points),
                            x = gp::linspace(-0.1, 1.1, 1001);
  gp::eval(points, values, x);
  f.clear();
  const gp::ndarray<double> result = gp::interp(x, points, values);
  result.eval();
  CHECK(f.fake.gpu.gathers.empty());
  CHECK(f.fake.gpu.maps.size() <= 3);
  const gp::device_guard guard(gp::device::cpu());
  CHECK(gp::array_equal(gp::asnumpy(result),
                        gp::interp(gp::asnumpy(x), gp::asnumpy(points), gp::asnumpy(values))));
}

TEST_CASE("writes on a GPU: which of equal values is last does not matter") {
  fixture f;
  array line = gp::zeros<float>(600), square = gp::zeros<float>({20, 30});
  const numbers twice = gp::floor_divide(f.columns, 2);
  const array values = gp::arange<float>(25), row = gp::arange<float>(30),
              columns = gp::arange<float>(25).reshape({25, 1});
  const numbers rows = twice % 20;
  line(twice) = 7;
  line(twice) = values;
  square(rows) = row;
  square(rows) = columns;
  square(rows, twice) = 2;
  square(gp::all, twice) = gp::arange<float>(20).reshape({20, 1});
  square(gp::all, twice) = values;
  CHECK(f.fake.gpu.scatters == std::vector<bool>{true, false, true, false, true, true, false});
  CHECK(line(4).item() == 9);
  CHECK(square(5, 4).item() == values(9).item());
}
