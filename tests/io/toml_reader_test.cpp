// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/toml_reader.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

struct Settings {
  double stiffness = 0;
  double gap = 0.5;
  std::int64_t count = 0;
  bool on = false;
  std::string word = "none";
  Vec<3, double> place{};
  std::vector<double> list;
  static constexpr auto fields() {
    return std::tuple{field<&Settings::stiffness>("stiffness", "N/m", positive),
                      field<&Settings::gap>("gap", "m"),
                      field<&Settings::count>("count", "", non_negative),
                      field<&Settings::on>("on"),
                      field<&Settings::word>("word"),
                      field<&Settings::place>("place", "m"),
                      field<&Settings::list>("list", "s", positive)};
  }
};

TomlDocument document(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return TomlDocument::parse(text, "f.toml", overrides);
}
Settings settings(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const auto doc = document(text, overrides);
  TomlTable root(doc);
  Settings s;
  TomlTable table = *root.table("s");
  table.read_fields(s);
  table.finish();
  return s;
}
template <class F> std::string message_of(F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TomlReader, ReadsAnyStructWithAFieldList) {
  const auto s = settings(
      "[s]\nstiffness = 3\ngap = -1.5\ncount = 7\non = true\nword = \"w\"\nplace = [1, 2.5, "
      "3]\nlist = [1, 2]\n");
  EXPECT_EQ(s.stiffness, 3);  // an integer where a float is meant
  EXPECT_EQ(s.gap, -1.5);
  EXPECT_EQ(s.count, 7);
  EXPECT_TRUE(s.on);
  EXPECT_EQ(s.word, "w");
  EXPECT_EQ(s.place, (Vec<3, double>{1, 2.5, 3}));
  EXPECT_EQ(s.list, (std::vector<double>{1, 2}));
}

TEST(TomlReader, AFieldWhoseDefaultIsOutOfBoundsIsRequired) {
  EXPECT_EQ(message_of([] { settings("\n[s]\n"); }),
            "f.toml:2:1: s: missing key \"stiffness\"; expected a number > 0 in N/m");
}

TEST(TomlReader, MessagesNamePlaceKeyWantAndFind) {
  EXPECT_EQ(message_of([] { settings("[s]\nstiffness = \"x\""); }),
            "f.toml:2:13: s.stiffness: expected a number > 0 in N/m, found the string \"x\"");
  EXPECT_EQ(message_of([] { settings("[s]\nstiffness = -1"); }),
            "f.toml:2:13: s.stiffness: expected a number > 0 in N/m, found -1");
  EXPECT_EQ(message_of([] { settings("[s]\nstiffness = 1\nplace = [1, 2]"); }),
            "f.toml:3:9: s.place: expected an array of 3 numbers in m, found an array of 2");
  EXPECT_EQ(message_of([] { settings("[s]\nstiffness = 1\nlist = [1, 0]"); }),
            "f.toml:3:12: s.list.1: expected a number > 0 in s, found 0");
  EXPECT_EQ(message_of([] { settings("[s]\nstiffness = 1\ncount = 1.5"); }),
            "f.toml:3:9: s.count: expected an integer >= 0, found 1.5");
  EXPECT_EQ(message_of([] { settings("[s]\nstiffness = 1\ncuont = 1"); }),
            "f.toml:3:1: s: unknown key \"cuont\"; expected one of stiffness, gap, count, on, "
            "word, place, list; did you mean \"count\"?");
  EXPECT_EQ(message_of([] { settings("s = 3"); }), "f.toml:1:5: s: expected a table, found 3");
}

TEST(TomlReader, AMistypedRequiredKeyIsPointedAt) {
  EXPECT_EQ(message_of([] { settings("[s]\nstifness = 1"); }),
            "f.toml:2:1: s: unknown key \"stifness\"; expected one of stiffness; did you mean "
            "\"stiffness\"?");
}

