// ElementwiseKernel and ReductionKernel on a fake GPU: which kernels are launched on what. A launch is
// carried out by reading its parameters through the structs that the kernels use, so that what is packed is
// what they find.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>
#include <kernel/user_kernel.hpp>

#include "core/support/fake_gpu.hpp"
#include "support/error_text.hpp"

namespace gp = gparray;
namespace k = gparray::kernel;

namespace {

template<class P>
P parameter(const gp::core::kernel_launch& l, int i) {
  P p;
  std::memcpy(static_cast<void*>(&p), l.arguments[i], sizeof p);
  return p;
}

/// z = x + 2 * y with operands of the given kinds in N dimensions.
template<int N, class X, class Y, class Z>
std::function<void()> add_twice(const gp::core::kernel_launch& l) {
  return [space = parameter<k::index_space<N, unsigned>>(l, 0), x = parameter<X>(l, 1),
          y = parameter<Y>(l, 2), z = parameter<Z>(l, 3)]() mutable {
    for (long i = 0; i < space.size(); ++i) {
      space.set(i);
      z.at(i, space.get()) = x.at(i, space.get()) + 2 * y.at(i, space.get());
    }
  };
}

using packed_in = k::packed_operand<const float>;
using packed_out = k::packed_operand<float>;
template<int N>
using strided_in = k::strided_operand<const float, N>;
template<int N>
using strided_out = k::strided_operand<float, N>;

}  // namespace

TEST_CASE("user kernel: contiguous operands are one dimension, whatever they were") {
  fake::installed fake;
  const gp::ElementwiseKernel add("T x, T y", "T z", "z = x + 2 * y", "add");
  const gp::ndarray<float> x = gp::arange<float>(24).reshape({2, 3, 4}), y = x + 1.f;
  fake.gpu.on_launch = add_twice<1, packed_in, packed_in, packed_out>;
  const gp::ndarray<float> z = add(x, y);
  CHECK(z.shape() == gp::dims{2, 3, 4});
  CHECK(gp::all(z == x + 2.f * y).item());
  REQUIRE(fake.gpu.launches.size() == 1);
  CHECK(fake.gpu.launches[0].what.grid[0] == 1);
  CHECK(fake.gpu.launches[0].what.block[0] == 128);
  CHECK(std::string(fake.gpu.launches[0].what.name) == "add");

  // The same kernel for other shapes; another for other dtypes.
  const auto loads = fake.gpu.loads.size();
  const gp::ndarray<float> longer = gp::arange<float>(1000);
  CHECK(gp::all(add(longer, longer).as<float>() == 3.f * longer).item());
  CHECK(fake.gpu.launches.back().what.grid[0] == 8);
  CHECK(fake.gpu.loads.size() == loads);
  fake.gpu.on_launch = nullptr;
  const gp::ndarray<double> other = gp::zeros<double>({3});
  CHECK(add(other, other)[0].dtype() == gp::dtype::float64);
  CHECK(fake.gpu.loads.size() == loads + 1);
  add(longer, longer, {.block_size = 1000});
  CHECK(fake.gpu.launches.back().what.block[0] == 1000);
}

