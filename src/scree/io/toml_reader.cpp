// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/toml_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "scree/core/dd_text.hpp"
#include "scree/io/toml.hpp"  // the parser is compiled here and nowhere else
#include "scree/io/toml_writer.hpp"

namespace scree {
namespace {

using Kind = TomlNode::Kind;

TomlNode convert(const toml::node& from, std::uint16_t origin, int depth);

void set_place(std::uint32_t& line, std::uint32_t& column, const toml::source_position& at) {
  line = at.line;
  column = at.column;
}

void convert_table(TomlNode& to, const toml::table& from, std::uint16_t origin, int depth) {
  to.kind = Kind::table;
  to.in_line = from.is_inline();
  to.body = std::make_unique<TomlNode::Body>();
  to.body->members.reserve(from.size());
  for (auto&& [key, value] : from) {
    TomlMember member;
    member.key = std::string(key.str());
    member.origin = origin;
    set_place(member.line, member.column, key.source().begin);
    member.value = convert(value, origin, depth + 1);
    to.body->members.push_back(std::move(member));
  }
  // the parser sorts by name; people read from top to bottom
  std::stable_sort(to.body->members.begin(), to.body->members.end(),
                   [](const auto& a, const auto& b) {
                     return std::pair(a.line, a.column) < std::pair(b.line, b.column);
                   });
}

TomlNode convert(const toml::node& from, std::uint16_t origin, int depth) {
  TomlNode to;
  to.origin = origin;
  set_place(to.line, to.column, from.source().begin);
  // Dotted keys and headers nest without brackets: the parser's own limit does not see them.
  if (depth > 4 * TomlDocument::depth_limit) throw InputError("nested too deeply");
  if (const auto* table = from.as_table()) {
    convert_table(to, *table, origin, depth);
  } else if (const auto* array = from.as_array()) {
    to.kind = Kind::array;
    to.body = std::make_unique<TomlNode::Body>();
    to.body->items.reserve(array->size());
    for (const auto& item : *array) to.body->items.push_back(convert(item, origin, depth + 1));
  } else if (const auto* text = from.as_string()) {
    to.kind = Kind::string;
    to.body = std::make_unique<TomlNode::Body>();
    to.body->text = text->get();
  } else if (const auto* integer = from.as_integer()) {
    to.kind = Kind::integer;
    to.integer = integer->get();
  } else if (const auto* number = from.as_floating_point()) {
    to.kind = Kind::number;
    to.number = number->get();
  } else if (const auto* boolean = from.as_boolean()) {
    to.kind = Kind::boolean;
    to.boolean = boolean->get();
  } else {
    to.kind = Kind::date;
    to.body = std::make_unique<TomlNode::Body>();
    std::ostringstream out;
    if (const auto* date = from.as_date()) out << date->get();
    if (const auto* time = from.as_time()) out << time->get();
    if (const auto* both = from.as_date_time()) out << both->get();
    to.body->text = out.str();
  }
  return to;
}

/// The parser's message on one line, its first letter small.
std::string tidy(std::string_view message) {
  std::string out;
  for (const char c : message) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  if (const auto at = out.find(" (TOML_"); at != std::string::npos) out.resize(at);
  if (out.size() > 300) {
    std::size_t cut = 300;
    while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xc0) == 0x80) --cut;
    out.resize(cut);
    out += " ...";
  }
  if (out.size() > 1 && out[0] >= 'A' && out[0] <= 'Z' && !(out[1] >= 'A' && out[1] <= 'Z'))
    out[0] = static_cast<char>(out[0] - 'A' + 'a');
  return out;
}

}  // namespace

// --- Document ---

std::string TomlDocument::place(std::uint16_t origin, std::uint32_t line,
                                std::uint32_t column) const {
  if (origin > 0 && origin <= override_limit) return "--set " + overrides_[origin - 1u];
  return (origin == 0 ? name_ : bases_[origin - override_limit - 1]) + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string TomlDocument::file_text(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code trouble;
  const auto status = fs::status(path, trouble);
  if (status.type() == fs::file_type::not_found) throw InputError(path + ": no such file");
  if (status.type() == fs::file_type::directory)
    throw InputError(path + ": is a directory; expected a scene file (TOML)");
  if (trouble) throw InputError(path + ": cannot be read: " + trouble.message());
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path + ": cannot be read: " + std::strerror(errno));
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (in.read(buffer.data(), buffer.size()), in.gcount() > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > size_limit) break;
  }
  if (in.bad()) throw InputError(path + ": cannot be read: " + std::strerror(errno));
  return text;
}

