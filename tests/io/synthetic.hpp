// SPDX-License-Identifier: BSD-3-Clause
/// Made-up frames and folders for the tests of this folder.
#pragma once

#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "scree/io/run_file.hpp"

namespace scree::synthetic {

/// A folder of its own for a test, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "scree-io-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  operator const std::filesystem::path&() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Frame number k of n grains: every number has all its bits in use.
inline Frame frame(std::size_t k, std::size_t n, int dim = 2, bool contacts = false) {
  Frame f;
  f.dim = dim;
  f.step = static_cast<std::int64_t>(10 * k);
  f.time = 0.1 * static_cast<double>(k);
  const auto number = [&](std::size_t i) {
    return std::sin(1.0 + static_cast<double>(i) + 0.37 * static_cast<double>(k)) / 3;
  };
  const auto fill = [&](std::vector<double>& c, std::size_t size, std::size_t salt) {
    c.resize(size);
    for (std::size_t i = 0; i < size; ++i) c[i] = number(7 * i + salt);
  };
  const auto d = static_cast<std::size_t>(dim);
  for (std::size_t i = 0; i < n; ++i) {
    f.id.push_back(static_cast<std::int64_t>(2 * i + 1));
    f.radius.push_back(0.01 + 0.001 / (1.0 + static_cast<double>(i)));
    f.mass.push_back(1.0 / (3.0 + static_cast<double>(i)));
    f.inertia.push_back(1e-5 / (7.0 + static_cast<double>(i)));
    f.material.push_back(static_cast<std::int64_t>(i % 2));
    f.group.push_back(static_cast<std::int64_t>(i % 3));
    f.held.push_back(static_cast<std::uint8_t>(i % 5 == 0));
  }
  fill(f.x, n * d, 0);
  fill(f.v, n * d, 1);
  fill(f.q, n * (dim == 2 ? 1 : 4), 2);
  fill(f.w, n * (dim == 2 ? 1 : 3), 3);
  f.energies = {number(1), number(2), number(3), number(4), number(5),
                number(6), number(7), number(8), number(9), number(10)};
  f.has_contacts = contacts;
  if (contacts) {
    const std::size_t m = n / 2;
    for (std::size_t i = 0; i < m; ++i) {
      f.contacts.id1.push_back(f.id[i]);
      f.contacts.id2.push_back(i % 4 == 0 ? -1 : f.id[i + 1]);
    }
    fill(f.contacts.overlap, m, 4);
    fill(f.contacts.force, m * d, 5);
    fill(f.contacts.point, m * d, 6);
    fill(f.contacts.branch, m * d, 7);
    fill(f.contacts.spring, m * (dim == 2 ? 1 : 3), 8);
  }
  return f;
}

inline RunInfo info(int dim = 2) {
  RunInfo i;
  i.name = "heap of λ";
  i.scene = "[scene]\nname = \"heap of λ\"\n";
  i.version = "0.1.0";
  i.seed = 42;
  i.dim = dim;
  i.period.assign(static_cast<std::size_t>(dim), 0.0);
  i.period[0] = 2.5;
  i.lo.assign(static_cast<std::size_t>(dim), 0.0);
  i.hi.assign(static_cast<std::size_t>(dim), 2.5);
  i.gravity.assign(static_cast<std::size_t>(dim), -9.81);
  i.materials = {"glass", "steel"};
  i.groups = {"grains", "floor", "gate"};
  i.walls = R"([{"kind":"plane","name":"floor","point":[0,0],"normal":[0,1]}])";
  i.extra = {{"law", "hertz"}};
  i.numbers = {{"dt", 1e-6 / 3}};
  return i;
}

/// Equal bit for bit (the columns hold no NaN, so == is enough).
inline void expect_equal(const Frame& a, const Frame& b) {
  EXPECT_EQ(a.dim, b.dim);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.time_lo, b.time_lo);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.w, b.w);
  EXPECT_EQ(a.radius, b.radius);
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.inertia, b.inertia);
  EXPECT_EQ(a.material, b.material);
  EXPECT_EQ(a.group, b.group);
  EXPECT_EQ(a.held, b.held);
  EXPECT_EQ(a.x_lo, b.x_lo);
  EXPECT_EQ(a.v_lo, b.v_lo);
  EXPECT_EQ(a.q_lo, b.q_lo);
  EXPECT_EQ(a.w_lo, b.w_lo);
  EXPECT_EQ(a.has_contacts, b.has_contacts);
  EXPECT_EQ(a.contacts.id1, b.contacts.id1);
  EXPECT_EQ(a.contacts.id2, b.contacts.id2);
  EXPECT_EQ(a.contacts.overlap, b.contacts.overlap);
  EXPECT_EQ(a.contacts.force, b.contacts.force);
  EXPECT_EQ(a.contacts.point, b.contacts.point);
  EXPECT_EQ(a.contacts.branch, b.contacts.branch);
  EXPECT_EQ(a.contacts.spring, b.contacts.spring);
  EXPECT_EQ(a.energies.kinetic, b.energies.kinetic);
  EXPECT_EQ(a.energies.drag, b.energies.drag);
  EXPECT_EQ(a.energies.work, b.energies.work);
  EXPECT_EQ(a.energies.initial, b.energies.initial);
}

}  // namespace scree::synthetic
