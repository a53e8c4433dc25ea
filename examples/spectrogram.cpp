// Which frequencies a signal has, and when: the Fourier transforms of short pieces of two chirps in noise,
// one that rises evenly and one that swings.
#include <gparray/fft.hpp>
#include <gparray/gparray.hpp>
#include <gparray/signal.hpp>

#include "on_device.hpp"
#include "plot.hpp"

namespace gp = gparray;

namespace {

int run(int argc, char** argv) {
  command_line options(argc, argv, "Shows the frequencies of a chirp over time.");
  const double length = options.value("--seconds", 8.0, "length of the signal");
  const int window = options.value("--window", 512, "samples of a piece");
  const std::string output = options.value("--output", "spectrogram.svg", "picture; empty for none");
  const gp::device device = device_of(options);

  // The phase is the integral of the frequency: 200 to 1800 Hz evenly, and 2600 +- 700 Hz.
  const double rate = 8000;
  const auto samples = static_cast<std::int64_t>(length * rate);
  const gp::ndarray<double> t = gp::arange<double>(samples) / rate;
  const double rise = 1600 / length, swing = 700, turns = 2 * gp::pi * 3 / length;
  gp::random::Generator rng = gp::random::default_rng(1);
  const gp::ndarray<double> signal =
      gp::sin(2 * gp::pi * (200.0 * t + 0.5 * rise * t * t)) +
      0.5 * gp::sin(2 * gp::pi * (2600.0 * t - swing / turns * gp::cos(turns * t))) +
      0.2 * rng.standard_normal(samples);

  const stopwatch watch;
  const int hop = window / 4;
  const auto pieces = gp::sliding_window_view(signal, window)(gp::slice(gp::none, gp::none, hop));
  const auto spectra = gp::fft::rfft(pieces * gp::hanning(window));
  const gp::ndarray<double> power = gp::square(gp::abs(spectra) / (window / 4.0));
  const gp::ndarray<double> frequency = gp::fft::rfftfreq(window, 1 / rate);
  const gp::ndarray<double> strongest = frequency(gp::argmax(power, 1));
  const double seconds = watch.seconds();

  // The first chirp is the louder one; at the middle of a piece its frequency is the strongest, to half a
  // line or so.
  const gp::ndarray<double> middle = (gp::arange<double>(pieces.shape(0)) * hop + window / 2.0) / rate;
  const double worst = gp::max(gp::abs(strongest - (200.0 + rise * middle))), line = rate / window;
  const bool right = worst <= line;
  fmt::print("{} pieces of {} samples on {}: {:.2f} ms\n", pieces.shape(0), window, device.str(),
             1e3 * seconds);
  fmt::print("the chirp is found within {:.2f} lines of {:.3f} Hz: {}\n", worst / line, line,
             right ? "right" : "WRONG");

  if (!output.empty()) {
    plot::figure f({.x = {.label = "time in s", .low = 0, .high = length},
                    .y = {.label = "frequency in kHz", .low = 0, .high = rate / 2000},
                    .width = 640,
                    .height = 400});
    // Low frequencies below.
    f.image(10 * gp::log10(power.T()("::-1")),
            {.map = plot::inferno, .low = -50, .high = 0, .colours = 64, .label = "power in dB"});
    plot::save(output, {f});
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
