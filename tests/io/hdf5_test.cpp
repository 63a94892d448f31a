// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/hdf5.hpp"

#include <fstream>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "scree/core/errors.hpp"

#include "tests/io/synthetic.hpp"

namespace scree::hdf5 {
namespace {

using synthetic::Folder;

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const RunError& e) {
    return e.what();
  }
  return "";
}

TEST(Hdf5, DataAndAttributesComeBack) {
  const Folder dir;
  std::vector<double> x(6000);
  std::iota(x.begin(), x.end(), 0.1);
  {
    File f = File::create(dir / "a.h5");
    {
      Group g = f.create_group("g");
      g.write("x", x, 3);
      g.write("n", std::vector<std::int64_t>{-1, 2});
      g.write("b", std::vector<std::uint8_t>{});
      g.set("real", 0.1);
      g.set("n", std::int64_t{-7});
      g.set("n", std::int64_t{7});
      g.set("text", std::string("grüße"));
      g.set("list", std::vector<double>{1, 2.5});
      g.set("unit", std::string("m"), "x");
      g.write_texts("names", {"a", "", "λ"});
    }
    f.close(true);
  }
  const File f = File::open(dir / "a.h5");
  const Group g = f.group("g");
  EXPECT_EQ(g.names(), (std::vector<std::string>{"b", "n", "names", "x"}));
  EXPECT_EQ(g.read<double>("x"), x);
  EXPECT_EQ(g.shape("x"), (std::vector<std::size_t>{2000, 3}));
  EXPECT_EQ(g.kind("x"), Kind::real64);
  EXPECT_EQ(g.kind("b"), Kind::uint8);
  EXPECT_EQ(g.read<double>("n"), (std::vector<double>{-1, 2}));
  EXPECT_TRUE(g.read<std::uint8_t>("b").empty());
  EXPECT_EQ(g.real("real"), 0.1);
  EXPECT_EQ(g.integer("n"), 7);
  EXPECT_EQ(g.text("text"), "grüße");
  EXPECT_EQ(g.text("unit", "x"), "m");
  EXPECT_EQ(g.reals("list"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(g.read_texts("names"), (std::vector<std::string>{"a", "", "λ"}));
}

TEST(Hdf5, AFileInMemoryIsTheSameBytesAsOnDisk) {
  const Folder dir;
  File f = File::in_memory("memory");
  for (int k = 0; k < 3; ++k) {
    f.append<double>("t", std::vector<double>{static_cast<double>(k), 0.5});
    std::ofstream(dir / "m.h5", std::ios::binary) << f.image();
    EXPECT_EQ(File::open(dir / "m.h5").read<double>("t").size(),
              static_cast<std::size_t>(2 * k + 2));
  }
  f.truncate("t", 3);
  EXPECT_EQ(f.read<double>("t"), (std::vector<double>{0, 0.5, 1}));
}

TEST(Hdf5, ErrorsNameTheFileAndTheDataset) {
  const Folder dir;
  {
    File f = File::create(dir / "a.h5");
    f.write("x", std::vector<double>{1});
    EXPECT_NE(message_of([&] { f.write("x", std::vector<double>{1}); }).find("'x'"),
              std::string::npos);
    EXPECT_NE(message_of([&] { f.write("y", std::vector<double>{1, 2, 3}, 2); }), "");
    f.close();
  }
  const File f = File::open(dir / "a.h5");
  for (const auto& message :
       {message_of([&] { f.read<double>("speed"); }), message_of([&] { f.group("speed"); }),
        message_of([&] { f.real("speed"); }), message_of([&] { f.read_text("speed"); })}) {
    EXPECT_NE(message.find("speed"), std::string::npos) << message;
    EXPECT_NE(message.find("a.h5"), std::string::npos) << message;
  }
  EXPECT_NE(message_of([&] { File::create(dir / "no/folder/a.h5"); }).find("No such file"),
            std::string::npos);
}

TEST(Hdf5, ATruncatedFileIsAnError) {
  const Folder dir;
  {
    File f = File::create(dir / "a.h5");
    f.write("x", std::vector<double>(5000, 0.1), 0, Storage::plain);
    f.close();
  }
  std::filesystem::resize_file(dir / "a.h5", 20000);
  EXPECT_THROW(File::open(dir / "a.h5"), RunError);
}

TEST(Hdf5, AFailedWriteIsThrownOnceAndForgottenAtExit) {
  const Folder dir;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit limit{30000, 30000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int failures = 0;
    for (int trial = 0; trial < 20; ++trial) {
      try {
        File f = File::create(dir / "a.h5");
        for (int k = 0; k < 40; ++k) {
          Group g = f.create_group("g" + std::to_string(k));
          g.write("x", std::vector<double>(static_cast<std::size_t>(20 * trial), 0.1), 0,
                  Storage::plain);
          g.set("text", std::string(100, 'x'));
        }
        f.close();
      } catch (const RunError& e) {
        failures += std::string(e.what()).find("File too large") != std::string::npos;
      }
    }
    std::exit(failures > 10 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace scree::hdf5