TEST_CASE("user kernel: broadcasts, strided operands, outputs that are given") {
  fake::installed fake;
  const gp::ElementwiseKernel add("T x, T y", "T z", "z = x + 2 * y", "add");
  const gp::ndarray<float> m = gp::arange<float>(12).reshape({3, 4}), row = gp::arange<float>(4);
  fake.gpu.on_launch = add_twice<2, packed_in, strided_in<2>, packed_out>;
  CHECK(gp::all(add(m, row).as<float>() == m + 2.f * row).item());
  fake.gpu.on_launch = add_twice<2, strided_in<2>, strided_in<2>, packed_out>;
  CHECK(gp::all(add(m("::-1, 1:"), m("1:, 1:")(gp::newaxis, 0)).as<float>() ==
                m("::-1, 1:") + 2.f * m("1:, 1:")(gp::newaxis, 0))
            .item());
  const gp::ndarray<float> out = gp::zeros<float>({4, 3});
  fake.gpu.on_launch = add_twice<2, packed_in, packed_in, strided_out<2>>;
  const gp::kernel_result given = add(m, m, out.T());
  CHECK(given[0].raw_data() == out.data());
  CHECK(gp::all(out.T() == 3.f * m).item());

  // An input that the output would overwrite before it is read is copied first.
  gp::ndarray<float> line = gp::arange<float>(6);
  const gp::ndarray<float> expected = line(gp::slice(0, 5)) + 2.f * line(gp::slice(0, 5));
  fake.gpu.on_launch = add_twice<1, packed_in, packed_in, packed_out>;
  add(line(gp::slice(0, 5)), line(gp::slice(0, 5)), line(gp::slice(1, 6)));
  CHECK(gp::all(line(gp::slice(1, 6)) == expected).item());
}

TEST_CASE("user kernel: numbers, raw arrays, several outputs") {
  fake::installed fake;
  const gp::ElementwiseKernel pick("raw T x, int64 by, float64 c", "T z, bool big",
                                   "z = x[(i + by) % x.size()]; big = z > c", "pick");
  const gp::ndarray<float> x = gp::arange<float>(12).reshape({3, 4}).T();
  fake.gpu.on_launch = [](const gp::core::kernel_launch& l) {
    return [space = parameter<k::index_space<1, unsigned>>(l, 0),
            raw = parameter<k::raw_array<const float, 2, false>>(l, 1), by = parameter<std::int64_t>(l, 2),
            c = parameter<double>(l, 3), z = parameter<packed_out>(l, 4),
            big = parameter<k::packed_operand<bool>>(l, 5)] {
      CHECK(raw.size() == 12);
      CHECK(raw.shape()[0] == 4);
      for (long i = 0; i < space.size(); ++i) {
        z.data[i] = raw[(i + by) % raw.size()];
        big.data[i] = z.data[i] > c;
      }
    };
  };
  const auto [z, big] = pick(x, 5, 4.5, {.size = 12}).as<float, bool>();
  const gp::ndarray<float> flat = x.flatten();
  CHECK(gp::all(z == gp::roll(flat, -5)).item());
  CHECK(gp::all(big == (z > 4.5f)).item());
  CHECK_THROWS_AS((pick(x, 5, 4.5, {.size = 12}).as<float, float>()), gp::type_error);
  CHECK_THROWS_AS(gp::ndarray<float>(pick(x, 5, 4.5, {.size = 12})), gp::value_error);
}

TEST_CASE("user kernel: what does not fit together says so before anything is launched") {
  fake::installed fake;
  const gp::ElementwiseKernel add("T x, T y", "T z", "z = x + y", "add");
  const gp::ElementwiseKernel raw("raw T x", "T z", "z = x[i]", "read"),
      writer("T x", "raw T z", "z[i] = x", "w");
  const gp::ndarray<float> a = gp::zeros<float>({3}), b = gp::zeros<float>({4});
  CHECK(error_of<gp::value_error>([&] { add(a, b); }) ==
        "operands could not be broadcast together with shapes (3,) (4,)");
  CHECK(contains(error_of<gp::value_error>([&] { add(gp::zeros<float>({2, 3}), a, a); }),
                 "the output z has shape (3,), and the result has shape (2,3)\n  T z\n  ^~~"));
  CHECK(contains(error_of<gp::value_error>([&] { raw(a); }), "pass {.size = n}"));
  CHECK(contains(error_of<gp::value_error>([&] { add(a, a, {.size = 3}); }), "only if all arrays are raw"));
  CHECK(contains(error_of<gp::value_error>([&] { writer(a); }), "the size of the raw output z is unknown"));
  CHECK(contains(error_of<gp::value_error>([&] { add(a, a, {.block_size = 2000}); }), "1 to 1024 threads"));
  CHECK(
      contains(error_of<gp::value_error>([&] { add(a, a, gp::as_strided(gp::zeros<float>({1}), {3}, {0})); }),
               "several elements share one address"));
  CHECK(error_of<gp::value_error>([&] { add(a, a, gp::broadcast_to(gp::zeros<float>({1}), {3})); }) ==
        "assignment destination is read-only");
  CHECK(contains(error_of<gp::device_error>([&] { add(a, gp::to_device(a, gp::device::cuda(1))); }),
                 "on different devices"));
  CHECK(fake.gpu.launches.empty());
  CHECK(gp::ndarray<float>(add(gp::zeros<float>({0, 3}), a)).shape() == gp::dims{0, 3});
  CHECK(fake.gpu.launches.empty());
}

