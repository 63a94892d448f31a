// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/request.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/io/toml_reader.hpp"

namespace scree {
namespace {

using Texts = std::vector<std::string>;
using Kind = Knob::Kind;

double number(const std::string& text, double least = -INFINITY, double most = INFINITY) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size() || !(x >= least && x <= most))
    throw InputError(fmt::format("expected a number{}, found {}", std::isfinite(least) ? std::isfinite(most) ? fmt::format(" from {} to {}", brief(least), brief(most)) : fmt::format(" of at least {}", brief(least)) : "", in_quotes(text)));
  return x;
}
std::size_t count(const std::string& text, std::size_t least, std::size_t most) {
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n < least || n > most)
    throw InputError(fmt::format("expected an integer from {} to {}, found {}", least, most, in_quotes(text)));
  return n;
}
const std::string& one_of(const std::string& text, const Texts& names) {
  for (const std::string& name : names)
    if (name == text) return name;
  throw InputError(fmt::format("expected one of {}, found {}{}", join(names), in_quotes(text), did_you_mean(text, names)));
}

const Texts methods{"fd2", "fd4", "fd6", "sg", "spectral", "tv"};

std::vector<Knob> make() {
  return {
      {"time", Kind::one, 0, "The column that is time (default: t or time, if there is one)", [](Request& r, const Texts& t) { r.data.time = t[0]; }},
      {"space", Kind::many, ',', "The columns that are coordinates of fields: x,y", [](Request& r, const Texts& t) { r.data.space = t; }},
      {"variables", Kind::many, ',', "The columns to explain and to explain with (default: all others)", [](Request& r, const Texts& t) { r.data.variables = t; }},
      {"by", Kind::one, 0, "A column that tells trajectories apart", [](Request& r, const Texts& t) { r.data.by = t[0]; }},
      {"periodic", Kind::many, ',', "Coordinates that are periodic", [](Request& r, const Texts& t) { r.data.periodic = t; }},
      {"lhs", Kind::many, ';', "Left-hand sides, separated by ;, such as u_t or mu (default: x' of every variable)", [](Request& r, const Texts& t) { r.settings.lhs = t; }},
      {"degree", Kind::one, 0, "Of the products of variables in the library (default: 2)", [](Request& r, const Texts& t) { r.settings.degree = static_cast<int>(count(t[0], 0, 12)); }},
      {"derivatives", Kind::one, 0, "Highest order of derivatives by space in the library (default: 4 for fields)", [](Request& r, const Texts& t) { r.settings.derivatives = static_cast<int>(count(t[0], 0, 8)); }},
      {"waves", Kind::one, 0, "Add sin(k u) and cos(k u) for k up to this", [](Request& r, const Texts& t) { r.settings.library.waves = static_cast<int>(count(t[0], 0, 20)); }},
      {"inverse", Kind::one, 0, "Add u^-k for k up to this", [](Request& r, const Texts& t) { r.settings.library.inverse = static_cast<int>(count(t[0], 0, 8)); }},
      {"powers", Kind::many, ',', "Add u^p for these p: 0.5,1.5", [](Request& r, const Texts& t) {
         for (const std::string& one : t) r.settings.library.powers.push_back(number(one));
       }},
      {"pairs", Kind::flag, 0, "Products of waves, inverses and powers with every variable as well", [](Request& r, const Texts&) { r.settings.library.pairs = true; }},
      {"coordinates", Kind::flag, 0, "Coordinates in the products of the library as well", [](Request& r, const Texts&) { r.settings.library.coordinates = true; }},
      {"no-constant", Kind::flag, 0, "The library without the term 1", [](Request& r, const Texts&) { r.settings.library.constant = false; }},
      {"terms", Kind::many, ';', "Exactly these candidate terms, separated by ;: \"u; u*u_x; sin(u)\"", [](Request& r, const Texts& t) { r.settings.library.terms = t; }},
      {"add", Kind::many, ';', "These candidate terms beside the library", [](Request& r, const Texts& t) { r.settings.library.add = t; }},
      {"solver", Kind::one, 0, "stlsq, lasso, sr3, ssr, frols or best-subset (default: stlsq)", [](Request& r, const Texts& t) { r.settings.solver = one_of(t[0], solver_names()); }},
      {"threshold", Kind::many, ',', "Drop terms below it (of the left-hand side, see --no-normalise): 0.1, or per equation x=0.1,y=0.2 (default: by --select)",
       [](Request& r, const Texts& t) {
         for (const std::string& one : t) {
           const std::size_t at = one.rfind('=');
           if (at == std::string::npos) r.settings.threshold = number(one, 0);
           else r.settings.thresholds[one.substr(0, at)] = number(one.substr(at + 1), 0);
         }
       }},
      {"ridge", Kind::one, 0, "Ridge term while terms are chosen (default: 0)", [](Request& r, const Texts& t) { r.settings.sparse.ridge = number(t[0], 0); }},
      {"nu", Kind::one, 0, "Relaxation of sr3 (default: 1)", [](Request& r, const Texts& t) { r.settings.sparse.nu = number(t[0], 1e-12); }},
      {"most", Kind::one, 0, "Terms at most in an equation", [](Request& r, const Texts& t) { r.settings.sparse.most = r.settings.implicit_most = count(t[0], 1, 1000); }},
      {"no-normalise", Kind::flag, 0, "Thresholds are of the coefficients as they are, not of columns of length one", [](Request& r, const Texts&) { r.settings.sparse.normalise = false; }},
      {"select", Kind::one, 0, "How the number of terms is chosen: cv, loss, bic or aic (default: cv)", [](Request& r, const Texts& t) { r.settings.selection.by = one_of(t[0], criterion_names()); }},
      {"floor", Kind::one, 0, "Held-out errors below this part of the left-hand side count as equal (default: 0.003)", [](Request& r, const Texts& t) { r.settings.selection.floor = number(t[0], 0, 1); }},
      {"folds", Kind::one, 0, "Parts of the data that are held out in turn (default: 5)", [](Request& r, const Texts& t) { r.settings.selection.folds = count(t[0], 2, 40); }},
      {"ensemble", Kind::one, 0, "Bags of an ensemble: inclusion probabilities of terms (default: none)", [](Request& r, const Texts& t) { r.settings.ensemble.bags = count(t[0], 0, 100000); }},
      {"drop-terms", Kind::one, 0, "Part of the library that each bag does without (default: 0)", [](Request& r, const Texts& t) { r.settings.ensemble.drop_terms = number(t[0], 0, 0.9); }},
      {"cutoff", Kind::one, 0, "Inclusion from which on a term is in (default: 0.6)", [](Request& r, const Texts& t) { r.settings.ensemble.cutoff = number(t[0], 0, 1); }},
      {"seed", Kind::one, 0, "Of the ensemble, and of the rows that the implicit form looks at (default: 1)", [](Request& r, const Texts& t) { r.settings.ensemble.seed = count(t[0], 0, SIZE_MAX); }},
      {"derivative", Kind::one, 0, "By time and space: fd2, fd4, fd6, sg (smoothed), spectral (periodic) or tv (total variation)",
       [](Request& r, const Texts& t) { r.settings.time_method = r.settings.space_method = one_of(t[0], methods); }},
      {"time-derivative", Kind::one, 0, "By time only (default: fd4)", [](Request& r, const Texts& t) { r.settings.time_method = one_of(t[0], methods); }},
      {"space-derivative", Kind::one, 0, "By space only (default: spectral where periodic, else fd6)", [](Request& r, const Texts& t) { r.settings.space_method = one_of(t[0], methods); }},
      {"window", Kind::one, 0, "Points that sg smooths over (default: from the noise)", [](Request& r, const Texts& t) { r.settings.window = count(t[0], 3, 100001); }},
      {"alpha", Kind::one, 0, "Weight of the variation in tv (default: from the noise)", [](Request& r, const Texts& t) { r.settings.tv_alpha = number(t[0], 0); }},
      {"weak", Kind::flag, 0, "The weak form: for noisy data", [](Request& r, const Texts&) { r.settings.weak = true; }},
      {"support", Kind::many, ',', "Points from the centre of a test function to its edge, per coordinate (default: from the spectrum)",
       [](Request& r, const Texts& t) {
         for (const std::string& one : t) r.settings.weak_settings.support.push_back(count(one, 2, 1000000));
       }},
      {"overlap", Kind::one, 0, "Test functions over a point, per coordinate (default: 16; 6 for large data)", [](Request& r, const Texts& t) { r.settings.weak_settings.overlap = count(t[0], 1, 64); }},
      {"implicit", Kind::flag, 0, "Terms may hold the unknown too: x x', I mu", [](Request& r, const Texts&) { r.settings.implicit = true; }},
      {"simulate", Kind::flag, 0, "Integrate the equations found and compare", [](Request& r, const Texts&) { r.simulate = true; }},
      {"integrator", Kind::one, 0, "For --simulate (default: rk4)", [](Request& r, const Texts& t) { r.integrator = t[0]; }},
  };
}

