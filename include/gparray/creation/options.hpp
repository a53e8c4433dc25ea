// Keyword arguments of the functions that make arrays.
#pragma once
#include <functional>
#include <optional>
#include <string_view>

#include <gparray/indexing/index.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Keyword arguments of the functions that make arrays: where and how the elements lie.
struct array_options {
  /// Row-major (C) or column-major (F).
  gparray::order order = gparray::order::C;
  /// The kind of memory; without it host memory of the CPU or device memory of a GPU.
  std::optional<memory_space> space = {};
  /// The device; without it the default device, or the CPU for host and pinned memory.
  std::optional<gparray::device> device = {};
};

/// Keyword arguments of the functions that make arrays like another one, from which they take what is not
/// given.
struct like_options {
  /// The memory order; K is that of the prototype.
  gparray::order order = gparray::order::K;
  /// Another shape than that of the prototype.
  detail::dims_option shape = {};
  /// Another kind of memory than that of the prototype.
  std::optional<memory_space> space = {};
  /// Another device than that of the prototype.
  std::optional<gparray::device> device = {};
};

/// Keyword arguments of linspace and geomspace.
struct linspace_options {
  /// Whether the last sample is `stop`; otherwise it is the first one that is left out.
  bool endpoint = true;
  /// For ends that are arrays: the axis of the result along which the samples lie.
  int axis = 0;
  /// For ends that are numbers: the device of the result, by default the default one.
  std::optional<gparray::device> device = {};
};

/// Keyword arguments of logspace.
struct logspace_options {
  /// Whether the last sample is base to the power of `stop`; otherwise it is the first one that is left out.
  bool endpoint = true;
  /// The number whose powers the samples are.
  double base = 10;
  /// For ends that are arrays: the axis of the result along which the samples lie.
  int axis = 0;
  /// For ends that are numbers: the device of the result, by default the default one.
  std::optional<gparray::device> device = {};
};

/// The type of gp::retstep.
struct retstep_t {
  explicit constexpr retstep_t(detail::tag) {}
};
/// As an argument of linspace: return the distance between samples, too, NumPy's retstep=True.
inline constexpr retstep_t retstep{detail::tag::constant};

/// Keyword arguments of meshgrid.
struct meshgrid_options {
  /// "xy": the second axis of the result belongs to the first vector, as in plots; "ij": the first axis does.
  std::string_view indexing = "xy";
  /// Whether the arrays have size 1 along all axes but their own, from which they broadcast.
  bool sparse = false;
  /// Whether the results have their own elements; otherwise they are views of the arguments.
  bool copy = true;
};

/// Keyword arguments of frombuffer and borrow.
struct buffer_options {
  /// The bytes from one element to the next along each axis; without them the elements lie in C order.
  detail::dims_option strides = {};
  /// The kind of memory; without it host memory, or device memory of a GPU.
  std::optional<memory_space> space = {};
  /// The device of the memory, by default the CPU.
  gparray::device device = {};
  /// A function that is called when the last view of the memory is gone.
  std::function<void()> release = {};
  /// Whether writing to the array throws.
  bool read_only = false;
};

GPARRAY_END_NAMESPACE
