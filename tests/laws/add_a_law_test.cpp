// SPDX-License-Identifier: BSD-3-Clause
/// The law that docs/add-a-law.md walks through is built here, put through the checks that every
/// registered law must pass, and compared with what the page prints.
#include "scree/laws/collision.hpp"

#include "tests/laws/add_a_law_example.hpp"
#include "tests/laws/formula.hpp"
#include "tests/laws/law_checks.hpp"

namespace scree {
namespace {

using namespace law_checks;

const std::filesystem::path source_dir = SCREE_SOURCE_DIR;

/// The code block that starts with the given line.
std::string code_block(const std::string& page, const std::string& first_line) {
  const std::string fence = "```cpp\n";
  const auto at = page.find(fence + first_line);
  if (at == std::string::npos) return {};
  const auto start = at + fence.size();
  return page.substr(start, page.find("```", start) - start);
}

TEST(AddALaw, PagePrintsTheExampleWhole) {
  const std::string page = read_text(source_dir / "docs/add-a-law.md");
  const std::string file = read_text(source_dir / "tests/laws/add_a_law_example.hpp");
  EXPECT_EQ(code_block(page, "// SPDX-License-Identifier: BSD-3-Clause\n#pragma once"), file);
}

/// All white space as single blanks: formatting may break lines elsewhere.
std::string flowed(const std::string& text) {
  std::istringstream in(text);
  std::string word, out;
  while (in >> word) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// The page shows the registry as it stands, and what it becomes.
TEST(AddALaw, PagePrintsTheRegistryAsItStands) {
  const std::string page = flowed(read_text(source_dir / "docs/add-a-law.md"));
  const std::string registry = flowed(read_text(source_dir / "src/scree/laws/registry.hpp"));
  const auto from = registry.find("using AnyNormal");
  const std::string entry =
      registry.substr(from, registry.find(';', from) - from - 1);  // up to the >
  EXPECT_NE(page.find(entry + ", Stiffening>;"), std::string::npos) << entry;
}

TEST(AddALaw, PageQuotesThisTest) {
  const std::string page = read_text(source_dir / "docs/add-a-law.md");
  const std::string test = read_text(source_dir / "tests/laws/add_a_law_test.cpp");
  const std::string quoted = code_block(page, "const Stiffening law{");
  ASSERT_FALSE(quoted.empty());
  EXPECT_NE(flowed(test).find(flowed(quoted)), std::string::npos) << quoted;
}

TEST(AddALaw, ExamplePassesWhatEveryLawMustPass) {
  Dice dice(17);
  for (int i = 0; i < 5; ++i) check_normal_law<Stiffening>(dice);
}

TEST(AddALaw, ExampleComputesTheFormulaItPrints) {
  const Formula formula(printed_formula(source_dir / "tests/laws", Stiffening::name));
  Dice dice(19);
  for (int i = 0; i < 100; ++i) {
    const Stiffening law = random_law<Stiffening>(dice);
    const Overlap<double> c = random_overlap(dice);
    Symbols s = symbols_of(law);
    s["ξ"] = c.xi;
    s["ξ'"] = c.rate;
    const double scale = law.elastic(c) + law.damping(c) * std::abs(c.rate);
    EXPECT_NEAR(force(law, c), formula.value("N", s), few_roundings * scale);
  }
}

/// The test of its own that a law deserves, here a closed form.
TEST(AddALaw, ExampleStoresAllEnergyAtTheLargestOverlap) {
  const Stiffening law{.k = 1000, .g = 0, .s = 0.02};
  const double xi = 0.03, m = 0.5;
  const double v = std::sqrt(2 * law.energy(Overlap<double>{xi, 0, 1, m}) / m);
  const Collision c = collide(NormalPair(law, 1, m), v);
  expect_close(c.max_overlap, xi, 1e-12, "largest overlap");  // as good as collide()
  expect_close(c.restitution, 1, 1e-12, "restitution");
}

}  // namespace
}  // namespace scree
