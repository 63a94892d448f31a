// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/library.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

fs::path scenes_folder() {
  std::error_code trouble;
  const fs::path program = fs::read_symlink("/proc/self/exe", trouble);
  if (trouble) return {};
  const fs::path folder = program.parent_path().parent_path() / "share" / "scree" / "scenes";
  return fs::is_directory(folder, trouble) ? folder : fs::path();
}

std::string first_comment(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const auto text = line.find_first_not_of("# \t");
  return line.starts_with('#') && text != std::string::npos ? line.substr(text) : "";
}

}  // namespace

std::vector<SceneInfo> scene_list() {
  std::vector<SceneInfo> list;
  std::error_code trouble;
  const fs::path folder = scenes_folder();
  if (folder.empty()) return list;
  for (const auto& entry : fs::directory_iterator(folder, trouble))
    if (entry.path().extension() == ".toml")
      list.push_back(
          {entry.path().stem().string(), first_comment(entry.path()), entry.path().string()});
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return list;
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const auto& one : scene_list()) names.push_back(one.name);
  return names;
}

std::string find_scene(const std::string& name) {
  const auto list = scene_list();
  for (const auto& one : list)
    if (one.name == name) return one.file;
  if (list.empty())
    throw InputError("no scenes: expected them in share/scree/scenes beside the program's folder");
  const auto names = scene_names();
  throw InputError("no scene " + in_quotes(name) + "; expected one of " + join(names) +
                   did_you_mean(name, names));
}

std::string scene_text(const std::string& name) {
  const std::string file = find_scene(name);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file + ": cannot be read");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace scree
