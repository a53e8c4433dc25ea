// Order statistics, histograms, covariances, interpolation and polynomials; sums, means and deviations are in
// reductions.hpp.
#pragma once
#include <gparray/statistics/covariance.hpp>
#include <gparray/statistics/histograms.hpp>
#include <gparray/statistics/interpolation.hpp>
#include <gparray/statistics/polynomials.hpp>
#include <gparray/statistics/quantiles.hpp>
#include <gparray/statistics/softmax.hpp>
