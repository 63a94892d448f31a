// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/run_file.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "scree/core/errors.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/io/hdf5.hpp"

namespace scree {

namespace fs = std::filesystem;
using hdf5::File;
using hdf5::Storage;

namespace {

constexpr auto run_name = "run.h5";
constexpr auto folder_name = "frames";
constexpr auto base_link = "frames/base.h5";
constexpr auto grains_link = "frames/grains.h5";

std::string frame_name(std::size_t index) { return fmt::format("{:08d}", index); }

// --- The energy table
// ------------------------------------------------------------------------------

const std::vector<hdf5::Member>& energy_members() {
  static const std::vector<hdf5::Member> members{{"step", true}, {"time"},       {"kinetic"},
                                                 {"rotational"}, {"potential"},  {"elastic"},
                                                 {"normal"},     {"tangential"}, {"rolling"},
                                                 {"drag"},       {"work"},       {"balance_error"}};
  return members;
}
static_assert(sizeof(EnergyRow) == 12 * 8);

std::vector<EnergyRow> read_energies(const hdf5::Group& file) {
  std::vector<EnergyRow> rows;
  if (!file.has("energies")) return rows;
  rows.resize(file.row_count("energies"));
  if (!rows.empty()) file.read_rows("energies", energy_members(), rows.data());
  return rows;
}

// --- The table of signals: as energies, but with columns that the run names. Steps are the bits of an integer in the
// place of a double.

std::vector<hdf5::Member> signal_members(const std::vector<std::string>& names) {
  std::vector<hdf5::Member> members{{"step", true}, {"time"}};
  for (const std::string& name : names) members.push_back({name});
  return members;
}

std::vector<SignalRow> read_signals(const hdf5::Group& file, const std::vector<std::string>& names) {
  std::vector<SignalRow> rows;
  if (names.empty() || !file.has("signals")) return rows;
  const std::size_t width = names.size() + 2;
  std::vector<double> flat(file.row_count("signals") * width);
  if (!flat.empty()) file.read_rows("signals", signal_members(names), flat.data());
  for (auto at = flat.begin(); at != flat.end(); at += static_cast<std::ptrdiff_t>(width))
    rows.push_back({std::bit_cast<std::int64_t>(*at), at[1], {at + 2, at + static_cast<std::ptrdiff_t>(width)}});
  return rows;
}

/// The energies of a frame: attribute names and members, once for writing and reading.
constexpr std::pair<const char*, double Energies::*> energy_attributes[] = {
    {"kinetic", &Energies::kinetic},     {"rotational", &Energies::rotational},
    {"potential", &Energies::potential}, {"elastic", &Energies::elastic},
    {"normal", &Energies::normal},       {"tangential", &Energies::tangential},
    {"rolling", &Energies::rolling},     {"drag", &Energies::drag},
    {"work", &Energies::work},           {"initial", &Energies::initial}};

// --- Columns of a frame
// ----------------------------------------------------------------------------

/// Numbers per grain: 0 stands for one, in a one-dimensional dataset.
std::size_t width_of(char what, int dim) {
  switch (what) {
    case 'v':
      return static_cast<std::size_t>(dim);  // vectors
    case 'q':
      return dim == 2 ? 0 : 4;  // turns
    case 'w':
      return dim == 2 ? 0 : 3;  // spins
    default:
      return 0;
  }
}

/// Calls f(name, column, width) for all that changes from frame to frame.
template <class F, class Call> void for_each_moving(F& frame, Call&& call) {
  call("x", frame.x, width_of('v', frame.dim));
  call("v", frame.v, width_of('v', frame.dim));
  call("q", frame.q, width_of('q', frame.dim));
  call("w", frame.w, width_of('w', frame.dim));
  call("x_lo", frame.x_lo, width_of('v', frame.dim));
  call("v_lo", frame.v_lo, width_of('v', frame.dim));
  call("q_lo", frame.q_lo, width_of('q', frame.dim));
  call("w_lo", frame.w_lo, width_of('w', frame.dim));
}

/// Calls call(name, column of each frame) for what a grain keeps: in /grains, and in a frame only
/// where it differs.
template <class Call, class... F> void for_each_lasting(Call&& call, F&... frame) {
  call("radius", frame.radius...);
  call("mass", frame.mass...);
  call("inertia", frame.inertia...);
  call("material", frame.material...);
  call("group", frame.group...);
  call("held", frame.held...);
  call("shape", frame.shape...);
  call("radius_lo", frame.radius_lo...);
}

template <class C, class Call> void for_each_contact_column(C& contacts, int dim, Call&& call) {
  call("id1", contacts.id1, std::size_t{0});
  call("id2", contacts.id2, std::size_t{0});
  call("overlap", contacts.overlap, std::size_t{0});
  call("force", contacts.force, width_of('v', dim));
  call("point", contacts.point, width_of('v', dim));
  call("branch", contacts.branch, width_of('v', dim));
  call("spring", contacts.spring, width_of('w', dim));
}

template <class C> using Element = typename std::remove_cvref_t<C>::value_type;

/// Every column must hold its numbers for each grain or contact; those not required may be empty.
void check_frame(const Frame& f, int dim) {
  if (f.dim != dim)
    throw RunError(fmt::format("a frame of dimension {} in a run of dimension {}", f.dim, dim));
  const auto need = [](const char* name, std::size_t size, std::size_t n, std::size_t width,
                       bool required) {
    if (size != n * std::max<std::size_t>(1, width) && (required || size != 0))
      throw RunError(
          fmt::format("frame: '{}' has {} numbers for {} grains or contacts", name, size, n));
  };
  for_each_moving(f, [&](const char* name, const auto& c, std::size_t width) {
    need(name, c.size(), f.size(), width, name[1] == '\0' && (name[0] == 'x' || name[0] == 'v'));
  });
  for_each_lasting(
      [&](const char* name, const auto& c) {
        need(name, c.size(), f.size(), 0, std::string_view(name) == "radius");
      },
      f);
  for_each_contact_column(f.contacts, dim, [&](const char* name, const auto& c, std::size_t width) {
    need(name, c.size(), f.contacts.size(), width, std::string_view(name).starts_with("id"));
  });
}

/// Row of each id of `ids` in `sorted`, nothing if one is not there.
std::optional<std::vector<std::size_t>> rows_of(const std::vector<std::int64_t>& ids,
                                                const std::vector<std::int64_t>& sorted) {
  std::vector<std::size_t> rows(ids.size());
  std::size_t at = 0;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (at >= sorted.size() || sorted[at] != ids[k])
      at = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), ids[k]) -
                                    sorted.begin());
    if (at >= sorted.size() || sorted[at] != ids[k]) return std::nullopt;
    rows[k] = at++;
  }
  return rows;
}

