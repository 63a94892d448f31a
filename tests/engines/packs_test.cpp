// SPDX-License-Identifier: BSD-3-Clause
/// Contacts that lie side by side change no bit.
#include <gtest/gtest.h>

#include "scree/bench/beds.hpp"
#include "scree/core/faster_of_two.hpp"
#include "tests/support/jostling_bed.hpp"
#include "tests/support/ways.hpp"

namespace scree {
namespace {

using namespace test;
using Use = PackSettings::Use;

/// Packs always, never or as it comes, in lists of which hardly a pair touches, too.
struct WithPacks : With<PackSettings> {
  explicit WithPacks(Use use) : With(pack_settings, {0.0, 2, use}) {}
};

constexpr double r = jostling_radius;

/// With spins, and some grains held.
template <int D>
Scene<D, double> bed(const std::array<int, D>& sides, const std::array<bool, D>& periodic, const ContactLaws& laws = jostling_laws()) {
  auto scene = jostling_bed<D>(sides, periodic, laws, 0.1, 0.95);
  for (std::uint32_t id = 0; id < scene.world.grains.size(); ++id) {
    const std::size_t i = place(scene, id);
    Random random(5, 2, id);
    for (int k = 0; k < spin_size<D>; ++k) scene.world.state.w[i][k] = random.uniform(-50, 50);
    if (id % 29 != 3) continue;
    scene.world.grains.held[i] = 1;
    scene.world.state.v[i] = {};
  }
  return scene;
}

struct Outcome {
  std::uint64_t hash = 0;
  std::vector<Vec<Ledger::size, double>> ledgers;  // by id
  std::vector<std::size_t> contacts;               // after every advance
  double overlap = 0;
  std::int64_t packed = 0, taken_in = 0;
};

/// Moves a scene by so many steps, of which every `look`th is looked at.
template <int D>
Outcome move(Scene<D, double> scene, Use use, int threads, std::int64_t steps, std::int64_t look) {
  const WithPacks with(use);
  const WithThreads team(threads);
  Simulation<D, double> sim(scene, 5e-6, 0.0);
  sim.start();
  Outcome out;
  while (sim.steps() < steps) {
    const std::int64_t left = std::min(look - 1 - sim.steps() % look, steps - 1 - sim.steps());  // the last is looked at, too
    if (left == 0) sim.step();
    else sim.advance(left);
    EXPECT_FALSE(sim.engine().fault().has_value());
    out.contacts.push_back(sim.engine().contacts());
  }
  if (steps >= 200) EXPECT_GT(sim.engine().rebuilds, 1);
  EXPECT_GT(*std::max_element(out.contacts.begin(), out.contacts.end()), scene.world.grains.size() / 2);
  out.hash = sim.hash();
  out.packed = sim.engine().packed;
  out.taken_in = sim.engine().taken_in();
  out.overlap = sim.engine().largest_overlap;
  for (std::uint32_t id = 0; id < scene.world.grains.size(); ++id) out.ledgers.push_back(scene.world.state.e[place(scene, id)]);
  return out;
}

template <int D>
void expect_the_bits_of_batches(const Scene<D, double>& scene, std::int64_t steps = 200) {
  const Outcome batches = move(scene, Use::never, 1, steps, 40);
  EXPECT_EQ(batches.packed, 0);
  for (const int threads : {1, 3})
    for (const std::int64_t look : {40, 200}) {
      const Outcome packs = move(scene, Use::always, threads, steps, look);
      EXPECT_EQ(packs.hash, batches.hash) << threads << " threads, look " << look;
      EXPECT_EQ(packs.ledgers, batches.ledgers);
      EXPECT_EQ(packs.overlap, batches.overlap);
      if (look == 40) EXPECT_EQ(packs.contacts, batches.contacts);
      if (!kernels<D, double>().press_packs) continue;
      EXPECT_GE(packs.packed, steps * 9 / 10);
      EXPECT_GT(packs.taken_in, 0);  // pairs that were listed and far when packs were made have touched since
    }
}

/// Grains that are not a multiple of a window, nor of lanes.
TEST(Packs, HaveTheBitsOfBatchesInSpace) {
  expect_the_bits_of_batches(bed<3>({7, 9, 11}, {true, true, false}));
  expect_the_bits_of_batches(bed<3>({6, 9, 11}, {false, true, false}));
  expect_the_bits_of_batches(bed<3>({5, 5, 5}, {true, true, true}));
}

TEST(Packs, HaveTheBitsOfBatchesInThePlane) {
  expect_the_bits_of_batches(bed<2>({23, 25}, {true, false}));
  expect_the_bits_of_batches(bed<2>({23, 25}, {false, false}));
}

/// Every normal law that packs know with every law of friction, attraction or none; and the laws of the beds, whose coefficients are
/// derived from material and pair.
TEST(Packs, HaveTheBitsOfBatchesWithEveryLaw) {
  std::vector<ContactLaws> all;
  const std::vector<AnyNormal> normals{Linear{2e3, 0.2}, Hertz{2e7}, HertzLinear{2e7, 0.2}, HertzTsuji{2e7, 0.2}, KuwabaraKono{2e7, 200}};
  const std::vector<AnyTangential> frictions{Frictionless{}, CundallStrack{2e3, 0.3, 0.01}, Mindlin{1e7, 0.3, 0.5}, Viscous{0.05, 0.3}};
  for (const AnyNormal& normal : normals)
    for (const AnyTangential& friction : frictions) {
      ContactLaws laws;
      laws.normal = normal;
      laws.tangential = friction;
      laws.attraction = all.size() % 2 == 0;
      all.push_back(laws);
    }
  for (const std::string& name : bed_laws()) all.push_back(bed_law(name));
  for (std::size_t k = 0; k < all.size(); ++k) {
    SCOPED_TRACE("laws " + std::to_string(k));
    expect_the_bits_of_batches(bed<3>({5, 6, 7}, {true, true, false}, all[k]), 80);
    expect_the_bits_of_batches(bed<2>({9, 10}, {true, false}, all[k]), 80);
  }
}

/// Borders of the periods are known for as long as nobody has gone far; here all do, through them.
TEST(Packs, HaveTheBitsOfBatchesInAFlowThroughThePeriods) {
  auto scene = bed<3>({8, 6, 7}, {true, true, false});
  for (std::size_t i = 0; i < scene.world.grains.size(); ++i) {
    scene.world.grains.held[i] = 0;
    scene.world.state.v[i][0] += 4;
    scene.world.state.v[i][1] -= 2;
  }
  expect_the_bits_of_batches(scene, 600);
}

TEST(Packs, GoOnAfterACheckpoint) {
  const auto scene = bed<3>({6, 7, 8}, {true, true, false});
  const auto run_to = [](Simulation<3, double>& sim, std::int64_t end) {
    while (sim.steps() + 1 < end) sim.advance(end - 1 - sim.steps());
    sim.step();
  };
  const Outcome batches = move(scene, Use::never, 1, 160, 160);
  const WithPacks always(Use::always);
  auto first = scene, second = scene;
  Simulation<3, double> one(first, 5e-6, 0.0), two(second, 5e-6, 0.0);
  one.start();
  run_to(one, 80);
  two.load(one.save());
  run_to(two, 160);
  if (kernels<3, double>().press_packs) EXPECT_GT(two.engine().packed, 60);
  EXPECT_EQ(two.hash(), batches.hash);
}

/// Too deep an overlap is seen in the same step and named alike, of many equal ones the same.
TEST(Packs, NameTheGrainsThatOverlapTooMuch) {
  const auto run = [](Use use) {
    const WithPacks with(use);
    auto laws = jostling_laws();
    laws.normal = Linear{1e-3, 0};  // hardly anything
    auto scene = empty_scene<3>(laws, "velocity-verlet");
    scene.run.max_overlap = 0.5;
    for (int a = 0; a < 400; ++a) {  // pairs that fly at each other, all alike to the last bit; beside some flies a third, which makes their rows longer
      const double y = 0.01 * (a % 20), z = 0.01 * (a / 20);
      add_grain<3>(scene, {0, y, z}, {20, 0, 0}, r);
      add_grain<3>(scene, {2.1 * r, y, z}, {-20, 0, 0}, r);
      if (a % 3 == 1) add_grain<3>(scene, {0, y + 2.2 * r, z}, {20, 0, 0}, r);
    }
    scene.run.skin = 6e-4;
    Simulation<3, double> sim(scene, 5e-6, 0.0);
    sim.start();
    while (sim.steps() < 200 && !sim.engine().fault()) sim.advance(200 - sim.steps());
    const auto fault = sim.engine().fault();
    return std::pair(sim.steps(), fault ? fault->what : std::string());
  };
  const auto wanted = run(Use::never);
  EXPECT_NE(wanted.second.find("overlap by"), std::string::npos) << wanted.second;
  EXPECT_EQ(run(Use::always), wanted);
}

/// A grain that leaves the domain is named alike, in the same step.
TEST(Packs, NameTheGrainThatEscapes) {
  const auto run = [](Use use) {
    const WithPacks with(use);
    auto scene = bed<3>({6, 7, 8}, {false, true, false});
    scene.world.domain.bounded = true;
    for (int k = 0; k < 3; ++k) {
      scene.world.domain.lo[k] = k == 0 ? -0.01 : 0.0;
      if (k != 1) scene.world.domain.hi[k] += 0.01;
    }
    scene.world.state.v[place(scene, 17)][0] = -15;
    Simulation<3, double> sim(scene, 5e-6, 0.0);
    sim.start();
    while (sim.steps() < 400 && !sim.engine().fault()) sim.advance(400 - sim.steps());
    if (use == Use::always && kernels<3, double>().press_packs) EXPECT_GT(sim.engine().packed, 20);
    const auto fault = sim.engine().fault();
    return std::pair(sim.steps(), fault ? fault->what : std::string());
  };
  const auto wanted = run(Use::never);
  EXPECT_NE(wanted.second.find("17"), std::string::npos) << wanted.second;
  EXPECT_EQ(run(Use::always), wanted);
}

/// Lengths of rows are counted in bytes; longer rows are left to batches.
TEST(Packs, AreNotMadeOfRowsThatAreTooLong) {
  auto scene = bed<3>({9, 9, 9}, {false, false, false});
  scene.run.skin = 12e-3;
  const Outcome batches = move(scene, Use::never, 1, 60, 60), packs = move(scene, Use::always, 1, 60, 60);
  EXPECT_EQ(packs.packed, 0);
  EXPECT_EQ(packs.hash, batches.hash);
}

/// Springs and shares are in one form or the other: with packs a run takes little more memory. What they add is who is in which lane
/// and its partner, some ten bytes a grain and five a pair, lanes of nobody, and the desk.
TEST(Packs, TakeLittleMemory) {
  const auto run = [](Use use) {
    const WithPacks with(use);
    auto scene = bed<3>({20, 20, 20}, {true, true, false});
    const auto n = static_cast<double>(scene.world.grains.size());
    Simulation<3, double> sim(scene, 5e-6, 0.0);
    sim.start();
    sim.advance(40);
    const double during = static_cast<double>(sim.engine().bytes()) / n;
    sim.step();
    EXPECT_GE(static_cast<double>(sim.engine().bytes()) / n, during);  // what they took is not forgotten
    return during;
  };
  const double batches = run(Use::never), packs = run(Use::always);
  EXPECT_LT(packs, batches + 50);
}

/// Without a ledger everything else is as it was, in either form: places, springs, and what energies do not ask of the ledger. What is
/// not known stays so: a run that takes it up again does not begin to count in the middle.
template <int D>
void expect_that_only_the_ledger_is_missing(const Scene<D, double>& scene, Use use) {
  const WithPacks with(use);
  auto kept = scene, left_out = scene, again = scene;
  left_out.run.ledger = false;
  Simulation<D, double> one(kept, 5e-6, 0.0), two(left_out, 5e-6, 0.0), three(again, 5e-6, 0.0);
  for (Simulation<D, double>* sim : {&one, &two}) {
    sim->start();
    while (sim->steps() + 1 < 120) sim->advance(119 - sim->steps());
    sim->step();
  }
  EXPECT_EQ(one.hash(), two.hash());
  const Energies a = one.energies(), b = two.energies();
  EXPECT_GT(a.normal, 0);
  EXPECT_GT(a.tangential, 0);
  EXPECT_EQ(a.kinetic, b.kinetic);
  EXPECT_EQ(a.rotational, b.rotational);
  EXPECT_EQ(a.potential, b.potential);
  EXPECT_EQ(a.elastic, b.elastic);
  EXPECT_EQ(a.work, b.work);
  EXPECT_TRUE(std::isnan(b.normal) && std::isnan(b.tangential) && std::isnan(b.dissipated()) && std::isnan(b.balance_error()));
  three.load(two.save());
  three.step();
  EXPECT_TRUE(std::isnan(three.energies().normal) && std::isnan(three.energies().tangential));
}
TEST(Packs, AndBatchesDoWithoutALedger) {
  for (const Use use : {Use::never, Use::always}) {
    expect_that_only_the_ledger_is_missing(bed<3>({7, 8, 9}, {true, true, false}), use);
    expect_that_only_the_ledger_is_missing(bed<2>({23, 25}, {true, false}), use);
  }
  auto gas = bed<3>({6, 6, 6}, {true, true, true});  // so thin that there are fewer pairs than grains
  for (auto& x : gas.world.state.x) x = x * 1.4;
  for (auto& v : gas.world.state.v) v = v * 200;
  gas.world.domain.hi = gas.world.domain.hi * 1.4;
  expect_that_only_the_ledger_is_missing(gas, Use::never);
}

/// Left to themselves they are tried for some steps, and which of the two is taken afterwards changes nothing.
TEST(Packs, AreTried) {
  const auto scene = bed<3>({7, 8, 9}, {true, true, false});
  const Outcome batches = move(scene, Use::never, 1, 300, 300), tried = move(scene, Use::where_faster, 1, 300, 300);
  if (kernels<3, double>().press_packs) EXPECT_GE(tried.packed, FasterOfTwo::goes * FasterOfTwo::turns / 2);
  EXPECT_EQ(tried.hash, batches.hash);
  EXPECT_EQ(tried.ledgers, batches.ledgers);
}

TEST(FasterOfTwo, TakesTheOneWhoseQuickestGoIsQuicker) {
  for (const bool second : {false, true}) {
    FasterOfTwo choice;
    int tried[2] = {};
    while (choice.trying()) {
      const bool which = choice.second();
      const int k = tried[which ? 1 : 0]++;
      choice.took((which == second ? 1.0 : 1.2) + (k % 3 == 0 ? 0 : 5));  // a noisy machine
    }
    EXPECT_EQ(tried[0], tried[1]);
    for (std::int64_t k = 0; k < FasterOfTwo::for_many; ++k) {
      ASSERT_FALSE(choice.trying());
      ASSERT_EQ(choice.second(), second);
      choice.passed();
    }
    EXPECT_TRUE(choice.trying());
  }
}

TEST(FasterOfTwo, TakesTheSecondOfTwoThatAreAboutAsQuick) {
  for (const double slower : {1.05, 1.15}) {
    FasterOfTwo choice;
    while (choice.trying()) choice.took(choice.second() ? slower : 1.0);
    EXPECT_EQ(choice.second(), slower < FasterOfTwo::favoured);
  }
}

}  // namespace
}  // namespace scree
