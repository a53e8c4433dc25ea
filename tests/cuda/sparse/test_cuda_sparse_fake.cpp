// The CUDA backend's sparse matrices on a fake device: its kernels run on the CPU, its cuSPARSE computes by
// definition. What they make must be the CPU's, bit for bit.
#include <gparray/error.hpp>

#include "cuda/support/sparse_fixture.hpp"
#include "support/error_text.hpp"

namespace {

using namespace sparse_fixture;

void check_compress(int64_t count, int64_t n_numbers, dtype index, dtype type) {
  CAPTURE(count);
  CAPTURE(n_numbers);
  random_stream next;
  numbers number(index, count), other(index, count), data(type, count);
  for (int64_t k = 0; k < count; ++k) {
    number.set(k, next(n_numbers));
    other.set(k, k);
    data.set(k, next(50));
  }
  const numbered_entries e{count, n_numbers, index, number.data(), other.data(), itemsize(type), data.data()};
  numbers indptr(index, n_numbers + 1), others(index, count), out(type, count);
  numbers want_indptr = indptr, want_others = others, want = out;
  host::sparse().compress(e, want_indptr.data(), want_others.data(), want.data(), cpu);
  with_engine(
      [&](sparse_engine& engine) { engine.compress(e, indptr.data(), others.data(), out.data(), stream); });
  CHECK(indptr == want_indptr);
  CHECK(others == want_others);
  CHECK(out == want);
}

struct product_result {
  numbers indptr, indices, data;
  bool sorted;
};
product_result multiply(sparse_engine& engine, random_matrix& a, random_matrix& b, queue q) {
  product_result r{numbers(a.indptr.type, a.rows + 1), numbers(a.indptr.type, 0), numbers(a.data.type, 0),
                   false};
  const auto counted = engine.times_sparse(a.view(), b.view(), r.indptr.data(), r.sorted, q);
  REQUIRE(counted);
  r.indices = numbers(a.indptr.type, counted->count());
  r.data = numbers(a.data.type, counted->count());
  if (counted->count() > 0) counted->write(r.indices.data(), r.data.data());
  return r;
}

struct short_rows {
  int64_t rows, columns, percent;
  int64_t length = 0;  // of a row in the middle, if it has one of its own
};

/// A matrix of short rows times one of `width` columns, by a kernel of ours.
void check_short_rows(const short_rows& shape, int64_t width, dtype index) {
  CAPTURE(shape.rows);
  CAPTURE(shape.length);
  CAPTURE(width);
  random_stream next;
  random_matrix a(shape.rows, shape.columns, shape.percent, index, dtype::float64, next);
  if (shape.length > 0) a.make_row(shape.rows / 2, shape.length, next);
  numbers x(dtype::float64, shape.columns * width), y(dtype::float64, shape.rows * width),
      want(dtype::float64, shape.rows * width);
  for (int64_t i = 0; i < shape.columns * width; ++i) x.set(i, next(9) - 4);
  host::sparse().times_dense(a.view(), width, x.data(), want.data(), cpu);
  with_engine([&](sparse_engine& engine) {
    CHECK(engine.times_dense(a.view(), width, x.data(), y.data(), stream));
    CHECK(fake_cusparse::model.calls.empty());
  });
  CHECK(y == want);
}

}  // namespace

TEST_CASE("entries are put together by number, in order") {
  for (const dtype index : index_types) {
    check_compress(1, 1, index, dtype::float64);
    check_compress(2047, 3, index, dtype::float64);
    check_compress(2048, 16, index, dtype::bool_);
    check_compress(2049, 17, index, dtype::float64);
    check_compress(10000, 70000, index, dtype::float64);
  }
}

TEST_CASE("rows of entries, searches, sums of rows") {
  for (const dtype index : index_types)
    for (const dtype type : value_types) {
      random_stream next;
      random_matrix a(300, 40, 10, index, type, next);
      numbers row(index, a.count), want_row(index, a.count);
      host::sparse().expand(a.indptr.data(), a.rows, a.count, index, want_row.data(), cpu);
      with_engine([&](sparse_engine& engine) {
        engine.expand(a.indptr.data(), a.rows, a.count, index, row.data(), stream);
      });
      CHECK(row == want_row);
      for (const reduction op : {reduction::sum, reduction::min, reduction::max}) {
        numbers sums(type, a.rows), want(type, a.rows);
        host::sparse().reduce_rows(op, type, a.data.data(), a.indptr.data(), index, a.rows, want.data(), cpu);
        with_engine([&](sparse_engine& engine) {
          engine.reduce_rows(op, type, a.data.data(), a.indptr.data(), index, a.rows, sums.data(), stream);
        });
        CHECK(sums == want);
      }
    }
  std::vector<int64_t> keys, wanted, positions(1000), want(1000);
  random_stream next;
  for (int64_t k = 0; k < 500; ++k) keys.push_back(k / 3 * 2);
  for (int64_t k = 0; k < 1000; ++k) wanted.push_back(next(400) - 20);
  for (const bool after : {false, true}) {
    for (std::size_t i = 0; i < 1000; ++i)
      want[i] = (after ? std::upper_bound(keys.begin(), keys.end(), wanted[i])
                       : std::lower_bound(keys.begin(), keys.end(), wanted[i])) -
                keys.begin();
    const auto search = [&](sparse_engine& engine, queue q) {
      std::fill(positions.begin(), positions.end(), -1);
      engine.search(keys.data(), 500, wanted.data(), 1000, after, positions.data(), q);
      CHECK(positions == want);
    };
    search(host::sparse(), cpu);
    with_engine([&](sparse_engine& engine) { search(engine, stream); });
  }
}

