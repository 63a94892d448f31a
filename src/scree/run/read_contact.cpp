// SPDX-License-Identifier: BSD-3-Clause
/// [contact] and [contact.A-B]: from the file's spelling to the laws of every pair of materials.
#include <algorithm>
#include <cmath>
#include <map>

#include "scree/laws/material.hpp"
#include "scree/run/read_parts.hpp"

namespace scree {
namespace {

template <class Variant, std::size_t... K>
std::vector<std::string> names_of(std::index_sequence<K...>) {
  return {std::string(std::variant_alternative_t<K, Variant>::name)...};
}
template <class Variant> std::vector<std::string> law_names() {
  return names_of<Variant>(std::make_index_sequence<std::variant_size_v<Variant>>{});
}

/// Reads `law` and makes that alternative.
template <class Variant, std::size_t K = 0> Variant law_named(const std::string& name) {
  if constexpr (K < std::variant_size_v<Variant>) {
    using L = std::variant_alternative_t<K, Variant>;
    return L::name == name ? Variant(L{}) : law_named<Variant, K + 1>(name);
  } else {
    return Variant();
  }
}
template <class Variant> Variant read_law(TomlTable& table, std::string_view what) {
  const auto names = law_names<Variant>();
  const std::string choices = std::string(what) + " (" + join(names) + ")";
  const std::string& name = table.at("law", choices).one_of(what, names);
  table.set_label(name);
  return law_named<Variant>(name);
}

/// One pair of materials, and the grains that stand for it where a law depends on them.
struct Pair {
  const Material& a;
  const Material& b;
  double r_eff, m_eff;
};

/// What [contact] or [contact.A-B] says; a pair's silence means the general word.
struct Spec {
  std::optional<TomlTable> normal, tangential, rolling, rotational;
};

/// Laws, and whether they depend on the pair they were made for.
struct Made {
  ContactLaws laws;
  bool for_pair = false;
};

bool is_dashpot(std::string_view field_name) { return field_name == "g" || field_name == "alpha"; }

Elastic elastic(TomlTable& table, const Material& material) {
  if (!(material.young > 0))
    table.fail("material \"" + material.name + "\" has no young; expected [material." +
               material.name + "] young = a number > 0 in Pa");
  return {material.young, material.poisson};
}

void make_normal(TomlTable table, const Pair& pair, Made& made) {
  made.laws.normal = read_law<AnyNormal>(table, "a normal law");
  made.laws.attraction = table.get("attraction", false);
  const bool by_area = std::holds_alternative<OverlapArea>(made.laws.normal);  // its stiffness is called Y
  const auto k = by_area ? table.at("Y", "a number > 0 in N/m") : table.at("k", "a number > 0, or \"material\"");
  const bool material_k = !by_area && k.is_string();
  if (material_k) k.one_of("a number > 0, or", {"material"});

  std::visit(
      [&](auto& law) {
        std::string dashpot;
        using L = std::remove_cvref_t<decltype(law)>;
        for_each_field<L>([&](const auto& one) {
          if (is_dashpot(one.name)) dashpot = one.name;
        });
        const auto time = dashpot == "g" ? table.find("A") : std::nullopt;
        const auto per_mass = dashpot == "g" ? table.find("gamma") : std::nullopt;
        const auto restitution = dashpot.empty() ? std::nullopt : table.find("restitution");
        const auto direct = dashpot.empty() ? std::nullopt : table.find(dashpot);
        if (int(bool(time)) + int(bool(per_mass)) + int(bool(restitution)) + int(bool(direct)) > 1)
          (restitution ? *restitution : time ? *time : *per_mass)
              .fail("given beside another damping; expected one of " + dashpot +
                    (dashpot == "g" ? ", A, gamma, restitution" : ", restitution"));
        if (!dashpot.empty() && !time && !per_mass && !restitution && !direct)
          table.missing(dashpot, "a number >= 0 (0: no damping), or \"restitution\" in its place");

        for_each_field<L>([&](const auto& one) {
          if (one.name == "k" && material_k) return;
          const Wanted wanted{one.bound, one.unit};
          if (const auto value = table.find(one.name))
            law.*(one.member) = value->number(wanted);
          else if (TomlRead<double>::missing(law.*(one.member), wanted))
            table.missing(one.name, TomlRead<double>::what(wanted));
        });
        // unless it says otherwise, the dashpot is the rate of the spring
        if constexpr (std::is_same_v<L, Power>)
          if (!table.has("b") && law.a >= 1) law.b = law.a - 1;
        if (material_k) {
          made.for_pair = true;
          const Elastic a = elastic(table, pair.a), b = elastic(table, pair.b);
          try {
            set_material_stiffness(made.laws, a, b);
          } catch (const InputError& error) {
            k.fail(error.what());
          }
        }
        if (time) {
          const double seconds = time->number({non_negative, "s"});
          try {
            set_viscous_time(made.laws, seconds);
          } catch (const InputError& error) {
            time->fail(error.what());
          }
        }
        if (per_mass) set_damping_per_mass(made.laws, per_mass->number({non_negative, ""}));
        if (restitution) {
          Bounce wanted;
          wanted.restitution = restitution->number({positive, ""});
          if (wanted.restitution > 1) restitution->expected("a number > 0 and <= 1");
          const bool by_speed = L::name != Linear::name && L::name != HertzTsuji::name;
          const auto speed = table.maybe<double>("speed", {positive, "m/s"});
          if (by_speed && !speed)
            table.missing("speed",
                          "the impact speed in m/s at which the restitution holds: with this law "
                          "it depends on it");
          wanted.speed = speed.value_or(1);
          wanted.r_eff = pair.r_eff;
          wanted.m_eff = pair.m_eff;
          made.for_pair = made.for_pair || by_speed;
          try {
            set_restitution(made.laws, wanted);
          } catch (const InputError& error) {
            restitution->fail(error.what());
          } catch (const std::exception&) {
            restitution->fail("no dashpot of this law gives the restitution " +
                              brief(wanted.restitution));
          }
        }
      },
      made.laws.normal);
  table.finish();
}

void make_tangential(TomlTable table, const Pair& pair, Made& made) {
  made.laws.tangential = read_law<AnyTangential>(table, "a tangential law");
  std::visit(
      [&](auto& law) {
        using L = std::remove_cvref_t<decltype(law)>;
        if constexpr (std::is_same_v<L, CundallStrack>) {
          const bool by_area = std::holds_alternative<OverlapArea>(made.laws.normal);
          if (by_area && !table.has("ratio") && !table.has("k_t")) {
            law.k_t = 2.0 / 7 * std::get<OverlapArea>(made.laws.normal).k;
          } else if (const auto ratio = table.find("ratio")) {
            if (table.has("k_t"))
              table.fail_at("k_t", "given beside \"ratio\"; expected one of them");
            if (made.laws.scaling.stiffness != Scaling::Stiffness::given)
              ratio->fail(
                  "has no meaning with normal k = \"material\"; expected k_t, or the law "
                  "\"mindlin\"");
            const double times = ratio->number({positive, ""});
            law.k_t =
                std::visit([&](const auto& normal) { return times * normal.k; }, made.laws.normal);
          } else if (!table.has("k_t")) {
            table.missing("k_t", "a number > 0 in N/m, or \"ratio\" of the normal k");
          }
        }
        if constexpr (std::is_same_v<L, Mindlin>) {
          if (!table.find("shear")) {
            made.for_pair = true;
            law.shear = effective_shear(elastic(table, pair.a), elastic(table, pair.b));
          }
        }
        if constexpr (!std::is_same_v<L, Frictionless>)
          if (!table.has("mu")) table.missing("mu", "a number >= 0, the coefficient of friction");
        table.read_fields(law);
      },
      made.laws.tangential);
  table.finish();
}

void make_rolling(TomlTable table, Made& made) {
  made.laws.rolling = read_law<AnyRolling>(table, "a law of rolling resistance");
  std::visit(
      [&](auto& law) {
        using L = std::remove_cvref_t<decltype(law)>;
        if constexpr (!std::is_same_v<L, Frictionless>)
          if (!table.has("mu_r"))
            table.missing("mu_r", "a number >= 0, the coefficient of rolling friction");
        table.read_fields(law);
      },
      made.laws.rolling);
  table.finish();
}

/// Its stiffness is that of the normal law, where that is one in N/m.
void make_rotational(TomlTable table, Made& made) {
  made.laws.rotational = read_law<AnyRotational>(table, "a law of rotational damping");
  std::visit(
      [&](auto& law) {
        using L = std::remove_cvref_t<decltype(law)>;
        if constexpr (!std::is_same_v<L, Frictionless>) {
          const auto* area = std::get_if<OverlapArea>(&made.laws.normal);
          if (area) law.Y = area->k;
          if constexpr (std::is_same_v<L, ChordDamping>) {
            if (!area) table.fail("the dashpots of a chord are those of the normal law \"overlap-area\"; expected that law");
            law.gamma = area->gamma;
          } else if (!table.has("gamma")) {
            table.missing("gamma", "a number >= 0");
          }
          if (const auto* linear = std::get_if<Linear>(&made.laws.normal)) law.Y = linear->k;
          if (!(law.Y > 0) && !table.has("Y"))
            table.missing("Y", "a number > 0 in N/m (only the laws overlap-area and linear have one to take)");
        }
        table.read_fields(law);
      },
      made.laws.rotational);
  table.finish();
}

void check_finite(const TomlTable& table, const ContactLaws& laws) {
  const auto check = [&](const auto& law) {
    using L = std::remove_cvref_t<decltype(law)>;
    for_each_field<L>([&](const auto& one) {
      if (!std::isfinite(law.*(one.member)))
        table.fail("the coefficient " + std::string(one.name) + " comes out as " +
                   brief(law.*(one.member)) + "; expected a finite number");
    });
  };
  std::visit(check, laws.normal);
  std::visit(check, laws.tangential);
  std::visit(check, laws.rolling);
}

Made make_laws(const Spec& spec, const Pair& pair) {
  Made made;
  make_normal(*spec.normal, pair, made);
  if (spec.tangential) make_tangential(*spec.tangential, pair, made);
  if (spec.rolling) make_rolling(*spec.rolling, made);
  if (spec.rotational) make_rotational(*spec.rotational, made);
  check_finite(*spec.normal, made.laws);
  return made;
}

Spec read_spec(TomlTable& table, const Spec& general) {
  Spec spec;
  spec.normal = table.table("normal");
  spec.tangential = table.table("tangential");
  spec.rolling = table.table("rolling");
  spec.rotational = table.table("rotational");
  if (!spec.normal) spec.normal = general.normal;
  if (!spec.tangential) spec.tangential = general.tangential;
  if (!spec.rolling) spec.rolling = general.rolling;
  if (!spec.rotational) spec.rotational = general.rotational;
  return spec;
}

}  // namespace

ContactTable read_contact(TomlTable& root, const std::vector<Material>& materials,
                          const std::vector<MaterialUse>& use) {
  const std::size_t n = materials.size();
  auto contact = root.table("contact");
  Spec general;
  std::map<std::pair<std::size_t, std::size_t>, std::pair<std::string, Spec>> special;
  if (contact) {
    general = read_spec(*contact, {});
    std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> pair_of;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        pair_of[materials[a].name + "-" + materials[b].name].emplace_back(std::min(a, b),
                                                                          std::max(a, b));
    for (const auto& key : contact->keys()) {
      if (key == "normal" || key == "tangential" || key == "rolling" || key == "rotational") continue;
      const auto at = pair_of.find(key);
      if (at == pair_of.end()) {
        if (key.find('-') == std::string::npos) continue;  // finish() complains
        std::vector<std::string> pairs, names;
        for (const auto& [name, _] : pair_of) pairs.push_back(name);
        for (const auto& one : materials) names.push_back(one.name);
        contact->find(key)->fail("no such pair of materials; expected two of " + join(names) +
                                 " joined by \"-\"" + did_you_mean(key, pairs));
      }
      if (std::any_of(at->second.begin(), at->second.end(),
                      [&](const auto& one) { return one != at->second[0]; }))
        contact->find(key)->fail(
            "may be read as more than one pair of materials; expected names that tell them apart");
      TomlTable table(*contact->find(key));
      const auto [where, fresh] =
          special.emplace(at->second[0], std::pair{key, read_spec(table, general)});
      if (!fresh)
        table.fail("the same pair as contact." + where->second.first + "; expected it once");
      table.finish();
    }
    contact->finish();
  }

  // The general laws, and those of pairs that are not in use, are read as well: mistakes are
  // mistakes.
  ContactTable table;
  table.materials = static_cast<std::uint16_t>(n);
  table.of_pair.assign(n * n, 0);
  int general_index = -1;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a; b < n; ++b) {
      const auto own = special.find({a, b});
      const Spec& spec = own == special.end() ? general : own->second.second;
      const bool both = use[a].grains > 0 && use[b].grains > 0 && (a != b || use[a].grains > 1);
      const bool with_wall =
          (use[a].grains > 0 && use[b].walls) || (use[b].grains > 0 && use[a].walls);
      const bool meets = both || with_wall;
      if (!spec.normal) {
        const std::string pair_name = materials[a].name + "-" + materials[b].name;
        if (own != special.end())
          contact->find(own->second.first)->fail("missing key \"normal\"; expected { law = ... }");
        if (!meets) continue;
        if (contact)
          contact->fail("no laws for " + materials[a].name + " and " + materials[b].name +
                        "; expected \"normal\" here, or a table [contact." + pair_name + "]");
        root.fail("no laws of contact; expected a table [contact] with normal = { law = ... }");
      }
      if (!meets && own == special.end()) continue;
      std::uint16_t index = 0;
      if (own == special.end() && general_index >= 0) {
        index = static_cast<std::uint16_t>(general_index);
      } else {
        const double ra = use[a].radius, rb = use[b].radius, ma = use[a].mass, mb = use[b].mass;
        Pair pair{materials[a], materials[b], 1, 1};
        if (both) {
          pair.r_eff = ra * rb / (ra + rb);
          pair.m_eff = ma / (ma + mb) * mb;
        } else if (with_wall) {
          pair.r_eff = ra > 0 ? ra : rb;
          pair.m_eff = ma > 0 ? ma : mb;
        }
        const Made made = make_laws(spec, pair);
        index = static_cast<std::uint16_t>(table.laws.size());
        table.laws.push_back(made.laws);
        if (own == special.end() && !made.for_pair) general_index = index;
      }
      table.of_pair[a * n + b] = table.of_pair[b * n + a] = index;
    }
  std::size_t kind = 0;
  for (const ContactLaws& laws : table.laws) {
    if (laws.rotational.index() == 0) continue;
    if (kind != 0 && laws.rotational.index() != kind)
      contact->fail("two kinds of rotational damping; expected one for all pairs of materials (their gamma may differ)");
    kind = laws.rotational.index();
  }
  if (table.laws.empty()) {
    // nothing can touch; still, what is written is checked, and the sweep wants a law to look at
    ContactLaws idle;
    idle.normal = Linear{1, 0};
    if (general.normal) {
      const Pair pair{materials[0], materials[0], use[0].radius > 0 ? use[0].radius : 1,
                      use[0].mass > 0 ? use[0].mass : 1};
      idle = make_laws(general, pair).laws;
    }
    table.laws.push_back(idle);
  }
  return table;
}

}  // namespace scree
