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
