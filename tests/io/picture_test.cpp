// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/picture.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/io/synthetic.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using synthetic::Folder;

bool gnuplot_here() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// Width and height, from the header of a PNG.
std::pair<int, int> size_of(const std::string& png) {
  const auto number = [&](std::size_t at) {
    int n = 0;
    for (std::size_t k = 0; k < 4; ++k) n = n << 8 | static_cast<unsigned char>(png[at + k]);
    return n;
  };
  return {number(16), number(20)};
}

TEST(Picture, AWallWithAServoIsDrawnWhereItWas) {
  const Folder dir;
  RunInfo info = synthetic::info(2);
  Wall<2> lid;
  lid.name = "lid";
  lid.point = {0, 0.25};
  lid.normal = {0, -1};
  lid.servo.on = true;
  lid.servo.direction = {0, -1};
  info.walls = walls_json<2>({lid});
  info.signals = {"lid.displacement", "lid.speed", "lid.force"};
  RunWriter writer = RunWriter::create(dir, info);
  for (std::size_t k = 0; k < 3; ++k) writer.append(synthetic::frame(k, 60, 2), {0.1875 * static_cast<double>(k), 0.0, 0.0});
  draw_states(RunReader(dir), dir / "states");  // the script is there without gnuplot too
  const std::string script = bytes_of(dir / "states.gp");
  EXPECT_EQ(count(script, ",0.25 to "), 1u) << script;  // the first frame
  EXPECT_EQ(count(script, ",-0.125 to "), 1u) << script;  // the last: 0.375 further down
}

TEST(Picture, StatesAreDrawnWithScriptAndDataBesideThem) {
  if (!gnuplot_here()) GTEST_SKIP() << "no gnuplot";
  for (const int dim : {2, 3}) {
    const Folder dir;
    RunInfo info = synthetic::info(dim);
    info.name = "it's a \"test\" of names_with {odd} $characters";
    if (dim == 2) {
      Wall<2> floor, drum;
      floor.normal = {0, 1};
      drum.kind = WallKind::ring;
      drum.radius = 0.5;
      info.walls = walls_json<2>({floor, drum});
    } else {
      Wall<3> floor, pipe;
      floor.normal = {0, 0, 1};
      pipe.kind = WallKind::ring;
      pipe.radius = 0.2;
      info.walls = walls_json<3>({floor, pipe});
    }
    RunWriter writer = RunWriter::create(dir, info);
    for (std::size_t k = 0; k < 3; ++k) writer.append(synthetic::frame(k, 60, dim));
    const Picture picture = draw_states(RunReader(dir), dir / "a folder/state's");
    EXPECT_EQ(picture.warning, "");
    ASSERT_EQ(picture.files.size(), 4u);
    for (const fs::path& f : picture.files) EXPECT_GT(fs::file_size(f), 100u) << f;
    EXPECT_EQ(picture.files[0].extension(), ".png");
    const auto [width, height] = size_of(bytes_of(picture.files[0]));
    EXPECT_GT(width, 300);
    EXPECT_LT(width, 1500);
    EXPECT_GT(height, 200);
    EXPECT_LT(height, 1500);
    // Every grain of both panels is in the SVG (in space: those that can be seen).
    const std::size_t circles = count(bytes_of(picture.files[1]), "#gpPt6'");
    EXPECT_GE(circles, dim == 2 ? 120u : 60u);
    // The script draws the picture again.
    fs::remove(picture.files[0]);
    EXPECT_EQ(run_gnuplot(dir / "a folder/state's.gp"), "");
    EXPECT_TRUE(fs::exists(picture.files[0]));
  }
}

TEST(Picture, OneFrameAndNoGrainsAreDrawnToo) {
  if (!gnuplot_here()) GTEST_SKIP() << "no gnuplot";
  const Folder dir;
  EXPECT_EQ(draw_states({synthetic::frame(0, 5)}, synthetic::info(), dir / "one").warning, "");
  EXPECT_EQ(draw_states({synthetic::frame(0, 0)}, synthetic::info(), dir / "none").warning, "");
  EXPECT_NE(draw_states({}, synthetic::info(), dir / "nothing").warning, "");
}