TomlDocument TomlDocument::parse(std::string text, std::string name,
                                 const std::vector<std::string>& overrides) {
  TomlDocument document;
  document.name_ = std::move(name);
  document.text_ = std::move(text);
  document.overrides_ = overrides;
  if (overrides.size() > override_limit) throw InputError("--set: too many overrides");
  document.root_ = document.tree_of(document.text_, 0);
  if (document.root_.line == 0) document.root_.line = document.root_.column = 1;
  document.take_bases();
  for (std::size_t k = 0; k < overrides.size(); ++k)
    document.apply(overrides[k], static_cast<std::uint16_t>(k + 1));
  if (!overrides.empty() || !document.bases_.empty()) document.text_ = write_toml(document.root_);
  return document;
}

TomlNode TomlDocument::tree_of(const std::string& text, std::uint16_t origin) const {
  const std::string& name = origin == 0 ? name_ : bases_.back();
  if (text.size() > size_limit)
    throw InputError(name + ": too long for a scene file (more than " + std::to_string(size_limit >> 20) +
                     " MiB); long lists of grains belong in a CSV file (build = \"file\")");
  try {
    return convert(parse_toml(text), origin, 0);
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    throw InputError(place(origin, at.line, at.column) + ": " + tidy(error.description()));
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  }
}

namespace {

TomlMember* find_member(TomlNode& table, std::string_view key) {
  if (table.kind != Kind::table) return nullptr;
  for (TomlMember& one : table.body->members)
    if (one.key == key) return &one;
  return nullptr;
}

/// What `base` has and `over` has not. Tables in one line are values: { every = 1 } takes the place
/// of { steps = 2 }.
void merge(TomlNode& over, TomlNode&& base) {
  for (TomlMember& one : base.body->members) {
    TomlMember* own = find_member(over, one.key);
    if (!own)
      over.body->members.push_back(std::move(one));
    else if (own->value.kind == Kind::table && !own->value.in_line && one.value.kind == Kind::table)
      merge(own->value, std::move(one.value));
  }
}

}  // namespace

void TomlDocument::take_bases() {
  namespace fs = std::filesystem;
  while (true) {
    TomlMember* scene = find_member(root_, "scene");
    TomlMember* base = scene ? find_member(scene->value, "base") : nullptr;
    if (!base) return;
    const auto fail = [&](const std::string& message) {
      throw InputError(place(base->origin, base->line, base->column) + ": scene.base: " + message);
    };
    if (base->value.kind != Kind::string) fail("expected a string, the name of a scene file");
    if (bases_.size() == base_limit)
      fail("more than " + std::to_string(base_limit) + " files in a row; is one based on itself?");
    const fs::path named = base->value.body->text;
    const fs::path beside = bases_.empty() ? name_ : bases_.back();
    const std::string file = named.is_absolute() ? named.string() : (beside.parent_path() / named).string();
    std::string text;
    try {
      text = file_text(file);
    } catch (const InputError& error) {
      fail(error.what());
    }
    auto& members = scene->value.body->members;
    members.erase(members.begin() + (base - members.data()));
    bases_.push_back(file);
    merge(root_, tree_of(text, static_cast<std::uint16_t>(override_limit + bases_.size())));
  }
}

std::string TomlDocument::canonical(const std::vector<std::string>& without) const {
  return canonical_toml(root_, without);
}

namespace {

/// The value after the '=' of an override: TOML if it is, else the bare string.
TomlNode override_value(const std::string& text, std::uint16_t origin) {
  if (text.size() < 100000) {
    try {
      const toml::table table = parse_toml("v = " + text);
      if (table.size() == 1 && table.contains("v")) return convert(*table.get("v"), origin, 0);
    } catch (const toml::parse_error&) {
    }
  }
  TomlNode node;
  node.kind = Kind::string;
  node.origin = origin;
  node.body = std::make_unique<TomlNode::Body>();
  node.body->text = text;
  return node;
}

}  // namespace

