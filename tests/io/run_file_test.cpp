// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/run_file.hpp"

#include <chrono>
#include <fstream>
#include <iostream>
#include <random>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "scree/core/errors.hpp"

#include "tests/io/synthetic.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using synthetic::expect_equal;
using synthetic::Folder;

void expect_frames(const fs::path& dir, const std::vector<Frame>& frames) {
  const RunReader run(dir);
  ASSERT_EQ(run.size(), frames.size());
  for (std::size_t k = 0; k < frames.size(); ++k) {
    EXPECT_EQ(run.times()[k], frames[k].time);
    EXPECT_EQ(run.steps()[k], frames[k].step);
    expect_equal(run.frame(k), frames[k]);
  }
}

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Opens every frame with nothing but HDF5 and reads its positions. Returns how many there are.
std::size_t plain_frames(const fs::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GE(file, 0) << path;
  if (file < 0) return 0;
  const hid_t frames = H5Gopen2(file, "frames", H5P_DEFAULT);
  H5G_info_t info{};
  H5Gget_info(frames, &info);
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    char name[16];
    std::snprintf(name, sizeof name, "%08d/x", static_cast<int>(k));
    const hid_t x = H5Dopen2(frames, name, H5P_DEFAULT);
    EXPECT_GE(x, 0) << name;
    if (x < 0) continue;
    const hid_t space = H5Dget_space(x);
    std::vector<double> data(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(x, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), 0);
    H5Sclose(space);
    H5Dclose(x);
  }
  H5Gclose(frames);
  H5Fclose(file);
  return info.nlinks;
}

TEST(RunFile, FramesComeBackBitForBitBeforeAndAfterTheEnd) {
  for (const int dim : {2, 3}) {
    const Folder dir;
    std::vector<Frame> frames;
    for (std::size_t k = 0; k < 4; ++k) frames.push_back(synthetic::frame(k, 700, dim, k % 2 == 1));
    RunWriter writer = RunWriter::create(dir, synthetic::info(dim));
    for (const Frame& f : frames) writer.append(f);
    expect_frames(dir, frames);
    EXPECT_FALSE(RunReader(dir).finished());
    writer.finish();
    expect_frames(dir, frames);
    EXPECT_TRUE(RunReader(dir).finished());
    EXPECT_FALSE(fs::exists(dir / "frames"));
    EXPECT_EQ(plain_frames(dir / "run.h5"), 4u);
    writer.finish();
    EXPECT_THROW(writer.append(frames.back()), RunError);
  }
}

TEST(RunFile, WhatHoldsForTheRunComesBack) {
  const Folder dir;
  RunWriter writer = RunWriter::create(dir, synthetic::info());
  for (const bool end : {false, true}) {
    if (end) writer.finish();
    const RunReader run(dir);
    const RunInfo a = synthetic::info(), b = run.info();
    EXPECT_EQ(run.size(), 0u);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.scene, b.scene);
    EXPECT_EQ(a.version, b.version);
    EXPECT_EQ(a.real, b.real);
    EXPECT_EQ(a.seed, b.seed);
    EXPECT_EQ(a.dim, b.dim);
    EXPECT_EQ(a.period, b.period);
    EXPECT_EQ(a.lo, b.lo);
    EXPECT_EQ(a.hi, b.hi);
    EXPECT_EQ(a.gravity, b.gravity);
    EXPECT_EQ(a.materials, b.materials);
    EXPECT_EQ(a.groups, b.groups);
    EXPECT_EQ(a.walls, b.walls);
    EXPECT_EQ(a.extra, b.extra);
    EXPECT_EQ(a.numbers, b.numbers);
    EXPECT_NE(run.scene_hash(), 0u);
  }
}