namespace {

struct reduction_arguments {
  long outputs, length, chunk, pass;
  char* partial;
  long log_lanes;
};

/// Sums as the kernel does in the end, without its tree: chunk by chunk.
template<int R, int K, class X, class Z>
std::function<void()> add_up(const gp::core::kernel_launch& l) {
  return [r = parameter<reduction_arguments>(l, 0), in = parameter<k::reduced_space<R, K, unsigned>>(l, 1),
          out = parameter<k::index_space<K, unsigned>>(l, 2), x = parameter<X>(l, 3), z = parameter<Z>(l, 4),
          blocks = l.grid[0], chunks = l.grid[1], threads = l.block[0], shared = l.shared_bytes]() mutable {
    CHECK(shared == threads * sizeof(double));
    CHECK((static_cast<long>(blocks) << r.log_lanes) >= r.outputs);
    auto* const partial = reinterpret_cast<double*>(r.partial);
    for (long o = 0; o < r.outputs; ++o)
      for (long c = 0; c < static_cast<long>(chunks); ++c) {
        double sum = 0;
        for (long j = c * r.chunk; j < std::min(r.length, (c + 1) * r.chunk); ++j) {
          in.set_kept(o);
          in.set_reduced(j);
          sum += r.pass == 2 ? partial[j * r.outputs + o] : x.at(j * r.outputs + o, in.get());
        }
        out.set(o);
        if (r.pass == 1) partial[c * r.outputs + o] = sum;
        else z.at(o, out.get()) = sum;
      }
  };
}

using packed_double = k::packed_operand<const double>;
template<int N>
using strided_double = k::strided_operand<const double, N>;
using packed_sum = k::packed_operand<double>;

}  // namespace

TEST_CASE("user kernel: reductions over all axes, some, several; views; keepdims; out") {
  fake::installed fake;
  fake.gpu.globals["total_size"] = sizeof(double);
  const gp::ReductionKernel total("float64 x", "float64 y", "x", "a + b", "y = a", "0", "total");
  const gp::ndarray<double> x = gp::arange<double>(2 * 3 * 4).reshape({2, 3, 4});
  fake.gpu.on_launch = add_up<1, 1, packed_double, packed_sum>;
  CHECK(total(x).as<double>().item() == 276);
  CHECK(gp::all(total(x, {.axis = 0}).as<double>() == gp::sum(x, 0)).item());
  CHECK(gp::all(total(x, {.axis = gp::dims{0, 1}}).as<double>() == gp::sum(x, {0, 1})).item());
  fake.gpu.on_launch = add_up<1, 1, strided_double<2>, packed_sum>;
  CHECK(gp::all(total(x, {.axis = -1}).as<double>() == gp::sum(x, -1)).item());
  fake.gpu.on_launch = add_up<1, 2, strided_double<3>, packed_sum>;
  const gp::ndarray<double> kept = total(x, {.axis = 1, .keepdims = true});
  CHECK(kept.shape() == gp::dims{2, 1, 4});
  CHECK(gp::all(kept == gp::sum(x, 1, {.keepdims = true})).item());
  fake.gpu.on_launch = add_up<2, 1, strided_double<3>, k::strided_operand<double, 1>>;
  const gp::ndarray<double> out = gp::zeros<double>({6});
  total(x, {.axis = gp::dims{0, 2}, .out = out("::2")});
  CHECK(gp::all(out("::2") == gp::sum(x, {0, 2})).item());
  fake.gpu.on_launch = add_up<2, 1, strided_double<3>, packed_sum>;
  CHECK(total(x("::-1, 1")).as<double>().item() == gp::sum(x("::-1, 1")).item());
  fake.gpu.on_launch = add_up<1, 1, packed_double, packed_sum>;
  CHECK(total(gp::ndarray<double>{3}(0)).as<double>().item() == 3);
  CHECK(gp::all(total(x, {.axis = gp::dims{}}).as<double>() == x).item());
  const gp::ReductionKernel apart("float64 x", "float64 y", "x", "a + b", "y = a", "0", "total",
                                  {.reduce_dims = false});
  CHECK(apart(gp::ndarray<double>{3}(0), {.keepdims = true}).as<double>().item() == 3);
}

