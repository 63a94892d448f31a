// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/checkpoint.hpp"

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/io/synthetic.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using synthetic::Folder;

Checkpoint sample(std::int64_t step, std::size_t n = 1000) {
  Checkpoint c;
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = std::sin(static_cast<double>(i) + static_cast<double>(step)) / 3;
  c.arrays["x"] = x;
  c.arrays["id"] = std::vector<std::uint32_t>{1, 2, std::numeric_limits<std::uint32_t>::max()};
  c.arrays["material"] = std::vector<std::uint16_t>{1, 65535};
  c.arrays["held"] = std::vector<std::uint8_t>{0, 1, 255};
  c.arrays["pairs"] = std::vector<std::int64_t>{-1, std::numeric_limits<std::int64_t>::min()};
  c.arrays["empty"] = std::vector<double>{};
  c.values["step"] = step;
  c.values["time"] = 0.1 * static_cast<double>(step);
  c.values["scene"] = std::string("λ = 1\n\"quoted\"");
  c.values["nothing"] = std::string();
  return c;
}

void damage(const fs::path& path, std::uintmax_t at) {
  std::fstream f(path, std::ios::in | std::ios::out | std::ios::binary);
  f.seekg(static_cast<std::streamoff>(at));
  const char byte = static_cast<char>(f.get() ^ 0x10);
  f.seekp(static_cast<std::streamoff>(at));
  f.put(byte);
}

/// Runs `body` in a child that leaves through exit, so that the exit handlers of HDF5 run.
template <class F> int in_child(F&& body) {
  const pid_t child = ::fork();
  if (child == 0) std::exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(Checkpoint, EveryBitComesBack) {
  const Folder dir;
  Checkpoint c = sample(7);
  const std::vector<double> odd{-0.0,
                                std::numeric_limits<double>::denorm_min(),
                                0.1,
                                -1.0 / 3,
                                std::numeric_limits<double>::infinity(),
                                std::bit_cast<double>(std::uint64_t{0x7ff8000000abcdef})};
  c.arrays["odd"] = odd;
  c.values["odd"] = std::bit_cast<double>(std::uint64_t{0xfff8000000000123});
  c.values.erase("odd");
  c.values["negative zero"] = -0.0;
  write_checkpoint(dir, c);
  const auto loaded = read_checkpoint(dir);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->note, "");
  EXPECT_EQ(loaded->path, dir / "checkpoint.h5");
  const auto& back = loaded->checkpoint.array<double>("odd");
  ASSERT_EQ(back.size(), odd.size());
  for (std::size_t k = 0; k < odd.size(); ++k)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back[k]), std::bit_cast<std::uint64_t>(odd[k]));
  EXPECT_TRUE(std::signbit(loaded->checkpoint.real("negative zero")));
  Checkpoint a = c, b = loaded->checkpoint;
  a.arrays.erase("odd");
  b.arrays.erase("odd");
  EXPECT_EQ(a.arrays, b.arrays);
  EXPECT_EQ(a.values, b.values);
}

TEST(Checkpoint, TwoAreKept) {
  const Folder dir;
  EXPECT_FALSE(has_checkpoint(dir));
  EXPECT_FALSE(read_checkpoint(dir));
  for (std::int64_t step = 1; step <= 3; ++step) write_checkpoint(dir, sample(step));
  EXPECT_EQ(read_checkpoint(dir)->checkpoint.integer("step"), 3);
  EXPECT_TRUE(fs::exists(dir / "checkpoint.1.h5"));
  EXPECT_FALSE(fs::exists(dir / "checkpoint.h5.part"));
  fs::remove(dir / "checkpoint.h5");
  EXPECT_EQ(read_checkpoint(dir)->checkpoint.integer("step"), 2);
}