TEST(RunFile, LowWordsComeBack) {
  const Folder dir;
  Frame f = synthetic::frame(0, 20);
  f.time_lo = 1e-20;
  f.x_lo.assign(40, 1e-18 / 3);
  f.v_lo.assign(40, -1e-18 / 7);
  f.q_lo.assign(20, 1e-19);
  f.w_lo.assign(20, 1e-19 / 3);
  RunWriter writer = RunWriter::create(dir, synthetic::info());
  writer.append(f);
  expect_frames(dir, {f});
}

TEST(RunFile, GrainsMayComeGoAndChange) {
  const Folder dir;
  std::vector<Frame> frames;
  frames.push_back(synthetic::frame(0, 300));
  frames.push_back(synthetic::frame(1, 200));  // fewer: found by id
  frames.push_back(synthetic::frame(2, 400));  // more: stored
  frames.push_back(synthetic::frame(3, 300));
  frames[3].radius[17] *= 2;  // other radius
  frames.push_back(synthetic::frame(4, 300));
  frames[4].held[1] = 1;
  frames.push_back(synthetic::frame(5, 0));
  RunWriter writer = RunWriter::create(dir, synthetic::info());
  for (const Frame& f : frames) writer.append(f);
  expect_frames(dir, frames);
  writer.finish();
  expect_frames(dir, frames);
}

TEST(RunFile, EnergyRowsMayBeDenserThanFrames) {
  const Folder dir;
  RunWriter writer = RunWriter::create(dir, synthetic::info());
  std::size_t steps = 0;
  for (std::int64_t step = 0; step <= 3000; ++step) {
    const Frame f = synthetic::frame(static_cast<std::size_t>(step), 5);
    writer.record(energy_row(step, 0.1 * static_cast<double>(step), f.energies));
    ++steps;
    if (step % 1000 == 0) {
      Frame g = f;
      g.step = step;
      writer.append(g);
    }
  }
  for (const bool end : {false, true}) {
    if (end) writer.finish();
    const auto rows = RunReader(dir).energies();
    ASSERT_EQ(rows.size(), steps);
    EXPECT_EQ(rows[1234].step, 1234);
    const Energies e = synthetic::frame(1234, 5).energies;
    EXPECT_EQ(rows[1234].kinetic, e.kinetic);
    EXPECT_EQ(rows[1234].work, e.work);
    EXPECT_EQ(rows[1234].balance_error, e.balance_error());
  }
  EXPECT_THROW(writer.record(EnergyRow{.step = 3}), RunError);
}

TEST(RunFile, AFrameOfTheSameStepTakesThePlaceOfTheLast) {
  const Folder dir;
  const Frame a = synthetic::frame(0, 10), b = synthetic::frame(1, 10);
  Frame c = synthetic::frame(2, 10);
  c.step = b.step;
  RunWriter writer = RunWriter::create(dir, synthetic::info());
  writer.append(a);
  writer.append(b);
  writer.append(c);
  expect_frames(dir, {a, c});
  EXPECT_EQ(RunReader(dir).energies().size(), 2u);
  EXPECT_THROW(writer.append(a), RunError);
}

TEST(RunFile, ResumeDropsLaterFramesAndTheFinishedFileIsThatOfAnUnbrokenRun) {
  const Folder unbroken, broken;
  std::vector<Frame> frames;
  for (std::size_t k = 0; k < 8; ++k) frames.push_back(synthetic::frame(k, 500, 3, true));
  {
    RunWriter writer = RunWriter::create(unbroken, synthetic::info(3));
    for (const Frame& f : frames) {
      writer.append(f);
      writer.record(energy_row(f.step + 5, f.time, f.energies));
    }
    writer.finish();
  }
  {
    RunWriter writer = RunWriter::create(broken, synthetic::info(3));
    for (std::size_t k = 0; k < 6; ++k) {
      writer.append(frames[k]);
      writer.record(energy_row(frames[k].step + 5, frames[k].time, frames[k].energies));
      if (k == 3) writer.sync();
    }
  }
  {
    RunWriter writer = RunWriter::resume(broken, 37);
    EXPECT_EQ(writer.frames(), 4u);
    expect_frames(broken, {frames.begin(), frames.begin() + 4});
    for (std::size_t k = 4; k < 8; ++k) {
      writer.append(frames[k]);
      writer.record(energy_row(frames[k].step + 5, frames[k].time, frames[k].energies));
    }
    writer.finish();
  }
  expect_frames(broken, frames);
  // The same bytes but for one: HDF5 1.10 stamps the root group with the second of its making, and
  // its checksum follows.
  const std::string a = bytes_of(unbroken / "run.h5"), b = bytes_of(broken / "run.h5");
  ASSERT_EQ(a.size(), b.size());
  std::size_t differing = 0;
  for (std::size_t k = 0; k < a.size(); ++k) differing += a[k] != b[k];
  EXPECT_LE(differing, 4 * 4 + 4U);  // four times and a checksum, four bytes each
}