TEST_CASE("user kernel: a reduction on a stream of its own") {
  fake::installed fake;
  fake.gpu.globals["total_size"] = sizeof(double);
  const gp::ReductionKernel total("float64 x", "float64 y", "x", "a + b", "y = a", "0", "total");
  fake.gpu.on_launch = add_up<1, 1, packed_double, packed_sum>;
  const gp::stream side;
  const gp::ndarray<double> x = gp::ones<double>({1000003});
  side.wait(gp::current_stream());
  const gp::kernel_result sum = total(x, {.stream = side});
  CHECK(fake.gpu.launches.size() == 2);
  for (const auto& l : fake.gpu.launches) CHECK(l.where.stream == gp::core::queue_of(side).stream);
  CHECK(gp::current_stream() == gp::default_stream());
  gp::current_stream().wait(side);
  CHECK(sum.as<double>().item() == 1000003);
  // What is pending is made on the current stream, and the other one waits for it.
  auto twice = x + x;
  const gp::kernel_result more = total(twice, {.stream = side});
  side.synchronize();
  gp::current_stream().wait(side);
  CHECK(more.as<double>().item() == 2000006);
  CHECK(error_of<gp::device_error>([&] { total(x, {.stream = gp::stream(gp::device::cuda(1))}); }) ==
        "ReductionKernel 'total': the stream is of cuda:1, and the arrays are on cuda:0");
  // Its memory is not handed out on other streams before the work there is done.
  CHECK(fake.gpu.misuses == 0);
}

TEST_CASE("user kernel: a large reduction takes two passes, an empty one gives the identity") {
  fake::installed fake;
  fake.gpu.globals["total_size"] = sizeof(double);
  const gp::ReductionKernel total("float64 x", "float64 y", "x", "a + b", "y = a", "0", "total");
  fake.gpu.on_launch = add_up<1, 1, packed_double, packed_sum>;
  CHECK(total(gp::ones<double>({1000003})).as<double>().item() == 1000003);
  CHECK(fake.gpu.launches.size() == 2);
  CHECK(fake.gpu.launches[0].what.grid[1] > 100);
  CHECK(fake.gpu.launches[1].what.grid[1] == 1);
  CHECK(total(gp::ones<double>({0, 3}), {.axis = 0}).as<double>().shape() == gp::dims{3});

  const gp::ReductionKernel largest("float64 x", "float64 y", "x", "max(a, b)", "y = a", "", "largest");
  CHECK(error_of<gp::value_error>([&] { largest(gp::zeros<double>({0})); }) ==
        "zero-size array to reduction operation largest which has no identity");
  CHECK_THROWS_AS(total(gp::ones<double>({3}), {.axis = 1}), gp::axis_error);
  CHECK(contains(
      error_of<gp::value_error>([&] { total(gp::ones<double>({3}), {.out = gp::ones<double>({3})}); }),
      "the output y has shape (3,), and the result has shape ()"));
  CHECK(
      contains(error_of<gp::type_error>([&] { total(gp::ones<double>({3}), {.out = gp::ones<float>({})}); }),
               "y is an array of float32, and the kernel takes float64"));
}
