// SPDX-License-Identifier: BSD-3-Clause
/// A study: many runs and one figure. It says which scene it starts from and which options it takes,
/// runs, and gives back tables, figures, one JSON object and what it found of the seeds' claims.
/// Files are written elsewhere (write_study.hpp), so a study is a function from settings to a result
/// and `reproduce`, the tests and the command line call it alike.
///
/// To add one: a class in a file of its own, and its line in registry.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scree/io/run_file.hpp"

namespace scree {

/// An option of a study, beside the ones that all have (--set, --quick, --out, --json).
struct StudyOption {
  std::string name;     // "law" for --law
  std::string initial;  // its value if it is not given, as text; lists are separated by commas
  std::string help;
  bool flag = false;    // takes no value; "" is off, "1" on
};

/// What the user asked for. Asking for an option that the study has not declared is a bug and throws.
class StudySettings {
 public:
  StudySettings() = default;
  explicit StudySettings(const std::vector<StudyOption>& options);

  void set(const std::string& name, const std::string& value);
  bool given(const std::string& name) const;  // by the user, not by default
  const std::string& text(const std::string& name) const;
  bool flag(const std::string& name) const { return !text(name).empty(); }
  /// These throw InputError naming the option if the text is no number.
  double number(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;
  std::vector<std::string> list(const std::string& name) const;
  /// A list whose parts may be joined by +: "a1+a2,b1" is {{"a1", "a2"}, {"b1"}}.
  std::vector<std::vector<std::string>> groups(const std::string& name) const;
  /// The value, which must be one of `names`; InputError names the nearest. `what`: "a normal law".
  const std::string& one_of(const std::string& name, std::string_view what,
                            const std::vector<std::string>& names) const;

  std::vector<std::string> overrides;  // "a.b=value" of --set
  bool quick = false;                  // fewer points, shorter runs: for CI

 private:
  std::map<std::string, std::string> values_;
  std::map<std::string, bool> given_;
};

/// A table, written as CSV.
struct StudyTable {
  using Cell = std::variant<double, std::int64_t, std::string>;
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

/// One curve of a panel. All texts of a figure may use gnuplot's markup: ξ_{max}, 10^{-3}.
struct Series {
  enum class Style { points, line, line_points, dashed };
  static constexpr int next_colour = -1, grey = -2;
  std::string title;  // empty: not in the legend
  std::vector<double> x, y;
  Style style = Style::line_points;
  int colour = next_colour;  // place in the palette; a fit takes the colour of its data
  std::vector<double> error{};  // of y, drawn as bars to either side; empty: none
};

struct Panel {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<Series> series;
  std::vector<std::pair<double, double>> bands;  // shaded ranges of x: fit windows
  std::optional<std::pair<double, double>> x_range, y_range;
  bool inset = false;  // drawn small, inside the panel before it
};

/// One picture, NAME.png and NAME.svg, of panels side by side.
struct Figure {
  std::string name, title;
  std::vector<Panel> panels;
};

/// A sentence of a seed (or a question beyond the seeds), and what came of it here.
struct Finding {
  enum class Verdict { holds, differs, beyond };
  std::string where;  // "003, figure 4.1"
  std::string claim;  // what the seed says
  std::string ours;   // our number
  Verdict verdict = Verdict::holds;
  std::string why;    // where it differs: the reason
};

/// Grains at one or two instants, drawn as NAME.png and NAME.svg.
struct StudyPicture {
  std::string name;
  std::vector<Frame> frames;
  RunInfo info;  // name, walls and shapes are looked at
};

struct StudyResult {
  nlohmann::ordered_json json;
  std::vector<StudyTable> tables;
  std::vector<Figure> figures;
  std::vector<StudyPicture> pictures;
  std::vector<Finding> findings;
  std::string text;  // a short table for people
};

/// Told between the runs of a study: fraction done in [0, 1] and what is being done.
using StudyProgress = std::function<void(double, const std::string&)>;

class Study {
 public:
  virtual ~Study() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;  // one line
  virtual std::string_view example() const = 0;  // a command
  virtual std::vector<StudyOption> options() const { return {}; }
  /// The scene it starts from, as TOML; what --print-scene prints and --set changes.
  virtual std::string scene(const StudySettings&) const = 0;
  virtual StudyResult run(const StudySettings&, const StudyProgress&) const = 0;
};

/// All studies, in the order of the documentation.
const std::vector<const Study*>& studies();
/// The study of that name, or nullptr.
const Study* find_study(std::string_view name);

}  // namespace scree