/// What grains keep, sorted by id.
Frame lasting_part(const Frame& f) {
  Frame g;
  g.dim = f.dim;
  g.id = f.id;
  for_each_lasting([](const char*, auto& to, const auto& from) { to = from; }, g, f);
  return g;
}

void write_lasting(hdf5::Group group, const Frame& grains) {
  group.write("id", grains.id);
  for_each_lasting(
      [&](const char* name, const auto& c) {
        if (!c.empty() || grains.id.empty()) group.write(name, c);
      },
      grains);
}

void write_frame(hdf5::Group group, const Frame& f, const Frame& grains) {
  group.set("time", f.time);
  if (f.time_lo != 0) group.set("time_lo", f.time_lo);
  group.set("step", f.step);
  for (const auto& [name, member] : energy_attributes) group.set(name, f.energies.*member);
  group.write("id", f.id);
  for_each_moving(f, [&](const char* name, const auto& c, std::size_t width) {
    if (!c.empty() || (f.id.empty() && name[1] == '\0')) group.write(name, c, width);
  });
  const auto rows = rows_of(f.id, grains.id);
  for_each_lasting(
      [&](const char* name, const auto& mine, const auto& theirs) {
        bool lasts = rows && theirs.size() == grains.size();
        for (std::size_t k = 0; lasts && k < mine.size(); ++k)
          lasts = std::memcmp(&mine[k], &theirs[(*rows)[k]], sizeof mine[k]) == 0;
        if (!lasts && !mine.empty()) group.write(name, mine);
      },
      f, grains);
  if (!f.has_contacts) return;
  hdf5::Group contacts = group.create_group("contacts");
  for_each_contact_column(f.contacts, f.dim,
                          [&](const char* name, const auto& c, std::size_t width) {
                            if (!c.empty() || f.contacts.size() == 0)
                              contacts.write(name, c, width);
                          });
}

template <class C> void read_if_there(const hdf5::Group& group, const char* name, C& column) {
  if (group.has(name)) column = group.read<Element<C>>(name);
}

Frame read_lasting(const hdf5::Group& group, int dim) {
  Frame g;
  g.dim = dim;
  g.id = group.read<std::int64_t>("id");
  for_each_lasting([&](const char* name, auto& c) { read_if_there(group, name, c); }, g);
  return g;
}

