// SPDX-License-Identifier: BSD-3-Clause
/// A checked reader for TOML. Every mistake of the user becomes one InputError of the form
///
///     scenes/x.toml:12:8: contact.normal: unknown key "gama"; expected one of law, k, g; did you
///     mean "g"?
///
/// with the place, the dotted key (as --set would spell it), what was expected and what was found.
/// A table is read by asking for its keys; finish() then complains of the keys that nobody asked
/// for. A settings struct with `fields()` is read whole by read_fields().
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/core/dd.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/fields.hpp"
#include "scree/core/names.hpp"
#include "scree/core/numbers.hpp"
#include "scree/core/vec.hpp"

namespace scree {

struct TomlMember;

/// One value of a document, and where it stands. Small, since a scene may list many points.
struct TomlNode {
  enum class Kind : std::uint8_t { boolean, integer, number, string, date, array, table };
  struct Body {
    std::string text;                 // string, date
    std::vector<TomlNode> items;      // array
    std::vector<TomlMember> members;  // table, in the order of the file
  };

  Kind kind = Kind::table;
  bool in_line = false;      // { a = 1 } rather than [header]
  std::uint16_t origin = 0;  // 0: the file; k: the k-th override; beyond: a file it is based on
  std::uint32_t line = 1, column = 1;
  union {
    bool boolean;
    std::int64_t integer = 0;
    double number;
  };
  std::unique_ptr<Body> body;  // null for plain numbers
};

struct TomlMember {
  std::string key;
  std::uint16_t origin = 0;
  std::uint32_t line = 1, column = 1;  // of the key
  TomlNode value;
};

/// A parsed document with its overrides applied.
class TomlDocument {
 public:
  static constexpr std::size_t size_limit = std::size_t{16}
                                            << 20;  // bytes: long lists belong in a CSV file
  static constexpr int depth_limit = 32;            // of nested arrays and tables
  static constexpr std::size_t override_limit = 60000;
  static constexpr std::size_t base_limit = 8;  // files that a file may be based on, in a row

  /// The bytes of a file, up to a little more than the limit. Throws InputError.
  static std::string file_text(const std::string& path);

  /// `name` stands for the file in messages. `overrides` are "a.b=value" (a.0.b for the first table
  /// of an array). A document whose [scene] has a `base` is that file (beside it) with changes:
  /// tables are merged, and everything else in them that is in both is this document's. Throws
  /// InputError.
  static TomlDocument parse(std::string text, std::string name,
                            const std::vector<std::string>& overrides = {});

  const TomlNode& root() const { return root_; }
  const std::string& name() const { return name_; }

  /// The text, rewritten if there are overrides or a base.
  const std::string& text() const { return text_; }

  /// A text that does not depend on spaces, comments, order of keys or spelling of numbers, without
  /// the given dotted keys.
  std::string canonical(const std::vector<std::string>& without = {}) const;

  /// "file:line:column", or "--set a.b=v".
  std::string place(std::uint16_t origin, std::uint32_t line, std::uint32_t column) const;

 private:
  void apply(const std::string& override_text, std::uint16_t origin);
  TomlNode tree_of(const std::string& text, std::uint16_t origin) const;
  void take_bases();

  std::string name_, text_;
  std::vector<std::string> overrides_, bases_;
  TomlNode root_;
};

/// What a key may hold, for the check and for the message.
struct Wanted {
  Bound bound = any;
  std::string_view unit = "";
};

/// A value with its dotted path.
class TomlValue {
 public:
  TomlValue(const TomlDocument& document, const TomlNode& node, std::string path)
      : document_(&document), node_(&node), path_(std::move(path)) {}

  const TomlNode& node() const { return *node_; }
  const TomlDocument& document() const { return *document_; }
  const std::string& path() const { return path_; }
  TomlNode::Kind kind() const { return node_->kind; }
  bool is_number() const {
    return kind() == TomlNode::Kind::integer || kind() == TomlNode::Kind::number;
  }
  bool is_string() const { return kind() == TomlNode::Kind::string; }
  bool is_array() const { return kind() == TomlNode::Kind::array; }
  bool is_table() const { return kind() == TomlNode::Kind::table; }

  std::size_t size() const { return is_array() ? node_->body->items.size() : 0; }
  TomlValue item(std::size_t k) const;

  bool boolean() const;
  double number(Wanted wanted = {}) const;
  /// The same, or its digits as a string.
  dd long_number(Wanted wanted = {}) const;
  std::int64_t integer(Wanted wanted = {}) const;
  const std::string& string() const;
  /// One of the names; the message names the nearest.
  const std::string& one_of(std::string_view what, const std::vector<std::string>& names) const;

  [[noreturn]] void fail(std::string_view message) const;
  [[noreturn]] void expected(std::string_view what) const;  // "expected <what>, found <this>"
  std::string found() const;

