// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/vtk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "scree/analysis/outline.hpp"
#include "scree/io/atomic_file.hpp"

namespace scree {

static_assert(std::endian::native == std::endian::little, "the files say so");

namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i)
      word = word << 8 | (i < here ? static_cast<unsigned char>(bytes[k + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) out += i <= here ? digits[word >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

template <class T> constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<T, double>)
    return "Float64";
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return "Int64";
  else
    return "UInt8";
}

/// The bytes are preceded by their number, as header_type says.
template <class T> void write_array(AtomicFile& out, std::string_view name,
                                    const std::vector<T>& data, int components = 1) {
  const std::uint64_t count = data.size() * sizeof(T);
  std::string bytes(sizeof count + count, '\0');
  std::copy_n(reinterpret_cast<const char*>(&count), sizeof count, bytes.begin());
  std::copy_n(reinterpret_cast<const char*>(data.data()), count, bytes.begin() + sizeof count);
  out.write(fmt::format(
      "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n",
      type_name<T>(), name, components));
  out.write(base64(bytes));
  out.write("\n        </DataArray>\n");
}

/// Vectors of the plane get a zero z; VTK knows space only.
std::vector<double> in_space(const std::vector<double>& data, int dim, std::size_t count) {
  if (dim == 3) return data;
  std::vector<double> out(3 * count, 0.0);
  for (std::size_t i = 0; i < data.size() / 2; ++i) {
    out[3 * i] = data[2 * i];
    out[3 * i + 1] = data[2 * i + 1];
  }
  return out;
}

/// Spins: in the plane the z component.
std::vector<double> spins_in_space(const std::vector<double>& w, int dim, std::size_t count) {
  if (dim == 3) return w;
  std::vector<double> out(3 * count, 0.0);
  for (std::size_t i = 0; i < w.size(); ++i) out[3 * i + 2] = w[i];
  return out;
}

std::vector<double> lengths(const std::vector<double>& vectors) {
  std::vector<double> out(vectors.size() / 3);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = std::hypot(vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]);
  return out;
}