Frame read_frame(const hdf5::Group& group, const Frame& grains, int dim) {
  Frame f;
  f.dim = dim;
  f.time = group.real("time");
  if (group.has_attribute("time_lo")) f.time_lo = group.real("time_lo");
  f.step = group.integer("step");
  for (const auto& [name, member] : energy_attributes)
    if (group.has_attribute(name)) f.energies.*member = group.real(name);
  f.id = group.read<std::int64_t>("id");
  for_each_moving(f,
                  [&](const char* name, auto& c, std::size_t) { read_if_there(group, name, c); });
  const auto rows = rows_of(f.id, grains.id);
  for_each_lasting(
      [&](const char* name, auto& mine, const auto& theirs) {
        if (group.has(name)) {
          mine = group.read<Element<decltype(mine)>>(name);
        } else if (rows && theirs.size() == grains.size()) {
          mine.resize(f.size());
          for (std::size_t k = 0; k < f.size(); ++k) mine[k] = theirs[(*rows)[k]];
        }
      },
      f, grains);
  f.has_contacts = group.has("contacts");
  if (f.has_contacts) {
    const hdf5::Group contacts = group.group("contacts");
    for_each_contact_column(f.contacts, dim, [&](const char* name, auto& c, std::size_t) {
      read_if_there(contacts, name, c);
    });
  }
  try {
    check_frame(f, dim);
  } catch (const RunError& e) {
    throw RunError(group.file() + ": " + e.what());
  }
  return f;
}

// --- What holds for the whole run
// ------------------------------------------------------------------

const std::set<std::string>& own_attributes() {
  static const std::set<std::string> names{"format", "name", "version", "real",    "seed",    "dim",
                                           "period", "lo",   "hi",      "gravity", "finished"};
  return names;
}

std::string hash_text(const std::string& text) {
  return fmt::format("{:016x}", XXH64(text.data(), text.size(), 0));
}

void write_info(hdf5::Group& file, const RunInfo& info, bool finished) {
  file.set("format", std::string("scree run 1"));
  file.set("name", info.name);
  file.set("version", info.version);
  file.set("real", info.real);
  file.set("seed", info.seed);
  file.set("dim", std::int64_t{info.dim});
  std::vector<double> period = info.period;
  period.resize(static_cast<std::size_t>(info.dim), 0.0);
  file.set("period", period);
  if (!info.lo.empty()) file.set("lo", info.lo);
  if (!info.hi.empty()) file.set("hi", info.hi);
  if (!info.gravity.empty()) file.set("gravity", info.gravity);
  file.set("finished", std::int64_t{finished});
  for (const auto& [name, text] : info.extra) file.set(name, text);
  for (const auto& [name, number] : info.numbers) file.set(name, number);
  file.write_text("scene", info.scene);
  file.set("hash", hash_text(info.scene), "scene");
  file.write_texts("materials", info.materials);
  file.write_texts("groups", info.groups);
  if (!info.signals.empty()) file.write_texts("signal_names", info.signals);
  if (!info.shapes.empty()) {
    hdf5::Group shapes = file.create_group("shapes");
    std::vector<std::int64_t> begin{0};
    std::vector<double> corners;
    for (const auto& shape : info.shapes) {
      for (const auto& corner : shape) corners.insert(corners.end(), {corner[0], corner[1]});
      begin.push_back(begin.back() + static_cast<std::int64_t>(shape.size()));
    }
    shapes.write("begin", begin);
    shapes.write("corners", corners, 2);
  }
  if (!info.forces.empty()) {
    hdf5::Group forces = file.create_group("forces");
    forces.write_text("json", info.forces);
    forces.write("home_id", info.home_id);
    forces.write("home", info.home, static_cast<std::size_t>(info.dim));
  }
  hdf5::Group walls = file.create_group("walls");
  std::vector<std::string> kinds, names;
  for (const auto& wall : nlohmann::json::parse(info.walls, nullptr, false)) {
    kinds.push_back(wall.value("kind", ""));
    names.push_back(wall.value("name", ""));
  }
  walls.write_texts("kind", kinds);
  walls.write_texts("name", names);
  walls.write_text("json", info.walls);
}

