// SPDX-License-Identifier: BSD-3-Clause
/// Progress on standard error: one line that renews itself on a terminal, plain lines every few
/// seconds elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace scree {

/// The line itself: renewed in place on a terminal, with a bar; a new line now and then elsewhere.
class StatusLine {
 public:
  explicit StatusLine(bool wanted);
  ~StatusLine() { finish(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether it is time for another one; cheap.
  bool due();
  void show(double fraction, std::string text);
  /// Ends the line.
  void finish();
  double seconds() const;  // since it began, at the last due()

 private:
  using Clock = std::chrono::steady_clock;
  bool wanted_, terminal_;
  Clock::time_point start_, last_;
  std::size_t width_ = 0;
};

/// Progress of a run.
class Progress {
 public:
  /// `label` as in "settling" or the scene's name; `steps` in all, `done` so far.
  Progress(std::string label, std::int64_t steps, std::int64_t done, bool wanted);
  /// Cheap; looks at the clock now and then. `kinetic` is asked only when a line is printed.
  void at(std::int64_t step, double time, std::size_t grains, const std::function<double()>& kinetic);
  void finish() { line_.finish(); }

 private:
  std::string label_;
  std::int64_t steps_, first_;
  StatusLine line_;
};

/// Progress of a study.
class StudyLine {
 public:
  StudyLine(std::string name, bool wanted) : name_(std::move(name)), line_(wanted) {}
  void at(double fraction, const std::string& what);

 private:
  std::string name_;
  StatusLine line_;
};

/// "1 h 02 min", "3 min 20 s", "12 s".
std::string duration_text(double seconds);

}  // namespace scree
