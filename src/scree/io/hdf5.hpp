// SPDX-License-Identifier: BSD-3-Clause
/// A thin layer over the C interface of HDF5: identifiers that close themselves, and errors that
/// are RunErrors naming file and dataset.
///
/// Files are written through a driver of our own, because HDF5 takes a failed write badly: data
/// stay in its caches, closing fails, and it tries again when the process ends. Ours remembers the
/// first error and answers that all is well; `write` and `close` then throw it. The same driver
/// writes files in memory. Files follow the format of HDF5 1.8, which everything reads, and hold no
/// time stamps: equal content, equal bytes.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::hdf5 {

using Id = std::int64_t;  // hid_t

/// An identifier that closes itself.
class Handle {
 public:
  using Close = int (*)(Id);
  Handle() = default;
  Handle(Id id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(std::exchange(other.close_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { reset(); }
  /// Closes now; false if that failed.
  bool reset() {
    const Id id = std::exchange(id_, -1);
    return id < 0 || close_ == nullptr || close_(id) >= 0;
  }
  Id get() const { return id_; }

 private:
  Id id_ = -1;
  Close close_ = nullptr;
};

template <class T>
concept Number =
    std::same_as<T, double> || std::same_as<T, std::int64_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::uint16_t> || std::same_as<T, std::uint8_t>;

enum class Kind { real64, int64, uint32, uint16, uint8, text, other };

/// plain: contiguous. packed: chunked, bytes shuffled, deflated (plain where too short to pay).
enum class Storage { plain, packed };

/// One column of a table: a compound type of 8-byte members, int64 or double.
struct Member {
  std::string name;
  bool integer = false;
};

class Group {
 public:
  const std::string& file() const { return file_; }

  bool has(const std::string& name) const;
  std::vector<std::string> names() const;  // of all links here, sorted

  Group group(const std::string& name) const;
  Group create_group(const std::string& name);

  /// `columns` 0: one-dimensional; otherwise data.size() / columns rows.
  template <Number T> void write(const std::string& name, std::span<const T> data,
                                 std::size_t columns = 0, Storage storage = Storage::packed);
  template <Number T> void write(const std::string& name, const std::vector<T>& data,
                                 std::size_t columns = 0, Storage storage = Storage::packed) {
    write(name, std::span<const T>(data), columns, storage);
  }
  /// Any number type in the file; HDF5 converts.
  template <Number T> std::vector<T> read(const std::string& name) const;
  std::vector<std::size_t> shape(const std::string& name) const;
  Kind kind(const std::string& name) const;
  /// Adds to a one-dimensional dataset, which is made if it is not there; such a one can grow.
  template <Number T> void append(const std::string& name, std::span<const T> data);

  void write_text(const std::string& name, const std::string& text);
  std::string read_text(const std::string& name) const;
  void write_texts(const std::string& name, const std::vector<std::string>& texts);
  std::vector<std::string> read_texts(const std::string& name) const;

  /// Tables: `rows` points to rows of 8-byte members, in the order of `members`.
  void append_rows(const std::string& name, const std::vector<Member>& members, const void* rows,
                   std::size_t count, Storage storage = Storage::plain);
  std::size_t row_count(const std::string& name) const;
  void read_rows(const std::string& name, const std::vector<Member>& members, void* rows) const;
  /// Cuts a dataset that can grow to its first `rows` rows.
  void truncate(const std::string& name, std::size_t rows);

  /// Attributes of this group, or of the dataset `of` in it.
  void set(const std::string& name, double value, const std::string& of = ".");
  void set(const std::string& name, std::int64_t value, const std::string& of = ".");
  void set(const std::string& name, const std::string& value, const std::string& of = ".");
  void set(const std::string& name, const std::vector<double>& values, const std::string& of = ".");
  bool has_attribute(const std::string& name, const std::string& of = ".") const;
  std::vector<std::string> attributes(const std::string& of = ".") const;
  Kind attribute_kind(const std::string& name, const std::string& of = ".") const;
  double real(const std::string& name, const std::string& of = ".") const;
  std::int64_t integer(const std::string& name, const std::string& of = ".") const;
  std::string text(const std::string& name, const std::string& of = ".") const;
  std::vector<double> reals(const std::string& name, const std::string& of = ".") const;

  void link_external(const std::string& name, const std::string& file, const std::string& object);
  /// File and object of an external link; nothing for other links.
  std::optional<std::pair<std::string, std::string>> external(const std::string& name) const;
  void unlink(const std::string& name);
  /// Copies an object with all below it, data untouched (and still deflated).
  void copy(const Group& from, const std::string& object, const std::string& name);

 protected:
  struct Sink;  // where the driver leaves its error and its bytes, in files being written
  Group() = default;
  Group(Handle id, std::string file, std::shared_ptr<Sink> sink)
      : id_(std::move(id)), file_(std::move(file)), sink_(std::move(sink)) {}
  [[noreturn]] void fail(const std::string& what, const std::string& name) const;
  void check_sink() const;

  Handle id_;
  std::string file_;
  std::shared_ptr<Sink> sink_;
};

/// A file is its root group.
class File : public Group {
 public:
  /// A new file at exactly this path (write aside yourself, see atomic_file.hpp).
  static File create(const std::filesystem::path& path);
  /// For reading.
  static File open(const std::filesystem::path& path);
  /// A new file in memory. `name` is for messages.
  static File in_memory(const std::string& name);
  File(File&&) noexcept = default;
  File& operator=(File&&) noexcept = default;
  ~File();

  /// The bytes of a file in memory, as they would be on disk; valid until the next change.
  const std::string& image();
  /// Closes and throws what went wrong; `durable`: waits for the disk first. Groups of the file
  /// must be gone. Without this call a file being written is closed silently.
  void close(bool durable = false);

 private:
  static File make(const std::string& path, bool in_memory);
  File(Handle root, std::string name, std::shared_ptr<Sink> sink, Handle file_id)
      : Group(std::move(root), std::move(name), std::move(sink)), file_id_(std::move(file_id)) {}
  Handle file_id_;
};

}  // namespace scree::hdf5