RunInfo read_info(const hdf5::Group& file) {
  RunInfo info;
  info.name = file.text("name");
  info.version = file.text("version");
  info.real = file.text("real");
  info.seed = file.integer("seed");
  info.dim = static_cast<int>(file.integer("dim"));
  if (info.dim != 2 && info.dim != 3)
    throw RunError(file.file() + ": the dimension is neither 2 nor 3");
  info.period = file.reals("period");
  if (file.has_attribute("lo")) info.lo = file.reals("lo");
  if (file.has_attribute("hi")) info.hi = file.reals("hi");
  if (file.has_attribute("gravity")) info.gravity = file.reals("gravity");
  for (const std::string& name : file.attributes()) {
    if (own_attributes().contains(name)) continue;
    const auto kind = file.attribute_kind(name);
    if (kind == hdf5::Kind::text) info.extra[name] = file.text(name);
    if (kind == hdf5::Kind::real64) info.numbers[name] = file.real(name);
  }
  info.scene = file.read_text("scene");
  info.materials = file.read_texts("materials");
  info.groups = file.read_texts("groups");
  if (file.has("signal_names")) info.signals = file.read_texts("signal_names");
  if (file.has("shapes")) {
    const auto begin = file.group("shapes").read<std::int64_t>("begin");
    const auto corners = file.group("shapes").read<double>("corners");
    for (std::size_t k = 0; k + 1 < begin.size(); ++k) {
      info.shapes.emplace_back();
      for (std::int64_t c = begin[k]; c < begin[k + 1]; ++c)
        info.shapes.back().push_back({corners.at(static_cast<std::size_t>(2 * c)), corners.at(static_cast<std::size_t>(2 * c + 1))});
    }
  }
  if (file.has("forces")) {
    const hdf5::Group forces = file.group("forces");
    info.forces = forces.read_text("json");
    info.home_id = forces.read<std::int64_t>("home_id");
    info.home = forces.read<double>("home");
  }
  info.walls = file.group("walls").read_text("json");
  return info;
}

/// Removes our files of DIR/frames, and the folder if nothing else is in it.
void clear_folder(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto name = entry.path().filename().string();
    std::error_code ignored;
    if (name.ends_with(".h5") || name.ends_with(".h5.part")) fs::remove(entry.path(), ignored);
  }
  fs::remove(folder, error);  // fails if not empty, which is well
}

/// Writes an HDF5 file aside, by `fill`, and renames it.
template <class Fill> void write_aside(const fs::path& path, bool durable, Fill&& fill) {
  const fs::path part = aside(path);
  try {
    File file = File::create(part);
    fill(file);
    file.close(durable);
    replace_file(part, path);
  } catch (...) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw;
  }
}

}  // namespace

EnergyRow energy_row(std::int64_t step, double time, const Energies& e) {
  return {step,     time,         e.kinetic, e.rotational, e.potential, e.elastic,
          e.normal, e.tangential, e.rolling, e.drag,       e.work,      e.balance_error()};
}

// --- Writing
// ---------------------------------------------------------------------------------------

struct RunWriter::Body {
  /// Where a frame is: an object of a file, relative to `dir`.
  struct Entry {
    std::int64_t step;
    double time;
    std::string file, object;
  };
  fs::path dir;
  RunInfo info;
  File master;  // run.h5, in memory
  std::vector<Entry> entries;
  Frame grains;  // what grains keep; empty id: not known yet
  std::string grains_file, grains_object;
  std::vector<EnergyRow> pending;  // rows not yet in the master
  std::vector<double> pending_signals;
  std::size_t rows = 0;            // rows in the master
  std::int64_t last_row = -1;      // step of the last row, pending or not; -1: none
  std::vector<fs::path> unsynced;
  bool dirty = true;  // master and run.h5 differ
  bool finished = false;

  Body(fs::path folder, RunInfo i)
      : dir(std::move(folder)),
        info(std::move(i)),
        master(File::in_memory((dir / run_name).string())) {
    write_info(master, info, false);
    master.create_group(folder_name);
    master.append<double>("time", {});
    master.append<std::int64_t>("step", {});
    master.append_rows("energies", energy_members(), nullptr, 0);
    if (!info.signals.empty()) master.append_rows("signals", signal_members(info.signals), nullptr, 0);
  }