// Grains that were attached and are gone are still in the frames from before.
TEST(RunFile, HomesOfGrainsThatAreGoneStay) {
  const Folder dir;
  RunInfo info = synthetic::info();
  const auto dim = static_cast<std::size_t>(info.dim);
  info.forces = "[]";
  info.home_id = {2, 5, 9};
  for (std::size_t k = 0; k < 3 * dim; ++k) info.home.push_back(static_cast<double>(k));
  RunWriter::create(dir, info).append(synthetic::frame(0, 20));
  RunInfo later = info;
  later.home_id = {5};
  later.home.assign(info.home.begin() + static_cast<std::ptrdiff_t>(dim), info.home.begin() + static_cast<std::ptrdiff_t>(2 * dim));
  for (const bool finish : {false, true}) {
    RunWriter writer = RunWriter::resume(dir, synthetic::frame(0, 20).step, later);
    if (finish) writer.finish();
    const RunInfo read = RunReader(dir).info();
    EXPECT_EQ(read.home_id, info.home_id);
    EXPECT_EQ(read.home, info.home);
  }
}

TEST(RunFile, AFinishedRunCanGoOn) {
  const Folder dir;
  std::vector<Frame> frames;
  for (std::size_t k = 0; k < 9; ++k) frames.push_back(synthetic::frame(k, 400));
  {
    RunWriter writer = RunWriter::create(dir, synthetic::info());
    for (std::size_t k = 0; k < 3; ++k) writer.append(frames[k]);
    writer.finish();
  }
  {
    RunInfo longer = synthetic::info();
    longer.scene = "other";
    RunWriter writer = RunWriter::resume(dir, frames[2].step, longer);
    expect_frames(dir, {frames.begin(), frames.begin() + 3});
    for (std::size_t k = 3; k < 6; ++k) writer.append(frames[k]);
    EXPECT_TRUE(fs::exists(dir / "frames/base.h5"));
    EXPECT_EQ(RunReader(dir).info().scene, "other");
  }  // killed, say
  {
    RunWriter writer = RunWriter::resume(dir, frames[4].step);
    for (std::size_t k = 5; k < 7; ++k) writer.append(frames[k]);
    writer.finish();
  }
  {
    RunWriter writer = RunWriter::resume(dir, frames[6].step);
    for (std::size_t k = 7; k < 9; ++k) writer.append(frames[k]);
    expect_frames(dir, frames);
    writer.finish();
  }
  expect_frames(dir, frames);
  EXPECT_FALSE(fs::exists(dir / "frames"));
}

TEST(RunFile, AnOldUnfinishedRunIsReplacedByANewOne) {
  const Folder dir;
  {
    RunWriter writer = RunWriter::create(dir, synthetic::info());
    for (std::size_t k = 0; k < 3; ++k) writer.append(synthetic::frame(k, 10));
  }
  RunWriter writer = RunWriter::create(dir, synthetic::info());
  EXPECT_EQ(RunReader(dir).size(), 0u);
  writer.append(synthetic::frame(5, 20));
  expect_frames(dir, {synthetic::frame(5, 20)});
}

