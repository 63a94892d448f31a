// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/vtk.hpp"

#include <cstring>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "scree/io/csv.hpp"

#include "tests/io/synthetic.hpp"

namespace scree {
namespace {

using synthetic::Folder;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Element {
  std::string name, text;
  std::map<std::string, std::string> attributes;
  std::vector<Element> inside;
  const Element* find(const std::string& tag, const std::string& called = "") const {
    for (const Element& e : inside) {
      if (e.name == tag && (called.empty() || e.attributes.at("Name") == called)) return &e;
      if (const Element* deeper = e.find(tag, called)) return deeper;
    }
    return nullptr;
  }
};

/// Just enough of XML, and strict about what it knows: every tag closed, every value quoted.
Element parse(const std::string& s, std::size_t& at) {
  Element e;
  EXPECT_EQ(s[at], '<');
  std::size_t end = s.find_first_of(" />", at + 1);
  e.name = s.substr(at + 1, end - at - 1);
  while (s[end] == ' ') {
    const std::size_t equals = s.find('=', end), close = s.find('"', equals + 2);
    e.attributes[s.substr(end + 1, equals - end - 1)] = s.substr(equals + 2, close - equals - 2);
    end = close + 1;
  }
  if (s[end] == '/') {
    at = end + 2;
    return e;
  }
  at = end + 1;
  while (at < s.size()) {
    const std::size_t open = s.find('<', at);
    if (open == std::string::npos) break;
    e.text += s.substr(at, open - at);
    at = open;
    if (s[open + 1] == '/') {
      EXPECT_EQ(s.substr(open + 2, s.find('>', open) - open - 2), e.name);
      at = s.find('>', open) + 1;
      return e;
    }
    e.inside.push_back(parse(s, at));
  }
  ADD_FAILURE() << e.name << " is not closed";
  return e;
}
Element parse_file(const std::filesystem::path& path) {
  const std::string s = text_of(path);
  std::size_t at = s.find('<', s.find("?>"));
  return parse(s, at);
}

template <class T> std::vector<T> decode(const Element& array) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : array.text) {
    const auto value = digits.find(c);
    if (value == std::string::npos) continue;  // white space and padding
    word = word << 6 | static_cast<std::uint32_t>(value);
    if ((bits += 6) >= 8) bytes += static_cast<char>(word >> (bits -= 8) & 0xff);
  }
  std::uint64_t count = 0;
  EXPECT_GE(bytes.size(), sizeof count);
  std::memcpy(&count, bytes.data(), sizeof count);
  EXPECT_EQ(bytes.size(), sizeof count + count);
  std::vector<T> data(count / sizeof(T));
  std::memcpy(data.data(), bytes.data() + sizeof count, count);
  return data;
}

TEST(Vtk, GrainsParseBackExactly) {
  for (const int dim : {2, 3}) {
    const Folder dir;
    const Frame f = synthetic::frame(3, 37, dim);
    write_grains_vtp(dir / "g.vtp", f);
    const Element file = parse_file(dir / "g.vtp");
    EXPECT_EQ(file.name, "VTKFile");
    EXPECT_EQ(file.attributes.at("type"), "PolyData");
    EXPECT_EQ(file.attributes.at("header_type"), "UInt64");
    EXPECT_EQ(std::stod(file.find("DataArray", "TimeValue")->text), f.time);
    const Element* piece = file.find("Piece");
    EXPECT_EQ(piece->attributes.at("NumberOfPoints"), "37");
    EXPECT_EQ(piece->attributes.at("NumberOfVerts"), "37");
    const auto points = decode<double>(*piece->find("DataArray", "Points"));
    ASSERT_EQ(points.size(), 3u * 37);
    const auto spin = decode<double>(*piece->find("DataArray", "spin"));
    for (std::size_t i = 0; i < 37; ++i) {
      EXPECT_EQ(points[3 * i + 1], f.x[i * static_cast<std::size_t>(dim) + 1]);
      EXPECT_EQ(points[3 * i + 2], dim == 2 ? 0.0 : f.x[3 * i + 2]);
      EXPECT_EQ(spin[3 * i + 2], dim == 2 ? f.w[i] : f.w[3 * i + 2]);
    }
    EXPECT_EQ(decode<double>(*piece->find("DataArray", "radius")), f.radius);
    EXPECT_EQ(decode<std::int64_t>(*piece->find("DataArray", "id")), f.id);
    EXPECT_EQ(decode<std::int64_t>(*piece->find("DataArray", "material")), f.material);
    EXPECT_EQ(decode<std::uint8_t>(*piece->find("DataArray", "held")), f.held);
    EXPECT_EQ(decode<double>(*piece->find("DataArray", "speed")).size(), 37u);
    EXPECT_EQ(decode<std::int64_t>(*piece->find("DataArray", "offsets")).back(), 37);
    EXPECT_EQ(decode<std::int64_t>(*piece->find("DataArray", "connectivity")).back(), 36);
  }
}

TEST(Vtk, ContactsAreLinesAlongTheirBranches) {
  const Folder dir;
  const Frame f = synthetic::frame(1, 10, 2, true);
  write_contacts_vtp(dir / "c.vtp", f);
  const Element file = parse_file(dir / "c.vtp");
  const Element* piece = file.find("Piece");
  EXPECT_EQ(piece->attributes.at("NumberOfPoints"), "10");
  EXPECT_EQ(piece->attributes.at("NumberOfLines"), "5");
  const auto points = decode<double>(*piece->find("DataArray", "Points"));
  EXPECT_EQ(points[6 * 2], f.x[2 * 2]);
  EXPECT_EQ(points[6 * 2 + 4], f.x[2 * 2 + 1] + f.contacts.branch[2 * 2 + 1]);
  const auto force = decode<double>(*piece->find("DataArray", "force"));
  EXPECT_EQ(force[3 * 4 + 1], f.contacts.force[4 * 2 + 1]);
  EXPECT_EQ(decode<std::int64_t>(*piece->find("DataArray", "id2")), f.contacts.id2);
  EXPECT_EQ(decode<std::int64_t>(*piece->find("DataArray", "offsets")),
            (std::vector<std::int64_t>{2, 4, 6, 8, 10}));
}

TEST(Vtk, TheCollectionNamesEveryFrameWithItsTime) {
  const Folder dir;
  RunWriter writer = RunWriter::create(dir, synthetic::info());
  for (std::size_t k = 0; k < 5; ++k) writer.append(synthetic::frame(k, 8, 2, k > 2));
  const auto files = export_run(RunReader(dir), ExportKind::vtk, dir / "out", parse_frames("1::2"));
  EXPECT_EQ(files.front(), dir / "out/grains.pvd");
  const Element file = parse_file(files.front());
  const Element* all = file.find("Collection");
  ASSERT_EQ(all->inside.size(), 2u);
  EXPECT_EQ(all->inside[1].attributes.at("file"), "vtk/grains_00000003.vtp");
  EXPECT_EQ(std::stod(all->inside[1].attributes.at("timestep")), synthetic::frame(3, 1).time);
  const Element contacts = parse_file(dir / "out/contacts.pvd");
  EXPECT_EQ(contacts.find("Collection")->inside.size(), 1u);
  for (const auto& f : files) EXPECT_TRUE(std::filesystem::exists(f));
}

}  // namespace
}  // namespace scree
