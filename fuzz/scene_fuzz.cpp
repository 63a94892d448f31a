// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a scene file, all the way to a built and checked scene: an InputError or a scene
// whose grains are finite, never a crash, a hang or a full memory.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/run/read_scene.hpp"
#include "scree/run/step_advice.hpp"

namespace {

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "a scene was read in which %s\n", what);
  std::abort();
}

template <int D> void check(const scree::Scene<D, double>& scene) {
  const auto& grains = scene.world.grains;
  expect(grains.size() > 0, "there are no grains");
  for (std::size_t i = 0; i < grains.size(); ++i) {
    expect(std::isfinite(grains.r[i]) && grains.r[i] > 0, "a radius is not positive");
    expect(std::isfinite(grains.m[i]) && grains.m[i] > 0, "a mass is not positive");
    expect(is_finite(scene.world.state.x[i]) && is_finite(scene.world.state.v[i]),
           "a grain is nowhere");
    expect(grains.material[i] < scene.world.materials.size(), "a grain has no material");
    expect(grains.group[i] < scene.world.groups.size(), "a grain has no group");
  }
  for (const auto& wall : scene.world.walls)
    expect(wall.material < scene.world.materials.size(), "a wall has no material");
  for (const auto index : scene.table.of_pair)
    expect(index < scene.table.laws.size(), "a pair has no law");
  const double dt = scree::step_of(scene);
  expect(std::isfinite(dt) && dt > 0, "the step is not positive");
  expect(std::isfinite(scene.run.time) && scene.run.time > 0, "the time is not positive");
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// Random bytes are rarely TOML. Half of the time keep the text and put another number for one of
// its numbers, or another of its words for one of its words.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  scree::Random random(seed, 0, 0);
  std::vector<std::pair<std::size_t, std::size_t>> numbers, words;
  const auto in = [&](std::size_t k, const char* set) {
    return k < size && data[k] != 0 && std::strchr(set, data[k]) != nullptr;
  };
  constexpr const char* digits = "0123456789.eE+-";
  constexpr const char* letters = "abcdefghijklmnopqrstuvwxyz_-ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (std::size_t k = 0; k < size;) {
    std::size_t end = k;
    if (in(k, letters) && data[k] != '-') {
      while (in(end, letters)) ++end;
      words.emplace_back(k, end - k);
    } else if (in(k, digits)) {
      while (in(end, digits)) ++end;
      numbers.emplace_back(k, end - k);
    }
    k = end > k ? end : k + 1;
  }
  const bool number = random.uniform() < 0.6;
  const auto& places = number ? numbers : words;
  if (places.empty() || random.uniform() < 0.5) return LLVMFuzzerMutate(data, size, max_size);
  const auto pick = [&](const auto& list) -> const auto& {
    return list[random.bits() % list.size()];
  };
  const auto [at, length] = pick(places);
  std::string text;
  if (number) {
    const std::vector<std::string> odd{"0",
                                       "-0.0",
                                       "-1",
                                       "1",
                                       "2",
                                       "3",
                                       "7",
                                       "0.5",
                                       "1e-3",
                                       "1e-6",
                                       "1e3",
                                       "1e10",
                                       "1e-10",
                                       "1e-30",
                                       "1e30",
                                       "1e-160",
                                       "1e160",
                                       "1e308",
                                       "1e-308",
                                       "4.9e-324",
                                       "nan",
                                       "inf",
                                       "-inf",
                                       "2000",
                                       "65536",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "true",
                                       "[0, 0]",
                                       "[0, 0, 0]"};
    text = pick(odd);
  } else {
    const auto& [from, n] = pick(words);
    text.assign(reinterpret_cast<const char*>(data) + from, n);
  }
  if (size - length + text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memmove(data + at + text.size(), data + at + length, size - at - length);
  std::memcpy(data + at, text.data(), text.size());
  return size - length + text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 20000) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const auto scene = scree::read_scene_text(text, "scene.toml", {}, {.grains = 2000});
    std::visit([](const auto& one) { check(one); }, scene);
    // what is recorded reads back as the same scene
    const auto again =
        scree::read_scene_text(text, "scene.toml", {"scene.seed=1"}, {.grains = 2000});
    const auto third =
        scree::read_scene_text(header(again).text, "scene.toml", {}, {.grains = 2000});
    expect(header(third).start_hash == header(again).start_hash,
           "the recorded text means something else");
  } catch (const scree::InputError&) {
  }
  return 0;
}