/// Up to the first piece; `extra` are attributes of the element `kind`.
void begin_file(AtomicFile& out, std::string_view kind, std::string_view extra, double time) {
  out.write(fmt::format("<?xml version=\"1.0\"?>\n"
                        "<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                        "  <{}{}>\n    <FieldData>\n", kind, kind, extra));
  out.write(
      fmt::format("      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                  "format=\"ascii\">{:.17g}</DataArray>\n",
                  time));
  out.write("    </FieldData>\n");
}

void begin(AtomicFile& out, double time, std::size_t points, std::size_t verts, std::size_t lines, std::size_t polygons = 0) {
  begin_file(out, "PolyData", "", time);
  out.write(
      fmt::format("    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
                  "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
                  points, verts, lines, polygons));
}

void write_points(AtomicFile& out, const std::vector<double>& points) {
  out.write("      <Points>\n");
  write_array(out, "Points", points, 3);
  out.write("      </Points>\n");
}

/// Cells that end before the points `offsets`: 0 1 2 ... in order.
void write_cells(AtomicFile& out, std::string_view kind, const std::vector<std::int64_t>& offsets) {
  std::vector<std::int64_t> connectivity(offsets.empty() ? 0 : static_cast<std::size_t>(offsets.back()));
  for (std::size_t k = 0; k < connectivity.size(); ++k)
    connectivity[k] = static_cast<std::int64_t>(k);
  out.write(fmt::format("      <{}>\n", kind));
  write_array(out, "connectivity", connectivity);
  write_array(out, "offsets", offsets);
  out.write(fmt::format("      </{}>\n", kind));
}
/// Cells of `each` points.
void write_cells(AtomicFile& out, std::string_view kind, std::size_t cells, std::int64_t each) {
  std::vector<std::int64_t> offsets(cells);
  for (std::size_t k = 0; k < cells; ++k) offsets[k] = each * static_cast<std::int64_t>(k + 1);
  write_cells(out, kind, offsets);
}

/// What is known of grains, for points or cells alike.
void write_grain_data(AtomicFile& out, const Frame& f) {
  const auto velocity = in_space(f.v, f.dim, f.size());
  write_array(out, "radius", f.radius);
  write_array(out, "velocity", velocity, 3);
  write_array(out, "speed", lengths(velocity));
  if (!f.w.empty()) write_array(out, "spin", spins_in_space(f.w, f.dim, f.size()), 3);
  write_array(out, "id", f.id);
  if (!f.mass.empty()) write_array(out, "mass", f.mass);
  if (!f.material.empty()) write_array(out, "material", f.material);
  if (!f.group.empty()) write_array(out, "group", f.group);
  if (!f.held.empty()) write_array(out, "held", f.held);
  if (!f.shape.empty()) write_array(out, "shape", f.shape);
  if (!f.q.empty()) write_array(out, f.dim == 2 ? "angle" : "orientation", f.q, f.dim == 2 ? 1 : 4);
}

void end(AtomicFile& out, std::string_view kind = "PolyData") {
  out.write(fmt::format("    </Piece>\n  </{}>\n</VTKFile>\n", kind));
  out.commit();
}

std::string extent_of(const std::array<std::size_t, 3>& counts) {
  return fmt::format("0 {} 0 {} 0 {}", counts[0] - 1, counts[1] - 1, counts[2] - 1);
}

void write_point_data(AtomicFile& out, const std::vector<VtkArray>& arrays) {
  out.write("      <PointData>\n");
  for (const VtkArray& one : arrays) write_array(out, one.name, one.values, one.components);
  out.write("      </PointData>\n");
}

}  // namespace

void write_grains_vtp(const std::filesystem::path& path, const Frame& f) {
  AtomicFile out(path);
  begin(out, f.time, f.size(), f.size(), 0);
  out.write("      <PointData Scalars=\"speed\" Vectors=\"velocity\">\n");
  write_grain_data(out, f);
  out.write("      </PointData>\n");
  write_points(out, in_space(f.x, f.dim, f.size()));
  write_cells(out, "Verts", f.size(), 1);
  end(out);
}

void write_outlines_vtp(const std::filesystem::path& path, const Frame& f, const std::vector<std::vector<Vec<2, double>>>& shapes) {
  std::vector<double> points;
  std::vector<std::int64_t> offsets;
  for (std::size_t i = 0; i < f.size(); ++i) {
    for (const auto& corner : outline_of(f, i, shapes)) points.insert(points.end(), {corner[0], corner[1], 0.0});
    offsets.push_back(static_cast<std::int64_t>(points.size() / 3));
  }
  AtomicFile out(path);
  begin(out, f.time, points.size() / 3, 0, 0, f.size());
  out.write("      <CellData Scalars=\"speed\" Vectors=\"velocity\">\n");
  write_grain_data(out, f);
  out.write("      </CellData>\n");
  write_points(out, points);
  write_cells(out, "Polys", offsets);
  end(out);
}

void write_contacts_vtp(const std::filesystem::path& path, const Frame& f) {
  const FrameContacts& c = f.contacts;
  AtomicFile out(path);
  begin(out, f.time, 2 * c.size(), 0, c.size());
  const auto dim = static_cast<std::size_t>(f.dim);
  std::vector<double> ends(6 * c.size(), 0.0);
  for (std::size_t k = 0; k < c.size(); ++k) {
    const auto grain = std::lower_bound(f.id.begin(), f.id.end(), c.id1[k]);
    if (grain == f.id.end() || *grain != c.id1[k]) continue;
    const auto i = static_cast<std::size_t>(grain - f.id.begin());
    for (std::size_t d = 0; d < dim; ++d) {
      ends[6 * k + d] = f.x[i * dim + d];
      ends[6 * k + 3 + d] = f.x[i * dim + d] + (c.branch.empty() ? 0.0 : c.branch[k * dim + d]);
    }
  }
  const auto force = in_space(c.force, f.dim, c.size());
  out.write("      <CellData Scalars=\"force_size\" Vectors=\"force\">\n");
  write_array(out, "force", force, 3);
  write_array(out, "force_size", lengths(force));
  if (!c.overlap.empty() || c.size() == 0) write_array(out, "overlap", c.overlap);
  write_array(out, "id1", c.id1);
  write_array(out, "id2", c.id2);
  out.write("      </CellData>\n");
  write_points(out, ends);
  write_cells(out, "Lines", c.size(), 2);
  end(out);
}

void write_vti(const std::filesystem::path& path, double time, const std::array<double, 3>& origin,
               const std::array<double, 3>& spacing, const std::array<std::size_t, 3>& counts, const std::vector<VtkArray>& arrays) {
  AtomicFile out(path);
  begin_file(out, "ImageData",
             fmt::format(" WholeExtent=\"{}\" Origin=\"{:.17g} {:.17g} {:.17g}\" Spacing=\"{:.17g} {:.17g} {:.17g}\"",
                         extent_of(counts), origin[0], origin[1], origin[2], spacing[0], spacing[1], spacing[2]),
             time);
  out.write(fmt::format("    <Piece Extent=\"{}\">\n", extent_of(counts)));
  write_point_data(out, arrays);
  end(out, "ImageData");
}

void write_vts(const std::filesystem::path& path, double time, const std::array<std::size_t, 3>& counts,
               const std::vector<double>& points, const std::vector<VtkArray>& arrays) {
  AtomicFile out(path);
  begin_file(out, "StructuredGrid", fmt::format(" WholeExtent=\"{}\"", extent_of(counts)), time);
  out.write(fmt::format("    <Piece Extent=\"{}\">\n", extent_of(counts)));
  write_point_data(out, arrays);
  write_points(out, points);
  end(out, "StructuredGrid");
}

void write_pvd(const std::filesystem::path& path,
               const std::vector<std::pair<double, std::string>>& entries) {
  AtomicFile out(path);
  out.write(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n  <Collection>\n");
  for (const auto& [time, file] : entries)
    out.write(
        fmt::format("    <DataSet timestep=\"{:.17g}\" part=\"0\" file=\"{}\"/>\n", time, file));
  out.write("  </Collection>\n</VTKFile>\n");
  out.commit();
}

}  // namespace scree