  void add_entry(Entry e) {
    hdf5::Group frames = master.group(folder_name);
    frames.link_external(frame_name(entries.size()), e.file, e.object);
    master.append<double>("time", std::span(&e.time, 1));
    master.append<std::int64_t>("step", std::span(&e.step, 1));
    entries.push_back(std::move(e));
    dirty = true;
  }
  void drop_last_entry() {
    entries.pop_back();
    hdf5::Group frames = master.group(folder_name);
    frames.unlink(frame_name(entries.size()));
    master.truncate("time", entries.size());
    master.truncate("step", entries.size());
  }
  void set_grains(Frame g, const std::string& file, const std::string& object) {
    grains = std::move(g);
    grains_file = file;
    grains_object = object;
    master.link_external("grains", file, object);
    dirty = true;
  }
  std::size_t signal_width() const { return info.signals.empty() ? 0 : info.signals.size() + 2; }
  void add_row(const EnergyRow& row, const std::vector<double>& signals) {
    if (signals.size() != info.signals.size())
      throw RunError(fmt::format("{}: {} signals for {} names", (dir / run_name).string(), signals.size(), info.signals.size()));
    if (row.step < last_row)
      throw RunError(fmt::format("{}: energies of step {} after those of step {}",
                                 (dir / run_name).string(), row.step, last_row));
    if (row.step == last_row) {
      if (pending.empty()) {
        master.truncate("energies", --rows);
        if (!signals.empty()) master.truncate("signals", rows);
      } else {
        pending.pop_back();
        pending_signals.resize(pending_signals.size() - signal_width());
      }
    }
    pending.push_back(row);
    if (!signals.empty()) {
      pending_signals.push_back(std::bit_cast<double>(row.step));
      pending_signals.push_back(row.time);
      pending_signals.insert(pending_signals.end(), signals.begin(), signals.end());
    }
    last_row = row.step;
    dirty = true;
  }
  void publish() {
    if (!dirty) return;
    master.append_rows("energies", energy_members(), pending.data(), pending.size());
    if (!info.signals.empty())
      master.append_rows("signals", signal_members(info.signals), pending_signals.data(), pending.size());
    rows += pending.size();
    pending.clear();
    pending_signals.clear();
    write_file(dir / run_name, master.image());
    dirty = false;
  }
};

RunWriter::RunWriter(std::unique_ptr<Body> body) : body_(std::move(body)) {}
RunWriter::RunWriter(RunWriter&&) noexcept = default;
RunWriter& RunWriter::operator=(RunWriter&&) noexcept = default;
RunWriter::~RunWriter() = default;

std::size_t RunWriter::frames() const { return body_->entries.size(); }
fs::path RunWriter::path() const { return body_->dir / run_name; }

RunWriter RunWriter::create(const fs::path& dir, const RunInfo& info) {
  make_folder(dir);
  std::error_code ignored;
  fs::remove(dir / run_name, ignored);
  clear_folder(dir / folder_name);
  auto body = std::make_unique<Body>(dir, info);
  body->publish();
  return RunWriter(std::move(body));
}

namespace {

/// What a run goes on with, and where grains were attached that are no more: earlier frames have them.
RunInfo with_homes_of(const RunInfo& old, RunInfo info) {
  if (info.forces.empty()) return info;
  const auto dim = static_cast<std::size_t>(info.dim);
  std::map<std::int64_t, std::vector<double>> homes;
  for (const RunInfo* one : {&old, static_cast<const RunInfo*>(&info)})
    for (std::size_t k = 0; k < one->home_id.size(); ++k)
      homes[one->home_id[k]].assign(one->home.begin() + static_cast<std::ptrdiff_t>(k * dim), one->home.begin() + static_cast<std::ptrdiff_t>((k + 1) * dim));
  info.home_id.clear();
  info.home.clear();
  for (const auto& [id, home] : homes) {
    info.home_id.push_back(id);
    info.home.insert(info.home.end(), home.begin(), home.end());
  }
  return info;
}

}  // namespace

RunWriter RunWriter::resume(const fs::path& dir, std::int64_t step,
                            const std::optional<RunInfo>& info) {
  const fs::path path = dir / run_name;
  std::unique_ptr<Body> body;
  bool was_finished = false;
  {
    const RunReader old(path);
    const File file = File::open(path);
    const hdf5::Group frames = file.group(folder_name);
    was_finished = old.finished();
    body = std::make_unique<Body>(dir, info ? with_homes_of(old.info(), *info) : old.info());
    const auto target = [&](const hdf5::Group& in, const std::string& name,
                            const std::string& object) {
      const auto link = in.external(name);
      return link ? *link : std::pair<std::string, std::string>{base_link, object};
    };
    if (file.has("grains")) {
      const auto [name, object] = target(file, "grains", "/grains");
      body->set_grains(read_lasting(file.group("grains"), body->info.dim), name, object);
    }
    for (std::size_t k = 0; k < old.size() && old.steps()[k] <= step; ++k) {
      const auto [name, object] = target(frames, frame_name(k), "/frames/" + frame_name(k));
      body->add_entry({old.steps()[k], old.times()[k], name, object});
    }
    const auto signals = read_signals(file, body->info.signals);
    const auto energies = read_energies(file);
    for (std::size_t k = 0; k < energies.size() && energies[k].step <= step; ++k)
      body->add_row(energies[k], k < signals.size() ? signals[k].values : std::vector<double>(body->info.signals.size()));
  }
  if (was_finished) {
    // The finished file stays, under another name, as the home of its frames.
    clear_folder(dir / folder_name);
    make_folder(dir / folder_name);
    std::error_code error;
    fs::create_hard_link(path, dir / base_link, error);
    if (error) {
      const fs::path part = aside(dir / base_link);
      fs::copy_file(path, part, fs::copy_options::overwrite_existing, error);
      if (error) throw RunError("cannot copy " + path.string() + ": " + error.message());
      replace_file(part, dir / base_link);
    }
  }
  body->publish();
  return RunWriter(std::move(body));
}