TEST_CASE("a vector times short rows, by our kernel") {
  // Small integers: sums are exact in any order. Every seventh row is empty, and one is longer than several
  // tiles.
  for (const dtype index : index_types)
    for (const short_rows& shape :
         {short_rows{1, 40, 50}, {256, 40, 50}, {700, 60, 40}, {1000, 9000, 0, 8999}, {300, 5000, 0, 2049}})
      check_short_rows(shape, 1, index);
}

TEST_CASE("a matrix times short rows, by our kernel") {
  // Sums are exact in any order. A row of a block's is longer than one thread adds up, or at its limit.
  for (const dtype index : index_types)
    for (const short_rows& shape : {short_rows{1, 40, 50},
                                    {70, 40, 50},
                                    {300, 5000, 0, 4999},
                                    {40, 3000, 0, 1024},
                                    {40, 3000, 0, 1025}})
      for (const int64_t width : {2, 3, 8, 31, 33, 70}) check_short_rows(shape, width, index);
}

TEST_CASE("products with dense matrices by cuSPARSE") {
  random_stream next;
  random_matrix a(50, 100, 60, dtype::int32, dtype::float64, next);  // more than 32 entries a row
  for (const int64_t width : {1, 3}) {
    numbers x(dtype::float64, 100 * width), y(dtype::float64, 50 * width), want(dtype::float64, 50 * width);
    for (int64_t i = 0; i < 100 * width; ++i) x.set(i, next(9));
    host::sparse().times_dense(a.view(), width, x.data(), want.data(), cpu);
    with_engine([&](sparse_engine& engine) {
      CHECK(engine.times_dense(a.view(), width, x.data(), y.data(), stream));
      CHECK(!engine.transposed_times_dense(a.view(), width, x.data(), y.data(), stream));
    });
    CHECK(y == want);
  }
  random_matrix flags(5, 5, 50, dtype::int32, dtype::bool_, next);
  with_engine([&](sparse_engine& engine) {
    CHECK(!engine.times_dense(flags.view(), 1, nullptr, nullptr, stream));
    CHECK(fake_cusparse::model.calls.empty());
  });
}

TEST_CASE("products of sparse matrices: short rows by our kernels, long ones by cuSPARSE") {
  for (const int64_t columns : {1, 31, 200, 5100, 6000}) {
    CAPTURE(columns);
    for (const dtype index : index_types)
      for (const dtype type : value_types) {
        const bool fits =
            static_cast<int64_t>(itemsize(type)) * columns + (columns + 127) / 128 * 16 <= 40 * 1024;
        if (!fits && (type != dtype::float64 || index != dtype::int32)) continue;
        random_stream next;
        random_matrix a(20, 30, 20, index, type, next), b(30, columns, 5, index, type, next);
        const product_result want = multiply(host::sparse(), a, b, cpu);
        with_engine([&](sparse_engine& engine) {
          const product_result have = multiply(engine, a, b, stream);
          CHECK(have.indptr == want.indptr);
          CHECK(have.indices == want.indices);
          CHECK(have.data == want.data);
          CHECK(have.sorted == fits);
          CHECK(fake_cusparse::model.calls.empty() == fits);
        });
      }
  }
  random_stream next;
  random_matrix a(20, 30, 20, dtype::int64, dtype::float64, next),
      b(30, 6000, 5, dtype::int64, dtype::float64, next);
  with_engine([&](sparse_engine& engine) {
    bool sorted = true;
    CHECK(!engine.times_sparse(a.view(), b.view(), nullptr, sorted, stream));
  });
}

TEST_CASE("a call that fails is named, and nothing is left behind") {
  random_stream next;
  random_matrix a(20, 30, 20, dtype::int32, dtype::float64, next),
      b(30, 6000, 5, dtype::int32, dtype::float64, next);
  numbers x(dtype::float64, 12000), y(dtype::float64, 60);
  const auto all = [&](sparse_engine& engine) {
    engine.times_dense(b.view(), 1, x.data(), y.data(), stream);  // its rows are not short
    engine.times_dense(b.view(), 2, x.data(), y.data(), stream);
    multiply(engine, a, b, stream);
  };
  int calls = 0;
  with_engine([&](sparse_engine& engine) {
    all(engine);
    calls = static_cast<int>(fake_cusparse::model.calls.size());
  });
  REQUIRE(calls == 22);
  for (int k = 1; k <= calls; ++k) {
    CAPTURE(k);
    const std::string text = error_of<cuda_error>([&] {
      with_engine([&](sparse_engine& engine) {
        fake_cusparse::model.fail_at = k;
        all(engine);
      });
    });
    check_contains(text,
                   fake_cusparse::model.calls.back() + " failed while working on sparse matrices: status");
    check_contains(text, "(a text)");
  }
  CHECK_THROWS_AS(with_engine([&](sparse_engine& engine) {
                    fake_cusparse::model.fail_at = 1;
                    fake_cusparse::model.error = CUSPARSE_STATUS_ALLOC_FAILED;
                    all(engine);
                  }),
                  out_of_memory);
}
