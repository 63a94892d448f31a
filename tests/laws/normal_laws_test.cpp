// SPDX-License-Identifier: BSD-3-Clause
/// Normal laws: what all of them must do, and what their comments and docs/laws.md say of them.
#include <set>

#include "tests/laws/formula.hpp"
#include "tests/laws/law_checks.hpp"

namespace scree {
namespace {

using namespace law_checks;

const std::filesystem::path source_dir = SCREE_SOURCE_DIR;

template <class F> void for_each_random_normal_law(F&& f) {
  Dice dice(1);
  for_each_law<AnyNormal>([&]<class L>(const L&) {
    for (int i = 0; i < 5; ++i) f(random_law<L>(dice), dice);
  });
}

TEST(NormalLaws, EnergyDifferentiatesToElasticForce) {
  for_each_random_normal_law(
      [](const auto& law, Dice& dice) { energy_differentiates_to_elastic_force(law, dice); });
}

TEST(NormalLaws, NothingActsAtTouch) {
  for_each_random_normal_law([](const auto& law, Dice&) { nothing_acts_at_touch(law); });
}

TEST(NormalLaws, DashpotsDissipateAndForcesAreLinearInTheRate) {
  for_each_random_normal_law([](const auto& law, Dice& dice) { dashpot_dissipates(law, dice); });
}

TEST(NormalLaws, NumberTypesAgree) {
  for_each_random_normal_law([](const auto& law, Dice& dice) { number_types_agree(law, dice); });
}

TEST(NormalLaws, ElasticForceGrowsWithTheOverlap) {
  for_each_random_normal_law([](const auto& law, Dice&) {
    double last = 0;
    for (double xi = 0.01; xi < 10; xi *= 1.1) {
      const double now = law.elastic(Overlap<double>{xi, 0, 1, 1});
      EXPECT_GT(now, last) << law.name << " at " << xi;
      last = now;
    }
  });
}

TEST(NormalLaws, CodeEqualsThePrintedFormula) {
  for_each_random_normal_law([]<class L>(const L& law, Dice& dice) {
    const std::string line = printed_formula(source_dir / "src/scree/laws/normal", L::name);
    ASSERT_FALSE(line.empty()) << L::name << " prints no formula";
    const Formula formula(line);
    for (int i = 0; i < 50; ++i) {
      const Overlap<double> c = random_overlap(dice);
      Symbols s = symbols_of(law);
      s["ξ"] = c.xi;
      s["ξ'"] = c.rate;
      s["m*"] = c.m_eff;
      s["r*"] = c.r_eff;
      // the two terms may cancel: compare on the scale of the larger
      const double scale = law.elastic(c) + law.damping(c) * std::abs(c.rate);
      EXPECT_NEAR(force(law, c), formula.value("N", s), few_roundings * scale) << line;
    }
  });
}

TEST(NormalLaws, NamesAreUniqueAndKebabCase) {
  std::set<std::string> names;
  for_each_law<AnyNormal>([&]<class L>(const L&) {
    const std::string name(L::name);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos)
        << name;
  });
}

/// The formula and a row `| name | unit |` per coefficient, in the law's own section of the page.
template <class Variant>
void expect_documented(const std::string& kind, const std::string& folder) {
  const std::string page = read_text(source_dir / "docs/laws.md");
  for_each_law<Variant>([&]<class L>(const L&) {
    const std::string heading = "### " + kind + " `" + std::string(L::name) + "`";
    const auto at = page.find(heading);
    ASSERT_NE(at, std::string::npos) << "docs/laws.md has no section '" << heading << "'";
    const std::string section = page.substr(at, page.find("\n#", at) - at);
    if constexpr (!std::is_same_v<L, Frictionless>) {
      const std::string formula = printed_formula(source_dir / "src/scree/laws" / folder, L::name);
      EXPECT_NE(section.find(formula), std::string::npos)
          << heading << " lacks the formula " << formula;
    }
    for_each_field<L>([&](const auto& f) {
      const std::string row =
          "| `" + std::string(f.name) + "` | " + std::string(f.unit.empty() ? "1" : f.unit) + " |";
      EXPECT_NE(section.find(row), std::string::npos) << heading << " lacks the row " << row;
    });
  });
}

TEST(Laws, PageDescribesEveryLawWithItsFormulaAndUnits) {
  expect_documented<AnyNormal>("Normal law", "normal");
  expect_documented<AnyTangential>("Tangential law", "tangential");
  expect_documented<AnyRolling>("Rolling law", "rolling");
  expect_documented<AnyRotational>("Rotational law", "rotational");
}

}  // namespace
}  // namespace scree
