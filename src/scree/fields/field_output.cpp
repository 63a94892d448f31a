// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/field_output.hpp"

#include <algorithm>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/fields/field_file.hpp"
#include "scree/fields/field_picture.hpp"

namespace scree::fields {

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names{"h5", "hdf5", "csv", "vtk"};
  return names;
}

void check_formats(const Grid& grid, const std::vector<std::string>& formats) {
  if (formats.empty()) throw InputError("fields: formats: expected one of " + join(format_names()) + " at least");
  for (const std::string& one : formats)
    if (std::find(format_names().begin(), format_names().end(), one) == format_names().end())
      throw InputError("fields: formats: expected one of " + join(format_names()) + ", found " + in_quotes(one) + did_you_mean(one, format_names()));
  if (std::find(formats.begin(), formats.end(), "vtk") != formats.end()) check_vtk(grid);
}

FieldOutput write_output(const std::filesystem::path& stem, const RunFields& f, const std::vector<std::string>& formats, bool pictures,
                         const Plateau* plateau) {
  FieldOutput out;
  for (const std::string& format : formats) {
    if (format == "vtk") {
      for (const auto& file : write_fields_vtk(stem, f)) out.files.push_back(file);
      continue;
    }
    const std::filesystem::path file = stem.string() + "." + format;
    if (format == "csv") write_fields_csv(file, f);
    else write_fields(file, f);
    out.files.push_back(file);
  }
  if (!pictures) return out;
  const auto drawn = [&](const Picture& picture) {
    out.files.insert(out.files.end(), picture.files.begin(), picture.files.end());
    if (!picture.warning.empty()) out.warnings.push_back(picture.warning);
  };
  if (plateau) drawn(draw_plateau(*plateau, stem.string() + "-plateau"));
  if (!f.grid.is_scattered() && !f.grid.ticks.empty() && f.grid.ticks.size() <= 2) drawn(draw_fields(f, stem));
  return out;
}

}  // namespace scree::fields