void TomlDocument::apply(const std::string& text, std::uint16_t origin) {
  const auto fail = [&](const std::string& message) {
    throw InputError("--set " + text + ": " + message);
  };
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) fail("expected KEY=VALUE, as in run.dt=1e-6");
  const auto trimmed = [](std::string part) {
    const auto first = part.find_first_not_of(" \t");
    if (first == std::string::npos) return std::string();
    return part.substr(first, part.find_last_not_of(" \t") - first + 1);
  };
  const std::string path = trimmed(text.substr(0, equals));
  std::vector<std::string> steps{""};
  for (const char c : path) {
    if (c == '.')
      steps.emplace_back();
    else
      steps.back() += c;
  }
  for (auto& step : steps) {
    step = trimmed(step);
    if (step.size() > 1 && step.front() == '"' && step.back() == '"')
      step = step.substr(1, step.size() - 2);
    if (step.empty()) fail("expected a dotted key before the =, as in run.dt=1e-6");
  }
  if (steps.size() > static_cast<std::size_t>(depth_limit)) fail("nested too deeply");

  TomlNode* node = &root_;
  std::string so_far;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::string& step = steps[k];
    const bool last = k + 1 == steps.size();
    if (node->kind == Kind::array) {
      auto& items = node->body->items;
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
      if (error != std::errc() || end != step.data() + step.size() || index >= items.size())
        fail(so_far + " is an array; expected a number between 0 and " +
             std::to_string(items.empty() ? 0 : items.size() - 1) + ", found " + in_quotes(step));
      node = &items[index];
    } else if (node->kind == Kind::table) {
      auto& members = node->body->members;
      auto at = std::find_if(members.begin(), members.end(),
                             [&](const auto& one) { return one.key == step; });
      if (at == members.end()) {
        TomlMember member;
        member.key = step;
        member.origin = origin;
        member.value.origin = origin;
        member.value.body = std::make_unique<TomlNode::Body>();
        members.push_back(std::move(member));
        at = members.end() - 1;
      }
      node = &at->value;
    } else {
      fail(so_far + " is neither a table nor an array, so it has no " + in_quotes(step));
    }
    so_far += (so_far.empty() ? "" : ".") + step;
    if (last) *node = override_value(trimmed(text.substr(equals + 1)), origin);
  }
}

// --- Values ---

TomlValue TomlValue::item(std::size_t k) const {
  return {*document_, node_->body->items[k], path_ + "." + std::to_string(k)};
}

void TomlValue::fail(std::string_view message) const {
  std::string out = document_->place(node_->origin, node_->line, node_->column) + ": ";
  if (!path_.empty()) out += path_ + ": ";
  throw InputError(out.append(message));
}

void TomlValue::expected(std::string_view what) const {
  fail("expected " + std::string(what) + ", found " + found());
}

std::string TomlValue::found() const {
  switch (kind()) {
    case Kind::boolean:
      return node_->boolean ? "true" : "false";
    case Kind::integer:
      return std::to_string(node_->integer);
    case Kind::number:
      return toml_number(node_->number);
    case Kind::string:
      return "the string " + in_quotes(node_->body->text);
    case Kind::date:
      return "a date";
    case Kind::array:
      return size() == 0 ? "an empty array" : "an array of " + std::to_string(size());
    case Kind::table:
      return "a table";
  }
  return "";
}

bool TomlValue::boolean() const {
  if (kind() != Kind::boolean) expected("true or false");
  return node_->boolean;
}

double TomlValue::number(Wanted wanted) const {
  if (!is_number()) expected(TomlRead<double>::what(wanted));
  const double x = kind() == Kind::integer ? static_cast<double>(node_->integer) : node_->number;
  if (!within(wanted.bound, x)) expected(TomlRead<double>::what(wanted));
  return x;
}

dd TomlValue::long_number(Wanted wanted) const {
  if (!is_string()) return number(wanted);
  const auto x = parse_dd(string());
  if (!x || !within(wanted.bound, x->hi)) expected(TomlRead<double>::what(wanted));
  return *x;
}

std::int64_t TomlValue::integer(Wanted wanted) const {
  if (kind() != Kind::integer || !within(wanted.bound, static_cast<double>(node_->integer)))
    expected(TomlRead<std::int64_t>::what(wanted));
  return node_->integer;
}

const std::string& TomlValue::string() const {
  if (!is_string()) expected("a string");
  return node_->body->text;
}

const std::string& TomlValue::one_of(std::string_view what,
                                     const std::vector<std::string>& names) const {
  const std::string choices = std::string(what) + " (" + join(names) + ")";
  if (!is_string()) expected(choices);
  const std::string& text = node_->body->text;
  if (std::find(names.begin(), names.end(), text) == names.end())
    fail("expected " + choices + ", found " + in_quotes(text) + did_you_mean(text, names));
  return text;
}

// --- Tables ---

TomlTable::TomlTable(TomlValue value) : value_(std::move(value)) {
  if (!value_.is_table()) value_.expected("a table");
}

