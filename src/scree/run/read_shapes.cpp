// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/read_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "scree/core/constants.hpp"
#include "scree/run/hash.hpp"
#include "scree/shapes/polygon.hpp"

namespace scree {
namespace {

/// Corners of one outline, at most: what a contact costs grows with them, and a circle is a disk.
constexpr std::int64_t most_corners = 1000;

Outline listed(TomlTable& table, const std::string& who, std::vector<std::string>& notes) {
  if (const auto list = table.find("vertices"))  // numbers that are none would be refused without the grain's name
    for (std::size_t k = 0; k < list->size(); ++k)
      for (std::size_t a = 0; a < list->item(k).size(); ++a) {
        const TomlValue one = list->item(k).item(a);
        if (one.kind() == TomlNode::Kind::number && !std::isfinite(one.node().number))
          one.fail(who + ": expected a finite number in m, found " + one.found());
      }
  const auto corners = table.required<std::vector<Vec<2, double>>>("vertices", {any, "m"});
  CheckedOutline checked = check_outline(corners);
  if (!checked) table.fail_at("vertices", who + ": " + checked.problem);
  for (const std::string& one : checked.mended) notes.push_back(table.path() + ": " + who + ": " + one);
  centre_outline(checked.vertices);
  return checked.vertices;
}

void read_range(TomlTable& table, const char* key, std::int64_t least, int& lo, int& hi) {
  const auto value = table.find(key);
  if (!value) return;
  const std::string wanted = "an integer >= " + std::to_string(least) + ", or [fewest, most]";
  const auto one = [&](const TomlValue& v) {
    const std::int64_t n = v.integer({any, ""});
    if (n < least || n > most_corners) v.expected(wanted + ", at most " + std::to_string(most_corners));
    return static_cast<int>(n);
  };
  if (!value->is_array()) {
    lo = hi = one(*value);
    return;
  }
  if (value->size() != 2) value->expected(wanted);
  lo = one(value->item(0));
  hi = one(value->item(1));
  if (lo > hi) value->expected("the fewest before the most");
}

}  // namespace

std::pair<GrainShape, double> shape_of(const Outline& outline) {
  double radius = 0;
  for (const auto& corner : outline) radius = std::max(radius, norm(corner));
  GrainShape shape;
  for (const auto& corner : outline) shape.corners.push_back(corner * (1 / radius));
  const auto n = shape.corners.size();
  const auto mass = mass_properties(PolygonView<double>{shape.corners.data(), static_cast<int>(n), {}});
  shape.area = mass.area;
  shape.second_moment = mass.second_moment;
  shape.inner = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec<2, double>&a = shape.corners[k], &b = shape.corners[(k + 1) % n];
    shape.inner = std::min(shape.inner, cross(a, b)[0] / norm(b - a));
  }
  return {std::move(shape), radius};
}

double ShapeSpec::largest() const { return *std::max_element(sizes_.begin(), sizes_.end()); }

ShapeIndex ShapeSpec::of(std::size_t k, std::uint32_t id, std::uint64_t seed, std::vector<GrainShape>& shapes) {
  if (kind_ == Kind::round) return 0;
  if (kind_ == Kind::random) {
    shapes.push_back(shape_of(random_polygon(random_, seed, id)).first);
    return static_cast<ShapeIndex>(shapes.size());
  }
  if (first_ == 0) {
    first_ = static_cast<ShapeIndex>(shapes.size() + 1);
    shapes.insert(shapes.end(), outlines_.begin(), outlines_.end());
  }
  return first_ + static_cast<ShapeIndex>(k % outlines_.size());
}

ShapeIndex ShapeSpec::enter(std::uint32_t& count, std::uint64_t seed, std::vector<GrainShape>& shapes) {
  if (kind_ != Kind::random) count = static_cast<std::uint32_t>(outlines_.size());
  const auto first = static_cast<ShapeIndex>(shapes.size() + 1);
  for (std::uint32_t k = 0; k < count; ++k) of(k, first + k, seed, shapes);
  return first;
}

ShapeSpec read_shape(TomlTable& block, int dim, const std::string& folder, const std::string& who, std::uint64_t& hash,
                     std::vector<std::string>& notes) {
  ShapeSpec spec;
  auto table = block.table("shape");
  if (!table) return spec;
  const std::vector<std::string> kinds{"round", "polygon", "random-polygon", "file"};
  const std::string kind = table->at("kind", "a shape (" + join(kinds) + ")").one_of("a shape", kinds);
  table->set_label(kind);
  if (kind != "round" && dim != 2) table->fail_at("kind", "polygons are grains of the plane; expected a scene with dim = 2");
  const auto enter = [&](const Outline& outline, bool keep_size) {
    auto [shape, size] = shape_of(outline);
    if (!(shape.area > 0) || !(shape.inner > 0)) table->fail(who + ": the outline has no area");
    spec.outlines_.push_back(std::move(shape));
    if (keep_size) spec.sizes_.push_back(size);
  };
  if (kind == "polygon" && table->has("vertices")) {
    if (table->has("sides")) table->fail_at("sides", "given beside \"vertices\"; expected one of them");
    spec.kind_ = ShapeSpec::Kind::listed;
    enter(listed(*table, who, notes), true);
  } else if (kind == "polygon") {
    spec.kind_ = ShapeSpec::Kind::same;
    if (!table->has("sides")) table->missing("sides", "an integer >= 3 (or \"vertices\", a list of points in m)");
    const auto sides = table->required<std::int64_t>("sides");
    if (sides < 3 || sides > most_corners)
      table->fail_at("sides", who + ": expected an integer from 3 to " + std::to_string(most_corners) + ", found " + std::to_string(sides));
    enter(regular_polygon(static_cast<int>(sides), 1), false);
  } else if (kind == "random-polygon") {
    spec.kind_ = ShapeSpec::Kind::random;
    RandomPolygons& r = spec.random_;
    r.radius_min = r.radius_max = 1;
    read_range(*table, "vertices", 3, r.corners_min, r.corners_max);
    r.aspect_max = table->get("aspect", r.aspect_max, {positive, ""});
    if (r.aspect_max < 1 || r.aspect_max > 20) table->fail_at("aspect", "the largest long axis over short axis; expected a number from 1 to 20");
    r.jitter = table->get("jitter", r.jitter, {fraction, ""});
    if (r.jitter > 0.9) table->fail_at("jitter", "expected at most 0.9: two corners must not fall together");
  } else if (kind == "file") {
    spec.kind_ = ShapeSpec::Kind::listed;
    const std::string name = table->required<std::string>("file");
    const std::filesystem::path given(name), path = given.is_absolute() || folder.empty() ? given : std::filesystem::path(folder) / given;
    std::vector<std::string> mended;
    try {
      for (const NamedOutline& one : read_outlines(path, &mended)) enter(one.vertices, true);
    } catch (const InputError& error) {
      table->fail_at("file", who + ": " + error.what());
    }
    for (const std::string& one : mended) notes.push_back(table->path() + ": " + who + ": " + one);
    std::ifstream in(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    hash = hash_bytes(bytes, hash);
  }
  table->finish();
  return spec;
}

Angles read_angle(TomlTable& block, int dim) {
  Angles angles;
  const auto value = block.find("angle");
  if (!value) return angles;
  if (dim != 2) value->fail("has no meaning in a scene with dim = 3");
  angles.given = true;
  if (value->is_string()) {
    value->one_of("a number in rad, or", {"random"});
    angles.max = constant::two_pi<double>();
  } else {
    angles.min = angles.max = value->number({any, "rad"});
  }
  return angles;
}

}  // namespace scree
