// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/toml_guard.hpp"

#include <array>
#include <cstdio>

namespace scree {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

class Guard {
 public:
  explicit Guard(std::string_view text) : text_(text) {
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  }

  std::optional<TomlRefusal> scan() {
    while (!refusal_ && !at_end()) look();
    return std::move(refusal_);
  }

 private:
  // --- The text ---

  bool at_end() const { return at_ >= text_.size(); }
  bool ahead(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  unsigned byte(std::size_t k) const { return static_cast<unsigned char>(text_[k]); }

  /// The length in bytes of the code point here; 0 if it is none, or zero.
  std::size_t length() const {
    const unsigned first = byte(at_);
    if (first == 0) return 0;
    if (first < 0x80) return 1;
    const std::size_t count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text_.size() - at_ < count) return 0;
    for (std::size_t k = 1; k < count; ++k)
      if ((byte(at_ + k) & 0xc0) != 0x80) return 0;
    const unsigned second = byte(at_ + 1);
    if (first == 0xe0 && second < 0xa0) return 0;   // longer than needed
    if (first == 0xed && second >= 0xa0) return 0;  // half of a pair of UTF-16
    if (first == 0xf0 && second < 0x90) return 0;   // longer than needed
    if (first == 0xf4 && second >= 0x90) return 0;  // beyond Unicode
    return count;
  }

  /// Goes on by one code point.
  void step() {
    const std::size_t count = length();
    if (count == 0) {
      char text[8];
      std::snprintf(text, sizeof text, "0x%02x", byte(at_));
      refuse(std::string("not a text file: expected UTF-8, found the byte ") + text);
      at_ = text_.size();
      return;
    }
    ++column_;
    if (text_[at_] == '\n') {
      ++line_;
      column_ = 1;
    }
    at_ += count;
  }

  void step(std::size_t count) {
    for (std::size_t k = 0; k < count && !at_end(); ++k) step();
  }

  void refuse(std::string reason) {
    if (!refusal_) refusal_ = TomlRefusal{line_, column_, std::move(reason)};
  }

  // --- Its parts ---

  bool in_array() const { return depth_ > 0 && open_[depth_ - 1] == '['; }
  bool in_value() const { return in_array() || after_equals_; }

  void look() {
    const char c = text_[at_];
    switch (c) {
      case '\n':
        dots_ = run_ = 0;
        if (depth_ == 0) after_equals_ = false;
        step();
        break;
      case ' ':
      case '\t':
      case '\r':
        run_ = 0;
        step();
        break;
      case '#':
        while (!at_end() && text_[at_] != '\n') step();
        break;
      case '"':
      case '\'':
        run_ = 0;
        string(c);
        break;
      case '[':
      case '{':
        dots_ = run_ = 0;
        open(c);
        break;
      case ']':
      case '}':
        dots_ = run_ = 0;
        close(c);
        break;
      case '=':
      case ',':
        dots_ = run_ = 0;
        if (!in_array()) after_equals_ = c == '=';
        step();
        break;
      default:
        word(c);
    }
  }

  void open(char c) {
    if (in_value()) {
      if (depth_ == open_.size())
        return refuse("nested too deeply: expected at most " + std::to_string(toml_depth_limit) +
                      " brackets within each other");
      open_[depth_++] = c;
      after_equals_ = false;
    } else if (ahead("[[[")) {
      return refuse("expected a table like [name] or [[name]], found [[[");
    }
    step();
  }

  void close(char c) {
    if (depth_ > 0) {
      const char wanted = in_array() ? ']' : '}';
      if (c != wanted) return refuse(std::string("expected ") + wanted + ", found " + c);
      --depth_;
      after_equals_ = true;  // what was closed is itself a value
    }
    step();
  }

  void word(char c) {
    if (static_cast<unsigned char>(c) >= 0x80) {
      const std::size_t count = length();
      if (count > 0) return refuse(stray(count));
    } else if (in_value()) {
      if (++run_ > toml_value_limit)
        return refuse("expected a value of at most " + std::to_string(toml_value_limit) +
                      " characters; a longer text needs quotes");
    } else if (c == '.' && ++dots_ > toml_dots_limit) {
      return refuse("nested too deeply: expected at most " + std::to_string(toml_dots_limit) +
                    " dots in a key");
    }
    step();
  }

  std::string stray(std::size_t count) const {
    unsigned code = byte(at_) & (0x7fu >> count);
    for (std::size_t k = 1; k < count; ++k) code = code << 6 | (byte(at_ + k) & 0x3f);
    char name[16];
    std::snprintf(name, sizeof name, "U+%04X", code);
    std::string out = "expected plain ASCII outside of strings and comments, found ";
    if (code < 0xa0) return out + name;  // a control character
    return out.append(text_.substr(at_, count)) + " (" + name + ")";
  }

  void string(char quote) {
    const std::string three(3, quote);
    const bool several_lines = ahead(three);
    const bool escapes = quote == '"';
    const auto line = line_, column = column_;
    step(several_lines ? 3 : 1);
    while (!at_end()) {
      const char c = text_[at_];
      if (c == '\\' && escapes) {
        step();
        if (!at_end() && text_[at_] != '\n') step();
      } else if (several_lines && ahead(three)) {  // up to two quotes before it belong to the text
        step(3);
        for (int k = 0; k < 2 && !at_end() && text_[at_] == quote; ++k) step();
        return;
      } else if (!several_lines && c == quote) {
        return step();
      } else if (!several_lines && c == '\n') {
        line_ = line;
        column_ = column;
        return refuse(std::string("expected a closing ") + quote + " on the same line (" + three +
                      " begins a string of several lines)");
      } else {
        step();
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1, column_ = 1;
  std::optional<TomlRefusal> refusal_;

  std::array<char, toml_depth_limit>
      open_{};  // the brackets we are in; those of [table] not counted
  std::size_t depth_ = 0;
  bool after_equals_ = false;
  std::size_t dots_ = 0;  // of the key so far
  std::size_t run_ = 0;   // characters of the value so far
};

}  // namespace

std::optional<TomlRefusal> toml_guard(std::string_view text) { return Guard(text).scan(); }

}  // namespace scree
