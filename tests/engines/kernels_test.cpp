// SPDX-License-Identifier: BSD-3-Clause
/// The kernels of all instruction sets against each other: the loop that does the usual step at once against the steps one
/// after the other on plain doubles, for every law of normal force with every law of friction, and the end of a step that
/// goes on into the next against its parts. Bit by bit.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "scree/engines/kernels.hpp"

namespace scree {
namespace {

/// Equal in every bit (two NaNs as well, and +0 is not -0).
template <class C>
void expect_same_bits(const C& a, const C& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_EQ(0, std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0]))) << what;
}

template <int D>
std::vector<std::pair<std::string, const Kernels<D, double>*>> wide_kernels() {
  std::vector<std::pair<std::string, const Kernels<D, double>*>> all;
#if SCREE_WIDE_KERNELS
  if (__builtin_cpu_supports("x86-64-v3")) all.emplace_back("v3", &kernels_v3<D, double>());
  if (__builtin_cpu_supports("x86-64-v4")) all.emplace_back("v4", &kernels_v4<D, double>());
#endif
  return all;
}

/// A law with some number for each of its fields, no two alike.
template <class V, std::size_t K = 0>
void each_law(std::vector<V>& all) {
  if constexpr (K < std::variant_size_v<V>) {
    using Law = std::variant_alternative_t<K, V>;
    Law law;
    double value = 0.3;
    for_each_field<Law>([&](const auto& field) {
      if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(field)>::Member, double>) law.*field.member = value += 0.17;
    });
    all.emplace_back(law);
    each_law<V, K + 1>(all);
  }
}

/// Grains thrown into a periodic box, each listed with all of higher number; most of them touch.
template <int D>
struct Heap {
  static constexpr std::size_t n = 18;
  std::vector<std::uint32_t> partner, owner, begin, in_begin, in_slot;
  Column<GrainRecord<D, double>> grain;
  Column<Spin<D, double>> w;
  Column<Spring<D, double>> zeta;
  Column<std::uint8_t> live;

  explicit Heap(unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (std::size_t i = 0; i < n; ++i) {
      GrainRecord<D, double> g;
      for (int k = 0; k < D; ++k) g.x[k] = unit(random), g.v[k] = unit(random) - 0.5;
      g.r = 0.1 + 0.15 * unit(random);
      g.inverse_mass = i == 3 ? 0 : 1 / (1 + unit(random));
      Spin<D, double> spin;
      for (int k = 0; k < spin_size<D>; ++k) spin[k] = 4 * unit(random) - 2;
      if constexpr (D == 2) g.w = spin;
      grain.push_back(g);
      w.push_back(spin);
    }
    begin.push_back(0);
    std::vector<std::vector<std::uint32_t>> in(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = i + 1; j < n; ++j) {
        in[j].push_back(static_cast<std::uint32_t>(partner.size()));
        owner.push_back(i);
        partner.push_back(j);
        live.push_back(static_cast<std::uint8_t>(random() % 4));
        Spring<D, double> z;
        for (int k = 0; k < spring_size<D>; ++k) z[k] = 0.02 * (unit(random) - 0.5);
        zeta.push_back(z);
      }
      begin.push_back(static_cast<std::uint32_t>(partner.size()));
    }
    partner.resize(partner.size() + pack);  // whole packs are looked at
    live.resize(live.size() + pack);
    in_begin.push_back(0);
    for (const auto& one : in) {
      in_slot.insert(in_slot.end(), one.begin(), one.end());
      in_begin.push_back(static_cast<std::uint32_t>(in_slot.size()));
    }
    in_slot.resize(in_slot.size() + 4);
  }
  std::size_t pairs() const { return begin.back(); }
};

/// What a sweep over it leaves behind.
template <int D>
struct Left {
  std::vector<Vec<D, double>> f;
  std::vector<Spin<D, double>> m;
  std::vector<Vec<Ledger::size, double>> e;
  Column<Share<D, double>> back;
  Column<Spring<D, double>> zeta;
  bool pressed = false, deep = false, fresh = false;
  int contacts = 0;
  std::vector<std::uint32_t> parted{};
};

