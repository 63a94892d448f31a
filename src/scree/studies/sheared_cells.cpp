// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/sheared_cells.hpp"

#include <cmath>
#include <limits>

namespace scree {

std::size_t CellRuler::quarters() const { return static_cast<std::size_t>(std::floor((hi - lo) / (0.25 * diameter) + 1e-9)); }

ShearedCell::ShearedCell(const CellRuler& ruler, double wall_speed)
    : ruler_(ruler), wall_speed_(wall_speed), velocity_(0, 0, ruler.lo, ruler.hi, ruler.rings),
      packing_(ruler.windows.size() + 1, RadialProfile(0, 0, ruler.lo, ruler.lo + 0.25 * ruler.diameter * static_cast<double>(ruler.quarters()), ruler.quarters())) {}

void ShearedCell::observe(const Frame& frame, double turn) {
  std::size_t window = 0;
  // a clock that sums steps may pass the end of a window by rounding
  const auto beyond = [&](double end) { return turn > end * (1 + 1e-9); };
  if (turn > 0) {
    window = 1;
    while (window <= ruler_.windows.size() && beyond(ruler_.windows[window - 1])) ++window;
  }
  if (window > ruler_.windows.size()) return;
  packing_[window].observe(frame);
  if (window == ruler_.windows.size()) velocity_.observe(frame);
}

std::vector<RadialProfile::Row> ShearedCell::velocities() const {
  auto rows = velocity_.rows();
  for (auto& row : rows)
    for (double* one : {&row.tangential, &row.radial}) *one /= wall_speed_;
  return rows;
}

double ShearedCell::packing(std::size_t window, double from, double to) const {
  if (packing_[window].frames() == 0) return std::numeric_limits<double>::quiet_NaN();
  const auto rows = packing_[window].rows();
  double discs = 0, all = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double middle = 0.25 * (static_cast<double>(k) + 0.5);
    if (middle < from || middle > to) continue;
    discs += rows[k].packing * rows[k].r;  // the area of a ring is as its radius
    all += rows[k].r;
  }
  return all > 0 ? discs / all : std::numeric_limits<double>::quiet_NaN();
}

CellsDecay decay_of_cells(const CellStarts& starts, double floor, double skip) {
  CellsDecay d;
  std::vector<std::vector<RadialProfile::Row>> each;
  for (const auto& cells : starts) {
    std::vector<std::vector<RadialProfile::Row>> same;
    for (const ShearedCell* cell : cells) same.push_back(cell->velocities());
    each.push_back(mean_rows(same));
  }
  const double from = starts.at(0).at(0)->ruler().lo + skip;
  d.rows = mean_rows(each);
  d.fit = decay_of(d.rows, floor, from);
  d.interval = decay_interval(each, floor, from);
  for (const auto& rows : each) d.lengths.push_back(decay_of(rows, floor, from).length);
  for (std::size_t j = 0; j < d.rows.size(); ++j) {
    std::vector<double> values;
    for (const auto& rows : each) values.push_back(rows[j].tangential);
    d.error.push_back(moments(values).stderr_);
  }
  return d;
}

const char* decay_verdict(const Decay& fit, const DecayInterval& interval, double diameter) {
  if (!(fit.length > 0) || !(fit.correlation < -0.98)) return "not log-linear";
  if (fit.length < diameter || fit.length > 3 * diameter) return "outside";
  return interval.low >= diameter && interval.high <= 3 * diameter ? "shown" : "within";
}

PackingChange packing_change(const CellStarts& starts, std::size_t window, double from, double to) {
  std::vector<double> before, after, change;
  for (const auto& cells : starts) {
    double a = 0, b = 0, count = 0;
    for (const ShearedCell* cell : cells) {
      const double first = cell->packing(0, from, to), then = cell->packing(window, from, to);
      if (std::isfinite(first + then)) a += first, b += then, count += 1;  // else it has no frame in this window
    }
    if (count == 0) continue;
    before.push_back(a / count);
    after.push_back(b / count);
    change.push_back((b - a) / count);
  }
  return {moments(before), moments(after), moments(change), change.size()};
}

const char* PackingChange::verdict() const {
  if (starts < 3 || std::abs(in_errors()) < 3) return "no change is seen";
  return change.mean < 0 ? "dilates" : "compacts";
}

}  // namespace scree
