// Which cases of bench_gparray are run, and the arrays that they run on.
#pragma once
#include <string>
#include <utility>

#include <gparray/gparray.hpp>

#include "bench.hpp"

namespace bench {

namespace gp = gparray;

/// Runs the cases that were asked for. A case makes its arrays, and the call to time, only when it is run.
class suite {
 public:
  suite(gp::device device, std::string only, bool quick)
      : device_(device),
        peer_(device.is_cpu() ? "gparray-cpu" : "gparray"),
        only_(std::move(only)),
        quick_(quick) {}

  template<class Make>
  void add(const std::string& name, Make&& make) const {
    if (!wanted(name)) return;
    auto call = make();
    emit(peer_, name, clock(call, [this] { device_.synchronize(); }));
  }

  /// A case whose result is checked: `residual` of what the call returns.
  template<class Call, class Residual>
  void add_checked(const std::string& name, Call&& call, Residual&& residual) const {
    const timing t = clock(call, [this] { device_.synchronize(); });
    emit(peer_, name, t, residual(call()));
  }

  bool wanted(const std::string& name) const {
    if (!asks_for(only_, name)) return false;
    if (!quick_) return true;
    for (const char* large : {"1e8", "8192", "10000", "1GiB"})
      if (name.find(large) != std::string::npos) return false;
    return true;
  }
  bool on_cpu() const { return device_.is_cpu(); }
  const std::string& peer() const { return peer_; }

 private:
  gp::device device_;
  std::string peer_, only_;
  bool quick_;
};

/// Numbers spread over [0, 1).
template<class V>
gp::ndarray<V> numbers(const gp::dims& shape) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size *= n;
  return gp::remainder(0.6180339887498949 * gp::arange<double>(size), 1.0)
      .template astype<V>()
      .reshape(shape);
}

}  // namespace bench
