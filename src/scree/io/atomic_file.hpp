// SPDX-License-Identifier: BSD-3-Clause
/// Files that are either old or new, never half: written aside as NAME.part, then renamed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace scree {

/// NAME.part, in the same folder, so that a rename can replace NAME.
std::filesystem::path aside(const std::filesystem::path& path);

/// Renames, replacing `to`. Throws RunError.
void replace_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Waits until a file, or the entries of a folder, are on the disk. Throws RunError.
void sync_file(const std::filesystem::path& path);
void sync_folder(const std::filesystem::path& path);

/// Creates a folder and its parents. Throws RunError.
void make_folder(const std::filesystem::path& path);

/// A file beyond the allowed size (RLIMIT_FSIZE) is then a write error like a full disk, and no
/// signal that ends the process. All writers of this folder call it; safe to call often.
void write_errors_not_signals();

/// "cannot write FILE: No space left on device"
[[noreturn]] void throw_write_error(const std::filesystem::path& path, int error);

/// Text or bytes, collected in a buffer, written aside and renamed by `commit`. Without `commit`
/// nothing remains.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// `durable`: also waits for the disk.
  void commit(bool durable = false);

 private:
  void flush();
  std::filesystem::path path_, part_;
  std::string buffer_;
  int fd_ = -1;
};

/// Writes a whole file at once.
void write_file(const std::filesystem::path& path, std::string_view bytes, bool durable = false);

}  // namespace scree
