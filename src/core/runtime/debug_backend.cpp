// A backend that looks at what another one has computed, and when.
#include <algorithm>

#include <core/runtime/observed_engines.hpp>
#include <plan/correlation_plan.hpp>
#include <plan/graph_engine.hpp>
#include <plan/jumping_plan.hpp>
#include <plan/lost_device.hpp>
#include <plan/order_plan.hpp>
#include <plan/polynomial_plan.hpp>
#include <plan/random_plan.hpp>
#include <plan/row_copy.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

bool has_nans(dtype type) { return is_inexact(type); }

/// "subtract, sqrt", without conversions.
std::string names_of(const map_plan& plan) {
  std::string text;
  for (int s = 0; s < plan.n_steps; ++s)
    if (plan.steps[s].op != ufunc::cast)
      text += (text.empty() ? "" : ", ") + std::string(name(plan.steps[s].op));
  return text.empty() ? "a copy" : text;
}

class debug_backend final : public backend {
 public:
  debug_backend(backend& real, const debug_settings& settings, bool is_host)
      : real_(real),
        settings_(settings),
        is_host_(is_host),
        transforms_(observed_backend{real, settings_, is_host}),
        factors_(observed_backend{real, settings_, is_host}) {}

  void map(const map_plan& plan, queue q) override {
    checked(
        q, names_of(plan), plan.size, is_clean(plan, q), [&] { real_.map(plan, q); },
        [&] {
          const bool nan = has_nan(array_of(plan.out, plan.ndim), plan, plan.out.strides, q);
          return nan ? first_step(plan, q) : std::string();
        });
  }
  void reduce(const reduce_plan& plan, queue q) override {
    checked(
        q, of(plan), plan.map.size, is_clean(plan.map, q), [&] { real_.reduce(plan, q); },
        [&] { return has_nan_result(plan, q) ? first_step(plan.map, q, name(plan.op)) : std::string(); });
  }
  void reduce_together(std::span<const reduce_plan* const> plans, queue q) override {
    // One by one, as a report names one; the bits are the same.
    if (looks_at_results())
      for (const reduce_plan* plan : plans) reduce(*plan, q);
    else
      checked(q, "reductions of the same elements", plans[0]->map.size,
              [&] { real_.reduce_together(plans, q); });
  }
  row_use takes_rows(const row_chain& chain) const override {
    return looks_at_results() ? backend::takes_rows(chain) : real_.takes_rows(chain);
  }
  void compute_rows(const row_chain& chain, queue q) override {
    checked(q, "a chain of operations on rows", not_counted, [&] { real_.compute_rows(chain, q); });
  }
  void map_jumping(const jumping_plan& plan, queue q) override {
    if (looks_at_results()) backend::map_jumping(plan, q);
    else checked(q, names_of(plan.map), plan.map.size, [&] { real_.map_jumping(plan, q); });
  }
  void scan(const scan_plan& plan, queue q) override {
    map_plan shape;
    shape.ndim = plan.ndim;
    std::copy_n(plan.shape, plan.ndim, shape.shape);
    shape.size = 1;
    for (int d = 0; d < plan.ndim; ++d) shape.size *= plan.shape[d];
    const bool clean =
        looks_for_nan(q) && has_nans(plan.type) &&
        !has_nan(array_of(plan.type, plan.in, plan.in_strides, plan.ndim), shape, plan.in_strides, q);
    checked(
        q, "a cumulative sum or product", shape.size, clean, [&] { real_.scan(plan, q); },
        [&] {
          const bool nan =
              has_nan(array_of(plan.type, plan.out, plan.out_strides, plan.ndim), shape, plan.out_strides, q);
          return std::string(nan ? "the cumulative sum or product" : "");
        });
  }
  void matmul(const matmul_plan& plan, queue q) override {
    const bool clean = looks_for_nan(q) && has_nans(plan.type) && plan.k > 0 &&
                       !has_nan(plan, plan.a, plan.m, plan.k, q) && !has_nan(plan, plan.b, plan.k, plan.n, q);
    checked(
        q, observes() ? fmt::format("matmul {} x {} x {}", plan.m, plan.k, plan.n) : "matmul",
        plan.m * plan.n, clean, [&] { real_.matmul(plan, q); },
        [&] { return std::string(has_nan(plan, plan.c, plan.m, plan.n, q) ? "matmul" : ""); });
  }
  // These move elements or count them.
  void gather(const index_plan& plan, queue q) override {
    checked(q, "a selection by indices", plan.size, [&] { real_.gather(plan, q); });
  }
  void scatter(const index_plan& plan, queue q) override {
    checked(q, "an assignment by indices", plan.size, [&] { real_.scatter(plan, q); });
  }
  void compact(const compact_plan& plan, queue q) override {
    checked(q, "a selection by a mask", plan.size, [&] { real_.compact(plan, q); });
  }
  void sort(const sort_plan& plan, queue q) override {
    checked(q, "a sort", plan.rows * plan.n, [&] { real_.sort(plan, q); });
  }
  void select(const selection_plan& plan, queue q) override {
    checked(q, "a selection by order", plan.rows * plan.n, [&] { real_.select(plan, q); });
  }
  void top(const top_plan& plan, queue q) override {
    checked(q, "a selection by order", plan.rows * plan.n, [&] { real_.top(plan, q); });
  }
  void search(const search_plan& plan, queue q) override {
    checked(q, "a search", plan.count, [&] { real_.search(plan, q); });
  }
  bool interpolate(const interpolation_plan& plan, queue q) override {
    bool taken = false;
    checked(q, "an interpolation", plan.count, [&] { taken = real_.interpolate(plan, q); });
    return taken;
  }
  void reduce_runs(const run_plan& plan, queue q) override {
    checked(q, "reductions of runs", plan.rows * plan.n, [&] { real_.reduce_runs(plan, q); });
  }
  void count_bins(const bin_plan& plan, queue q) override {
    checked(q, "a count by bins", plan.n, [&] { real_.count_bins(plan, q); });
  }
  bool combine(const combine_plan& plan, queue q) override {
    bool taken = false;
    checked(q, "an operation at indices", plan.n, [&] { taken = real_.combine(plan, q); });
    return taken;
  }
  void evaluate_polynomial(const polynomial_plan& plan, queue q) override {
    const auto item = static_cast<std::int64_t>(itemsize(plan.type));
    const auto has_nan_at = [&](const void* data, std::int64_t size, std::int64_t stride) {
      map_plan shape;
      shape.ndim = 1;
      shape.size = shape.shape[0] = size;
      return has_nan(array_of(plan.type, data, &stride, 1), shape, &item, q);
    };
    const bool clean = looks_for_nan(q) && has_nans(plan.type) && !has_nan_at(plan.x, plan.size, item) &&
                       !has_nan_at(plan.coefficients, plan.n_coefficients, plan.coefficient_stride);
    checked(
        q, "a polynomial", plan.size, clean, [&] { real_.evaluate_polynomial(plan, q); },
        [&] { return std::string(has_nan_at(plan.out, plan.size, item) ? "a polynomial" : ""); });
  }
  void correlate(const correlation_plan& plan, queue q) override {
    checked(q, "a convolution", plan.count, [&] { real_.correlate(plan, q); });
  }
  bool copy_rows(std::span<const row_copy> copies, queue q) override {
    bool copied = false;
    checked(q, "a copy of several arrays", 1, [&] { copied = real_.copy_rows(copies, q); });
    return copied;
  }
  void move_bits(const bit_plan& plan, queue q) override {
    checked(q, "bits of bytes", 1, [&] { real_.move_bits(plan, q); });
  }
  void random(const random_plan& plan, queue q) override {
    checked(q, "random numbers", plan.size, [&] { real_.random(plan, q); });
  }
  void copy(void* to, const void* from, std::size_t bytes, queue q) override {
    checked(q, "a copy of bytes", static_cast<std::int64_t>(bytes), [&] { real_.copy(to, from, bytes, q); });
  }
  void fill_zero(void* to, std::size_t bytes, queue q) override {
    checked(q, "zeros", static_cast<std::int64_t>(bytes), [&] { real_.fill_zero(to, bytes, q); });
  }
  void launch(const kernel_launch& l, queue q) override {
    checked(q, "a kernel of the program's own", 1, [&] { real_.launch(l, q); });
  }