template <int D>
Left<D> sweep(const Heap<D>& heap, const ContactTable& table, const Kernels<D, double>& kernels, bool at_once, const HandOut<double>& what) {
  Left<D> left{std::vector<Vec<D, double>>(heap.n), std::vector<Spin<D, double>>(heap.n), {}, {}, heap.zeta};
  left.e.assign(heap.n, Vec<Ledger::size, double>{});
  left.back.assign(heap.pairs() + 1, {});
  Vec<D, double> length{};
  length[0] = 1.1;  // a period along one axis
  const SweepView<D, double> view{heap.partner.data(), heap.grain.data(), heap.w.data(), left.zeta.data(), nullptr,
                                  heap.live.data(), left.back.data(), length, 0, false};
  const auto batch = std::make_unique<Batch<D, double>>();
  Batch<D, double>& b = *batch;
  b.of_walls = false;
  b.first_row = 0;
  const int count = static_cast<int>(heap.pairs());
  EXPECT_LE(count, batch_size);
  std::copy(heap.owner.begin(), heap.owner.end(), b.owner.begin());
  SpringTask<double> task{0.01, 0.004};
  const bool need = table.laws[0].needs_effective();
  kernels.find(view, 0, count, b);
  left.fresh = b.fresh;
  left.contacts = b.n;
  left.parted.assign(b.parted.begin(), b.parted.begin() + b.parts);
  if (at_once) left.pressed = kernels.press && kernels.press(view, b, table.laws[0], task, what, need);
  if (!left.pressed) {
    kernels.fetch(view, b);
    kernels.evaluate(b, table, task, need);
    kernels.hand_out(view, b, what);
  }
  left.deep = b.deep;
  kernels.close(b, heap.n, left.f.data(), left.m.data(), left.e.data());
  for (const auto& sum : b.sum) {
    EXPECT_EQ(sum.loss_n, 0);
    EXPECT_EQ(norm2(sum.f), 0);
  }
  return left;
}

template <int D>
void every_pair_of_laws_agrees() {
  std::vector<AnyNormal> normals;
  std::vector<AnyTangential> tangentials;
  each_law(normals);
  each_law(tangentials);
  const Heap<D> heap(7);
  int pressed = 0;
  using S = Scaling::Stiffness;
  using G = Scaling::Damping;
  for (const AnyNormal& normal : normals)
    for (const AnyTangential& tangential : tangentials)
      for (const Scaling scaling : {Scaling{}, Scaling{S::root_radius, G::root_radius}, Scaling{S::root_radius, G::quarter_radius},
                                    Scaling{S::given, G::root_mass}, Scaling{S::given, G::mass}, Scaling{S::root_radius, G::mass_root_radius}})
        for (const bool attraction : {false, true})
          for (const double deep : {0.2, 10.0}) {
            ContactTable table;
            table.laws.emplace_back();
            table.laws[0].normal = normal;
            table.laws[0].tangential = tangential;
            table.laws[0].scaling = scaling;
            table.laws[0].attraction = attraction;
            const HandOut<double> what{0.014, attraction != (deep > 1), false, false, deep};
            const Left<D> expected = sweep(heap, table, kernels_plain<D, double>(), false, what);
            for (const auto& [name, kernels] : wide_kernels<D>())
              for (const bool at_once : {false, true}) {
                const Left<D> found = sweep(heap, table, *kernels, at_once, what);
                const std::string which = name + (at_once ? " at once" : " one after the other") + ", laws " +
                                          std::to_string(normal.index()) + " and " + std::to_string(tangential.index());
                pressed += found.pressed;
                EXPECT_EQ(found.contacts, expected.contacts);
                EXPECT_EQ(found.parted, expected.parted);
                EXPECT_EQ(found.deep, expected.deep) << which;
                EXPECT_EQ(found.fresh, expected.fresh) << which;
                expect_same_bits(found.f, expected.f, which + ": forces");
                expect_same_bits(found.m, expected.m, which + ": torques");
                expect_same_bits(found.back, expected.back, which + ": shares");
                expect_same_bits(found.zeta, expected.zeta, which + ": springs");
                for (std::size_t i = 0; i < heap.n; ++i)  // of losses, zeros may differ in sign
                  EXPECT_EQ(found.e[i], expected.e[i]) << which << ": losses";
                if (::testing::Test::HasFailure()) return;
              }
          }
  if (!wide_kernels<D>().empty()) {
    EXPECT_GT(pressed, 0);
  }
}

