// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/library.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

TEST(SceneLibrary, HasTheScenesOfTheManual) {
  const auto names = scene_names();
  if (names.empty()) GTEST_SKIP() << "share/scree/scenes does not lie beside this program";
  for (const char* name : {"binary-collision", "box-of-spheres", "column-collapse", "drum",
                           "oblique-collision", "pyramid"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  for (const auto& one : scene_list()) {
    EXPECT_FALSE(one.summary.empty()) << one.name;
    EXPECT_EQ(find_scene(one.name), one.file);
    EXPECT_TRUE(scene_text(one.name).starts_with("# " + one.summary)) << one.name;
  }
}

TEST(SceneLibrary, NamesTheNearestScene) {
  if (scene_names().empty()) GTEST_SKIP() << "share/scree/scenes does not lie beside this program";
  try {
    find_scene("colum-collapse");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"column-collapse\"?"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace scree