  int device_count() override { return real_.device_count(); }
  std::string device_name(int device) override { return real_.device_name(device); }
  std::pair<int, int> compute_capability(int device) override { return real_.compute_capability(device); }
  std::pair<std::size_t, std::size_t> memory_info(int device) override { return real_.memory_info(device); }
  void synchronize_device(int device) override {
    const observed_operation waits(settings_, "waiting for a device", not_counted, real_, {device}, false);
    real_.synchronize_device(device);
  }
  memory_pool* pool(memory_space space, int device) override { return real_.pool(space, device); }
  void* allocate_async(std::size_t bytes, queue q) override { return real_.allocate_async(bytes, q); }
  void free_async(void* pointer, queue q) noexcept override { real_.free_async(pointer, q); }

  module_handle load_module(const std::string& image, int device) override {
    return real_.load_module(image, device);
  }
  void unload_module(module_handle module) noexcept override { real_.unload_module(module); }
  kernel_handle find_kernel(module_handle module, const char* name) override {
    return real_.find_kernel(module, name);
  }
  std::pair<void*, std::size_t> find_global(module_handle module, const char* name) override {
    return real_.find_global(module, name);
  }
  std::vector<kernel_parameter> parameters(kernel_handle kernel) override { return real_.parameters(kernel); }
  kernel_attributes attributes(kernel_handle kernel, int device) override {
    return real_.attributes(kernel, device);
  }
  void set_max_dynamic_shared_bytes(kernel_handle kernel, int device, std::size_t bytes) override {
    real_.set_max_dynamic_shared_bytes(kernel, device, bytes);
  }

