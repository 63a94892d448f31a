// SPDX-License-Identifier: BSD-3-Clause
/// Checkpoints: named arrays and values, bit for bit, in DIR/checkpoint.h5.
///
/// A new one is written aside (checkpoint.h5.part) and brought to the disk; then the old one
/// becomes checkpoint.1.h5 and the new one checkpoint.h5. At every instant one of the two is whole.
/// A hash (XXH64) of the content tells a whole one from a damaged one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scree/core/errors.hpp"
#include "scree/io/hdf5.hpp"

namespace scree {

struct Checkpoint {
  using Array =
      std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint32_t>,
                   std::vector<std::uint16_t>, std::vector<std::uint8_t>>;
  using Value = std::variant<double, std::int64_t, std::string>;
  std::map<std::string, Array> arrays;
  std::map<std::string, Value> values;

  /// The array or value of that name and type; RunError if there is none.
  template <class T> const std::vector<T>& array(const std::string& name) const {
    const auto found = arrays.find(name);
    if (found == arrays.end() || !std::holds_alternative<std::vector<T>>(found->second))
      throw RunError("checkpoint: no array '" + name + "' of the expected type");
    return std::get<std::vector<T>>(found->second);
  }
  template <class T> const T& value(const std::string& name) const {
    const auto found = values.find(name);
    if (found == values.end() || !std::holds_alternative<T>(found->second))
      throw RunError("checkpoint: no value '" + name + "' of the expected type");
    return std::get<T>(found->second);
  }
  double real(const std::string& name) const { return value<double>(name); }
  std::int64_t integer(const std::string& name) const { return value<std::int64_t>(name); }
  const std::string& text(const std::string& name) const { return value<std::string>(name); }
  bool has(const std::string& name) const { return arrays.contains(name) || values.contains(name); }
};

/// Writes a checkpoint array by array, without a second copy of the state in memory. Names are
/// unique; '/' is not allowed in them. Nothing counts until `commit`; if any call throws (RunError:
/// the disk is full, ...), the part file is removed and the old checkpoints are as they were.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(const std::filesystem::path& dir);  // made if need be
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  template <hdf5::Number T> void add(const std::string& name, std::span<const T> data);
  template <hdf5::Number T> void add(const std::string& name, const std::vector<T>& data) {
    add(name, std::span<const T>(data));
  }
  void set(const std::string& name, const Checkpoint::Value& value);
  void commit();

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

void write_checkpoint(const std::filesystem::path& dir, const Checkpoint& checkpoint);

struct LoadedCheckpoint {
  Checkpoint checkpoint;
  std::filesystem::path path;
  std::string note;  // not empty: the newest one was damaged, and why
};

/// The newest whole checkpoint in `dir`; nothing if there is none at all. RunError if there are
/// some and all are damaged.
std::optional<LoadedCheckpoint> read_checkpoint(const std::filesystem::path& dir);

/// Whether there is any checkpoint in `dir`, whole or not.
bool has_checkpoint(const std::filesystem::path& dir);

}  // namespace scree
