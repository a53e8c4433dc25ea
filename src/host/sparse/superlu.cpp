#include <array>
#include <cstring>
#include <memory>

#include <host/sparse/superlu.hpp>
#include <host/support/openblas.hpp>
#include <support/errors.hpp>
#include <support/shared_library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr const char* remedy =
    "Direct solvers of sparse matrices need SuperLU: install libsuperlu5 (Debian 12, Ubuntu 22.04), "
    "libsuperlu6 "
    "or libsuperlu7 (later ones) or superlu (others)";

struct superlu_table {
#define GPARRAY_SUPERLU_CALL(result, name, parameters) result(*name) parameters;
#define GPARRAY_SUPERLU_TYPED_CALL(result, name, parameters) std::array<result(*) parameters, 4> name;
#include <host/sparse/superlu_calls.def>
#undef GPARRAY_SUPERLU_CALL
#undef GPARRAY_SUPERLU_TYPED_CALL
};

/// SuperLU calls the system's BLAS. Where that is OpenBLAS, it has to be loaded by us to have good kernels.
void prepare_blas() {
  try {
    find_in_openblas("dgemm_");
  } catch (const library_error&) {  // another BLAS, then
  }
}

superlu_table load() {
  prepare_blas();
  const std::array<std::string, 1> folders;
  void* const library =
      core::open_library({"libsuperlu.so.7", "libsuperlu.so.6", "libsuperlu.so.5"}, folders, remedy);
  const auto symbol = [&](const std::string& name) {
    return core::find_symbol(library, name.c_str(), "SuperLU", remedy);
  };
  superlu_table table;
#define GPARRAY_SUPERLU_CALL(result, name, parameters) \
  table.name = reinterpret_cast<result(*) parameters>(symbol(#name));
#define GPARRAY_SUPERLU_TYPED_CALL(result, name, parameters) \
  for (std::size_t i = 0; i < 4; ++i)                        \
    table.name[i] = reinterpret_cast<result(*) parameters>(symbol("sdcz"[i] + std::string(#name)));
#include <host/sparse/superlu_calls.def>
#undef GPARRAY_SUPERLU_CALL
#undef GPARRAY_SUPERLU_TYPED_CALL
  return table;
}

const superlu_table& superlu() {
  static const superlu_table table = load();
  return table;
}

/// SuperLU's number of an element type.
int element_number(dtype type) {
  switch (type) {
    case dtype::float32:
      return 0;
    case dtype::float64:
      return 1;
    case dtype::complex64:
      return 2;
    default:
      return 3;
  }
}
std::size_t index_of(dtype type) { return static_cast<std::size_t>(element_number(type)); }

// SuperLU's numbers of ways to store and kinds of matrix: by columns, dense; general.
constexpr int by_columns = 0, dense = 6, general = 0;

struct statistics {
  statistics() { superlu().StatInit(&content); }
  ~statistics() { superlu().StatFree(&content); }
  statistics(const statistics&) = delete;
  statistics& operator=(const statistics&) = delete;
  superlu_statistics content;
};

/// A with its columns in another order: it refers to the elements of A.
struct ordered_columns {
  ordered_columns() = default;
  ~ordered_columns() {
    if (matrix.store) superlu().Destroy_CompCol_Permuted(&matrix);
  }
  ordered_columns(const ordered_columns&) = delete;
  ordered_columns& operator=(const ordered_columns&) = delete;
  superlu_matrix matrix{};
};

}  // namespace

const void* load_superlu() { return reinterpret_cast<const void*>(superlu().sp_ienv); }

superlu_factors::superlu_factors(dtype type, int n, int* starts, int* rows, void* values,
                                 const core::lu_request& request)
    : type_(type), n_(n) {
  row_permutation.resize(static_cast<std::size_t>(n));
  column_permutation.resize(static_cast<std::size_t>(n));
  const superlu_table& calls = superlu();
  superlu_options options{};
  if (request.incomplete) {
    calls.ilu_set_default_options(&options);
    options.drop_tolerance = request.drop_tolerance;
    options.fill_factor = request.fill_factor;
    if (request.drop_rule != 0) options.drop_rule = request.drop_rule;
  } else {
    calls.set_default_options(&options);
  }
  options.column_order = static_cast<int>(request.order);
  options.pivot_threshold = request.pivot_threshold;
  options.symmetric_mode = request.symmetric_mode;
  superlu_columns columns{starts[n], values, rows, starts};
  superlu_matrix a{by_columns, element_number(type), general, n, n, &columns};

  std::vector<int> tree(static_cast<std::size_t>(n));
  ordered_columns ordered;
  statistics numbers;
  calls.get_perm_c(static_cast<int>(request.order), &a, column_permutation.data());
  calls.sp_preorder(&options, &a, column_permutation.data(), tree.data(), &ordered.matrix);
  const int panel = request.panel_size > 0 ? request.panel_size : calls.sp_ienv(1);
  const int relax = request.relax > 0 ? request.relax : calls.sp_ienv(2);
  superlu_workspace workspace{};
  int info = 0;
  const auto& factorize = request.incomplete ? calls.gsitrf : calls.gstrf;
  factorize[index_of(type)](&options, &ordered.matrix, relax, panel, tree.data(), nullptr, 0,
                            column_permutation.data(), row_permutation.data(), &lower_, &upper_, &workspace,
                            &numbers.content, &info);
  if (info > n) core::fail<out_of_memory>("out of memory while a sparse matrix of {} rows was factorised", n);
  if (info != 0) {
    calls.Destroy_SuperNode_Matrix(&lower_);
    calls.Destroy_CompCol_Matrix(&upper_);
    throw linalg_error("Factor is exactly singular");
  }
}

superlu_factors::~superlu_factors() {
  superlu().Destroy_SuperNode_Matrix(&lower_);
  superlu().Destroy_CompCol_Matrix(&upper_);
}

void superlu_factors::solve(core::transposition op, void* b, int columns) const {
  superlu_dense store{n_, b};
  superlu_matrix side{dense, element_number(type_), general, n_, columns, &store};
  const int trans = op == core::transposition::none ? 0 : op == core::transposition::transpose ? 1 : 2;
  statistics numbers;
  int info = 0;
  // What SuperLU declares without const it does not write to.
  superlu().gstrs[index_of(type_)](trans, const_cast<superlu_matrix*>(&lower_),
                                   const_cast<superlu_matrix*>(&upper_),
                                   const_cast<int*>(column_permutation.data()),
                                   const_cast<int*>(row_permutation.data()), &side, &numbers.content, &info);
  if (info != 0) core::fail<linalg_error>("SuperLU could not solve: argument {} is wrong", -info);
}

std::int64_t superlu_factors::entries() const {
  return std::int64_t{static_cast<const superlu_supernodes*>(lower_.store)->count} +
         static_cast<const superlu_columns*>(upper_.store)->count;
}

core::host_columns superlu_factors::triangle(bool lower) const {
  const auto& supernodes = *static_cast<const superlu_supernodes*>(lower_.store);
  const auto& above = *static_cast<const superlu_columns*>(upper_.store);
  const std::size_t size = itemsize(type_);
  core::host_columns t;
  const auto add = [&](int row, const void* values, int index) {
    t.rows.push_back(row);
    const auto* value = static_cast<const std::byte*>(values) + static_cast<std::size_t>(index) * size;
    t.values.insert(t.values.end(), value, value + size);
  };
  const float single = 1;
  const double full = 1;
  std::array<std::byte, 16> one{};  // its imaginary part is 0
  if (itemsize(real_dtype(type_)) == sizeof single) std::memcpy(one.data(), &single, sizeof single);
  else std::memcpy(one.data(), &full, sizeof full);

  t.starts.push_back(0);
  for (int column = 0; column < n_; ++column) {
    const int first = supernodes.first_column[supernodes.supernode_of_column[column]];
    const int* const rows = supernodes.rows + supernodes.row_starts[first];
    const int n_rows = supernodes.row_starts[first + 1] - supernodes.row_starts[first];
    const int values = supernodes.value_starts[column], diagonal = column - first;
    if (lower) {
      add(column, one.data(), 0);
      for (int i = diagonal + 1; i < n_rows; ++i) add(rows[i], supernodes.values, values + i);
    } else {
      for (int i = above.starts[column]; i < above.starts[column + 1]; ++i)
        add(above.rows[i], above.values, i);
      for (int i = 0; i <= diagonal; ++i) add(rows[i], supernodes.values, values + i);
    }
    t.starts.push_back(static_cast<int>(t.rows.size()));
  }
  return t;
}

}  // namespace host

namespace core {

std::unique_ptr<factored_matrix> factorize_sparse(dtype type, std::int32_t n, const std::int32_t* starts,
                                                  const std::int32_t* rows, const void* values,
                                                  const lu_request& request) {
  // What SuperLU declares without const it does not write to.
  return std::make_unique<host::superlu_factors>(type, n, const_cast<int*>(starts), const_cast<int*>(rows),
                                                 const_cast<void*>(values), request);
}

}  // namespace core
GPARRAY_END_NAMESPACE