  graph_engine* graphs() override { return real_.graphs(); }
  fft_engine* fft() override { return observes() ? transforms_.of(real_.fft()) : real_.fft(); }
  linalg_engine* linalg() override { return observes() ? factors_.of(real_.linalg()) : real_.linalg(); }
  sparse_engine* sparse() override { return real_.sparse(); }
  curand_engine* curand() override { return real_.curand(); }

  stream_handle create_stream(int device, bool non_blocking, int priority) override {
    return real_.create_stream(device, non_blocking, priority);
  }
  void destroy_stream(int device, stream_handle stream) noexcept override {
    real_.destroy_stream(device, stream);
  }
  void synchronize_stream(queue q) override {
    const observed_operation waits(settings_, "waiting for a stream", not_counted, real_, q, false);
    real_.synchronize_stream(q);
  }
  bool stream_done(queue q) override { return real_.stream_done(q); }
  event_handle create_event(int device, bool timing) override { return real_.create_event(device, timing); }
  void destroy_event(int device, event_handle event) noexcept override { real_.destroy_event(device, event); }
  void record_event(event_handle event, queue q) override { real_.record_event(event, q); }
  void wait_event(queue q, event_handle event) override { real_.wait_event(q, event); }
  void synchronize_event(int device, event_handle event) override { real_.synchronize_event(device, event); }
  bool event_done(int device, event_handle event) override { return real_.event_done(device, event); }
  double elapsed_ms(int device, event_handle start, event_handle end) override {
    return real_.elapsed_ms(device, start, end);
  }

  void read(void* to, const void* from, std::size_t bytes, queue q) override {
    const observed_operation waits(settings_, "reading bytes", static_cast<std::int64_t>(bytes), real_, q,
                                   false);
    real_.read(to, from, bytes, q);
  }
  void* slot_for_result(std::size_t bytes, queue q) override { return real_.slot_for_result(bytes, q); }
  void take_result(void* to, void* slot, std::size_t bytes, queue q) override {
    const observed_operation waits(settings_, "waiting for a result", not_counted, real_, q, false);
    real_.take_result(to, slot, bytes, q);
  }
  void drop_result(void* slot, queue q, bool awaited) noexcept override {
    real_.drop_result(slot, q, awaited);
  }