TEST(Checkpoint, ADamagedOneIsFoundOutAndTheOlderOneTaken) {
  const Folder dir;
  write_checkpoint(dir, sample(1));
  write_checkpoint(dir, sample(2));
  const auto size = fs::file_size(dir / "checkpoint.h5");
  fs::copy_file(dir / "checkpoint.h5", dir / "good");
  for (std::uintmax_t at = 0; at < size; at += 1 + size / 200) {
    damage(dir / "checkpoint.h5", at);
    const auto loaded = read_checkpoint(dir);
    EXPECT_EQ(loaded->checkpoint.integer("step"), 1) << "byte " << at;
    EXPECT_NE(loaded->note.find("checkpoint.h5 is damaged"), std::string::npos);
    fs::copy_file(dir / "good", dir / "checkpoint.h5", fs::copy_options::overwrite_existing);
  }
  for (const std::uintmax_t keep : {size - 1, size / 2, std::uintmax_t{10}, std::uintmax_t{0}}) {
    fs::resize_file(dir / "checkpoint.h5", keep);
    EXPECT_EQ(read_checkpoint(dir)->checkpoint.integer("step"), 1) << keep << " bytes";
  }
  // A damaged one is not kept as the second.
  write_checkpoint(dir, sample(3));
  fs::remove(dir / "checkpoint.h5");
  EXPECT_EQ(read_checkpoint(dir)->checkpoint.integer("step"), 1);
  damage(dir / "checkpoint.1.h5", 100);
  EXPECT_THROW(read_checkpoint(dir), RunError);
}

TEST(Checkpoint, WhatIsNotThereIsAnErrorWithItsName) {
  Checkpoint c = sample(1);
  EXPECT_THROW(c.array<double>("id"), RunError);
  EXPECT_THROW(c.array<double>("y"), RunError);
  EXPECT_THROW(c.real("step"), RunError);
  EXPECT_EQ(c.integer("step"), 1);
  const Folder dir;
  CheckpointWriter writer(dir);
  writer.add("x", std::vector<double>{1});
  EXPECT_THROW(writer.add("x", std::vector<double>{1}), RunError);
  EXPECT_THROW(writer.add("a/b", std::vector<double>{1}), RunError);
  EXPECT_THROW(writer.set("zero", std::string("a\0b", 3)), RunError);
}

TEST(Checkpoint, KilledAtAnyInstantOneIsWhole) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 30; ++trial) {
    const Folder dir;
    write_checkpoint(dir, sample(0, 20000));
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      for (std::int64_t step = 1;; ++step) write_checkpoint(dir, sample(step, 20000));
    ::usleep(std::uniform_int_distribution<useconds_t>(0, 20000)(random));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto loaded = read_checkpoint(dir);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->note, "");
    EXPECT_EQ(loaded->checkpoint.arrays, sample(loaded->checkpoint.integer("step"), 20000).arrays);
  }
}

TEST(Checkpoint, AFullDiskIsAnErrorAndLeavesTheOldOnes) {
  const Folder dir;
  write_checkpoint(dir, sample(1));
  write_checkpoint(dir, sample(2));
  // Every limit meets another moment: data, metadata, closing, the seal.
  const auto size = fs::file_size(dir / "checkpoint.h5");
  for (rlim_t limit :
       {rlim_t{0}, rlim_t{100}, rlim_t{1000}, rlim_t{3000}, rlim_t{size / 2}, rlim_t{size - 700},
        rlim_t{size - 17}, rlim_t{size - 16}, rlim_t{size - 1}}) {
    const int code = in_child([&] {
      const rlimit most{limit, limit};
      ::setrlimit(RLIMIT_FSIZE, &most);
      try {
        write_checkpoint(dir, sample(3));
        return 8;
      } catch (const RunError& e) {
        const std::string what = e.what();
        return what.find("checkpoint.h5") != std::string::npos &&
                       what.find("File too large") != std::string::npos
                   ? 0
                   : 7;
      }
    });
    EXPECT_EQ(code, 0) << "limit " << limit;
    EXPECT_FALSE(fs::exists(dir / "checkpoint.h5.part"));
    EXPECT_EQ(read_checkpoint(dir)->checkpoint.integer("step"), 2);
    EXPECT_TRUE(fs::exists(dir / "checkpoint.1.h5"));
  }
}

TEST(Checkpoint, ATinyFileSystemIsAnErrorToo) {
  const Folder dir;
  const fs::path small = dir / "small";
  fs::create_directory(small);
  if (::mount("tmpfs", small.c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "mount is not permitted";
  write_checkpoint(small, sample(1));
  const int code = in_child([&] {
    try {
      write_checkpoint(small, sample(2, 100000));
      return 8;
    } catch (const RunError& e) {
      return std::string(e.what()).find("No space left") != std::string::npos ? 0 : 7;
    }
  });
  EXPECT_EQ(code, 0);
  EXPECT_FALSE(fs::exists(small / "checkpoint.h5.part"));
  EXPECT_EQ(read_checkpoint(small)->checkpoint.integer("step"), 1);
  ::umount(small.c_str());
}

}  // namespace
}  // namespace scree
