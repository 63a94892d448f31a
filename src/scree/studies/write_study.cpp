// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/write_study.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "scree/core/errors.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/io/picture.hpp"
#include "scree/studies/figure.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

std::string cell_text(const StudyTable::Cell& cell) {
  if (const auto* x = std::get_if<double>(&cell)) return fmt::format("{:.17g}", *x);
  if (const auto* n = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *n);
  const std::string& text = std::get<std::string>(cell);
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string csv_text(const StudyTable& table) {
  std::string text;
  for (std::size_t k = 0; k < table.columns.size(); ++k)
    text.append(k == 0 ? "" : ",").append(cell_text(table.columns[k]));
  text += "\n";
  for (const auto& row : table.rows) {
    if (row.size() != table.columns.size())
      throw std::logic_error("table " + table.name + ": a row of " + std::to_string(row.size()) + " cells for " +
                             std::to_string(table.columns.size()) + " columns");
    for (std::size_t k = 0; k < row.size(); ++k) text.append(k == 0 ? "" : ",").append(cell_text(row[k]));
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json findings_json(const std::vector<Finding>& findings) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Finding& f : findings) {
    const char* verdict = f.verdict == Finding::Verdict::holds     ? "holds"
                          : f.verdict == Finding::Verdict::differs ? "differs"
                                                                   : "beyond";
    all.push_back({{"where", f.where}, {"claim", f.claim}, {"ours", f.ours}, {"verdict", verdict}, {"why", f.why}});
  }
  return all;
}

void check_study_folder(const fs::path& folder, std::string_view name) {
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder)) throw InputError(folder.string() + " is not a folder");
  const std::string way_out = "; use --force to write into it or --out for another folder";
  for (const char* file : {"summary.json", "run.h5", "checkpoint.h5"})
    if (fs::exists(folder / file)) throw InputError(folder.string() + " holds a run" + way_out);
  for (const Study* other : studies())
    if (other->name() != name && fs::exists(folder / (std::string(other->name()) + ".json")))
      throw InputError(fmt::format("{} holds the study \"{}\"{}", folder.string(), other->name(), way_out));
}

WrittenStudy write_study(const StudyResult& result, const fs::path& folder, std::string_view name,
                         const std::string& scene) {
  WrittenStudy written;
  make_folder(folder);
  const auto write = [&](const std::string& file, const std::string& text) {
    write_file(folder / file, text);
    written.files.push_back(folder / file);
  };
  for (const Figure& figure : result.figures) {
    DrawnFigure drawn = draw_figure(figure, folder);
    written.files.insert(written.files.end(), drawn.files.begin(), drawn.files.end());
    written.warnings.insert(written.warnings.end(), drawn.warnings.begin(), drawn.warnings.end());
  }
  for (const StudyPicture& one : result.pictures) {
    const Picture drawn = draw_states(one.frames, one.info, folder / one.name);
    written.files.insert(written.files.end(), drawn.files.begin(), drawn.files.end());
    if (!drawn.warning.empty()) written.warnings.push_back(drawn.warning);
  }
  for (const StudyTable& table : result.tables) write(table.name + ".csv", csv_text(table));
  if (!scene.empty()) write("scene.toml", scene);
  write("findings.json", findings_json(result.findings).dump(2) + "\n");
  write(std::string(name) + ".json", result.json.dump(2) + "\n");  // last: the sign that all is there
  return written;
}

}  // namespace scree
