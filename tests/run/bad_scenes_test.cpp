// SPDX-License-Identifier: BSD-3-Clause
/// Every bad scene of bad_scenes/ is refused with one message on one line that names the file, the
/// line of the mistake and the words below.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/run/read_scene.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct Bad {
  const char* file;
  int line;              // 1 also for what is missing altogether
  const char* fragment;  // empty: the parser's own words
};

const Bad bad_scenes[] = {
    {"array-for-number", 9, "found an array of 1"},
    {"bad-body", 10, "did you mean \"sphere\"?"},
    {"bad-poisson", 10, "expected a number > -1 and <= 0.5, found 0.7"},
    {"behind-the-wall", 17, "grain 1 lies behind the wall \"plane 0\""},
    {"box-upside-down", 8, "expected the low corner below the high one along y"},
    {"constraint-in-space", 22, "solves for friction in the plane"},
    {"constraint-of-stages", 27, "expected one of \"euler\", \"symplectic-euler\", \"leapfrog\""},
    {"constraint-with-servo", 17, "a servo of grains would feel the friction of the step before"},
    {"contact-of-unknown-material", 26, "no such pair of materials"},
    {"contact-twice", 12, "the same pair as contact."},
    {"date-for-number", 29, "found a date"},
    {"digits-unreadable", 15, "expected a finite number in m, found the string \"0.1x\""},
    {"dim-four", 3, "expected 2 or 3, found 4"},
    {"disc-without-height", 8, "missing key \"height\""},
    {"dt-word", 28, "or \"auto\", found \"automatic\""},
    {"duplicate-key", 4, "cannot redefine"},
    {"duplicate-material", 11, "cannot redefine"},
    {"empty", 1, "missing key \"scene\""},
    {"fixed-with-velocity", 11, "grain 0 is fixed and has a velocity"},
    {"float-for-integer", 3, "expected an integer, found 2.0"},
    {"fraction-too-large", 29, "expected at most 0.2"},
    {"grains-without-material", 11, "missing key \"material\"; expected a material (glass)"},
    {"h-min-above-h-max", 30, "expected at most run.h_max = 1e-05 s"},
    {"infinite-position", 14, "found inf"},
    {"insert-negative-rate", 24, "insert.0.rate: expected a number > 0 in grains per s, found -10"},
    {"insert-too-narrow", 23, "no room for the largest grain along x"},
    {"insert-without-radius", 22, "missing key \"radius\"; expected a number > 0 in m"},
    {"insert-without-rate", 22, "missing key \"rate\""},
    {"insert-zero-count", 25, "expected an integer > 0, found 0"},
    {"key-of-another-law", 23, "contact.normal (hertz): unknown key \"g\""},
    {"ledger-of-stages", 29, "\"rk4\" keeps accounts along with its stages; expected true, or one of euler, symplectic-euler"},
    {"material-linear", 24, "contact.normal.k"},
    {"material-without-young", 23, "material \"glass\" has no young"},
    {"max-below-min", 15, "expected a number >= min"},
    {"missing-build", 11, "missing key \"build\"; expected a builder (column"},
    {"missing-contact", 1, "no laws of contact"},
    {"missing-csv", 14, "cannot read"},
    {"missing-damping", 23, "missing key \"g\""},
    {"missing-density", 13, "material \"glass\" has no density"},
    {"missing-dim", 1, "missing key \"dim\""},
    {"missing-dt", 26, "missing key \"dt\"; expected a number > 0 in s, or \"auto\""},
    {"missing-law", 23, "missing key \"law\"; expected a normal law (linear, hertz"},
    {"missing-mu", 24, "missing key \"mu\""},
    {"missing-radii", 11, "missing key \"radii\""},
    {"missing-run", 1, "missing key \"run\""},
    {"missing-scene", 1, "missing key \"scene\""},
    {"missing-stiffness", 23, "missing key \"k\""},
    {"missing-time", 26, "missing key \"time\""},
    {"mistyped-block", 26, "did you mean \"run\"?"},
    {"mistyped-required", 29, "unknown key \"tiem\"; expected one of"},
    {"move-without-rate", 21, "walls.0.motion.0 (rotate): missing key \"rate\""},
    {"nan-radius", 15, "found nan"},
    {"negative-density", 9, "expected a number > 0 in kg/m^3, found -1"},
    {"negative-dt", 28, "expected a number > 0 in s"},
    {"negative-friction", 24, "contact.tangential.mu: expected a number >= 0, found -0.5"},
    {"negative-radius", 15, "grains.0.radii.1: expected a number > 0 in m, found -0.01"},
    {"negative-seed", 4, "expected an integer >= 0, found -1"},
    {"negative-stiffness", 23, "expected a number > 0 in N/m, found -10000.0"},
    {"negative-time", 29, "expected a number > 0 in s, found -1"},
    {"negative-viscous-time", 16, "contact.normal.A"},
    {"nested-arrays", 1, "nested"},
    {"nested-header", 1, "nested too deeply"},
    {"nested-tables", 1, "nested"},
    {"no-grains-block", 1, "no grains; expected at least one [[grains]] block"},
    {"no-material", 1, "no material; expected at least one table [material.NAME]"},
    {"not-toml", 1, ""},
    {"not-utf8", 1, "not a text file: expected UTF-8, found the byte 0xe9"},
    {"number-for-boolean", 16, "expected true or false"},
    {"number-for-string", 2, "expected a string, found 3"},
    {"number-for-table", 23, "contact.normal: expected a table, found 3"},
    {"orientations-of-polygons", 33, "angular grains touch according to how they lie"},
    {"orientations-of-stages", 29, "expected true, or one of euler, symplectic-euler"},
    {"outside-the-domain", 13, "grain 1 lies outside the domain: x = 0.1 m"},
    {"overlapping-start", 11,
     "grains 0 and 1 overlap at the start by 0.005 m, 50 % of the smaller radius"},
    {"periodic-too-narrow", 8, "the period along y is 0.02 m"},
    {"periodic-without-box", 5, "missing key \"box\""},
    {"plane-vector-in-space", 6, "expected an array of 3 numbers in m/s^2, found an array of 2"},
    {"polygon-in-a-ring", 21, "polygons meet planes and each other"},
    {"polygon-in-space", 18, "polygons are grains of the plane"},
    {"polygon-missing-file", 18, "grain 0: "},
    {"polygon-nan", 18, "grain 0: expected a finite number in m, found nan"},
    {"polygon-needle", 18, "expected a number from 1 to 20"},
    {"polygon-not-convex", 18, "grain 0: the outline is not convex at vertex 3"},
    {"polygon-of-spheres", 13, "grain 0 is a polygon, and \"glass\" makes spheres"},
    {"polygon-self-crossing", 18, "grain 0: the outline crosses itself"},
    {"polygon-two-sides", 18, "grain 0: expected an integer from 3 to 1000, found 2"},
    {"polygon-two-vertices", 18, "grain 0: a polygon needs at least three vertices, not 2"},
    {"polygon-unknown-kind", 18, "did you mean \"polygon\"?"},
    {"polygon-without-area", 18, "grain 0: all vertices lie on one line"},
    {"polygon-wrong-law", 25, "know only the normal law \"overlap-area\""},
    {"polygons-overlapping", 13, "grains 0 and 1 overlap at the start"},
    {"ratio-of-material-stiffness", 25, "contact.tangential.ratio"},
    {"real-unknown", 4, "expected a number type (double, dd), found \"float\""},
    {"remove-two-regions", 22, "expected one of box, or point and normal"},
    {"remove-zero-normal", 24, "expected a vector that is not zero"},
    {"restitution-above-one", 23, "expected a number > 0 and <= 1, found 1.5"},
    {"saturated", 14, "room for only"},
    {"servo-negative-mass", 19, "expected a number >= 0 in kg, found -1"},
    {"servo-without-area", 19, "missing key \"area\""},
    {"servo-without-mass", 19, "expected a mass or a damping > 0"},
    {"shear-and-insert", 24, "grains cannot come into a sheared box"},
    {"shear-without-periods", 7, "expected both axes periodic"},
    {"short-vector", 6, "expected an array of 2 numbers in m/s^2, found an array of 1"},
    {"sleep-of-stages", 29, "grains cannot sleep with \"rk4\""},
    {"sleep-without-weight", 26, "expected a scene with gravity"},
    {"snapshots-two-ways", 32, "expected one of every (s) and steps"},
    {"space-vector-in-plane", 6, "found an array of 3"},
    {"sphere-with-height", 10, "only for body = \"disc\""},
    {"spread-above-one", 15, "expected a number between 0 and 1"},
    {"step-too-large", 28, "the step is too large: expected at most"},
    {"string-for-number", 9, "expected a number > 0 in kg/m^3, found the string \"2500\""},
    {"string-in-vector", 6,
     "domain.gravity.1: expected a finite number in m/s^2, found the string \"down\""},
    {"syntax-error", 3, ""},
    {"table-for-array", 6, "expected an array of 2 numbers in m/s^2, found a table"},
    {"time-and-steps", 30, "given beside \"time\""},
    {"theta-below-gamma", 21, "expected dt >= gamma = 0.05 s, found 0.02 s"},
    {"theta-with-friction", 15, "kk-theta needs grains without friction"},
    {"theta-without-pull", 15, "expected attraction = true"},
    {"too-many-grains", 14, "too many grains"},
    {"two-dampings", 23, "given beside another damping"},
    {"two-values", 28, ""},
    {"unknown-block", 31, "unknown key \"outptu\"; expected one of scene"},
    {"unknown-builder", 12, "did you mean \"points\"?"},
    {"unknown-integrator", 27, "did you mean \"velocity-verlet\"?"},
    {"unknown-key-contact", 23, "contact: unknown key \"friction\""},
    {"unknown-key-domain", 6, "domain: unknown key \"gravitiy\""},
    {"unknown-key-grains", 15, "did you mean \"radii\"?"},
    {"unknown-key-insert", 24, "unknown key \"rat\""},
    {"unknown-key-law", 23, "contact.normal (linear): unknown key \"gama\""},
    {"unknown-key-material", 10, "did you mean \"young\"?"},
    {"unknown-key-run", 29, "run: unknown key \"stepsize\""},
    {"unknown-key-scene", 4, "did you mean \"seed\"?"},
    {"unknown-key-snapshots", 32, "output.snapshots: unknown key \"vtk\""},
    {"unknown-key-walls", 21, "did you mean \"material\"?"},
    {"unknown-material", 13, "did you mean \"glass\"?"},
    {"unknown-move", 21, "expected a move (translate, rotate, shrink, oscillate), found \"turn\""},
    {"unknown-neighbours", 30, "did you mean \"cells\"?"},
    {"unknown-normal-law", 23, "did you mean \"linear\"?"},
    {"unknown-rolling-law", 26, "did you mean \"spring\"?"},
    {"unknown-rotational-law", 27, "did you mean \"matrix-damping\"?"},
    {"unknown-side", 20, "did you mean \"top\"?"},
    {"unknown-tangential-law", 24, "expected a tangential law (none, cundall-strack"},
    {"unknown-wall-kind", 18, "did you mean \"plane\"?"},
    {"unknown-wall-material", 19, "expected a material (glass), found \"steel\""},
    {"unterminated-string", 2, ""},
    {"until-before-from", 22, "expected a time after from"},
    {"vanishing-mass", 11, "is so far from the origin"},
    {"viscous-time-of-another-dashpot", 16, "goes with b = a - 1"},
    {"viscous-time-of-linear", 23, "contact.normal.A"},
    {"wall-without-kind", 17, "missing key \"kind\""},
    {"wall-without-normal", 17, "missing key \"normal\""},
    {"wall-without-point", 17, "missing key \"point\""},
    {"wrong-number-of-fixed", 16, "expected one entry per grain (2), found 1"},
    {"wrong-number-of-masses", 12, "expected one entry per grain (3), found 2"},
    {"wrong-number-of-radii", 15, "expected one entry per position (2), found 1"},
    {"zero-byte", 2, "found the byte 0x00"},
    {"zero-count", 14, "expected an integer > 0, found 0"},
    {"zero-grains", 14, "expected at least one position"},
    {"zero-mass", 12, "grains.0.mass"},
    {"zero-normal", 20, "expected a vector that is not zero"},
    {"zero-radius", 15, "expected a number > 0 in m, found 0.0"},
    {"zero-time", 29, "expected a number > 0 in s, found 0.0"},
};

