// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/checkpoint.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "scree/io/atomic_file.hpp"

namespace scree {

namespace fs = std::filesystem;

namespace {

constexpr auto newest = "checkpoint.h5";
constexpr auto older = "checkpoint.1.h5";

/// The last 16 bytes of the file: these eight and the hash of all before them. HDF5 does not mind
/// bytes behind its own, and a damaged file is found out before HDF5 has to make sense of it.
constexpr std::array<char, 8> seal{'s', 'c', 'r', 'e', 'e', '-', 'c', 'k'};
constexpr off_t seal_bytes = 16;

struct Descriptor {
  int fd;
  explicit Descriptor(const fs::path& path, int flags)
      : fd(::open(path.c_str(), flags | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

/// XXH64 of the first `size` bytes; nothing if they cannot be read.
std::optional<std::uint64_t> hash_of(int fd, off_t size) {
  struct Free {
    void operator()(XXH64_state_t* s) const { XXH64_freeState(s); }
  };
  const std::unique_ptr<XXH64_state_t, Free> state(XXH64_createState());
  XXH64_reset(state.get(), 0);
  std::vector<char> block(std::size_t{1} << 20);
  for (off_t at = 0; at < size;) {
    const auto want = std::min<off_t>(static_cast<off_t>(block.size()), size - at);
    const ssize_t got = ::pread(fd, block.data(), static_cast<std::size_t>(want), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    XXH64_update(state.get(), block.data(), static_cast<std::size_t>(got));
    at += got;
  }
  return XXH64_digest(state.get());
}

std::array<char, 16> seal_for(std::uint64_t hash) {
  std::array<char, 16> bytes{};
  std::copy(seal.begin(), seal.end(), bytes.begin());
  for (std::size_t k = 0; k < 8; ++k) bytes[8 + k] = static_cast<char>(hash >> (8 * k) & 0xff);
  return bytes;
}

void add_seal(const fs::path& path) {
  const Descriptor file(path, O_RDWR);
  if (file.fd < 0) throw_write_error(path, errno);
  const off_t size = ::lseek(file.fd, 0, SEEK_END);
  const auto hash = hash_of(file.fd, size);
  if (!hash) throw_write_error(path, EIO);
  const auto bytes = seal_for(*hash);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(file.fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw_write_error(path, n < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(n);
  }
  if (::fsync(file.fd) != 0) throw_write_error(path, errno);
}

/// Empty if the file is whole, otherwise what is wrong with it.
std::string damage(const fs::path& path) {
  const Descriptor file(path, O_RDONLY);
  if (file.fd < 0) return std::generic_category().message(errno);
  const off_t size = ::lseek(file.fd, 0, SEEK_END);
  std::array<char, 16> found{};
  if (size < seal_bytes ||
      ::pread(file.fd, found.data(), found.size(), size - seal_bytes) != seal_bytes ||
      !std::equal(seal.begin(), seal.end(), found.begin()))
    return "cut short, or not a checkpoint";
  const auto hash = hash_of(file.fd, size - seal_bytes);
  if (!hash) return "cannot be read to its end";
  if (found != seal_for(*hash)) return "its content does not match its hash";
  return "";
}

Checkpoint load(const fs::path& path) {
  const hdf5::File file = hdf5::File::open(path);
  Checkpoint c;
  const hdf5::Group arrays = file.group("arrays"), values = file.group("values");
  for (const std::string& name : arrays.names()) {
    switch (arrays.kind(name)) {
      case hdf5::Kind::real64:
        c.arrays[name] = arrays.read<double>(name);
        break;
      case hdf5::Kind::int64:
        c.arrays[name] = arrays.read<std::int64_t>(name);
        break;
      case hdf5::Kind::uint32:
        c.arrays[name] = arrays.read<std::uint32_t>(name);
        break;
      case hdf5::Kind::uint16:
        c.arrays[name] = arrays.read<std::uint16_t>(name);
        break;
      case hdf5::Kind::uint8:
        c.arrays[name] = arrays.read<std::uint8_t>(name);
        break;
      default:
        throw RunError(path.string() + ": the array '" + name + "' has a strange type");
    }
  }
  for (const std::string& name : values.attributes()) {
    switch (values.attribute_kind(name)) {
      case hdf5::Kind::real64:
        c.values[name] = values.real(name);
        break;
      case hdf5::Kind::int64:
        c.values[name] = values.integer(name);
        break;
      case hdf5::Kind::text:
        c.values[name] = values.text(name);
        break;
      default:
        throw RunError(path.string() + ": the value '" + name + "' has a strange type");
    }
  }
  return c;
}

}  // namespace

struct CheckpointWriter::Body {
  fs::path dir, part;
  std::optional<hdf5::File> file;
  std::optional<hdf5::Group> arrays, values;
  std::set<std::string> names;
  bool done = false;

  void close() {
    arrays.reset();
    values.reset();
    if (file) file->close();
    file.reset();
  }
  void claim(const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos || !names.insert(name).second)
      throw RunError("checkpoint: the name '" + name + "' is taken, empty or has a '/'");
  }
};

CheckpointWriter::CheckpointWriter(const fs::path& dir) : body_(std::make_unique<Body>()) {
  make_folder(dir);
  body_->dir = dir;
  body_->part = aside(dir / newest);
  body_->file = hdf5::File::create(body_->part);
  body_->arrays = body_->file->create_group("arrays");
  body_->values = body_->file->create_group("values");
}

CheckpointWriter::~CheckpointWriter() {
  if (body_->done) return;
  try {
    body_->close();
  } catch (const RunError&) {  // whoever called knows already
  }
  std::error_code ignored;
  fs::remove(body_->part, ignored);
}

template <hdf5::Number T>
void CheckpointWriter::add(const std::string& name, std::span<const T> data) {
  body_->claim(name);
  body_->arrays->write(name, data, 0, hdf5::Storage::plain);
}
template void CheckpointWriter::add(const std::string&, std::span<const double>);
template void CheckpointWriter::add(const std::string&, std::span<const std::int64_t>);
template void CheckpointWriter::add(const std::string&, std::span<const std::uint32_t>);
template void CheckpointWriter::add(const std::string&, std::span<const std::uint16_t>);
template void CheckpointWriter::add(const std::string&, std::span<const std::uint8_t>);

void CheckpointWriter::set(const std::string& name, const Checkpoint::Value& value) {
  body_->claim(name);
  if (const auto* text = std::get_if<std::string>(&value);
      text && text->find('\0') != std::string::npos)
    throw RunError("checkpoint: the text '" + name + "' has a zero byte in it");
  std::visit([&](const auto& v) { body_->values->set(name, v); }, value);
}

void CheckpointWriter::commit() {
  body_->close();
  add_seal(body_->part);
  // A damaged one must not push out the last whole one.
  const fs::path now = body_->dir / newest;
  if (damage(now).empty()) replace_file(now, body_->dir / older);
  replace_file(body_->part, now);
  body_->done = true;
  sync_folder(body_->dir);
}

void write_checkpoint(const fs::path& dir, const Checkpoint& checkpoint) {
  CheckpointWriter writer(dir);
  for (const auto& [name, array] : checkpoint.arrays)
    std::visit([&, &key = name](const auto& data) { writer.add(key, data); }, array);
  for (const auto& [name, value] : checkpoint.values) writer.set(name, value);
  writer.commit();
}

bool has_checkpoint(const fs::path& dir) {
  std::error_code ignored;
  return fs::exists(dir / newest, ignored) || fs::exists(dir / older, ignored);
}

std::optional<LoadedCheckpoint> read_checkpoint(const fs::path& dir) {
  if (!has_checkpoint(dir)) return std::nullopt;
  std::string note;
  for (const char* name : {newest, older}) {
    const fs::path path = dir / name;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    std::string why = damage(path);
    if (why.empty()) {
      try {
        return LoadedCheckpoint{load(path), path, note};
      } catch (const RunError& e) {
        why = e.what();
      }
    }
    note += (note.empty() ? "" : "; ") + path.string() + " is damaged (" + why + ")";
  }
  throw RunError("no whole checkpoint: " + note);
}

}  // namespace scree
