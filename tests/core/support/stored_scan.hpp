// What a fake GPU does with a reduction of what is made of a scan.
#pragma once
#include <algorithm>
#include <vector>

#include <plan/backend.hpp>

namespace fake {

using namespace gparray;

/// The reduction of backend::reduce_scanned by the CPU, with the scan's results as one more input.
inline void reduce_stored_scan(core::reduce_plan& all, int scanned) {
  core::map_plan& map = all.map;
  const core::step scan = map.steps[scanned];
  core::scan_plan lines;
  lines.op = scan.op == ufunc::add ? core::scan::sum : core::scan::prod;
  lines.type = scan.loop;
  lines.ndim = map.ndim;
  std::copy_n(map.shape, map.ndim, lines.shape);
  const std::int64_t item = static_cast<std::int64_t>(itemsize(lines.type));
  std::vector<std::byte> values(static_cast<std::size_t>(map.size * item));
  lines.in = lines.out = values.data();
  std::int64_t stride = item;
  for (int d = map.ndim - 1; d >= 0; stride *= map.shape[d--])
    lines.in_strides[d] = lines.out_strides[d] = stride;
  core::map_plan elements = map;
  elements.n_steps = scanned + 1;
  elements.steps[scanned] = {ufunc::cast, scan.loop, {scan.args[0], 0, 0}};
  elements.out.data = values.data();
  elements.out.type = lines.type;
  std::copy_n(lines.in_strides, map.ndim, elements.out.strides);
  core::host_backend().map(elements, {});
  core::host_backend().scan(lines, {});
  for (int s = 0; s < map.n_steps; ++s)
    for (std::uint16_t& arg : map.steps[s].args) arg += arg >= map.n_inputs;
  map.steps[scanned] = {ufunc::cast, scan.loop, {static_cast<std::uint16_t>(map.n_inputs), 0, 0}};
  core::input& results = map.inputs[map.n_inputs++];
  results.kind = core::input_kind::array;
  results.type = lines.type;
  results.data = values.data();
  std::copy_n(lines.in_strides, map.ndim, results.strides);
  core::host_backend().reduce(all, {});
}

}  // namespace fake
