// SPDX-License-Identifier: BSD-3-Clause
/// Collisions computed outside Scree in high precision, one grain fixed. Each number is right to
/// its last digits but one; the parameters are those of the order and restitution studies.
#pragma once

#include <string_view>

namespace scree::reference {

/// Impacts with the parameters of table 4.1: k = 9e7 N m^-3/2, g = 190 N s m^-3/2. `clipped` is the
/// restitution without attraction, 0 where none was computed.
struct Impact {
  std::string_view law;
  double eps, speed;
  double restitution, clipped, max_overlap, duration;
};
inline constexpr double impact_mass = 0.000147026536188002324;
inline constexpr double impact_k = 9e7, impact_g = 190;
inline constexpr Impact impacts[] = {
    {"kk", 0, 0.01, 0.951210804778895367, 0.951308880831507106, 5.19299346110321980e-7,
     0.000156706544653139349},
    {"kk", 0, 0.1, 0.923981464170101569, 0.924278465394961234, 3.23962599976270227e-6,
     0.0000991827970952472188},
    {"kk", 0, 1, 0.882670222232128225, 0.883547863369135442, 0.0000200841532980303391,
     0.0000628986423082062059},
    {"kk", 0, 10, 0.821476756301574036, 0.823974760648909759, 0.000123346183414100087,
     0.0000400222935040840116},
    {"kk-mollified", 1e-6, 0.01, 0.999142921343362018, 0, 5.29512645023734680e-7,
     0.000155916991650487030},
    {"kk-mollified", 1e-6, 0.1, 0.958922573571928878, 0, 3.28684241597920117e-6,
     0.0000987980986038918872},
    {"kk-mollified", 1e-6, 1, 0.892151889965344524, 0, 0.0000201655833867240450,
     0.0000628280032531816121},
    {"kk-mollified", 1e-6, 10, 0.823766899660112152, 0.825747096367732052, 0.000123471571801322752,
     0.0000400103629342427167},
    {"kk-mollified", 1e-5, 0.01, 0.999999999594084194, 0, 5.29694290380938194e-7,
     0.000155903606047311819},
    {"kk-mollified", 1e-5, 0.1, 0.999708155049261082, 0, 3.34175483093403990e-6,
     0.0000983713979586941550},
    {"kk-mollified", 1e-5, 1, 0.959366378112100580, 0, 0.0000207417778967883945,
     0.0000623362125552562250},
    {"kk-mollified", 1e-5, 10, 0.843836489425101034, 0, 0.000124569610648705795,
     0.0000399056395734569851},
    {"kk-mollified-full", 1e-5, 0.01, 0.995036085846676718, 0.995036085846676718,
     3.50352142733474610e-6, 0.000850909177152391508},
    {"kk-mollified-full", 1e-5, 0.1, 0.978143100829832115, 0.978143100829832116,
     8.32768188676631647e-6, 0.000212486601386067804},
    {"kk-mollified-full", 1e-5, 1, 0.924232687480559973, 0.924232851393160891,
     0.0000252538800077473883, 0.0000714199831391893487},
    {"kk-mollified-full", 1e-5, 10, 0.835646212557687470, 0.836120101896754616,
     0.000127747923508092596, 0.0000407018898836093580},
};

/// The collision of table 3.1: k = 4.4e10 N m^-3/2, 1 m/s, attraction allowed; its largest overlap
/// and when, and its state at T = 105/8192 s.
struct Passage {
  std::string_view law;
  double g, eps;
  double max_overlap, rise, xi, rate;
};
inline constexpr double passage_mass = 80843.6509523773460;
inline constexpr double passage_k = 4.4e10, passage_time = 105.0 / 8192;
inline constexpr Passage passages[] = {
    {"hertz", 0, 0, 0.00555189574127626913, 0.00817037848062822691, 0.00336507184249800475,
     -0.844978752409944442},
    {"kk", 1.1e+09, 0, 0.00202510906814623793, 0.00524640241130013377, 0.00158018826290454971,
     -0.0670055075214313641},
    {"kk-mollified", 1.1e+09, 1e-5, 0.00203346179302484442, 0.00524675754117490371,
     0.00158567246247011379, -0.0674520721842597463},
    {"kk-mollified-full", 1.1e+09, 1e-5, 0.00203401268483474848, 0.00524997529848862990,
     0.00158740664327115637, -0.0673096180156267801},
};

/// The linear law of figure 1.6: k = 7.32e6 N/m, g = 2.06 kg/s; the second mass is that of two free
/// grains.
struct LinearImpact {
  double mass;
  double restitution, clipped, duration, clipped_duration, max_overlap_per_speed;
};
inline constexpr double linear_k = 7.32e6, linear_g = 2.06;
inline constexpr LinearImpact linear_impacts[] = {
    {0.000147026536188002324, 0.906028739782789703, 0.907817918018670519, 0.0000140866055558583592,
     0.0000138049997041522069, 4.27013590561430824e-6},
    {0.0000735132680940011618, 0.869680381632356050, 0.873120839663065650, 9.96565220304225681e-6,
     9.68386097222732445e-6, 2.96117791427230716e-6},
};

}  // namespace scree::reference
