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

StatusLine::StatusLine(bool wanted)
    : wanted_(wanted), terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_) {}

bool StatusLine::due() {
  if (!wanted_) return false;
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - last_).count() < (terminal_ ? 0.2 : 5.0)) return false;
  last_ = now;
  return true;
}

double StatusLine::seconds() const { return std::chrono::duration<double>(last_ - start_).count(); }

void StatusLine::show(double fraction, std::string text) {
  if (terminal_) {
    std::string bar(20, ' ');
    std::fill_n(bar.begin(), std::clamp(static_cast<int>(20 * fraction), 0, 20), '#');
    text = fmt::format("[{}] {}", bar, text);
    const std::size_t before = width_;
    width_ = text.size();
    if (before > text.size()) text.append(before - text.size(), ' ');
    fmt::print(stderr, "\r{}", text);
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

void StatusLine::finish() {
  if (width_ > 0) fmt::print(stderr, "\r{}\r", std::string(width_, ' '));
  width_ = 0;
}

Progress::Progress(std::string label, std::int64_t steps, std::int64_t done, bool wanted)
    : label_(std::move(label)), steps_(steps), first_(done), line_(wanted) {}

void Progress::at(std::int64_t step, double time, std::size_t grains, const std::function<double()>& kinetic) {
  if (!line_.due()) return;
  const double rate = static_cast<double>(step - first_) / std::max(line_.seconds(), 1e-9);
  const double left = static_cast<double>(steps_ - step) / std::max(rate, 1e-9);
  const double fraction = static_cast<double>(step) / static_cast<double>(std::max<std::int64_t>(steps_, 1));
  line_.show(fraction, fmt::format("{}  {:5.1f} %  t = {:.4g} s  {:.3g} M grain-steps/s  {} left  kinetic energy {:.3g} J",
                                   label_, 100 * fraction, time, rate * static_cast<double>(grains) / 1e6,
                                   duration_text(left), kinetic()));
}

void StudyLine::at(double fraction, const std::string& what) {
  if (!line_.due()) return;
  std::string text = fmt::format("{}  {:5.1f} %  {}", name_, 100 * fraction, what);
  if (fraction > 0) text += fmt::format("  {} left", duration_text(line_.seconds() * (1 - fraction) / fraction));
  line_.show(fraction, text);
}

}  // namespace scree
