// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/nodes.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

namespace scree {

std::vector<int> processors_of(std::string_view list) {
  std::vector<int> all;
  const auto wrong = [&] { return std::invalid_argument("not a list of processors: " + std::string(list)); };
  const char *at = list.data(), *const end = at + list.size();
  const auto number = [&] {
    int n = 0;
    const auto [rest, error] = std::from_chars(at, end, n);
    if (error != std::errc{} || n < 0) throw wrong();
    at = rest;
    return n;
  };
  while (at != end) {
    const int first = number();
    int last = first;
    if (at != end && *at == '-') {
      ++at;
      last = number();
    }
    if (last < first || last - first > 1 << 20) throw wrong();
    for (int one = first; one <= last; ++one) all.push_back(one);
    if (at == end) break;
    if (*at++ != ',' || at == end) throw wrong();
  }
  return all;
}

std::vector<std::vector<int>> memory_nodes(const std::vector<int>& allowed, const std::filesystem::path& system) {
  std::vector<std::vector<int>> nodes;
  std::error_code none;
  std::vector<std::pair<int, std::filesystem::path>> folders;
  for (const auto& entry : std::filesystem::directory_iterator(system, none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("node") && name.size() > 4 && name.find_first_not_of("0123456789", 4) == std::string::npos)
      folders.emplace_back(std::stoi(name.substr(4)), entry.path());
  }
  std::sort(folders.begin(), folders.end());
  for (const auto& [number, folder] : folders) {
    std::ifstream file(folder / "cpulist");
    std::string list;
    std::getline(file, list);
    std::vector<int> here;
    for (const int one : processors_of(list))
      if (std::find(allowed.begin(), allowed.end(), one) != allowed.end()) here.push_back(one);
    if (!here.empty()) nodes.push_back(std::move(here));
  }
  return nodes;
}

std::size_t node_of_thread(std::size_t thread, std::size_t threads, const std::vector<std::vector<int>>& nodes) {
  std::size_t all = 0;
  for (const auto& node : nodes) all += node.size();
  // the middle of the thread's share of all processors lies in its node
  const std::size_t at = (2 * thread + 1) * all / (2 * threads);
  std::size_t before = 0, node = 0;
  while (node + 1 < nodes.size() && at >= before + nodes[node].size()) before += nodes[node++].size();
  return node;
}

namespace {

std::vector<int> allowed_processors() {
  std::vector<int> all;
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return all;  // more processors than the mask has bits
  for (int one = 0; one < CPU_SETSIZE; ++one)
    if (CPU_ISSET(one, &mask)) all.push_back(one);
  return all;
}

void bind_to(const std::vector<int>& processors) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int one : processors) CPU_SET(one, &mask);
  sched_setaffinity(0, sizeof mask, &mask);  // a wish: where it is refused, the system chooses
}

}  // namespace

BoundThreads::BoundThreads() {
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"})
    if (std::getenv(name)) return;
  if (omp_get_max_threads() < 2) return;
  const std::vector<int> allowed = allowed_processors();
  std::vector<std::vector<int>> nodes;
  try {
    nodes = memory_nodes(allowed);
  } catch (const std::invalid_argument&) {  // a system that writes its lists differently
    return;
  }
  if (nodes.size() < 2) return;
  before_ = allowed;
#pragma omp parallel
  bind_to(nodes[node_of_thread(static_cast<std::size_t>(omp_get_thread_num()),
                               static_cast<std::size_t>(omp_get_num_threads()), nodes)]);
}

BoundThreads::~BoundThreads() {
  if (before_.empty()) return;
#pragma omp parallel
  bind_to(before_);
}

void touch_first(void* memory, std::size_t bytes) {
  if (omp_in_parallel() || omp_get_max_threads() < 2) return;
  constexpr std::size_t page = 4096;
  auto* const at = static_cast<volatile char*>(memory);
  const auto pages = static_cast<std::int64_t>((bytes + page - 1) / page);
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < pages; ++k) at[static_cast<std::size_t>(k) * page] = 0;
}

}  // namespace scree
