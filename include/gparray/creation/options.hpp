// Keyword arguments of the functions that make arrays.
#pragma once
#include <functional>
#include <optional>
#include <string_view>

#include <gparray/indexing/index.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Where and how a new array lies. Without `device` it is the default device, or the CPU for host and pinned
/// memory.
struct array_options {
  gparray::order order = gparray::order::C;
  std::optional<memory_space> space = {};
  std::optional<gparray::device> device = {};
};

/// The same for the _like functions, which take from the prototype what is not given.
struct like_options {
  gparray::order order = gparray::order::K;
  detail::dims_option shape = {};
  std::optional<memory_space> space = {};
  std::optional<gparray::device> device = {};
};

struct linspace_options {
  bool endpoint = true;
  /// Array ends only: where in the result the samples lie.
  int axis = 0;
  std::optional<gparray::device> device = {};
};

struct logspace_options {
  bool endpoint = true;
  double base = 10;
  /// Array ends only, as for linspace.
  int axis = 0;
  std::optional<gparray::device> device = {};
};

/// linspace(start, stop, num, retstep): also the distance between samples, NumPy's retstep=True.
struct retstep_t {};
inline constexpr retstep_t retstep{};

struct meshgrid_options {
  std::string_view indexing = "xy";
  bool sparse = false;
  bool copy = true;
};

/// Keyword arguments of frombuffer and borrow. Strides are in bytes; release runs when the last view is gone.
/// Without `space` it is host memory, or device memory of a GPU.
struct buffer_options {
  detail::dims_option strides = {};
  std::optional<memory_space> space = {};
  gparray::device device = {};
  std::function<void()> release = {};
  bool read_only = false;
};

GPARRAY_END_NAMESPACE
