// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/toml_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "scree/core/names.hpp"

namespace scree {

std::string toml_number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  std::string out = shortest(x);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

namespace {

using Kind = TomlNode::Kind;

std::string written_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (u < 0x20 || u == 0x7f) {
      char escape[12];
      std::snprintf(escape, sizeof escape, "\\u%04x", u);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string written_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare ? key : written_string(key);
}

/// Writes a document: in the order of the file, or (canonical) in that of the keys and without
/// some.
class Writer {
 public:
  Writer(bool canonical, const std::vector<std::string>& without)
      : canonical_(canonical), without_(without) {}

  std::string document(const TomlNode& root) {
    block(root, "", "");
    return std::move(out_);
  }

 private:
  std::vector<const TomlMember*> ordered(const TomlNode& table, const std::string& path) const {
    std::vector<const TomlMember*> members;
    for (const auto& one : table.body->members) {
      const std::string at = path.empty() ? one.key : path + "." + one.key;
      if (std::find(without_.begin(), without_.end(), at) == without_.end())
        members.push_back(&one);
    }
    if (canonical_)
      std::sort(members.begin(), members.end(), [](auto a, auto b) { return a->key < b->key; });
    return members;
  }
  static bool is_list_of_tables(const TomlNode& node) {
    return node.kind == Kind::array && !node.body->items.empty() &&
           std::all_of(node.body->items.begin(), node.body->items.end(),
                       [](const TomlNode& one) { return one.kind == Kind::table; });
  }
  bool has_header(const TomlNode& node, bool at_root) const {
    if (node.kind == Kind::table) return canonical_ ? at_root : !node.in_line;
    return at_root && is_list_of_tables(node);
  }

  /// Plain members first, then those with headers of their own. `header` is the written path.
  void block(const TomlNode& table, const std::string& header, const std::string& path) {
    const auto members = ordered(table, path);
    for (const auto* one : members)
      if (!has_header(one->value, path.empty())) {
        out_ += written_key(one->key) + " = ";
        inner(one->value, 0);
        out_ += '\n';
      }
    for (const auto* one : members) {
      if (!has_header(one->value, path.empty())) continue;
      const std::string name =
          header.empty() ? written_key(one->key) : header + "." + written_key(one->key);
      const std::string at = path.empty() ? one->key : path + "." + one->key;
      if (one->value.kind == Kind::table) {
        out_ += "\n[" + name + "]\n";
        block(one->value, name, at);
      } else {
        for (const auto& item : one->value.body->items) {
          out_ += "\n[[" + name + "]]\n";
          for (const auto* member : ordered(item, at + ".*")) {
            out_ += written_key(member->key) + " = ";
            inner(member->value, 0);
            out_ += '\n';
          }
        }
      }
    }
  }
  void inner(const TomlNode& node, int depth) {
    switch (node.kind) {
      case Kind::boolean:
        out_ += node.boolean ? "true" : "false";
        break;
      case Kind::integer:
        out_ += canonical_ ? toml_number(static_cast<double>(node.integer))
                           : std::to_string(node.integer);
        // integers beyond 2^53 (seeds) must stay apart
        if (canonical_ && std::abs(static_cast<double>(node.integer)) >= 0x1p53)
          out_ += " #" + std::to_string(node.integer);
        break;
      case Kind::number:
        out_ += toml_number(node.number);
        break;
      case Kind::string:
        out_ += written_string(node.body->text);
        break;
      case Kind::date:
        out_ += node.body->text;
        break;
      case Kind::array: {
        out_ += '[';
        const char* gap = "";
        for (const auto& item : node.body->items) {
          out_ += gap;
          inner(item, depth + 1);
          gap = ", ";
        }
        out_ += ']';
        break;
      }
      case Kind::table: {
        out_ += "{ ";
        const char* gap = "";
        for (const auto* one : ordered(node, "*")) {
          out_ += gap + written_key(one->key) + " = ";
          inner(one->value, depth + 1);
          gap = ", ";
        }
        out_ += " }";
        break;
      }
    }
  }

  bool canonical_;
  const std::vector<std::string>& without_;
  std::string out_;
};

}  // namespace

std::string write_toml(const TomlNode& root) { return Writer(false, {}).document(root); }

std::string canonical_toml(const TomlNode& root, const std::vector<std::string>& without) {
  return Writer(true, without).document(root);
}

}  // namespace scree
