// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/csv.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"

#include "tests/io/synthetic.hpp"

namespace scree {
namespace {

using synthetic::Folder;

std::vector<std::vector<std::string>> table(const std::filesystem::path& path, char separator) {
  std::ifstream in(path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, separator);) rows.back().push_back(cell);
  }
  return rows;
}

void write_run(const std::filesystem::path& dir, int dim, bool contacts) {
  RunWriter writer = RunWriter::create(dir, synthetic::info(dim));
  for (std::size_t k = 0; k < 3; ++k) writer.append(synthetic::frame(k, 6, dim, contacts));
  writer.finish();
}

TEST(Csv, EveryDigitSurvives) {
  for (const int dim : {2, 3}) {
    const Folder dir;
    write_run(dir, dim, true);
    const auto files = export_run(RunReader(dir), ExportKind::csv, dir / "out");
    ASSERT_EQ(files.size(), 3u);
    const auto d = static_cast<std::size_t>(dim);
    const Frame f = synthetic::frame(2, 6, dim, true);

    const auto grains = table(files[0], ',');
    ASSERT_EQ(grains.size(), 1u + 3 * 6);
    EXPECT_EQ(grains[0].size(), dim == 2 ? 9u : 13u);
    EXPECT_EQ(grains[0][dim == 2 ? 7 : 9], dim == 2 ? "w" : "wx");
    const auto& row = grains[1 + 2 * 6 + 4];
    EXPECT_EQ(row[0], "2");
    EXPECT_EQ(std::stod(row[1]), f.time);
    EXPECT_EQ(std::stoll(row[2]), f.id[4]);
    EXPECT_EQ(std::stod(row[3]), f.x[4 * d]);
    EXPECT_EQ(std::stod(row[3 + d]), f.v[4 * d]);
    EXPECT_EQ(std::stod(row[3 + 2 * d]), f.w[4 * (dim == 2 ? 1 : 3)]);
    EXPECT_EQ(std::stod(row.back()), f.radius[4]);

    const auto contacts = table(files[1], ',');
    ASSERT_EQ(contacts.size(), 1u + 3 * 3);
    EXPECT_EQ(contacts[0].back(), dim == 2 ? "fy" : "fz");
    EXPECT_EQ(std::stoll(contacts[9][3]), f.contacts.id2[2]);
    EXPECT_EQ(std::stod(contacts[9][4]), f.contacts.overlap[2]);
    EXPECT_EQ(std::stod(contacts[9].back()), f.contacts.force[2 * d + d - 1]);

    const auto energies = table(files[2], ',');
    ASSERT_EQ(energies.size(), 4u);
    EXPECT_EQ(std::stod(energies[3][2]), f.energies.kinetic);
    EXPECT_EQ(std::stod(energies[3].back()), f.energies.balance_error());
  }
}

TEST(Csv, FramesAreChosenByFirstLastAndStride) {
  EXPECT_EQ(parse_frames("7").last, 7);
  EXPECT_EQ(parse_frames("-1").first, -1);
  EXPECT_EQ(parse_frames("2:").last, -1);
  EXPECT_EQ(parse_frames("::5").stride, 5u);
  for (const char* bad : {"", "a", "1:2:3:4", "1:2:0", "1.5", "1 2"})
    EXPECT_THROW(parse_frames(bad), InputError) << bad;
  const Folder dir;
  write_run(dir, 2, false);
  const RunReader run(dir);
  const auto count = [&](const std::string& frames) {
    export_run(run, ExportKind::csv, dir / "out", parse_frames(frames));
    return (table(dir / "out/grains.csv", ',').size() - 1) / 6;
  };
  EXPECT_EQ(count(":"), 3u);
  EXPECT_EQ(count("-1"), 1u);
  EXPECT_EQ(count("::2"), 2u);
  EXPECT_EQ(count("1:100"), 2u);
  EXPECT_THROW(count("3"), InputError);
  EXPECT_THROW(count("2:1"), InputError);
}

TEST(Lammps, TheDumpHoldsEveryGrainInsideItsBox) {
  for (const int dim : {2, 3}) {
    const Folder dir;
    write_run(dir, dim, false);
    const auto files = export_run(RunReader(dir), ExportKind::lammps, dir / "out");
    const auto rows = table(files.at(0), ' ');
    const std::size_t lines = 9 + 6;
    ASSERT_EQ(rows.size(), 3 * lines);
    const Frame f = synthetic::frame(1, 6, dim);
    const auto* at = &rows[lines];
    EXPECT_EQ(at[0][1], "TIMESTEP");
    EXPECT_EQ(std::stoll(at[1][0]), f.step);
    EXPECT_EQ(at[3][0], "6");
    EXPECT_EQ(at[4], (std::vector<std::string>{"ITEM:", "BOX", "BOUNDS", "pp", "ff", "ff"}));
    EXPECT_EQ(at[5], (std::vector<std::string>{"0", "2.5"}));
    EXPECT_EQ(at[8].size(), 2u + 12);
    for (std::size_t i = 0; i < 6; ++i) {
      const auto& row = at[9 + i];
      ASSERT_EQ(row.size(), 12u);
      EXPECT_EQ(std::stoll(row[0]), f.id[i]);
      EXPECT_EQ(std::stoll(row[1]), f.material[i] + 1);
      EXPECT_EQ(std::stod(row[2]), f.x[i * static_cast<std::size_t>(dim)]);
      EXPECT_EQ(std::stod(row[4]), dim == 2 ? 0.0 : f.x[3 * i + 2]);
      EXPECT_EQ(std::stod(row[5]), f.radius[i]);
      EXPECT_EQ(std::stod(row[11]), dim == 2 ? f.w[i] : f.w[3 * i + 2]);
      for (std::size_t k = 1; k < 3; ++k) {
        EXPECT_LE(std::stod(at[5 + k][0]), std::stod(row[2 + k]) - f.radius[i]);
        EXPECT_GE(std::stod(at[5 + k][1]), std::stod(row[2 + k]) + f.radius[i]);
      }
    }
  }
}

TEST(AtomicFile, WithoutCommitNothingRemains) {
  const Folder dir;
  write_file(dir / "a.txt", "old");
  {
    AtomicFile file(dir / "a.txt");
    file.write("new");
  }
  EXPECT_EQ(table(dir / "a.txt", ',')[0][0], "old");
  EXPECT_FALSE(std::filesystem::exists(dir / "a.txt.part"));
  write_file(dir / "a.txt", "new", true);
  EXPECT_EQ(table(dir / "a.txt", ',')[0][0], "new");
  EXPECT_THROW(write_file(dir / "no/such/folder/a.txt", "x"), RunError);
  EXPECT_THROW(make_folder(dir / "a.txt"), RunError);
}

}  // namespace
}  // namespace scree
