// Printing an array of a GPU copies its edges only; the same text must come out as from the whole array.
#include <doctest/doctest.h>

#include <core/array/array_text.hpp>
#include <gparray/gparray.hpp>

#include "format/array.hpp"

namespace gp = gparray;
namespace core = gparray::core;

TEST_CASE("the edges of an array print as the array does") {
  for (const gp::dims& shape :
       {gp::dims{50}, gp::dims{7}, gp::dims{6}, gp::dims{3, 40}, gp::dims{40, 3}, gp::dims{9, 1, 8, 7}})
    for (const int edgeitems : {0, 1, 3}) {
      std::int64_t size = 1;
      for (std::int64_t n : shape) size *= n;
      const gp::ndarray<std::int64_t> a = gp::arange<std::int64_t>(size).reshape(shape);
      for (const gp::ndarray<std::int64_t>& view :
           std::vector<gp::ndarray<std::int64_t>>{a, a.T(), a("::-1")}) {
        gp::dims omitted;
        const gp::any_array kept = core::edges(view, edgeitems, omitted);
        std::vector<std::int64_t> values(static_cast<std::size_t>(kept.size()));
        gp::detail::copy_to_host(kept, values.data());
        gp::dims strides = kept.shape();
        std::int64_t stride = sizeof(std::int64_t);
        for (std::size_t i = strides.size(); i-- > 0; stride *= kept.shape()[i]) strides[i] = stride;

        std::int64_t expected_size = 1;
        for (std::int64_t n : view.shape())
          expected_size *= n > 2 * edgeitems ? std::max(2 * edgeitems, 1) : n;
        CHECK(kept.size() == expected_size);
        const core::host_view edges_only{
            'l', values.data(), view.ndim(), view.shape().data(), strides.data(), omitted.data()};
        const std::vector<std::int64_t> all = view.to_vector();
        const gp::ndarray<std::int64_t> packed = view.copy(gp::order::C);
        const core::host_view whole{'l', all.data(), view.ndim(), view.shape().data(),
                                    packed.strides().data()};
        const gp::print_options options{.threshold = 0, .edgeitems = edgeitems};
        CHECK(core::array_str(edges_only, options) == core::array_str(whole, options));
      }
    }
}
