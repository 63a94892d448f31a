// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace scree {

std::string duration_text(double seconds) {
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  if (s >= 3600) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  if (s >= 60) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

Progress::Progress(std::string label, std::int64_t steps, std::int64_t done, std::size_t grains, bool wanted)
    : label_(std::move(label)), steps_(steps), first_(done), grains_(grains), wanted_(wanted),
      terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_) {}

Progress::~Progress() { finish(); }

void Progress::at(std::int64_t step, double time, const std::function<double()>& kinetic) {
  if (!wanted_) return;
  const auto now = Clock::now();
  const double since = std::chrono::duration<double>(now - last_).count();
  if (since < (terminal_ ? 0.2 : 5.0)) return;
  last_ = now;
  print(step, time, kinetic());
}

void Progress::print(std::int64_t step, double time, double kinetic) {
  const double wall = std::chrono::duration<double>(last_ - start_).count();
  const double rate = static_cast<double>(step - first_) / std::max(wall, 1e-9);
  const double left = static_cast<double>(steps_ - step) / std::max(rate, 1e-9);
  std::string line =
      fmt::format("{}  {:5.1f} %  t = {:.4g} s  {:.3g} M grain-steps/s  {} left  kinetic energy {:.3g} J", label_,
                  100.0 * static_cast<double>(step) / static_cast<double>(std::max<std::int64_t>(steps_, 1)), time,
                  rate * static_cast<double>(grains_) / 1e6, duration_text(left), kinetic);
  if (terminal_) {
    const int filled = static_cast<int>(20 * step / std::max<std::int64_t>(steps_, 1));
    std::string bar(20, ' ');
    std::fill_n(bar.begin(), std::clamp(filled, 0, 20), '#');
    line = fmt::format("[{}] {}", bar, line);
    const std::size_t before = width_;
    width_ = line.size();
    if (before > line.size()) line.append(before - line.size(), ' ');
    fmt::print(stderr, "\r{}", line);
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

void Progress::finish() {
  if (width_ > 0) fmt::print(stderr, "\r{}\r", std::string(width_, ' '));
  width_ = 0;
}

}  // namespace scree