fs::path folder() { return fs::path(SCREE_SOURCE_DIR) / "tests" / "run" / "bad_scenes"; }

std::string message_of(const std::string& file, const std::vector<std::string>& overrides = {}) {
  try {
    read_scene(file, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class BadScene : public ::testing::TestWithParam<Bad> {};

TEST_P(BadScene, IsRefusedWithPlaceAndReason) {
  const Bad& bad = GetParam();
  const std::string file = (folder() / (std::string(bad.file) + ".toml")).string();
  const std::string message = message_of(file);
  ASSERT_FALSE(message.empty()) << "was read without complaint";
  EXPECT_TRUE(message.starts_with(file + ":" + std::to_string(bad.line) + ":")) << message;
  EXPECT_NE(message.find(bad.fragment), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_LT(message.size(), 1000u) << message;
}

INSTANTIATE_TEST_SUITE_P(All, BadScene, ::testing::ValuesIn(bad_scenes), [](const auto& one) {
  std::string name = one.param.file;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(BadScenes, TheTableAndTheFolderAgree) {
  std::set<std::string> listed, found;
  for (const auto& bad : bad_scenes) listed.insert(bad.file);
  for (const auto& entry : fs::directory_iterator(folder()))
    found.insert(entry.path().stem().string());
  EXPECT_EQ(listed, found);
  EXPECT_GE(found.size(), 60u);
}

/// A file of its own for one test, gone afterwards.
struct Scratch {
  fs::path path =
      fs::temp_directory_path() / ("scree-bad-scene-" + std::to_string(::getpid()) + ".toml");
  explicit Scratch(const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }
  ~Scratch() {
    fs::permissions(path, fs::perms::owner_all);
    fs::remove(path);
  }
};

TEST(BadScenes, AMissingFileIsNamed) {
  EXPECT_EQ(message_of("nowhere/no.toml"), "nowhere/no.toml: no such file");
}

TEST(BadScenes, AFolderIsNamed) {
  EXPECT_NE(message_of(folder().string()).find("is a directory"), std::string::npos);
}

TEST(BadScenes, AFileWithoutPermissionIsNamed) {
  Scratch file("[scene]\n");
  fs::permissions(file.path, fs::perms::none);
  // root may read everything, so root asks as nobody
  const bool root = geteuid() == 0;
  if (root) ASSERT_EQ(seteuid(65534), 0);
  const std::string message = message_of(file.path.string());
  if (root) ASSERT_EQ(seteuid(0), 0);
  EXPECT_NE(message.find("cannot be read"), std::string::npos) << message;
}

TEST(BadScenes, TenMegabytesOfNoiseAreRefused) {
  std::string noise(10'000'000, ' ');
  Random random(7, 0, 0);
  for (char& c : noise) c = static_cast<char>(random.bits());
  Scratch file(noise);
  EXPECT_NE(message_of(file.path.string()).find("not a text file"), std::string::npos);
}

TEST(BadScenes, TenMegabytesOfPrintableNoiseAreRefused) {
  std::string noise(10'000'000, ' ');
  Random random(8, 0, 0);
  for (char& c : noise) c = static_cast<char>(' ' + random.bits() % 95);
  Scratch file(noise);
  EXPECT_NE(message_of(file.path.string()).find(":1:"), std::string::npos);
}

TEST(BadScenes, AFileBeyondTheLimitIsRefused) {
  Scratch file(std::string(17'000'000, '#'));
  EXPECT_NE(message_of(file.path.string()).find("too long for a scene file"), std::string::npos);
}

TEST(BadScenes, ManyKeysAndManyTablesAreRefusedQuickly) {
  std::string keys, tables, brackets;
  for (int k = 0; k < 200'000; ++k) keys += "k" + std::to_string(k) + " = 1\n";
  for (int k = 0; k < 100'000; ++k) tables += "[t" + std::to_string(k) + "]\n";
  for (const std::string& text :
       {keys, tables, std::string(1'000'000, '['), std::string(1'000'000, '{')})
    EXPECT_THROW(read_scene_text(text, "many.toml"), InputError);
}

TEST(BadScenes, AMistakeInAnOverrideIsSaidToBeThere) {
  const std::string good =
      (fs::path(SCREE_SOURCE_DIR) / "scenes" / "binary-collision.toml").string();
  EXPECT_EQ(message_of(good), "");
  EXPECT_TRUE(
      message_of(good, {"run.dtt=3"}).starts_with("--set run.dtt=3: run: unknown key \"dtt\""));
  EXPECT_TRUE(message_of(good, {"run.dt=-1"})
                  .starts_with("--set run.dt=-1: run.dt: expected a number > 0"));
  EXPECT_TRUE(message_of(good, {"grains.0.radii.1=nan"})
                  .starts_with("--set grains.0.radii.1=nan: grains.0.radii.1: "));
  EXPECT_TRUE(
      message_of(good, {"grains.7.count=3"})
          .starts_with(
              "--set grains.7.count=3: grains is an array; expected a number between 0 and 0"));
  EXPECT_TRUE(message_of(good, {"run.dt"}).starts_with("--set run.dt: expected KEY=VALUE"));
  EXPECT_TRUE(message_of(good, {"run.dt.x=3"})
                  .starts_with("--set run.dt.x=3: run.dt is neither a table nor an array"));
  EXPECT_TRUE(message_of(good, {".=3"}).starts_with("--set .=3: expected a dotted key"));
}

}  // namespace
}  // namespace scree
