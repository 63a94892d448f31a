// SPDX-License-Identifier: BSD-3-Clause
/// Sparse identification of equations from data: x' ≈ Θ(x) ξ with few ξ (Brunton, Proctor and Kutz,
/// PNAS 113, 3932, 2016), its forms for partial differential equations (Rudy et al., Sci. Adv. 3,
/// e1602614, 2017), weak (Messenger and Bortz 2021) and implicit (Kaheman, Kutz and Brunton, Proc. R.
/// Soc. A 476, 20200279, 2020).
///
/// One call from data and settings to equations; all else in this folder is a part of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scree/discovery/dataset.hpp"
#include "scree/discovery/derivative.hpp"
#include "scree/discovery/library.hpp"
#include "scree/discovery/selection.hpp"
#include "scree/discovery/solvers.hpp"
#include "scree/discovery/weak.hpp"

namespace scree {

struct DiscoverySettings {
  std::vector<std::string> lhs;             // left-hand sides, or unknowns of the implicit form; empty: x' of every field
  std::optional<int> degree, derivatives;   // of the library; default: 2, and no derivatives in trajectories, 4 in fields
  LibrarySettings library;
  std::string solver;                       // empty: stlsq; of the implicit form best-subset
  SparseSettings sparse;
  std::optional<double> threshold;          // none: by `selection`
  std::map<std::string, double> thresholds; // of single equations, by left-hand side or field
  SelectionSettings selection;
  EnsembleSettings ensemble;
  std::string time_method, space_method;    // of derivatives; empty: fd4, spectral on periodic axes, fd6 on others
  std::size_t window = 0;                   // of sg, in points
  double tv_alpha = 0;
  bool weak = false;
  WeakSettings weak_settings;
  bool implicit = false;
  std::size_t implicit_most = 4;            // terms on the right of an implicit equation at most
};

struct FoundTerm {
  std::string term, latex;
  double coefficient = 0, stderr_ = 0, inclusion = 1;
  Expr expression;
};

struct FoundEquation {
  std::string lhs, latex_lhs;
  Expr lhs_expression;
  std::vector<FoundTerm> terms;
  double score = 0;      // 1 - (held-out error)²: how much of the left-hand side the equation predicts
  double residual = 0;   // root mean square of what is left, over that of the left-hand side
  std::string selected_by;
  std::vector<Candidate> path;             // error against number of terms
  std::size_t chosen = 0;                  // in it
  std::vector<double> inclusion;           // of all terms of the library, if there was an ensemble
  std::vector<double> data, model;         // some rows: left-hand side and what the equation says
  std::string solved;                      // implicit: the unknown isolated, as text
  std::string solved_latex;
};

struct Discovery {
  Names names;
  std::vector<std::string> library;
  std::vector<FoundEquation> equations;
  std::size_t rows = 0;
  std::vector<std::string> notes;  // what was done about flaws in the data
  double score() const;            // smallest of all equations
  double residual() const;         // largest
};

/// InputError for settings or data that cannot work.
Discovery discover(const Dataset& data, const DiscoverySettings& settings);

/// The methods that the settings mean for these data.
DerivativeMethods methods_for(const Dataset& data, const DiscoverySettings& settings);

/// The implicit form for one unknown; see implicit.cpp. A part of `discover`.
FoundEquation discover_implicit(const Dataset& data, const DiscoverySettings& settings, const Expr& unknown, const std::vector<Expr>& library,
                                const DerivativeMethods& methods, Discovery& report);

}  // namespace scree
