// SPDX-License-Identifier: BSD-3-Clause
#include "scree/engines/sticking_factors.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>

namespace scree {

struct StickingFactors::Sparse {
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> matrix;  // its lower half
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors;
  std::vector<std::uint32_t> ends;  // of the last analysis: grains of every contact
  std::vector<std::uint32_t> first, contact;  // contacts of every grain, by their places
  Eigen::VectorXd right;
};

StickingFactors::StickingFactors() : sparse_(std::make_unique<Sparse>()) {}
StickingFactors::~StickingFactors() = default;
StickingFactors::StickingFactors(StickingFactors&&) noexcept = default;
StickingFactors& StickingFactors::operator=(StickingFactors&&) noexcept = default;

bool StickingFactors::factor(const std::vector<Contact>& contacts, std::size_t grains) {
  Sparse& s = *sparse_;
  const auto n = static_cast<int>(contacts.size());
  std::vector<std::uint32_t> ends;
  ends.reserve(2 * contacts.size());
  for (const Contact& c : contacts) ends.insert(ends.end(), {c.i.grain, c.j.grain});
  const bool same = s.matrix.rows() == n && ends == s.ends;

  // Who shares a grain with whom, in the order of contacts.
  s.first.assign(grains + 1, 0);
  for (const std::uint32_t grain : ends)
    if (grain != nobody) ++s.first[grain + 1];
  for (std::size_t i = 0; i < grains; ++i) s.first[i + 1] += s.first[i];
  s.contact.resize(s.first[grains]);
  std::vector<std::uint32_t> at(s.first.begin(), s.first.end() - 1);
  for (std::uint32_t k = 0; k < contacts.size(); ++k)
    for (const End* end : {&contacts[k].i, &contacts[k].j})
      if (end->grain != nobody) s.contact[at[end->grain]++] = k;

  // Column by column. Contacts of one pair of grains have both in common: their two shares are one entry.
  s.matrix.resize(n, n);
  s.matrix.reserve(8 * n);
  const auto dot = [](const End& a, const End& b) { return a.x * b.x + a.y * b.y + a.spin * b.spin; };
  std::vector<std::pair<std::uint32_t, double>> column;
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    column.clear();
    for (const End* end : {&contacts[k].i, &contacts[k].j}) {
      if (end->grain == nobody) continue;
      for (std::uint32_t m = s.first[end->grain]; m < s.first[end->grain + 1]; ++m) {
        const std::uint32_t other = s.contact[m];
        if (other < k) continue;
        const Contact& c = contacts[other];
        column.emplace_back(other, dot(*end, c.i.grain == end->grain ? c.i : c.j));
      }
    }
    std::stable_sort(column.begin(), column.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    s.matrix.startVec(static_cast<int>(k));
    for (std::size_t m = 0; m < column.size();) {
      const std::uint32_t row = column[m].first;
      double sum = 0;
      for (; m < column.size() && column[m].first == row; ++m) sum += column[m].second;
      s.matrix.insertBack(static_cast<int>(row), static_cast<int>(k)) = row == k ? sum * (1 + added) : sum;
    }
  }
  s.matrix.finalize();
  if (!same) {
    s.factors.analyzePattern(s.matrix);
    s.ends = std::move(ends);
    ++analyses;
  }
  s.factors.factorize(s.matrix);
  return s.factors.info() == Eigen::Success && s.factors.vectorD().minCoeff() > 0;
}

void StickingFactors::solve(std::vector<double>& r) {
  Sparse& s = *sparse_;
  s.right = s.factors.solve(Eigen::Map<const Eigen::VectorXd>(r.data(), static_cast<Eigen::Index>(r.size())));
  std::copy(s.right.data(), s.right.data() + s.right.size(), r.begin());
}

}  // namespace scree