TEST(TomlReader, OverridesChangeAddAndIndex) {
  const std::string text = "[s]\nstiffness = 1\nplace = [1, 2, 3]\n[[a]]\nb = 1\n[[a]]\nb = 2\n";
  const auto s =
      settings(text, {"s.stiffness=2.5", "s.place.1=7", "s.word=free text", "s.on = true"});
  EXPECT_EQ(s.stiffness, 2.5);
  EXPECT_EQ(s.place[1], 7);
  EXPECT_EQ(s.word, "free text");
  EXPECT_TRUE(s.on);
  const auto doc = document(text, {"a.1.b=5", "new.table.key=[1, 2]", "s.word=\"quoted\""});
  TomlTable root(doc);
  auto list = root.tables("a");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1].required<std::int64_t>("b"), 5);
  EXPECT_EQ(root.table("new")->table("table")->required<std::vector<double>>("key"),
            (std::vector<double>{1, 2}));
  EXPECT_EQ(root.table("s")->required<std::string>("word"), "quoted");
}

TEST(TomlReader, LaterOverridesWin) {
  EXPECT_EQ(settings("[s]\nstiffness = 1", {"s.stiffness=2", "s.stiffness=3"}).stiffness, 3);
}

TEST(TomlReader, AnOverrideCannotSmuggleInOtherKeys) {
  EXPECT_EQ(settings("[s]\nstiffness = 1", {"s.word=1\ncount = 5"}).word, "1\ncount = 5");
}

TEST(TomlReader, TextIsKeptAsItIsWithoutOverrides) {
  const std::string text = "# a comment\n[s]\nstiffness=1\n";
  EXPECT_EQ(document(text).text(), text);
}

TEST(TomlReader, TextWithOverridesReadsBackTheSame) {
  const auto doc = document(
      "x = 0.1\n[t]\na = \"q\\\"\\n\\u00e9\"\nb = [1, [2.5, \"s\"], { c = true }]\n[t.sub]\nd = "
      "1979-05-27\n[[l]]\ne = 1e300\n[[l]]\n\"odd key\" = -0.0\n",
      {"x=0.30000000000000004"});
  const auto again = document(doc.text());
  EXPECT_EQ(again.canonical(), doc.canonical());
  EXPECT_EQ(TomlTable(again).required<double>("x"), 0.30000000000000004);
}

TEST(TomlReader, CanonicalTextForgetsSpellingAndLeavesOut) {
  const auto a = document("[b]\ny = 1\nx = 2.0\n[a]\nz = [1, 2]"),
             b = document("a = { z = [1.0, 2.0] } # hi\nb.x = 2\nb.y = 1.0");
  EXPECT_EQ(a.canonical(), b.canonical());
  EXPECT_EQ(a.canonical({"b.y"}), document("[a]\nz = [1, 2]\n[b]\nx = 2").canonical());
  EXPECT_NE(a.canonical(), document("[b]\ny = 1\nx = 2.0\n[a]\nz = [1, 3]").canonical());
  EXPECT_NE(document("s = 9007199254740993").canonical(),
            document("s = 9007199254740992").canonical());
}

TEST(TomlReader, LongFindsAreCutAndControlCharactersEscaped) {
  const std::string message =
      message_of([] { settings("[s]\nstiffness = \"" + std::string(500, 'x') + "\\u0007\""); });
  EXPECT_LT(message.size(), 200u);
  EXPECT_NE(message.find("\\x07"), std::string::npos);
}

TEST(Names, NearestFindsSlipsOfTheFingers) {
  const std::vector<std::string> names{"velocity",       "gravity",        "k", "g", "eps",
                                       "cundall-strack", "velocity-verlet"};
  EXPECT_EQ(nearest("velocty", names), "velocity");
  EXPECT_EQ(nearest("Gravity", names), "gravity");
  EXPECT_EQ(nearest("gravtiy", names), "gravity");
  EXPECT_EQ(nearest("cundall_strack", names), "cundall-strack");
  EXPECT_EQ(nearest("cundall", names), "cundall-strack");
  EXPECT_EQ(nearest("gama", names), "g");
  EXPECT_EQ(nearest("xyzzy", names), "");
  EXPECT_EQ(nearest("", names), "");
}

}  // namespace
}  // namespace scree