 private:
  std::string where(queue q) const { return is_host_ ? "the CPU" : device::cuda(q.device).str(); }

  template<class Run>
  void checked(queue q, std::string_view what, std::int64_t n, Run run) {
    checked(q, what, n, false, run, [] { return std::string(); });
  }
  /// `culprit` names what made a NaN, if something did.
  template<class Run, class Culprit>
  void checked(queue q, std::string_view what, std::int64_t n, bool was_clean, Run run, Culprit culprit) {
    {
      const observed_operation seen(settings_, what, n, real_, q,
                                    settings_.trace && !is_host_ && !is_recorded(q));
      run();
    }
    if (settings_.sync && !is_host_ && !is_recorded(q)) {
      try {
        real_.synchronize_stream(q);
      } catch (const device_fault& e) {
        throw_at_fault(e, what, n);
      } catch (const cuda_error& e) {
        throw cuda_error(fmt::format("{}; GPARRAY_DEBUG=sync: seen behind {} ({} elements) on {}", e.what(),
                                     what, n, where(q)),
                         e.code());
      }
    }
    if (!was_clean) return;
    if (const std::string maker = culprit(); !maker.empty())
      fail<floating_point_error>("GPARRAY_DEBUG=nan: {} made a NaN of numbers that were none, on {}{}", maker,
                                 where(q),
                                 maker == what ? "" : fmt::format(" (in {} of {} elements)", what, n));
  }
  /// The first operation after which a fault is seen has caused it.
  [[noreturn]] static void throw_at_fault(const device_fault& seen, std::string_view what, std::int64_t n) {
    const device_fault fault(fmt::format("{}; GPARRAY_DEBUG=sync: seen behind {} ({} elements) on {}",
                                         seen.what(), what, n, seen.device().str()),
                             seen.code(),
                             {std::string(what), seen.device().index(), seen.stream(), seen.kernel()});
    remember_fault(fault);
    throw fault;
  }
  /// What is recorded into a graph does not run yet.
  bool is_recorded(queue q) {
    graph_engine* const graphs = is_host_ ? nullptr : real_.graphs();
    return graphs && graphs->is_captured(q);
  }
  /// What operations are joined to is then taken apart.
  bool looks_at_results() const noexcept { return settings_.nan || settings_.sync; }
  bool observes() const noexcept { return settings_.ranges || settings_.trace; }
  bool looks_for_nan(queue q) { return settings_.nan && !is_recorded(q); }

  static std::string of(const reduce_plan& plan) {
    const std::string before = plan.map.n_steps == 0 ? "" : " of " + names_of(plan.map);
    return std::string(name(plan.op)) + before;
  }
  static input array_of(dtype type, const void* data, const std::int64_t* strides, int ndim) {
    input in;
    in.kind = input_kind::array;
    in.type = type;
    in.data = data;
    in.first = 0;
    std::copy_n(strides, ndim, in.strides);
    return in;
  }
  static input array_of(const output& out, int ndim) {
    return array_of(out.type, out.data, out.strides, ndim);
  }