const TomlMember* TomlTable::member(std::string_view key) const {
  for (const auto& one : value_.node().body->members)
    if (one.key == key) return &one;
  return nullptr;
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> names;
  for (const auto& one : value_.node().body->members) names.push_back(one.key);
  return names;
}

std::optional<TomlValue> TomlTable::find(std::string_view key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  const auto* one = member(key);
  if (!one) return std::nullopt;
  std::string path = value_.path().empty() ? "" : value_.path() + ".";
  const bool plain = std::all_of(key.begin(), key.end(),
                                 [](char c) { return static_cast<unsigned char>(c) > 0x20; });
  path += plain && key.size() <= 80 ? std::string(key) : in_quotes(key);
  return TomlValue(value_.document(), one->value, std::move(path));
}

TomlValue TomlTable::at(std::string_view key, std::string_view what) {
  auto value = find(key);
  if (!value) missing(key, what);
  return *value;
}

std::optional<TomlTable> TomlTable::table(std::string_view key) {
  auto value = find(key);
  if (!value) return std::nullopt;
  return TomlTable(*value);
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  std::vector<TomlTable> list;
  const auto value = find(key);
  if (!value) return list;
  if (value->is_table()) {
    list.emplace_back(*value);
    return list;
  }
  if (!value->is_array()) value->expected("a table or an array of tables");
  for (std::size_t k = 0; k < value->size(); ++k) list.emplace_back(value->item(k));
  return list;
}

std::string TomlTable::labelled() const {
  if (label_.empty()) return value_.path();
  return value_.path().empty() ? label_ : value_.path() + " (" + label_ + ")";
}

void TomlTable::missing(std::string_view key, std::string_view what) const {
  // a mistyped key is a better thing to point at than the table
  for (const auto& one : value_.node().body->members)
    if (std::find(asked_.begin(), asked_.end(), one.key) == asked_.end() &&
        !nearest(one.key, {std::string(key)}).empty())
      unknown(one);
  fail("missing key \"" + std::string(key) + "\"; expected " + std::string(what));
}

void TomlTable::fail(std::string_view message) const {
  const auto& node = value_.node();
  std::string out = value_.document().place(node.origin, node.line, node.column) + ": ";
  if (const std::string where = labelled(); !where.empty()) out += where + ": ";
  throw InputError(out.append(message));
}

void TomlTable::fail_at(std::string_view key, std::string_view message) const {
  const auto* one = member(key);
  if (!one) fail(message);
  std::string path = value_.path().empty() ? "" : value_.path() + ".";
  TomlValue(value_.document(), one->value, path.append(key)).fail(message);
}

void TomlTable::unknown(const TomlMember& one) const {
  std::vector<std::string> open;  // keys that are there already are no use as a suggestion
  for (const auto& name : asked_)
    if (!member(name)) open.push_back(name);
  std::string near = nearest(one.key, open);
  if (near.empty()) near = nearest(one.key, asked_);
  std::string out = value_.document().place(one.origin, one.line, one.column) + ": ";
  if (const std::string where = labelled(); !where.empty()) out += where + ": ";
  out += "unknown key " + in_quotes(one.key) + "; expected one of " + join(asked_);
  if (!near.empty()) out += "; did you mean \"" + near + "\"?";
  throw InputError(out);
}

void TomlTable::finish() const {
  for (const auto& one : value_.node().body->members)
    if (std::find(asked_.begin(), asked_.end(), one.key) == asked_.end()) unknown(one);
}

Numbers TomlRead<Numbers>::read(const TomlValue& value, Wanted wanted) {
  if (value.is_number()) return value.number(wanted);
  Numbers numbers;
  if (value.is_array()) {
    numbers.list = TomlRead<std::vector<double>>::read(value, wanted);
    if (numbers.list.empty()) value.expected(what(wanted));
    return numbers;
  }
  if (!value.is_table()) value.expected(what(wanted));
  TomlTable table(value);
  if (table.has("mean") || table.has("spread")) {
    const double mean = table.required<double>("mean", wanted), spread = table.get("spread", 0.0, {fraction, ""});
    numbers.min = mean * (1 - spread);
    numbers.max = mean * (1 + spread);
    if (!within(wanted.bound, numbers.min))
      table.fail_at("spread", "expected a number below 1: the smallest is mean (1 - spread)");
  } else {
    numbers.min = table.required<double>("min", wanted);
    numbers.max = table.required<double>("max", wanted);
    if (numbers.min > numbers.max)
      table.fail_at("max", "expected a number >= min = " + brief(numbers.min) + ", found " + brief(numbers.max));
  }
  table.finish();
  return numbers;
}

}  // namespace scree
