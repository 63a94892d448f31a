// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/atomic_file.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "scree/core/errors.hpp"

namespace scree {

namespace fs = std::filesystem;

fs::path aside(const fs::path& path) {
  fs::path part = path;
  part += ".part";
  return part;
}

void throw_write_error(const fs::path& path, int error) {
  throw RunError("cannot write " + path.string() + ": " + std::generic_category().message(error));
}

void replace_file(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0)
    throw RunError("cannot rename " + from.string() + " to " + to.string() + ": " +
                   std::generic_category().message(errno));
}

namespace {

void sync_path(const fs::path& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
  if (fd < 0) throw_write_error(path, errno);
  const int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  // Some file systems cannot sync a folder and say EINVAL; there is nothing more to do there.
  if (error != 0 && error != EINVAL) throw_write_error(path, error);
}

}  // namespace

void sync_file(const fs::path& path) { sync_path(path, O_RDONLY); }
void sync_folder(const fs::path& path) {
  sync_path(path.empty() ? fs::path(".") : path, O_RDONLY | O_DIRECTORY);
}

void make_folder(const fs::path& path) {
  if (path.empty()) return;
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path, error))
    throw RunError("cannot make the folder " + path.string() + ": " +
                   (error ? error.message() : "there is a file of that name"));
}

void write_errors_not_signals() {
  static const bool done = [] {
    struct sigaction now{};
    if (::sigaction(SIGXFSZ, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
        now.sa_handler == SIG_DFL)
      ::signal(SIGXFSZ, SIG_IGN);
    return true;
  }();
  (void)done;
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)), part_(aside(path_)) {
  write_errors_not_signals();
  fd_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) throw_write_error(part_, errno);
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(part_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  constexpr std::size_t enough = std::size_t{1} << 20;
  buffer_.append(bytes);
  if (buffer_.size() >= enough) flush();
}

void AtomicFile::flush() {
  const char* at = buffer_.data();
  std::size_t left = buffer_.size();
  while (left > 0) {
    const ssize_t done = ::write(fd_, at, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw_write_error(path_, done < 0 ? errno : ENOSPC);
    at += done;
    left -= static_cast<std::size_t>(done);
  }
  buffer_.clear();
}

void AtomicFile::commit(bool durable) {
  flush();
  if (durable && ::fsync(fd_) != 0) throw_write_error(path_, errno);
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) {
    const int error = errno;
    ::unlink(part_.c_str());
    throw_write_error(path_, error);
  }
  replace_file(part_, path_);
  if (durable) sync_folder(path_.parent_path());
}

void write_file(const fs::path& path, std::string_view bytes, bool durable) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit(durable);
}

}  // namespace scree
