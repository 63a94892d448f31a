// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "scree/core/errors.hpp"
#include "scree/io/lammps.hpp"

namespace scree {
namespace {

constexpr std::string_view columns = "id type x y z radius vx vy vz omegax omegay omegaz";

/// Lines of a file that may be packed; zlib reads plain ones as they are.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
    if (file_ == nullptr) throw InputError(path.string() + ": cannot be read");
    gzbuffer(file_, 1 << 18);
  }
  ~Lines() { gzclose(file_); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  /// Is anything left?
  bool more() {
    const int c = gzgetc(file_);
    if (c >= 0) gzungetc(c, file_);
    return c >= 0;
  }
  std::string_view next() {
    ++number_;
    std::array<char, 4096> room;
    if (gzgets(file_, room.data(), static_cast<int>(room.size())) == nullptr) fail("the file ends here");
    line_ = room.data();
    while (!line_.empty() && (line_.back() == '\n' || line_.back() == '\r' || line_.back() == ' ')) line_.pop_back();
    return line_;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", path_.string(), number_, what));
  }
  /// What stands behind `title` in the next line.
  std::string_view after(std::string_view title) {
    const std::string_view line = next();
    if (!line.starts_with(title)) fail(fmt::format("expected \"{}\" of a LAMMPS text dump", title));
    std::string_view rest = line.substr(title.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
  }
  /// Takes one number off the front of `text`.
  template <class T> T take(std::string_view& text) const {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    T value{};
    const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (trouble != std::errc()) fail("expected a number");
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  }

 private:
  std::filesystem::path path_;
  gzFile file_;
  std::string line_;
  std::size_t number_ = 0;
};

/// The whole file at once, in pieces that fit into memory.
void flush(AtomicFile& out, std::string& text, bool all) {
  if (!all && text.size() < 1 << 20) return;
  out.write(text);
  text.clear();
}

}  // namespace

/// The frame that begins with the next line.
static LammpsDump next_frame(Lines& lines) {
  LammpsDump dump;
  const auto number = [&]<class T>(T) {
    std::string_view line = lines.next();
    return lines.take<T>(line);
  };
  lines.after("ITEM: TIMESTEP");
  dump.step = number(std::int64_t{});
  lines.after("ITEM: NUMBER OF ATOMS");
  const auto count = number(std::int64_t{});
  if (count < 0 || count > 100'000'000) lines.fail("expected a number of grains up to 1e8");
  std::string_view bounds = lines.after("ITEM: BOX BOUNDS");
  for (auto& one : dump.bounds) {
    one = bounds.substr(0, bounds.find(' '));
    if (one.empty()) lines.fail("expected the boundaries of three axes, like \"pp pp ff\"");
    bounds.remove_prefix(std::min(one.size() + 1, bounds.size()));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    std::string_view line = lines.next();
    dump.lo[k] = lines.take<double>(line);
    dump.hi[k] = lines.take<double>(line);
  }
  if (lines.after("ITEM: ATOMS") != columns) lines.fail(fmt::format("expected the columns {}", columns));
  dump.grains.reserve(static_cast<std::size_t>(count));
  for (std::int64_t n = 0; n < count; ++n) {
    std::string_view line = lines.next();
    DumpGrain g;
    g.id = lines.take<std::int64_t>(line);
    g.type = lines.take<int>(line);
    for (double& one : g.x) one = lines.take<double>(line);
    g.radius = lines.take<double>(line);
    for (double& one : g.v) one = lines.take<double>(line);
    for (double& one : g.w) one = lines.take<double>(line);
    if (!(g.radius > 0)) lines.fail("expected a radius > 0");
    dump.grains.push_back(g);
  }
  std::sort(dump.grains.begin(), dump.grains.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return dump;
}

LammpsDump read_lammps_dump(const std::filesystem::path& path) {
  Lines lines(path);
  return next_frame(lines);
}

void for_each_lammps_frame(const std::filesystem::path& path, const std::function<void(const LammpsDump&)>& f) {
  for (Lines lines(path); lines.more();) f(next_frame(lines));
}

void write_lammps_dump(const std::filesystem::path& path, const LammpsDump& dump) {
  AtomicFile out(path);
  std::string text = fmt::format("ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS {} {} {}\n", dump.step,
                                 dump.grains.size(), dump.bounds[0], dump.bounds[1], dump.bounds[2]);
  for (std::size_t k = 0; k < 3; ++k) text += fmt::format("{:.17g} {:.17g}\n", dump.lo[k], dump.hi[k]);
  text += fmt::format("ITEM: ATOMS {}\n", columns);
  auto to = std::back_inserter(text);
  for (const DumpGrain& g : dump.grains) {
    fmt::format_to(to, "{} {} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", g.id, g.type,
                   g.x[0], g.x[1], g.x[2], g.radius, g.v[0], g.v[1], g.v[2], g.w[0], g.w[1], g.w[2]);
    flush(out, text, false);
  }
  flush(out, text, true);
  out.commit();
}

void write_lammps_data(const std::filesystem::path& path, const LammpsDump& dump, double density,
                       std::optional<double> half_depth) {
  AtomicFile out(path);
  std::string text = fmt::format("a standard bed\n\n{} atoms\n2 atom types\n\n", dump.grains.size());
  for (std::size_t k = 0; k < 3; ++k) {
    const bool thin = k == 2 && half_depth;
    text += fmt::format("{:.17g} {:.17g} {}lo {}hi\n", thin ? -*half_depth : dump.lo[k], thin ? *half_depth : dump.hi[k],
                        "xyz"[k], "xyz"[k]);
  }
  text += "\nAtoms\n\n";
  auto to = std::back_inserter(text);
  for (const DumpGrain& g : dump.grains) {
    fmt::format_to(to, "{} {} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", g.id, g.type, 2 * g.radius, density, g.x[0], g.x[1],
                   g.x[2]);
    flush(out, text, false);
  }
  text += "\nVelocities\n\n";
  for (const DumpGrain& g : dump.grains) {
    fmt::format_to(to, "{} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", g.id, g.v[0], g.v[1], g.v[2], g.w[0], g.w[1],
                   g.w[2]);
    flush(out, text, false);
  }
  flush(out, text, true);
  out.commit();
}

}  // namespace scree