  /// How many values of the plan, of which the last is whether there is one, are true. None while a graph is
  /// recorded.
  std::int64_t count_true(const map_plan& map, queue q) {
    reduce_plan plan;
    plan.map = map;
    plan.map.out.type = dtype::bool_;
    plan.op = reduction::count_nonzero;
    plan.element = dtype::bool_;
    plan.n_kept = 0;
    plan.n_out = 1;
    plan.n_reduced = map.size;
    plan.ddof = 0;
    plan.out.type = dtype::int64;
    std::int64_t count = 0;
    if (is_host_) {
      plan.out.data = &count;
      real_.reduce(plan, q);
      return count;
    }
    void* const slot = real_.slot_for_result(sizeof count, q);
    if (!slot) return 0;
    plan.out.data = slot;
    real_.reduce(plan, q);
    real_.take_result(&count, slot, sizeof count, q);
    return count;
  }
  /// Whether elements of the array are NaN; `order` as in map_plan::out.
  bool has_nan(const input& array, const map_plan& shape, const std::int64_t* order, queue q) {
    if (!has_nans(array.type)) return false;
    map_plan plan;
    plan.ndim = shape.ndim;
    plan.size = shape.size;
    std::copy_n(shape.shape, shape.ndim, plan.shape);
    plan.n_inputs = 1;
    plan.inputs[0] = array;
    std::copy_n(order, shape.ndim, plan.out.strides);
    plan.n_steps = 0;
    return ends_in_nan(plan, q);
  }
  /// Whether the values of the first steps are NaN somewhere.
  bool ends_in_nan(map_plan& plan, queue q) {
    const int last = plan.last_value();
    const dtype type = plan.value_type(last);
    if (!has_nans(type) || plan.n_steps == max_steps) return false;
    plan.steps[plan.n_steps++] = step(ufunc::isnan, type, {static_cast<std::uint16_t>(last)});
    return count_true(plan, q) > 0;
  }
  bool has_nan(const matmul_plan& product, const matrix& m, std::int64_t rows, std::int64_t columns,
               queue q) {
    map_plan shape;
    std::int64_t strides[max_ndim];
    shape.ndim = product.batch_ndim + 2;
    shape.size = rows * columns;
    for (int d = 0; d < product.batch_ndim; ++d) {
      shape.shape[d] = product.batch_shape[d];
      strides[d] = m.batch_strides[d];
      shape.size *= product.batch_shape[d];
    }
    shape.shape[shape.ndim - 2] = rows;
    shape.shape[shape.ndim - 1] = columns;
    strides[shape.ndim - 2] = m.row_stride;
    strides[shape.ndim - 1] = m.column_stride;
    return has_nan(array_of(product.type, m.data, strides, shape.ndim), shape, strides, q);
  }
  bool has_nan_result(const reduce_plan& plan, queue q) {
    map_plan kept;
    kept.ndim = plan.n_kept;
    kept.size = plan.n_out;
    std::copy_n(plan.map.shape, plan.n_kept, kept.shape);
    return has_nan(array_of(plan.out, kept.ndim), kept, plan.out.strides, q);
  }
  /// Whether no input is NaN, neither a constant nor an element of an array.
  bool is_clean(const map_plan& plan, queue q) {
    if (!looks_for_nan(q)) return false;
    for (int i = 0; i < plan.n_inputs; ++i)
      if (plan.inputs[i].kind != input_kind::iota && has_nan(plan.inputs[i], plan, plan.out.strides, q))
        return false;
    return true;
  }
  /// Which step of the plan made the first NaN, if that is still known: not once an input was overwritten.
  std::string first_step(const map_plan& plan, queue q, std::string_view after = {}) {
    bool overwritten = false;
    for (int i = 0; after.empty() && i < plan.n_inputs; ++i)
      overwritten =
          overwritten || (plan.inputs[i].kind == input_kind::array && plan.inputs[i].data == plan.out.data);
    for (int s = 1; !overwritten && s <= plan.n_steps; ++s) {
      map_plan first = plan;
      first.n_steps = s;
      first.n_stores = 0;
      if (ends_in_nan(first, q)) return std::string(name(plan.steps[s - 1].op));
    }
    return after.empty() ? names_of(plan) : std::string(after);
  }

  backend& real_;
  const debug_settings settings_;
  const bool is_host_;
  observed_fft transforms_;
  observed_linalg factors_;
};

}  // namespace

std::unique_ptr<backend> debugged(backend& real, const debug_settings& settings, bool is_host) {
  return std::make_unique<debug_backend>(real, settings, is_host);
}

}  // namespace core
GPARRAY_END_NAMESPACE