void RunWriter::record(const EnergyRow& row, const std::vector<double>& signals) { body_->add_row(row, signals); }

void RunWriter::append(const Frame& frame, const std::vector<double>& signals) {
  Body& b = *body_;
  if (b.finished) throw RunError(path().string() + ": a frame after the end of the run");
  check_frame(frame, b.info.dim);
  if (!b.entries.empty() && frame.step < b.entries.back().step)
    throw RunError(fmt::format("{}: a frame of step {} after that of step {}", path().string(),
                               frame.step, b.entries.back().step));
  make_folder(b.dir / folder_name);
  if (b.grains_file.empty()) {
    Frame grains = lasting_part(frame);
    write_aside(b.dir / grains_link, false,
                [&](File& f) { write_lasting(f.create_group("grains"), grains); });
    b.unsynced.push_back(b.dir / grains_link);
    b.set_grains(std::move(grains), grains_link, "/grains");
  }
  const bool again = !b.entries.empty() && frame.step == b.entries.back().step;
  const std::string name = frame_name(b.entries.size() - (again ? 1 : 0));
  const std::string file = std::string(folder_name) + "/" + name + ".h5";
  write_aside(b.dir / file, false,
              [&](File& f) { write_frame(f.create_group("frame"), frame, b.grains); });
  b.unsynced.push_back(b.dir / file);
  if (again) b.drop_last_entry();
  b.add_entry({frame.step, frame.time, file, "/frame"});
  b.add_row(energy_row(frame.step, frame.time, frame.energies), signals);
  b.publish();
}

void RunWriter::sync() {
  Body& b = *body_;
  if (b.finished) return;
  b.publish();
  if (!b.unsynced.empty()) {
    for (const fs::path& p : b.unsynced) sync_file(p);
    b.unsynced.clear();
    sync_folder(b.dir / folder_name);
  }
  sync_file(path());
  sync_folder(b.dir);
}

void RunWriter::finish() {
  Body& b = *body_;
  if (b.finished) return;
  b.publish();
  write_aside(path(), true, [&](File& out) {
    write_info(out, b.info, true);
    std::string open_name;
    std::optional<File> open;
    const auto source = [&](const std::string& name) -> File& {
      if (open_name != name) {
        open.reset();
        open = File::open(b.dir / name);
        open_name = name;
      }
      return *open;
    };
    if (!b.grains_file.empty()) out.copy(source(b.grains_file), b.grains_object, "grains");
    hdf5::Group frames = out.create_group(folder_name);
    std::vector<double> times;
    std::vector<std::int64_t> steps;
    for (std::size_t k = 0; k < b.entries.size(); ++k) {
      const auto& e = b.entries[k];
      frames.copy(source(e.file), e.object, frame_name(k));
      times.push_back(e.time);
      steps.push_back(e.step);
    }
    out.write("time", times);
    out.write("step", steps);
    const auto table = read_energies(b.master);
    out.append_rows("energies", energy_members(), table.data(), table.size(), Storage::packed);
    if (!b.info.signals.empty()) {
      std::vector<double> flat;
      for (const SignalRow& row : read_signals(b.master, b.info.signals)) {
        flat.push_back(std::bit_cast<double>(row.step));
        flat.push_back(row.time);
        flat.insert(flat.end(), row.values.begin(), row.values.end());
      }
      out.append_rows("signals", signal_members(b.info.signals), flat.data(), table.size(), Storage::packed);
    }
  });
  sync_folder(b.dir);
  b.finished = true;
  clear_folder(b.dir / folder_name);
}

// --- Reading
// ---------------------------------------------------------------------------------------

