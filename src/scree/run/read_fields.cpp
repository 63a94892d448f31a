// SPDX-License-Identifier: BSD-3-Clause
/// [[fields]]: coarse-grained fields of the running simulation.
#include "scree/run/field_blocks.hpp"

#include "scree/fields/checks.hpp"
#include "scree/run/read_parts.hpp"

namespace scree {
namespace {

std::vector<std::string> kernels() { return fields::kernel_names(); }

/// Numbers that are counts.
std::vector<std::size_t> counts_of(TomlTable& table, const char* key) {
  std::vector<std::size_t> list;
  for (const std::int64_t one : table.get<std::vector<std::int64_t>>(key, {}, {positive, ""})) list.push_back(static_cast<std::size_t>(one));
  return list;
}

/// A message of the fields' own checks, with the place in the file.
template <class F>
void checked(TomlTable& table, const char* key, F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    table.fail_at(key, error.what());
  }
}

}  // namespace

std::vector<fields::LiveSettings> read_fields(TomlTable& root, int dim) {
  std::vector<fields::LiveSettings> all;
  for (TomlTable& table : root.tables("fields")) {
    fields::LiveSettings s;
    s.name = table.get<std::string>("name", s.name);
    const bool taken = s.name == "run" || s.name == "states" || s.name == "energies" || s.name.starts_with("checkpoint");
    if (s.name.empty() || s.name.find('/') != std::string::npos || taken)
      table.fail_at("name", "expected the name of a file of its own, without folder, found " + in_quotes(s.name));
    for (const auto& other : all)
      if (other.name == s.name) table.fail_at("name", "there are fields " + in_quotes(s.name) + " already; expected another name");
    s.every = table.get("every", s.every, {positive, "s"});
    s.steps = table.get<std::int64_t>("steps", s.steps, {positive, ""});
    if (s.every > 0 && s.steps > 0) table.fail_at("steps", "given beside \"every\"; expected one of them");
    s.from = table.get("from", s.from, {any, "s"});
    s.until = table.get("until", s.until, {any, "s"});
    if (!(s.until > s.from)) table.fail_at("until", "expected a time after \"from\"");
    s.each = static_cast<std::size_t>(table.get<std::int64_t>("each", 0, {positive, ""}));
    s.smooth = table.get("smooth", s.smooth, {positive, "s"});
    s.formats = table.get<std::vector<std::string>>("formats", s.formats);
    s.derivatives = static_cast<int>(table.get<std::int64_t>("derivatives", 0));
    if (s.derivatives != 0 && s.derivatives != 2 && s.derivatives != 4 && s.derivatives != 6)
      table.fail_at("derivatives", "expected the order 2, 4 or 6");
    s.variances = table.get("variance", s.variances);
    fields::Plan& p = s.plan;
    if (const auto value = table.find("coordinates")) p.coordinates = value->one_of("coordinates", fields::coordinate_names(dim));
    p.counts = counts_of(table, "counts");
    p.lo = table.get<std::vector<double>>("min", {});
    p.hi = table.get<std::vector<double>>("max", {});
    for (const auto& point : table.get<std::vector<std::vector<double>>>("points", {}, {any, "m"})) {
      if (point.size() != static_cast<std::size_t>(dim)) table.fail_at("points", "expected " + std::to_string(dim) + " numbers each");
      p.points.insert(p.points.end(), point.begin(), point.end());
    }
    p.centre = table.get<std::vector<double>>("centre", {}, {any, "m"});
    if (!p.centre.empty() && p.centre.size() != 2) table.fail_at("centre", "expected x and y in m");
    p.angles = static_cast<std::size_t>(table.get<std::int64_t>("angles", 0, {positive, ""}));
    if (const auto value = table.find("kernel")) p.kernel = value->one_of("a kernel", kernels());
    p.width = table.get("width", p.width, {positive, "m"});
    p.width_in_radii = table.get("width_in_radii", p.width_in_radii, {positive, "mean radii"});
    s.plateau = table.get("plateau", s.plateau);
    if (s.plateau && (p.width > 0 || p.width_in_radii > 0)) table.fail_at("plateau", "given beside a width; expected one of them");
    if (const auto value = table.find("boundary"))
      p.boundary = value->one_of("a boundary", {"none", "normalised", "wall", "mirror"});
    p.domain = table.get<std::string>("domain", "");
    if (!p.domain.empty()) checked(table, "domain", [&] { fields::parse_region(p.domain, dim); });
    p.species = table.get<std::vector<std::string>>("species", {});
    p.groups = table.get<std::vector<std::string>>("groups", {});
    p.region = table.get<std::string>("region", "");
    if (!p.region.empty()) checked(table, "region", [&] { fields::parse_region(p.region, dim); });
    p.sizes = table.get<std::vector<double>>("sizes", {}, {non_negative, "m"});
    p.held = table.get("held", p.held);
    p.balance = table.get("balance", p.balance);
    table.finish();
    all.push_back(std::move(s));
  }
  return all;
}

std::vector<fields::LiveSettings> read_field_blocks(const std::string& file, const RunInfo& info) {
  const TomlDocument document = TomlDocument::parse(TomlDocument::file_text(file), file);
  TomlTable root(document);
  std::vector<fields::LiveSettings> all = read_fields(root, info.dim);
  if (all.empty()) throw InputError(file + " has no [[fields]]");
  auto blocks = root.tables("fields");
  for (std::size_t k = 0; k < all.size(); ++k) try {
      fields::check_plan(all[k], info);
    } catch (const InputError& error) {
      blocks[k].fail(error.what());
    }
  return all;
}

}  // namespace scree
