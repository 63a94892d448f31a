// SPDX-License-Identifier: BSD-3-Clause
#include "scree/integrators/bond_solver.hpp"

#include <Eigen/SparseCholesky>
#include <cmath>

namespace scree {
namespace {

template <int D> using Block = typename BondSolver<D>::Block;

template <int D>
double& at(Block<D>& m, int a, int b) { return m[static_cast<std::size_t>(a * D + b)]; }
template <int D>
double at(const Block<D>& m, int a, int b) { return m[static_cast<std::size_t>(a * D + b)]; }

template <int D>
Vec<D, double> times(const Block<D>& m, const Vec<D, double>& x) {
  Vec<D, double> y{};
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b) y[a] += at<D>(m, a, b) * x[b];
  return y;
}
template <int D>
Block<D> times(const Block<D>& m, const Block<D>& n) {
  Block<D> p{};
  for (int a = 0; a < D; ++a)
    for (int c = 0; c < D; ++c)
      for (int b = 0; b < D; ++b) at<D>(p, a, b) += at<D>(m, a, c) * at<D>(n, c, b);
  return p;
}

/// By the adjugate; false if it is singular.
bool invert(const Block<2>& m, Block<2>& inverse) {
  const double det = m[0] * m[3] - m[1] * m[2];
  if (!std::isnormal(det)) return false;
  const double scale = 1 / det;
  inverse = {m[3] * scale, -m[1] * scale, -m[2] * scale, m[0] * scale};
  return true;
}
bool invert(const Block<3>& m, Block<3>& inverse) {
  const auto minor = [&](int a, int b, int c, int d) {
    return at<3>(m, a, b) * at<3>(m, c, d) - at<3>(m, a, d) * at<3>(m, c, b);
  };
  const Block<3> adjugate{minor(1, 1, 2, 2), -minor(0, 1, 2, 2), minor(0, 1, 1, 2),
                          -minor(1, 0, 2, 2), minor(0, 0, 2, 2), -minor(0, 0, 1, 2),
                          minor(1, 0, 2, 1), -minor(0, 0, 2, 1), minor(0, 0, 1, 1)};
  const double det = m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6];
  if (!std::isnormal(det)) return false;
  for (std::size_t k = 0; k < 9; ++k) inverse[k] = adjugate[k] / det;
  return true;
}

}  // namespace

template <int D>
struct BondSolver<D>::Sparse {
  Eigen::SparseMatrix<double> matrix;  // lower triangle
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors;
  std::vector<Eigen::Triplet<double>> entries;
  bool analysed = false;
};

template <int D> BondSolver<D>::BondSolver() : sparse_(std::make_unique<Sparse>()) {}
template <int D> BondSolver<D>::~BondSolver() = default;
template <int D> BondSolver<D>::BondSolver(BondSolver&&) noexcept = default;

/// Peels the graph: grains with one bond or none go, until none is left or all that are left have two or more.
template <int D>
void BondSolver<D>::analyse(const std::vector<double>& diagonal, const std::vector<Link>& links) {
  ++analyses;
  const std::size_t n = diagonal.size();
  free_.resize(n);
  for (std::size_t k = 0; k < n; ++k) free_[k] = diagonal[k] != 0;
  ends_.resize(2 * links.size());
  std::vector<std::uint32_t> begin(n + 1, 0), partners, by, left(n);
  const auto inner = [&](const Link& l) { return l.j != nobody && free_[l.i] && free_[l.j]; };
  for (std::size_t p = 0; p < links.size(); ++p) {
    ends_[2 * p] = links[p].i;
    ends_[2 * p + 1] = links[p].j;
    if (!inner(links[p])) continue;
    ++begin[links[p].i + 1];
    ++begin[links[p].j + 1];
  }
  for (std::size_t k = 0; k < n; ++k) begin[k + 1] += begin[k];
  partners.resize(begin[n]);
  by.resize(begin[n]);
  std::vector<std::uint32_t> cursor(begin.begin(), begin.end() - 1);
  for (std::uint32_t p = 0; p < links.size(); ++p) {
    if (!inner(links[p])) continue;
    for (const auto& [a, b] : {std::pair{links[p].i, links[p].j}, std::pair{links[p].j, links[p].i}}) {
      partners[cursor[a]] = b;
      by[cursor[a]++] = p;
    }
  }
  sequence_.clear();
  std::vector<std::uint8_t> gone(n, 0);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t k = 0; k < n; ++k) {
    left[k] = begin[k + 1] - begin[k];
    if (free_[k] && left[k] <= 1) queue.push_back(k);
  }
  for (std::size_t q = 0; q < queue.size(); ++q) {
    const std::uint32_t k = queue[q];
    Eliminated one{k, nobody, 0};
    for (std::uint32_t e = begin[k]; e < begin[k + 1]; ++e)
      if (!gone[partners[e]]) {
        one.into = partners[e];
        one.link = by[e];
      }
    gone[k] = 1;
    sequence_.push_back(one);
    if (one.into != nobody && --left[one.into] == 1) queue.push_back(one.into);
  }
  core_.clear();
  place_.assign(n, nobody);
  for (std::uint32_t k = 0; k < n; ++k)
    if (free_[k] && !gone[k]) {
      place_[k] = static_cast<std::uint32_t>(core_.size());
      core_.push_back(k);
    }
  core_links_.clear();
  for (std::uint32_t p = 0; p < links.size(); ++p)
    if (inner(links[p]) && place_[links[p].i] != nobody && place_[links[p].j] != nobody) core_links_.push_back(p);
  sparse_->analysed = false;
}