TEST(Picture, EnergyCurvesLeaveOutWhatIsZero) {
  if (!gnuplot_here()) GTEST_SKIP() << "no gnuplot";
  const Folder dir;
  std::vector<EnergyRow> rows;
  for (std::int64_t k = 0; k < 20000; ++k) {
    EnergyRow e;
    e.step = k;
    e.time = 1e-3 * static_cast<double>(k);
    e.kinetic = std::sin(e.time) * std::sin(e.time);
    e.potential = -5 + std::cos(e.time) * std::cos(e.time);
    rows.push_back(e);
  }
  const Picture picture = draw_energies(rows, "swing", dir / "energy");
  EXPECT_EQ(picture.warning, "");
  const std::string script = bytes_of(dir / "energy.gp");
  EXPECT_NE(script.find("kinetic"), std::string::npos);
  EXPECT_EQ(script.find("rotational"), std::string::npos);
  EXPECT_LT(count(bytes_of(dir / "energy.dat"), "\n"), 6000u);
  EXPECT_NE(draw_energies(std::vector<EnergyRow>{}, "none", dir / "none").warning, "");
}

TEST(Picture, WithoutGnuplotThereIsAWarningAndNoException) {
  const Folder dir;
  const std::string path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  ::setenv("PATH", (dir / "empty").c_str(), 1);
  const Picture picture = draw_states({synthetic::frame(0, 5)}, synthetic::info(), dir / "state");
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_NE(picture.warning.find("gnuplot"), std::string::npos);
  EXPECT_EQ(picture.files.size(), 2u);  // script and data
  EXPECT_NE(draw_states({synthetic::frame(0, 5)}, synthetic::info(), "/proc/no/state").warning, "");
}

TEST(Picture, StressesAreDrawnInRowsWithAStripInRed) {
  if (!gnuplot_here()) GTEST_SKIP() << "no gnuplot";
  const Folder dir;
  std::vector<Frame> frames;
  for (std::size_t k = 0; k < 4; ++k) frames.push_back(synthetic::frame(k, 40, 2, true));
  const auto strip = grains_in_strip(frames[0], 0.2);
  ASSERT_FALSE(strip.empty());
  ASSERT_LT(strip.size(), 32u);
  double lo = 1e9, hi = -1e9;
  for (std::size_t i = 0; i < 40; ++i) {
    lo = std::min(lo, frames[0].x[2 * i] - frames[0].radius[i]);
    hi = std::max(hi, frames[0].x[2 * i] + frames[0].radius[i]);
  }
  for (std::size_t i = 0; i < 40; ++i) {
    const bool within = !frames[0].held[i] && std::abs(frames[0].x[2 * i] - (lo + hi) / 2) <= 0.1;
    EXPECT_EQ(std::count(strip.begin(), strip.end(), frames[0].id[i]), within);
  }
  const Picture picture = draw_stress(frames, synthetic::info(), strip, dir / "stress");
  EXPECT_EQ(picture.warning, "");
  const std::string script = bytes_of(dir / "stress.gp"), data = bytes_of(dir / "stress.dat");
  EXPECT_EQ(count(script, "set title 't = "), 4u);
  EXPECT_NE(script.find("pressure in the grain (N/m)"), std::string::npos);
  // reds: the lightest has these bytes, darker ones have less; each panel marks the same grains
  std::size_t red = 0;
  std::istringstream lines(data);
  for (std::string line; std::getline(lines, line);) {
    double x, y, r, value;
    unsigned colour;
    if (std::sscanf(line.c_str(), "%lf %lf %lf %lf %u", &x, &y, &r, &value, &colour) != 5) continue;
    red += (colour >> 16) > 1.4 * ((colour >> 8) & 255);
  }
  EXPECT_EQ(red, 4 * strip.size());
  const auto [width, height] = size_of(bytes_of(dir / "stress.png"));
  EXPECT_GT(height, 900);  // two rows
  EXPECT_GT(width, 900);
  frames[2].has_contacts = false;
  EXPECT_NE(draw_stress(frames, synthetic::info(), {}, dir / "none").warning.find("output.contacts = true"), std::string::npos);
}

TEST(Picture, AScriptThatFailsSaysWhy) {
  if (!gnuplot_here()) GTEST_SKIP() << "no gnuplot";
  const Folder dir;
  std::ofstream(dir / "bad.gp") << "plot 'no-such-file'\n";
  EXPECT_NE(run_gnuplot(dir / "bad.gp").find("no-such-file"), std::string::npos);
}

}  // namespace
}  // namespace scree