TEST(RunFile, KilledAtAnyInstantItOpensUpToItsLastFrame) {
  std::mt19937 random(20240101);
  std::size_t seen = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const Folder dir;
    int announce[2];
    ASSERT_EQ(::pipe(announce), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        for (std::size_t first = 0;; first += 10) {
          RunWriter writer = first == 0
                                 ? RunWriter::create(dir, synthetic::info())
                                 : RunWriter::resume(dir, static_cast<std::int64_t>(10 * first));
          if (first == 0 && ::write(announce[1], "x", 1) != 1) ::_exit(3);
          for (std::size_t k = first; k < first + 10; ++k) {
            writer.append(synthetic::frame(k, 300, 2, true));
            const char one = 'f';
            if (::write(announce[1], &one, 1) != 1) ::_exit(3);
          }
          if (trial % 2 == 0) writer.finish();
        }
      } catch (...) {
        ::_exit(2);
      }
    }
    ::close(announce[1]);
    char byte = 0;
    ASSERT_EQ(::read(announce[0], &byte, 1), 1);
    // after some frames, however long they take here, and a moment
    std::size_t announced = 0;
    for (const int frames = std::uniform_int_distribution<int>(0, 25)(random); static_cast<int>(announced) < frames; ++announced)
      ASSERT_EQ(::read(announce[0], &byte, 1), 1);
    ::usleep(std::uniform_int_distribution<useconds_t>(0, 5000)(random));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed by itself: " << WEXITSTATUS(status);
    for (char buffer[256]; const ssize_t got = ::read(announce[0], buffer, sizeof buffer);) {
      ASSERT_GE(got, 0);
      announced += static_cast<std::size_t>(got);
    }
    ::close(announce[0]);

    const RunReader run(dir);
    EXPECT_GE(run.size(), announced);
    EXPECT_LE(run.size(), announced + 1);
    for (std::size_t k = 0; k < run.size(); ++k)
      expect_equal(run.frame(k), synthetic::frame(k, 300, 2, true));
    EXPECT_EQ(run.energies().size(), run.size());
    EXPECT_EQ(plain_frames(dir / "run.h5"), run.size());
    seen += run.size();
    // And it can go on.
    RunWriter writer = RunWriter::resume(dir, std::int64_t{1} << 40);
    writer.append(synthetic::frame(run.size(), 300));
    writer.finish();
    EXPECT_EQ(RunReader(dir).size(), run.size() + 1);
  }
  EXPECT_GT(seen, 100u);  // by the random numbers above, whatever the machine
}

