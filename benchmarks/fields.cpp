// SPDX-License-Identifier: BSD-3-Clause
/// How long all fields of a large frame take: a sheet of a million discs in a hexagonal lattice, shaken a little, with three
/// contacts each, on 512 x 512 points.
///
///     build/release/bin/fields [grains] [points along an axis] [width in diameters]
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

#include "scree/fields/average.hpp"

namespace {

using namespace scree;

Frame sheet(std::size_t count) {
  Frame f;
  f.has_contacts = true;
  const auto side = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(count))));
  const double d = 1, row = 0.5 * std::sqrt(3.0);
  std::uint64_t state = 1;
  const auto unit = [&] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 11) / 9007199254740992.0 - 0.5;
  };
  for (std::size_t j = 0; j < side; ++j)
    for (std::size_t i = 0; i < side; ++i) {
      f.id.push_back(static_cast<std::int64_t>(f.id.size()));
      f.x.insert(f.x.end(), {d * (static_cast<double>(i) + (j % 2 == 1 ? 0.5 : 0.0)) + 0.05 * unit(), d * row * static_cast<double>(j) + 0.05 * unit()});
      f.v.insert(f.v.end(), {unit(), unit()});
      f.w.push_back(unit());
      f.q.push_back(0);
      f.radius.push_back(0.5);
      f.mass.push_back(1);
      f.inertia.push_back(0.1);
    }
  f.material.assign(f.size(), 0);
  f.group.assign(f.size(), 0);
  f.held.assign(f.size(), 0);
  const auto touch = [&](std::size_t a, std::size_t b) {
    f.contacts.id1.push_back(static_cast<std::int64_t>(a));
    f.contacts.id2.push_back(static_cast<std::int64_t>(b));
    f.contacts.overlap.push_back(0);
    for (std::size_t k = 0; k < 2; ++k) {
      const double branch = f.x[2 * b + k] - f.x[2 * a + k];
      f.contacts.branch.push_back(branch);
      f.contacts.point.push_back(f.x[2 * a + k] + 0.5 * branch);
      f.contacts.force.push_back(-branch + 0.1 * unit());
    }
    f.contacts.spring.push_back(0);
  };
  for (std::size_t j = 0; j < side; ++j)
    for (std::size_t i = 0; i < side; ++i) {
      const std::size_t a = j * side + i;
      if (i + 1 < side) touch(a, a + 1);
      if (j + 1 == side) continue;
      touch(a, a + side);
      if (j % 2 == 1 && i + 1 < side) touch(a, a + side + 1);
      if (j % 2 == 0 && i > 0) touch(a, a + side - 1);
    }
  return f;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t grains = argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 1000000;
  const std::size_t points = argc > 2 ? static_cast<std::size_t>(std::atoll(argv[2])) : 512;
  const double width = argc > 3 ? std::atof(argv[3]) : 2;
  const Frame frame = sheet(grains);
  fmt::print("{} grains, {} contacts, {} x {} points, w = {} d, {} threads\n", frame.size(), frame.contacts.size(), points, points, width,
             omp_get_max_threads());
  for (const auto kind : {fields::KernelKind::heaviside, fields::KernelKind::lucy, fields::KernelKind::mollifier, fields::KernelKind::gauss}) {
    fields::Settings settings;
    settings.kernel = kind;
    settings.width = width;
    fields::Grid grid = fields::make_grid("xy", 2);
    const double side = std::sqrt(static_cast<double>(frame.size()));
    grid.ticks = {fields::middles(0, side, points), fields::middles(0, 0.866 * side, points)};
    const fields::CoarseGrainer grainer(grid, settings, {});
    fields::Averager average(grainer, false);
    const double start = omp_get_wtime();
    const std::clock_t busy = std::clock();
    average.add(frame);
    const fields::FieldTable table = average.result();
    const double seconds = omp_get_wtime() - start;
    fmt::print("{:<10} {:6.2f} s, {:6.2f} s of processor time   (pressure in the middle {:.6g})\n", fields::name_of(kind), seconds,
               static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC,
               fields::find_field(table.fields, "pressure")->values[points * points / 2 + points / 2]);
  }
  return 0;
}