template <int D>
bool BondSolver<D>::solve(const std::vector<double>& diagonal, const std::vector<Link>& links,
                          std::vector<Vec<D, double>>& r) {
  const std::size_t n = diagonal.size();
  bool same = free_.size() == n && ends_.size() == 2 * links.size();
  for (std::size_t k = 0; same && k < n; ++k) same = free_[k] == (diagonal[k] != 0);
  for (std::size_t p = 0; same && p < links.size(); ++p) same = ends_[2 * p] == links[p].i && ends_[2 * p + 1] == links[p].j;
  if (!same) analyse(diagonal, links);

  blocks_.assign(n, Block{});
  inverses_.resize(n);
  for (std::size_t k = 0; k < n; ++k)
    for (int a = 0; a < D; ++a) at<D>(blocks_[k], a, a) = diagonal[k];
  for (const Link& l : links) {
    for (std::size_t e = 0; e < l.k.size(); ++e) blocks_[l.i][e] += l.k[e];
    if (l.j == nobody) continue;
    for (std::size_t e = 0; e < l.k.size(); ++e) blocks_[l.j][e] += l.k[e];
  }
  // The off-diagonal block between two grains is -wK.
  for (const Eliminated& one : sequence_) {
    if (!invert(blocks_[one.grain], inverses_[one.grain])) return false;
    if (one.into == nobody) continue;
    const Block& k = links[one.link].k;
    const Block w = times<D>(k, inverses_[one.grain]), taken = times<D>(w, k);
    for (std::size_t e = 0; e < k.size(); ++e) blocks_[one.into][e] -= taken[e];
    r[one.into] += times<D>(w, r[one.grain]);
  }
  if (!core_.empty() && !solve_core(links, r)) return false;
  for (std::size_t q = sequence_.size(); q-- > 0;) {
    const Eliminated& one = sequence_[q];
    if (one.into != nobody) r[one.grain] += times<D>(links[one.link].k, r[one.into]);
    r[one.grain] = times<D>(inverses_[one.grain], r[one.grain]);
  }
  for (std::size_t k = 0; k < n; ++k)
    if (!free_[k]) r[k] = {};
  return true;
}

template <int D>
bool BondSolver<D>::solve_core(const std::vector<Link>& links, std::vector<Vec<D, double>>& r) {
  Sparse& s = *sparse_;
  s.entries.clear();
  const auto add = [&](std::uint32_t row, std::uint32_t column, const Block& k, double sign) {
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) {
        const int i = static_cast<int>(row) * D + a, j = static_cast<int>(column) * D + b;
        if (i >= j) s.entries.emplace_back(i, j, sign * at<D>(k, a, b));
      }
  };
  for (std::uint32_t c = 0; c < core_.size(); ++c) add(c, c, blocks_[core_[c]], 1);
  for (const std::uint32_t p : core_links_) {
    const std::uint32_t a = place_[links[p].i], b = place_[links[p].j];
    add(std::max(a, b), std::min(a, b), links[p].k, -1);
  }
  const auto size = static_cast<Eigen::Index>(core_.size() * static_cast<std::size_t>(D));
  s.matrix.resize(size, size);
  s.matrix.setFromTriplets(s.entries.begin(), s.entries.end());
  if (!s.analysed) s.factors.analyzePattern(s.matrix);
  s.analysed = true;
  s.factors.factorize(s.matrix);
  if (s.factors.info() != Eigen::Success) return false;
  Eigen::VectorXd b(size);
  for (std::size_t c = 0; c < core_.size(); ++c)
    for (int a = 0; a < D; ++a) b[static_cast<Eigen::Index>(c) * D + a] = r[core_[c]][a];
  const Eigen::VectorXd x = s.factors.solve(b);
  for (std::size_t c = 0; c < core_.size(); ++c)
    for (int a = 0; a < D; ++a) r[core_[c]][a] = x[static_cast<Eigen::Index>(c) * D + a];
  return true;
}

template class BondSolver<2>;
template class BondSolver<3>;

}  // namespace scree