TEST(Kernels, TheUsualStepAtOnceGivesTheBitsOfItsPartsInThePlane) { every_pair_of_laws_agrees<2>(); }
TEST(Kernels, TheUsualStepAtOnceGivesTheBitsOfItsPartsInSpace) { every_pair_of_laws_agrees<3>(); }

TEST(Kernels, ThePairsOfTheTestTouchPartAndSlide) {
  // the laws above would agree on nothing, too
  const Heap<3> heap(7);
  ContactTable table;
  table.laws.emplace_back();
  table.laws[0].normal = Linear{1e3, 1};
  table.laws[0].tangential = CundallStrack{1e4, 0.5, 0, 0};
  const Left<3> left = sweep(heap, table, kernels_plain<3, double>(), false, {0.014, true, false, false, 10});
  EXPECT_GT(left.contacts, 2 * pack);
  EXPECT_LT(left.contacts, static_cast<int>(heap.pairs()));
  EXPECT_NE(left.contacts % pack, 0);  // the last pack is not full
  double lost = 0;
  for (const auto& e : left.e) lost += e[Ledger::tangential];
  EXPECT_GT(lost, 0);
  EXPECT_FALSE(left.deep);
  EXPECT_TRUE(left.fresh);
}

TEST(Kernels, FindTellsOfASingleFreshContact) {
  Heap<3> heap(7);
  std::fill(heap.live.begin(), heap.live.end(), lasting);
  ContactTable table;
  table.laws.emplace_back();
  table.laws[0].normal = Linear{1e3, 1};
  auto all = wide_kernels<3>();
  all.emplace_back("plain", &kernels_plain<3, double>());
  for (const auto& [name, kernels] : all) {
    const auto fresh = [&, k = kernels] { return sweep(heap, table, *k, false, {0.014, true, false, false, 10}).fresh; };
    EXPECT_FALSE(fresh()) << name;
    int seen = 0;
    for (std::size_t p = 0; p < heap.pairs(); ++p) {
      heap.live[p] = static_cast<std::uint8_t>(lasting | 4);
      seen += fresh();
      heap.live[p] = lasting;
    }
    EXPECT_EQ(seen, sweep(heap, table, *kernels, false, {0.014, true, false, false, 10}).contacts) << name;
  }
}

