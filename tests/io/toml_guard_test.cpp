// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/toml_guard.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"
#include "scree/io/toml_reader.hpp"

namespace scree {
namespace {

std::string repeated(std::string_view what, int times) {
  std::string out;
  for (int k = 0; k < times; ++k) out += what;
  return out;
}

/// The message of the reader, "" if it takes the text.
std::string message(const std::string& text, const std::string& name = "scene.toml") {
  try {
    TomlDocument::parse(text, name);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// What the guard says, as "line:column reason"; "" if it lets the text pass.
std::string guarded(std::string_view text) {
  const auto refusal = toml_guard(text);
  if (!refusal) return "";
  return std::to_string(refusal->line) + ":" + std::to_string(refusal->column) + " " +
         refusal->reason;
}

std::string file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(TomlGuard, AKeyOfTenThousandDotsIsRefused) {
  const std::string key = "a" + repeated(".a", 10000);
  const std::string reason = "nested too deeply: expected at most 32 dots in a key";
  EXPECT_EQ(guarded("b = 1\n" + key + " = 1"), "2:66 " + reason);
  EXPECT_EQ(guarded("[" + key + "]"), "1:67 " + reason);
  EXPECT_EQ(guarded("[[" + key + "]]"), "1:68 " + reason);
  EXPECT_EQ(guarded("x = [{" + key + " = 1}]"), "1:72 " + reason);
  EXPECT_EQ(guarded("'a'" + repeated(" . \"b\\\".\"", 33) + " = 1").substr(6), reason);
  EXPECT_EQ(message(key + " = 1"), "scene.toml:1:66: " + reason);
}

TEST(TomlGuard, ThirtyTwoDotsAndThirtyTwoBracketsAreAllowed) {
  EXPECT_EQ(message("a" + repeated(".a", 32) + " = 1"), "");
  EXPECT_EQ(message("a = " + repeated("[", 32) + "1" + repeated("]", 32)), "");
  EXPECT_EQ(message("a = " + repeated("{ b = ", 32) + "1" + repeated("}", 32)), "");
}

TEST(TomlGuard, DeepNestingIsRefused) {
  const std::string reason = "nested too deeply: expected at most 32 brackets within each other";
  EXPECT_EQ(guarded("a = " + repeated("[", 100000)), "1:37 " + reason);
  EXPECT_EQ(guarded("a = " + repeated("{a=", 100000)), "1:101 " + reason);
  EXPECT_EQ(guarded("a = " + repeated("[\n", 100000)), "33:1 " + reason);
  EXPECT_EQ(guarded("a = " + repeated("[{a=", 100000)), "1:69 " + reason);
  EXPECT_EQ(message("a = " + repeated("[", 100000)), "scene.toml:1:37: " + reason);
}

TEST(TomlGuard, DottedKeysWithinInlineTablesDoNotOverflowTheStack) {
  const std::string key = "a" + repeated(".a", 32) + " = ";
  EXPECT_NE(message(repeated(key + "{", 32) + repeated("}", 32)), "");
}

TEST(TomlGuard, ThreeBracketsDoNotBeginATable) {
  const std::string reason = "expected a table like [name] or [[name]], found [[[";
  EXPECT_EQ(guarded("[[["), "1:1 " + reason);
  EXPECT_EQ(guarded("a = 1\n  [[[b]]]\n"), "2:3 " + reason);
  EXPECT_EQ(message("a = [[[1]]]"), "");
}

TEST(TomlGuard, AWrongClosingBracketIsRefused) {
  EXPECT_EQ(guarded("0=[}"), "1:4 expected ], found }");
  EXPECT_EQ(guarded("a = {b = 1]"), "1:11 expected }, found ]");
  EXPECT_NE(message("a = ]"), "");
  EXPECT_NE(message("a = }"), "");
  EXPECT_NE(message("]"), "");
  EXPECT_NE(message("a = [1]]"), "");
}

TEST(TomlGuard, LettersBeyondAsciiBelongInStringsAndComments) {
  EXPECT_EQ(guarded("é = 1"),
            "1:1 expected plain ASCII outside of strings and comments, found é (U+00E9)");
  EXPECT_EQ(guarded("# é\na = 1 é").substr(0, 3), "2:7");
  EXPECT_EQ(guarded("a = “b”").substr(0, 3), "1:5");
  EXPECT_NE(guarded("a =\u00a01"), "");      // a space that does not break
  EXPECT_NE(guarded("a = 1\u2028"), "");     // a line separator
  EXPECT_NE(guarded("a = [1,\u3000]"), "");  // a wide space
  EXPECT_NE(guarded("a = 1 \ufeff"), "");    // a byte order mark, not at the beginning
  EXPECT_NE(guarded("a = \U0001F600"), "");
}

TEST(TomlGuard, WhatIsNotUtf8IsRefused) {
  const std::string reason = "not a text file: expected UTF-8, found the byte ";
  EXPECT_EQ(guarded("a = \"é\xff\""), "1:7 " + reason + "0xff");
  EXPECT_EQ(guarded("# \xc3"), "1:3 " + reason + "0xc3");
  EXPECT_EQ(guarded("'\xc0\xaf' = 1"), "1:2 " + reason + "0xc0");
  EXPECT_EQ(guarded("a = '\xed\xa0\x80'"), "1:6 " + reason + "0xed");
  EXPECT_EQ(guarded("a = '\xe0\x80\xaf'"), "1:6 " + reason + "0xe0");
  EXPECT_EQ(guarded("a = '\xf4\x90\x80\x80'"), "1:6 " + reason + "0xf4");
  EXPECT_EQ(guarded("a = '''\n\x80'''"), "2:1 " + reason + "0x80");
  EXPECT_EQ(guarded("a\xfe = 1"), "1:2 " + reason + "0xfe");
  EXPECT_EQ(guarded(std::string_view("a = 1\0", 6)), "1:6 " + reason + "0x00");
  EXPECT_EQ(guarded(std::string_view("# \0", 3)), "1:3 " + reason + "0x00");
}

TEST(TomlGuard, AStringEndsOnItsLine) {
  EXPECT_EQ(guarded("a = \"b\nc = 1"),
            "1:5 expected a closing \" on the same line (\"\"\" begins a string of several lines)");
  EXPECT_EQ(guarded("a = 1\nb = 'c\\'\nd = '\n").substr(0, 3), "3:5");
  EXPECT_EQ(guarded("a = \"b\\\nc\"").substr(0, 3), "1:5");
  EXPECT_NE(message("a = \""), "");
  EXPECT_NE(message("a = \"\"\"b"), "");
  EXPECT_NE(message("a = '''b''"), "");
  EXPECT_NE(message("a = \"b\\"), "");
}

TEST(TomlGuard, AValueTooLongForTheParserIsRefused) {
  EXPECT_NE(guarded("a = 1990-01-0" + repeated("_", 117) + "1 1x"), "");
  EXPECT_NE(guarded("a = [1, 0." + repeated("1", 200) + "]"), "");
  EXPECT_NE(guarded("a = {b = " + repeated("x", 200) + "}"), "");
  EXPECT_EQ(message("a = 0." + repeated("1", 100)), "");
  EXPECT_EQ(message(repeated("x", 5000) + " = 1"), "");
  EXPECT_EQ(message("a = '" + repeated("x", 5000) + "'"), "");
}

TEST(TomlGuard, ADigitAfterADateIsAnError) {
  EXPECT_NE(message("a = 1990-01-01 1"), "");
  EXPECT_NE(message("a = [1990-01-01 1, 2]"), "");
  EXPECT_NE(message("a = 1990-01-01 1\nb = 2:00:00\n"), "");
}

TEST(TomlGuard, TextThatEndsTooSoonIsAnError) {
  for (const char* text : {"a",      "a =",    "a.",       "a . ",       "[",           "[a",
                           "[[a",    "[[a]",   "[ ",       "a = [",      "a = [1",      "a = [1,",
                           "a = {",  "a = {b", "a = {b =", "a = {b = 1", "a = {b = 1,", "a = +",
                           "a = 0x", "a = 1_", "a = 1e",   "a = 1990-",  "a = 10:",     "a = t",
                           "a = in", "\"",     "'",        "''",         "a = \"\\u00", "a = 1\r"})
    EXPECT_NE(message(text), "") << text;
}

TEST(TomlGuard, EveryKindOfStringPasses) {
  const std::string text =
      "basic = \"a [ { # \\\" \\\\ ''' \\u00e9 é\"\n"
      "literal = 'C:\\' # \"\"\" [[[\n"
      "empty = [\"\", '', \"\"\"\"\"\", '''''']\n"
      "\"a key = [\" = 1\n"
      "'it.has.dots'.\"more \\\" ]\" = 2\n"
      "long = \"\"\"\none \"two\" \"\"three\"\" \\\"\"\"\\\n   é [ four\"\"\"\"\"\n"
      "raw = '''\n'a' ''b'' \\ \"\"\" {\n'''''\n"
      "dots = \"" +
      repeated(".", 1000) + "\"  # " + repeated(".", 1000) + "\n" + "open = '" +
      repeated("[", 1000) + "'  # " + repeated("{", 1000) + "\n" + "last = 1\n";
  EXPECT_EQ(guarded(text), "");
  const auto document = TomlDocument::parse(text, "scene.toml");
  TomlTable table(document);
  EXPECT_EQ(table.required<std::string>("basic"), "a [ { # \" \\ ''' é é");
  EXPECT_EQ(table.required<std::string>("literal"), "C:\\");
  EXPECT_EQ(table.required<std::string>("long"), "one \"two\" \"\"three\"\" \"\"\"é [ four\"\"");
  EXPECT_EQ(table.required<std::string>("raw"), "'a' ''b'' \\ \"\"\" {\n''");
  EXPECT_EQ(table.required<std::string>("dots"), repeated(".", 1000));
  EXPECT_EQ(table.required<std::int64_t>("last"), 1);
}

TEST(TomlGuard, UnicodeInStringsAndCommentsPasses) {
  const std::string text =
      "\ufeff# é ø Ω 粒 😀 \u00a0 \u3000 \u2028\n"
      "\"ключ é\" = 'é'  # “é”\n"
      "a = \"é \u00a0 😀\"\n"
      "b = \"\"\"é \\\n  é\n粒 \\\n\n  \u0391 \\\n \ufb01\"\"\"\n"
      "c = '''\né 粒'''\n";
  EXPECT_EQ(guarded(text), "");
  EXPECT_EQ(message(text), "");
}

TEST(TomlGuard, DotsAndBracketsInAStringOfSeveralLinesPass) {
  EXPECT_EQ(message("a = \"\"\"\n" + repeated(".", 100) + "\n" + repeated("[", 100) + "\"\"\""),
            "");
  EXPECT_EQ(message("a = '''\n" + repeated(".", 100) + "\n[[[\n'''"), "");
}

TEST(TomlGuard, ArraysAndTablesOfEveryShapePass) {
  const std::string text =
      "a = [[1, 2], [[3]], [], [\n  [4.0, 5e-1], # a comment, with ] and }\n  [-6_0, 0x7f],\n]]\r\n"
      "b = { c = [{ d = { e.f = [] } }, {}], g.h = 'i', j = [[], {}] }\n"
      "k = [1990-01-01 10:00:00, 1990-01-01, 10:00:00.5, 1990-01-01T10:00:00+01:00]\n"
      "[l.m . \"n\"]\n"
      "[[ o ]]  # a comment\n"
      "[[o]]\n"
      "p.q = [true, inf, -nan]\n"
      "[o.r]\n";
  EXPECT_EQ(guarded(text), "");
  EXPECT_EQ(message(text), "");
}

TEST(TomlGuard, EverySceneWeShipPasses) {
  int scenes = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SCREE_SOURCE_DIR) / "scenes")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_EQ(message(file(entry.path()), entry.path()), "") << entry.path();
    ++scenes;
  }
  EXPECT_GT(scenes, 0);
}

TEST(TomlGuard, TheSeedsOfTheFuzzerAreReadOrRefused) {
  int seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(SCREE_SOURCE_DIR) / "fuzz/seeds/toml_fuzz")) {
    const bool valid =
        entry.path().extension() == ".toml" || entry.path().filename() == "letter_after_line_end";
    EXPECT_EQ(message(file(entry.path())).empty(), valid) << entry.path();
    ++seeds;
  }
  EXPECT_GT(seeds, 0);
}

TEST(TomlGuard, AnyBeginningOfAValidTextIsReadOrRefused) {
  const std::string text =
      file(std::filesystem::path(SCREE_SOURCE_DIR) / "fuzz/seeds/toml_fuzz/values.toml") +
      file(std::filesystem::path(SCREE_SOURCE_DIR) / "fuzz/seeds/toml_fuzz/strings.toml");
  for (std::size_t k = 0; k <= text.size(); ++k) message(text.substr(0, k));
  EXPECT_EQ(message(text), "");
}

}  // namespace
}  // namespace scree
