// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "scree/core/errors.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/scenes/library.hpp"
#include "verbs.hpp"

namespace scree {

void add_new(CLI::App& app, Exit&) {
  struct Options {
    std::string name, file;
    bool force = false;
  };
  auto* verb = app.add_subcommand("new", "Write a commented scene to start from");
  auto o = std::make_shared<Options>();
  verb->add_option("template", o->name, "One of the scenes that `scree list` names")->required();
  verb->add_option("file", o->file, "File to write (default: NAME.toml here)");
  verb->add_flag("--force", o->force, "Replace an existing file");
  verb->footer("Example:  scree new column-collapse mine.toml");
  verb->callback([o] {
    const std::string text = scene_text(o->name);
    const std::filesystem::path file = o->file.empty() ? o->name + ".toml" : o->file;
    if (std::filesystem::exists(file) && !o->force)
      throw InputError(fmt::format("{} exists; use --force to replace it", file.string()));
    write_file(file, text);
    fmt::print("{}\nnow:  scree check {}\n", file.string(), file.string());
  });
}

}  // namespace scree