template <int D>
void a_step_that_goes_on_gives_the_bits_of_its_parts() {
  constexpr int A = spin_size<D>;
  const Heap<D> heap(11);
  const std::size_t n = heap.n;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  Column<Vec<D, double>> f(n), x(n), v(n);
  Column<Spin<D, double>> m(n), w(n);
  Column<Share<D, double>> back(heap.pairs() + 1);
  Column<double> inverse_mass(n), inverse_inertia(n);
  Column<std::uint8_t> still(n, 0);
  still[2] = 1;
  const auto fill = [&](auto& to) {
    for (double& one : to.c) one = unit(random);
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (auto* one : {&f[i], &x[i], &v[i]}) fill(*one);
    for (auto* one : {&m[i], &w[i]}) fill(*one);
    inverse_mass[i] = 1 + unit(random) / 2;
    inverse_inertia[i] = 3 + unit(random);
  }
  for (std::size_t p = 0; p < heap.pairs(); ++p) {
    fill(back[p].f);
    fill(back[p].m);
  }
  const double by = 0.01, h = 0.02;
  Vec<D, double> gravity{};
  gravity[D - 1] = -9.81;
  const auto view_of = [&](auto& to_f, auto& to_m) {
    return GatherView<D, double>{heap.in_begin.data(), heap.in_slot.data(), heap.pairs(), back.data(), static_cast<std::uint32_t>(heap.pairs()), {},
                                 to_f.data(), to_m.data(), inverse_mass.data(), inverse_inertia.data(), still.data(), gravity};
  };
  auto start = heap.grain;
  for (std::size_t i = 0; i < n; ++i) {
    start[i].x = x[i];
    start[i].v = v[i];
    start[i].inverse_mass = inverse_mass[i];
    if constexpr (D == 2) start[i].w = w[i];
  }
  // the parts, on plain doubles
  auto a = f;
  auto alpha = m;
  auto x1 = x;
  auto v1 = v;
  auto w1 = w;
  auto records1 = start;
  const Kernels<D, double>& plain = kernels_plain<D, double>();
  plain.gather(view_of(a, alpha), 0, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int twice = 0; twice < 2; ++twice) {
      for (int k = 0; k < D; ++k) v1[i][k] += a[i][k] * by;
      for (int k = 0; k < A; ++k) w1[i][k] += alpha[i][k] * by;
    }
    for (int k = 0; k < D; ++k) x1[i][k] += v1[i][k] * h;
  }
  const Ways<D, double> ways = plain.record(x1.data(), v1.data(), w1.data(), records1.data(), n);
  const double top = std::max_element(x1.begin(), x1.end(), [](const auto& one, const auto& other) { return one[1] < other[1]; })->operator[](1);
  if (D == 3) {  // the first grains have few shares, the last many: both ways of adding them
    ASSERT_LT(heap.in_begin[4], 2 * 4U);
    ASSERT_GT(heap.in_begin[n] - heap.in_begin[4], 2 * (n - 4));
  }
  EXPECT_EQ(v1[2], v[2]);  // held still
  for (const auto& [name, kernels] : wide_kernels<D>()) {
    ASSERT_NE(kernels->go_on, nullptr);
    auto f2 = f;
    auto m2 = m;
    auto w2 = w;
    auto records2 = start;
    const double beyond = std::nextafter(top, 2.0);
    Vec<D, double> low, high, border;
    for (int k = 0; k < D; ++k) {
      low[k] = -2;
      high[k] = border[k] = 2;
    }
    high[1] = beyond;
    border[1] = top;
    const GoOn<D, double> to{w2.data(), records2.data(), by, h, low, high};
    Gone<D, double> gone = kernels->go_on(view_of(f2, m2), to, 0, 4);
    EXPECT_FALSE(gone.outside) << name;
    const Gone<D, double> rest = kernels->go_on(view_of(f2, m2), to, 4, n);
    EXPECT_FALSE(rest.outside) << name;
    gone.ways.add(rest.ways.lo, rest.ways.hi);
    EXPECT_EQ(gone.ways.lo, ways.lo) << name;
    EXPECT_EQ(gone.ways.hi, ways.hi) << name;
    expect_same_bits(w2, w1, name + ": spins");
    expect_same_bits(records2, records1, name + ": records");
    // the border itself is outside
    auto w3 = w;
    auto records3 = start;
    EXPECT_TRUE(kernels->go_on(view_of(f2, m2), {w3.data(), records3.data(), by, h, low, border}, 0, n).outside) << name;
    // a place that is no number is noticed
    records2[4].x[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isinf(kernels->go_on(view_of(f2, m2), to, 0, n).ways.hi[0])) << name;
  }
}

TEST(Kernels, AStepThatGoesOnGivesTheBitsOfItsPartsInThePlane) { a_step_that_goes_on_gives_the_bits_of_its_parts<2>(); }
TEST(Kernels, AStepThatGoesOnGivesTheBitsOfItsPartsInSpace) { a_step_that_goes_on_gives_the_bits_of_its_parts<3>(); }

}  // namespace
}  // namespace scree