 private:
  const TomlDocument* document_;
  const TomlNode* node_;
  std::string path_;
};

/// How a type is read from a value.
template <class V> struct TomlRead;

template <> struct TomlRead<bool> {
  static bool read(const TomlValue& value, Wanted) { return value.boolean(); }
  static std::string what(Wanted) { return "true or false"; }
  static bool missing(bool, Wanted) { return false; }
};
template <> struct TomlRead<double> {
  static double read(const TomlValue& value, Wanted wanted) { return value.number(wanted); }
  static std::string what(Wanted wanted) {
    return std::string(expected(wanted.bound)) +
           (wanted.unit.empty() ? "" : " in " + std::string(wanted.unit));
  }
  static bool missing(double x, Wanted wanted) { return !within(wanted.bound, x); }
};
/// A number, or a text with more digits than a double holds: "0.1234567890123456789012345678901".
template <> struct TomlRead<dd> {
  static dd read(const TomlValue& value, Wanted wanted) { return value.long_number(wanted); }
  static std::string what(Wanted wanted) { return TomlRead<double>::what(wanted); }
  static bool missing(const dd& x, Wanted wanted) { return !within(wanted.bound, x.hi); }
};
template <> struct TomlRead<std::int64_t> {
  static std::int64_t read(const TomlValue& value, Wanted wanted) { return value.integer(wanted); }
  static std::string what(Wanted wanted) {
    switch (wanted.bound) {
      case Bound::positive:
        return "an integer > 0";
      case Bound::non_negative:
        return "an integer >= 0";
      default:
        return "an integer";
    }
  }
  static bool missing(std::int64_t x, Wanted wanted) {
    return !within(wanted.bound, static_cast<double>(x));
  }
};
template <> struct TomlRead<std::string> {
  static std::string read(const TomlValue& value, Wanted) { return value.string(); }
  static std::string what(Wanted) { return "a string"; }
  static bool missing(const std::string&, Wanted) { return false; }
};
template <int N, class T> struct TomlRead<Vec<N, T>> {
  static Vec<N, T> read(const TomlValue& value, Wanted wanted) {
    Vec<N, T> v{};
    if constexpr (N == 1) {  // a spin in the plane is a plain number
      if (value.is_array()) value.expected(what(wanted));
      v[0] = TomlRead<T>::read(value, wanted);
    } else {
      if (value.size() != static_cast<std::size_t>(N)) value.expected(what(wanted));
      for (int k = 0; k < N; ++k) v[k] = TomlRead<T>::read(value.item(static_cast<std::size_t>(k)), wanted);
    }
    return v;
  }
  static std::string what(Wanted wanted) {
    if constexpr (N == 1) return TomlRead<double>::what(wanted);
    return "an array of " + std::to_string(N) + " numbers" +
           (wanted.unit.empty() ? "" : " in " + std::string(wanted.unit));
  }
  static bool missing(const Vec<N, T>& v, Wanted) { return !is_finite(v); }
};
template <class V> struct TomlRead<std::vector<V>> {
  static std::vector<V> read(const TomlValue& value, Wanted wanted) {
    if (!value.is_array()) value.expected(what(wanted));
    std::vector<V> list;
    list.reserve(value.size());
    for (std::size_t k = 0; k < value.size(); ++k)
      list.push_back(TomlRead<V>::read(value.item(k), wanted));
    return list;
  }
  static std::string what(Wanted wanted) {
    return "an array, each entry " + TomlRead<V>::what(wanted);
  }
  static bool missing(const std::vector<V>&, Wanted) { return false; }
};

/// A number, a list, { min, max } or { mean, spread }.
template <> struct TomlRead<Numbers> {
  static Numbers read(const TomlValue& value, Wanted wanted);
  static std::string what(Wanted wanted) {
    return TomlRead<double>::what(wanted) + ", an array of them, { min, max } or { mean, spread }";
  }
  static bool missing(const Numbers& numbers, Wanted wanted) { return TomlRead<double>::missing(numbers.min, wanted); }
};

/// A table being read.
class TomlTable {
 public:
  /// The whole document.
  explicit TomlTable(const TomlDocument& document)
      : TomlTable(TomlValue(document, document.root(), "")) {}
  explicit TomlTable(TomlValue value);

  const TomlValue& value() const { return value_; }
  const std::string& path() const { return value_.path(); }
  /// Said after the path in messages, e.g. which law a table describes.
  void set_label(std::string label) { label_ = std::move(label); }

  std::vector<std::string> keys() const;
  bool has(std::string_view key) const {
    return member(key) != nullptr;
  }  // does not count as asking
  std::optional<TomlValue> find(std::string_view key);
  TomlValue at(std::string_view key, std::string_view what);  // fails if it is not there

  template <class V> V required(std::string_view key, Wanted wanted = {}) {
    return TomlRead<V>::read(at(key, TomlRead<V>::what(wanted)), wanted);
  }
  template <class V> V get(std::string_view key, V fallback, Wanted wanted = {}) {
    const auto value = find(key);
    return value ? TomlRead<V>::read(*value, wanted) : fallback;
  }
  template <class V> std::optional<V> maybe(std::string_view key, Wanted wanted = {}) {
    const auto value = find(key);
    if (!value) return std::nullopt;
    return TomlRead<V>::read(*value, wanted);
  }
  std::optional<TomlTable> table(std::string_view key);
  std::vector<TomlTable> tables(std::string_view key);  // [[key]], or one [key]; empty if absent

  /// Reads every field of S that is there. A field whose default its own bound forbids is required.
  template <class S> void read_fields(S& settings) {
    for_each_field<S>([&](const auto& one) {
      using M = typename std::remove_cvref_t<decltype(one)>::Member;
      const Wanted wanted{one.bound, one.unit};
      if (const auto value = find(one.name))
        settings.*(one.member) = TomlRead<M>::read(*value, wanted);
      else if (TomlRead<M>::missing(settings.*(one.member), wanted))
        missing(one.name, TomlRead<M>::what(wanted));
    });
  }

  [[noreturn]] void missing(std::string_view key, std::string_view what) const;
  [[noreturn]] void fail(std::string_view message) const;  // at the table
  [[noreturn]] void fail_at(std::string_view key,
                            std::string_view message) const;  // at the key, if it is there

  /// Complains of the first key that nobody asked for.
  void finish() const;

 private:
  const TomlMember* member(std::string_view key) const;
  std::string labelled() const;
  [[noreturn]] void unknown(const TomlMember&) const;

  TomlValue value_;
  std::string label_;
  std::vector<std::string> asked_;
};

}  // namespace scree