TEST(RunFile, AFullDiskIsAnErrorAndLeavesWhatWasThere) {
  const Folder dir;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int code = 9;
    try {
      RunWriter writer = RunWriter::create(dir, synthetic::info());
      for (std::size_t k = 0; k < 3; ++k) writer.append(synthetic::frame(k, 300));
      const rlimit limit{100000, 100000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      writer.append(synthetic::frame(3, 20000));
      code = 8;
    } catch (const RunError& e) {
      code = std::string(e.what()).find("File too large") != std::string::npos ? 0 : 7;
    }
    std::exit(code);  // with the exit handlers of HDF5
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  expect_frames(dir,
                {synthetic::frame(0, 300), synthetic::frame(1, 300), synthetic::frame(2, 300)});
  EXPECT_FALSE(fs::exists(dir / "frames/00000003.h5.part"));
}

TEST(RunFile, ADiskThatIsFullAtTheEndLeavesTheRunAsItWas) {
  const Folder dir;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int code = 9;
    try {
      RunWriter writer = RunWriter::create(dir, synthetic::info());
      for (std::size_t k = 0; k < 20; ++k) writer.append(synthetic::frame(k, 300));
      const rlimit limit{100000, 100000};  // more than a frame, less than all
      ::setrlimit(RLIMIT_FSIZE, &limit);
      writer.finish();
      code = 8;
    } catch (const RunError& e) {
      code = std::string(e.what()).find("File too large") != std::string::npos ? 0 : 7;
    }
    std::exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_FALSE(fs::exists(dir / "run.h5.part"));
  RunWriter writer = RunWriter::resume(dir, 1000);
  writer.finish();
  EXPECT_EQ(RunReader(dir).size(), 20u);
  EXPECT_TRUE(RunReader(dir).finished());
}

TEST(RunFile, AnUnfinishedFileWithoutItsFolderSaysSo) {
  const Folder dir;
  RunWriter writer = RunWriter::create(dir, synthetic::info());
  writer.append(synthetic::frame(0, 3));
  fs::copy_file(dir / "run.h5", dir / "copy.h5");
  EXPECT_EQ(RunReader(dir / "copy.h5").size(), 1u);
  fs::rename(dir / "frames", dir / "elsewhere");
  try {
    RunReader run(dir);
    FAIL();
  } catch (const RunError& e) {
    EXPECT_NE(std::string(e.what()).find("frames"), std::string::npos);
  }
}

TEST(RunFile, ThousandsOfFramesStayCheap) {
  const Folder dir;
  RunWriter writer = RunWriter::create(dir, synthetic::info());
  const auto start = std::chrono::steady_clock::now();
  const std::size_t count = 1000;
  for (std::size_t k = 0; k < count; ++k) writer.append(synthetic::frame(k, 50));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  RecordProperty("milliseconds_per_frame",
                 std::to_string(1e3 * spent.count() / static_cast<double>(count)));
  EXPECT_LT(spent.count() / static_cast<double>(count), 0.05);  // measured: 0.001 to 0.003
}

TEST(RunFile, ForeignAndMissingFilesAreClearErrors) {
  const Folder dir;
  EXPECT_THROW(RunReader(dir / "none.h5"), RunError);
  std::ofstream(dir / "text.h5") << "no HDF5";
  try {
    RunReader run(dir / "text.h5");
    FAIL();
  } catch (const RunError& e) {
    EXPECT_NE(std::string(e.what()).find("not an HDF5 file"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("text.h5"), std::string::npos);
  }
}

TEST(RunFile, WallsSurviveTheirJson) {
  Wall<3> ring;
  ring.kind = WallKind::ring;
  ring.name = "drum";
  ring.point = {0.1, 0.2, 1.0 / 3};
  ring.axis = {0, 1, 0};
  ring.radius = 0.7;
  ring.inside = false;
  ring.until = 2.5;
  ring.material = 3;
  ring.motion.push_back(
      {.kind = MoveKind::rotate, .from = 1, .centre = {1, 2, 3}, .axis = {0, 1, 0}, .rate = 2});
  ring.motion.push_back(
      {.kind = MoveKind::oscillate, .until = 4, .amplitude = {1, 0, 0}, .frequency = 5});
  Wall<3> plane;
  plane.normal = {0, 0, 1};
  const auto back = walls_from_json<3>(walls_json<3>({ring, plane}));
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].kind, WallKind::ring);
  EXPECT_EQ(back[0].name, "drum");
  EXPECT_EQ(back[0].point, ring.point);
  EXPECT_EQ(back[0].axis, ring.axis);
  EXPECT_EQ(back[0].inside, false);
  EXPECT_EQ(back[0].until, 2.5);
  EXPECT_EQ(back[0].from, -forever);
  EXPECT_EQ(back[0].material, 3);
  ASSERT_EQ(back[0].motion.size(), 2u);
  EXPECT_EQ(back[0].motion[0].kind, MoveKind::rotate);
  EXPECT_EQ(back[0].motion[0].centre, ring.motion[0].centre);
  EXPECT_EQ(back[0].motion[0].until, forever);
  EXPECT_EQ(back[0].motion[1].amplitude, ring.motion[1].amplitude);
  EXPECT_EQ(back[1].normal, plane.normal);
}

}  // namespace
}  // namespace scree
