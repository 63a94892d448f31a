// SPDX-License-Identifier: BSD-3-Clause
/// The scenes that come with the program: the files of scenes/, found at ../share/scree/scenes
/// from where the program lies, installed or not.
#pragma once

#include <string>
#include <vector>

namespace scree {

struct SceneInfo {
  std::string name;     // the file's, without .toml
  std::string summary;  // the first line of its comment
  std::string file;
};

/// All of them, by name. Empty if the folder cannot be found.
std::vector<SceneInfo> scene_list();
std::vector<std::string> scene_names();

/// The file of a scene, and what is in it. Throw InputError, with the nearest name, if there is
/// none.
std::string find_scene(const std::string& name);
std::string scene_text(const std::string& name);

}  // namespace scree
