// The files of gparray._core, by what they add to it.
#pragma once
#include <nanobind/nanobind.h>

#include <gparray/array/any_array.hpp>

/// Making, arranging, sorting, reducing.
void add_functions(nanobind::module_& m);
/// Products, linear algebra, transforms.
void add_linalg(nanobind::module_& m);
/// The array on another device; the array itself if it is there.
gparray::any_array to_device(const gparray::any_array& a, gparray::device device);