std::string text_of_value(const TomlValue& v) {
  switch (v.kind()) {
    case TomlNode::Kind::string: return v.string();
    case TomlNode::Kind::integer: return std::to_string(v.integer());
    case TomlNode::Kind::number: return shortest(v.number());
    default: v.expected("a string or a number");
  }
}

}  // namespace

const std::vector<Knob>& knobs() {
  static const std::vector<Knob> all = make();
  return all;
}

void apply_flag(Request& request, const Knob& knob, const std::string& text) {
  Texts parts;
  if (knob.kind == Kind::one) parts.push_back(text);
  if (knob.kind == Kind::many) {
    std::size_t from = 0;
    while (from <= text.size()) {
      const std::size_t to = std::min(text.find(knob.separator, from), text.size());
      std::string part = text.substr(from, to - from);
      while (!part.empty() && part.front() == ' ') part.erase(part.begin());
      while (!part.empty() && part.back() == ' ') part.pop_back();
      if (!part.empty()) parts.push_back(part);
      from = to + 1;
    }
    if (parts.empty()) throw InputError(fmt::format("--{}: expected values separated by {}, found nothing", knob.name, knob.separator));
  }
  try {
    knob.apply(request, parts);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--{}: {}", knob.name, error.what()));
  }
}

void apply_file(Request& request, const std::string& path) {
  const TomlDocument document = TomlDocument::parse(TomlDocument::file_text(path), path);
  TomlTable table(document);
  if (const auto files = table.find("files")) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!files->is_array()) files->expected("an array of file names");
    for (std::size_t k = 0; k < files->size(); ++k) request.data.files.push_back((folder / files->item(k).string()).string());
  }
  for (const Knob& knob : knobs()) {
    const auto value = table.find(knob.name);
    if (!value) continue;
    Texts parts;
    if (knob.kind == Kind::flag) {
      if (!value->boolean()) continue;
    } else if (value->is_table() && knob.name == "threshold") {
      TomlTable inner(*value);
      for (const std::string& key : inner.keys()) parts.push_back(key + "=" + text_of_value(*inner.find(key)));
    } else if (value->is_array() && knob.kind == Kind::many) {
      for (std::size_t k = 0; k < value->size(); ++k) parts.push_back(text_of_value(value->item(k)));
      if (parts.empty()) value->expected("an array that is not empty");
    } else {
      parts.push_back(text_of_value(*value));
    }
    try {
      knob.apply(request, parts);
    } catch (const InputError& error) {
      value->fail(error.what());
    }
  }
  table.finish();
}

}  // namespace scree