namespace {

/// Where servos have taken walls and groups, from the signals NAME.displacement.
void read_servos(const hdf5::Group& file, RunInfo& info) {
  constexpr std::string_view ending = ".displacement";
  const auto is_servo = [&](const std::string& name) { return name.ends_with(ending); };
  if (std::none_of(info.signals.begin(), info.signals.end(), is_servo)) return;
  const auto rows = read_signals(file, info.signals);
  for (std::size_t k = 0; k < info.signals.size(); ++k) {
    if (!is_servo(info.signals[k])) continue;
    auto& path = info.servos[info.signals[k].substr(0, info.signals[k].size() - ending.size())];
    for (const SignalRow& row : rows) path.emplace_back(row.time, row.values[k]);
  }
}

}  // namespace

struct RunReader::Body {
  fs::path path;
  File file;
  RunInfo info;
  std::uint64_t hash = 0;
  bool finished = false;
  std::vector<double> times;
  std::vector<std::int64_t> steps;
  Frame grains;

  explicit Body(fs::path p) : path(std::move(p)), file(File::open(path)) {}
};

RunReader::RunReader(const fs::path& path) {
  std::error_code ignored;
  body_ = std::make_unique<Body>(fs::is_directory(path, ignored) ? path / run_name : path);
  Body& b = *body_;
  if (!b.file.has_attribute("format") || !b.file.text("format").starts_with("scree run"))
    throw RunError(b.path.string() + ": an HDF5 file, but no run of Scree");
  b.info = read_info(b.file);
  const std::string hash = b.file.text("hash", "scene");
  std::from_chars(hash.data(), hash.data() + hash.size(), b.hash, 16);
  b.finished = b.file.integer("finished") != 0;
  b.times = b.file.read<double>("time");
  b.steps = b.file.read<std::int64_t>("step");
  if (b.times.size() != b.steps.size())
    throw RunError(b.path.string() + ": times and steps do not match");
  if (!b.finished && !b.times.empty() && !fs::exists(b.path.parent_path() / folder_name, ignored))
    throw RunError(b.path.string() + ": the run is not finished, and the folder '" + folder_name +
                   "' with its frames is not beside the file");
  if (b.file.has("grains")) b.grains = read_lasting(b.file.group("grains"), b.info.dim);
  read_servos(b.file, b.info);
}
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;
RunReader::~RunReader() = default;

const fs::path& RunReader::path() const { return body_->path; }
const RunInfo& RunReader::info() const { return body_->info; }
std::uint64_t RunReader::scene_hash() const { return body_->hash; }
bool RunReader::finished() const { return body_->finished; }
std::size_t RunReader::size() const { return body_->times.size(); }
const std::vector<double>& RunReader::times() const { return body_->times; }
const std::vector<std::int64_t>& RunReader::steps() const { return body_->steps; }
std::vector<EnergyRow> RunReader::energies() const { return read_energies(body_->file); }
std::vector<SignalRow> RunReader::signals() const { return read_signals(body_->file, body_->info.signals); }

Frame RunReader::frame(std::size_t i) const {
  if (i >= size())
    throw RunError(fmt::format("{}: no frame {}, there are {}", path().string(), i, size()));
  return read_frame(body_->file.group(folder_name).group(frame_name(i)), body_->grains,
                    body_->info.dim);
}

Trajectory RunReader::trajectory() const {
  return {path().string(), info().dim, times(), info().period,
          [this](std::size_t i) { return frame(i); }};
}

// --- Walls
// -----------------------------------------------------------------------------------------

namespace {

template <class E> struct Names {
  E value;
  const char* name;
};
constexpr Names<WallKind> wall_kinds[] = {
    {WallKind::plane, "plane"}, {WallKind::ring, "ring"}, {WallKind::segment, "segment"},
    {WallKind::sheet, "sheet"}};
constexpr Names<MoveKind> move_kinds[] = {{MoveKind::translate, "translate"},
                                          {MoveKind::rotate, "rotate"},
                                          {MoveKind::shrink, "shrink"},
                                          {MoveKind::oscillate, "oscillate"}};
template <class E, std::size_t N> std::string name_of(E value, const Names<E> (&list)[N]) {
  for (const auto& one : list)
    if (one.value == value) return one.name;
  return "";
}
template <class E, std::size_t N> E value_of(const std::string& name, const Names<E> (&list)[N]) {
  for (const auto& one : list)
    if (name == one.name) return one.value;
  throw RunError("walls of a run: unknown kind '" + name + "'");
}

template <int K> nlohmann::json vector_json(const Vec<K, double>& v) {
  auto out = nlohmann::json::array();
  for (int k = 0; k < K; ++k) out.push_back(v[k]);
  return out;
}
template <int K> void vector_from(const nlohmann::json& j, const char* key, Vec<K, double>& v) {
  if (!j.contains(key)) return;
  const auto& list = j.at(key);
  for (int k = 0; k < K; ++k) v[k] = list.at(static_cast<std::size_t>(k)).template get<double>();
}

/// Times: JSON has no infinity, so what is forever is left out.
void times_json(nlohmann::json& j, double from, double until) {
  if (from != -forever) j["from"] = from;
  if (until != forever) j["until"] = until;
}

}  // namespace

template <int D> std::string walls_json(const std::vector<Wall<D>>& walls) {
  auto list = nlohmann::json::array();
  for (const Wall<D>& w : walls) {
    nlohmann::json j{{"kind", name_of(w.kind, wall_kinds)},
                     {"name", w.name},
                     {"material", w.material},
                     {"point", vector_json<D>(w.point)}};
    if (w.kind == WallKind::plane || w.kind == WallKind::sheet) j["normal"] = vector_json<D>(w.normal);
    if (w.kind == WallKind::sheet) j["radius"] = w.radius;
    if (w.kind == WallKind::segment) j["end"] = vector_json<D>(w.end);
    if (w.kind == WallKind::ring) {
      j["radius"] = w.radius;
      j["inside"] = w.inside;
      if constexpr (D == 3) j["axis"] = vector_json<3>(w.axis);
    }
    if (w.servo.on) j["servo"] = vector_json<D>(w.servo.direction);
    times_json(j, w.from, w.until);
    for (const Move<D>& m : w.motion) {
      nlohmann::json k{{"kind", name_of(m.kind, move_kinds)}};
      times_json(k, m.from, m.until);
      switch (m.kind) {
        case MoveKind::translate:
          k["velocity"] = vector_json<D>(m.velocity);
          break;
        case MoveKind::rotate:
          k["centre"] = vector_json<D>(m.centre);
          k["rate"] = m.rate;
          if constexpr (D == 3) k["axis"] = vector_json<3>(m.axis);
          break;
        case MoveKind::shrink:
          k["centre"] = vector_json<D>(m.centre);
          k["rate"] = m.rate;
          break;
        case MoveKind::oscillate:
          k["amplitude"] = vector_json<D>(m.amplitude);
          k["frequency"] = m.frequency;
          break;
      }
      j["motion"].push_back(std::move(k));
    }
    list.push_back(std::move(j));
  }
  return list.dump(1);
}

template <int D> std::vector<Wall<D>> walls_from_json(const std::string& text) {
  std::vector<Wall<D>> walls;
  try {
    for (const auto& j : nlohmann::json::parse(text)) {
      Wall<D> w;
      w.kind = value_of(j.at("kind").get<std::string>(), wall_kinds);
      w.name = j.value("name", "");
      w.material = j.value("material", std::uint16_t{0});
      vector_from<D>(j, "point", w.point);
      vector_from<D>(j, "normal", w.normal);
      vector_from<D>(j, "end", w.end);
      vector_from<3>(j, "axis", w.axis);
      w.radius = j.value("radius", 0.0);
      w.inside = j.value("inside", true);
      w.from = j.value("from", -forever);
      w.until = j.value("until", forever);
      w.servo.on = j.contains("servo");
      vector_from<D>(j, "servo", w.servo.direction);
      if (j.contains("motion")) {
        for (const auto& k : j.at("motion")) {
          Move<D> m;
          m.kind = value_of(k.at("kind").get<std::string>(), move_kinds);
          m.from = k.value("from", -forever);
          m.until = k.value("until", forever);
          vector_from<D>(k, "velocity", m.velocity);
          vector_from<D>(k, "centre", m.centre);
          vector_from<3>(k, "axis", m.axis);
          vector_from<D>(k, "amplitude", m.amplitude);
          m.rate = k.value("rate", 0.0);
          m.frequency = k.value("frequency", 0.0);
          w.motion.push_back(m);
        }
      }
      walls.push_back(std::move(w));
    }
  } catch (const nlohmann::json::exception& e) {
    throw RunError(std::string("walls of a run: ") + e.what());
  }
  return walls;
}

template std::string walls_json(const std::vector<Wall<2>>&);
template std::string walls_json(const std::vector<Wall<3>>&);
template std::vector<Wall<2>> walls_from_json(const std::string&);
template std::vector<Wall<3>> walls_from_json(const std::string&);

}  // namespace scree
