// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/hdf5.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include "scree/core/errors.hpp"
#include "scree/io/atomic_file.hpp"

#if H5_VERS_MAJOR > 1 || H5_VERS_MINOR > 12
#include <H5FDdevelop.h>
#endif

namespace scree::hdf5 {

static_assert(std::is_same_v<Id, hid_t> && std::is_same_v<int, herr_t>);

/// What a file being written shares with the driver.
struct Group::Sink {
  int error = 0;         // the first errno
  bool durable = false;  // fsync at close
  bool in_memory = false;
  std::string bytes;  // of a file in memory
};

namespace {

// --- The driver that keeps its errors to itself
// ----------------------------------------------------

/// A pointer to this goes through HDF5 to the driver; the members are those of the sink.
struct DriverInfo {
  int* error;
  const bool* durable;
  std::string* memory;  // null: a file on disk
};

struct DriverFile {
  H5FD_t base;  // first, as HDF5 wants it
  int fd;
  haddr_t eoa, eof;
  DriverInfo info;
};

DriverFile* ours(H5FD_t* f) { return reinterpret_cast<DriverFile*>(f); }
const DriverFile* ours(const H5FD_t* f) { return reinterpret_cast<const DriverFile*>(f); }

void note(DriverFile* f, int error) {
  if (*f->info.error == 0) *f->info.error = error;
}

H5FD_t* driver_open(const char* name, unsigned flags, hid_t fapl, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(fapl));
  if (info == nullptr || (flags & H5F_ACC_TRUNC) == 0) return nullptr;
  int fd = -1;
  if (info->memory == nullptr) {
    fd = ::open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
      *info->error = errno;
      return nullptr;
    }
  }
  auto* file = new (std::nothrow) DriverFile{};
  if (file == nullptr) {
    if (fd >= 0) ::close(fd);
    return nullptr;
  }
  file->fd = fd;
  file->info = *info;
  return &file->base;
}

herr_t driver_close(H5FD_t* f) {
  DriverFile* file = ours(f);
  if (file->fd >= 0) {
    if (*file->info.error == 0 && *file->info.durable && ::fsync(file->fd) != 0) note(file, errno);
    if (::close(file->fd) != 0) note(file, errno);
  }
  delete file;
  return 0;
}

int driver_compare(const H5FD_t* a, const H5FD_t* b) { return a == b ? 0 : (a < b ? -1 : 1); }

herr_t driver_query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t driver_get_eoa(const H5FD_t* f, H5FD_mem_t) { return ours(f)->eoa; }
herr_t driver_set_eoa(H5FD_t* f, H5FD_mem_t, haddr_t eoa) {
  ours(f)->eoa = eoa;
  return 0;
}
haddr_t driver_get_eof(const H5FD_t* f, H5FD_mem_t) { return ours(f)->eof; }

herr_t driver_read(H5FD_t* f, H5FD_mem_t, hid_t, haddr_t at, size_t size, void* buffer) {
  auto* to = static_cast<char*>(buffer);
  if (const std::string* memory = ours(f)->info.memory) {
    const std::size_t there =
        at < memory->size() ? std::min<std::size_t>(size, memory->size() - at) : 0;
    if (there > 0) std::memcpy(to, memory->data() + at, there);
    std::memset(to + there, 0, size - there);
    return 0;
  }
  while (size > 0) {
    const ssize_t got = ::pread(ours(f)->fd, to, size, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) {
      std::memset(to, 0, size);
      return 0;
    }
    to += got;
    at += static_cast<haddr_t>(got);
    size -= static_cast<size_t>(got);
  }
  return 0;
}

herr_t driver_write(H5FD_t* f, H5FD_mem_t, hid_t, haddr_t at, size_t size, const void* buffer) {
  DriverFile* file = ours(f);
  file->eof = std::max<haddr_t>(file->eof, at + size);
  const auto* from = static_cast<const char*>(buffer);
  if (std::string* memory = file->info.memory) {
    try {
      if (memory->size() < at + size) memory->resize(at + size);
    } catch (const std::bad_alloc&) {
      note(file, ENOMEM);
      return 0;
    }
    std::memcpy(memory->data() + at, from, size);
    return 0;
  }
  while (size > 0 && *file->info.error == 0) {
    const ssize_t done = ::pwrite(file->fd, from, size, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      note(file, done < 0 ? errno : ENOSPC);
      break;
    }
    from += done;
    at += static_cast<haddr_t>(done);
    size -= static_cast<size_t>(done);
  }
  return 0;
}

herr_t driver_truncate(H5FD_t* f, hid_t, hbool_t) {
  DriverFile* file = ours(f);
  if (file->info.memory == nullptr && file->eoa != file->eof) {
    if (*file->info.error == 0 && ::ftruncate(file->fd, static_cast<off_t>(file->eoa)) != 0)
      note(file, errno);
    file->eof = file->eoa;
  }
  return 0;
}

hid_t driver() {
  static const hid_t id = [] {
    static H5FD_class_t c{};
#if H5_VERS_MAJOR > 1 || H5_VERS_MINOR > 12
    c.version = H5FD_CLASS_VERSION;
    c.value = static_cast<H5FD_class_value_t>(600);  // any number above HDF5's own
#endif
    c.name = "scree";
    c.maxaddr = (haddr_t{1} << 62) - 1;
    c.fc_degree = H5F_CLOSE_STRONG;
    c.fapl_size = sizeof(DriverInfo);
    c.open = driver_open;
    c.close = driver_close;
    c.cmp = driver_compare;
    c.query = driver_query;
    c.get_eoa = driver_get_eoa;
    c.set_eoa = driver_set_eoa;
    c.get_eof = driver_get_eof;
    c.read = driver_read;
    c.write = driver_write;
    c.truncate = driver_truncate;
    const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), std::begin(c.fl_map));
    return H5FDregister(&c);
  }();
  return id;
}

// --- Helpers
// ---------------------------------------------------------------------------------------

void start() {
  static const bool started = [] {
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are thrown, not printed
    return true;
  }();
  (void)started;
}

/// The innermost reason HDF5 gives for its last failure.
std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* e, void* to) -> herr_t {
        if (n == 0 && e->desc != nullptr) *static_cast<std::string*>(to) = e->desc;
        return 0;
      },
      &text);
  return text;
}

template <Number T> hid_t memory_type() {
  if constexpr (std::same_as<T, double>)
    return H5T_NATIVE_DOUBLE;
  else if constexpr (std::same_as<T, std::int64_t>)
    return H5T_NATIVE_INT64;
  else if constexpr (std::same_as<T, std::uint32_t>)
    return H5T_NATIVE_UINT32;
  else if constexpr (std::same_as<T, std::uint16_t>)
    return H5T_NATIVE_UINT16;
  else
    return H5T_NATIVE_UINT8;
}
template <Number T> hid_t file_type() {
  if constexpr (std::same_as<T, double>)
    return H5T_IEEE_F64LE;
  else if constexpr (std::same_as<T, std::int64_t>)
    return H5T_STD_I64LE;
  else if constexpr (std::same_as<T, std::uint32_t>)
    return H5T_STD_U32LE;
  else if constexpr (std::same_as<T, std::uint16_t>)
    return H5T_STD_U16LE;
  else
    return H5T_STD_U8LE;
}

Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Handle table_type(const std::vector<Member>& members, bool in_file) {
  Handle type(H5Tcreate(H5T_COMPOUND, 8 * members.size()), H5Tclose);
  for (std::size_t k = 0; k < members.size(); ++k) {
    const hid_t member = members[k].integer ? (in_file ? H5T_STD_I64LE : H5T_NATIVE_INT64)
                                            : (in_file ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
    H5Tinsert(type.get(), members[k].name.c_str(), 8 * k, member);
  }
  return type;
}

Kind kind_of(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return Kind::text;
    case H5T_FLOAT:
      return size == 8 ? Kind::real64 : Kind::other;
    case H5T_INTEGER:
      if (H5Tget_sign(type) != H5T_SGN_NONE) return size == 8 ? Kind::int64 : Kind::other;
      return size == 4   ? Kind::uint32
             : size == 2 ? Kind::uint16
             : size == 1 ? Kind::uint8
                         : Kind::other;
    default:
      return Kind::other;
  }
}

/// Datasets below this size are stored plainly: chunks and their index would cost more than they
/// save.
constexpr std::size_t too_short = 2048;  // bytes
constexpr std::size_t chunk_bytes = std::size_t{1} << 18;
constexpr unsigned deflate_level = 2;

Handle plain() {
  Handle p(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(p.get(), false);
  return p;
}

/// `shape`: rows and columns; the columns do not count where `rank` is 1.
Handle packed(int rank, const hsize_t (&shape)[2], std::size_t size) {
  Handle p = plain();
  const hsize_t row_bytes = size * (rank == 2 ? shape[1] : 1);
  if (shape[0] * row_bytes < too_short) return p;
  const hsize_t chunk[2] = {std::clamp<hsize_t>(chunk_bytes / row_bytes, 1, shape[0]), shape[1]};
  H5Pset_chunk(p.get(), rank, chunk);
  H5Pset_shuffle(p.get());
  H5Pset_deflate(p.get(), deflate_level);
  return p;
}

Handle growing(std::size_t size, Storage storage) {
  Handle p = plain();
  const bool pack = storage == Storage::packed;
  const hsize_t chunk = std::max<hsize_t>(16, (pack ? chunk_bytes : 8192) / size);
  H5Pset_chunk(p.get(), 1, &chunk);
  if (pack) {
    H5Pset_shuffle(p.get());
    H5Pset_deflate(p.get(), deflate_level);
  }
  return p;
}

Handle file_creation() {
  Handle p(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(p.get(), false);
  H5Pset_attr_phase_change(p.get(), 64, 0);
  H5Pset_istore_k(p.get(), 4);  // small index nodes: most datasets have one chunk
  return p;
}

Handle file_access() {
  Handle p(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(p.get(), H5F_LIBVER_V18, H5F_LIBVER_V18);
  H5Pset_fclose_degree(p.get(), H5F_CLOSE_STRONG);
  return p;
}

}  // namespace

void Group::fail(const std::string& what, const std::string& name) const {
  check_sink();
  std::string message = file_ + ": " + what;
  if (!name.empty()) message += " '" + name + "'";
  const std::string why = reason();
  if (!why.empty()) message += " (" + why + ")";
  throw RunError(message);
}

void Group::check_sink() const {
  if (sink_ && sink_->error != 0) throw_write_error(file_, sink_->error);
}

// --- Links and groups
// ------------------------------------------------------------------------------

bool Group::has(const std::string& name) const {
  return H5Lexists(id_.get(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Group::names() const {
  std::vector<std::string> all;
  H5G_info_t info{};
  if (H5Gget_info(id_.get(), &info) < 0) fail("cannot list a group", "");
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    const ssize_t length =
        H5Lget_name_by_idx(id_.get(), ".", H5_INDEX_NAME, H5_ITER_INC, k, nullptr, 0, H5P_DEFAULT);
    if (length < 0) fail("cannot list a group", "");
    std::string name(static_cast<std::size_t>(length), '\0');
    H5Lget_name_by_idx(id_.get(), ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(),
                       static_cast<std::size_t>(length) + 1, H5P_DEFAULT);
    all.push_back(std::move(name));
  }
  return all;
}

Group Group::group(const std::string& name) const {
  Handle g(H5Gopen2(id_.get(), name.c_str(), H5P_DEFAULT), H5Gclose);
  if (g.get() < 0) fail("cannot open the group", name);
  return Group(std::move(g), file_, sink_);
}

Group Group::create_group(const std::string& name) {
  Handle p(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(p.get(), false);
  H5Pset_attr_phase_change(p.get(), 64, 0);  // attributes in the group's header: small and quick
  Handle g(H5Gcreate2(id_.get(), name.c_str(), H5P_DEFAULT, p.get(), H5P_DEFAULT), H5Gclose);
  if (g.get() < 0) fail("cannot make the group", name);
  return Group(std::move(g), file_, sink_);
}

void Group::link_external(const std::string& name, const std::string& file,
                          const std::string& object) {
  if (H5Lcreate_external(file.c_str(), object.c_str(), id_.get(), name.c_str(), H5P_DEFAULT,
                         H5P_DEFAULT) < 0)
    fail("cannot make the link", name);
}

std::optional<std::pair<std::string, std::string>> Group::external(const std::string& name) const {
  H5L_info_t info{};
  if (H5Lget_info(id_.get(), name.c_str(), &info, H5P_DEFAULT) < 0) fail("no link", name);
  if (info.type != H5L_TYPE_EXTERNAL) return std::nullopt;
  std::vector<char> value(info.u.val_size);
  const char *file = nullptr, *object = nullptr;
  unsigned flags = 0;
  if (H5Lget_val(id_.get(), name.c_str(), value.data(), value.size(), H5P_DEFAULT) < 0 ||
      H5Lunpack_elink_val(value.data(), value.size(), &flags, &file, &object) < 0)
    fail("cannot read the link", name);
  return std::pair<std::string, std::string>{file, object};
}

void Group::unlink(const std::string& name) {
  if (H5Ldelete(id_.get(), name.c_str(), H5P_DEFAULT) < 0) fail("cannot remove", name);
}

void Group::copy(const Group& from, const std::string& object, const std::string& name) {
  if (H5Ocopy(from.id_.get(), object.c_str(), id_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT) <
      0)
    fail("cannot copy " + object + " of " + from.file_ + " to", name);
  check_sink();
}

// --- Datasets
// --------------------------------------------------------------------------------------

template <Number T> void Group::write(const std::string& name, std::span<const T> data,
                                      std::size_t columns, Storage storage) {
  const hsize_t shape[2] = {columns == 0 ? data.size() : data.size() / columns,
                            std::max<hsize_t>(1, columns)};
  if (shape[0] * shape[1] != data.size())
    throw RunError(file_ + ": '" + name + "' has " + std::to_string(data.size()) +
                   " numbers, no multiple of " + std::to_string(columns));
  const int rank = columns == 0 ? 1 : 2;
  Handle space(H5Screate_simple(rank, shape, nullptr), H5Sclose);
  const Handle p = storage == Storage::packed ? packed(rank, shape, sizeof(T)) : plain();
  Handle set(H5Dcreate2(id_.get(), name.c_str(), file_type<T>(), space.get(), H5P_DEFAULT, p.get(),
                        H5P_DEFAULT),
             H5Dclose);
  if (set.get() < 0) fail("cannot make the dataset", name);
  if (!data.empty() &&
      H5Dwrite(set.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) < 0)
    fail("cannot write the dataset", name);
  check_sink();
}

std::vector<std::size_t> Group::shape(const std::string& name) const {
  Handle set(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (set.get() < 0) fail("no dataset", name);
  Handle space(H5Dget_space(set.get()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0) fail("cannot read the shape of", name);
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

Kind Group::kind(const std::string& name) const {
  Handle set(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (set.get() < 0) fail("no dataset", name);
  Handle type(H5Dget_type(set.get()), H5Tclose);
  return kind_of(type.get());
}

template <Number T> std::vector<T> Group::read(const std::string& name) const {
  std::size_t count = 1;
  for (const std::size_t n : shape(name)) count *= n;
  Handle set(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (set.get() < 0) fail("no dataset", name);
  // A damaged file may claim any shape; deflate packs at most a thousandfold.
  const Handle home(H5Iget_file_id(set.get()), H5Fclose);
  hsize_t file_bytes = 0;
  H5Fget_filesize(home.get(), &file_bytes);
  if (count / 1100 > file_bytes) throw RunError(file_ + ": the dataset '" + name + "' is damaged");
  std::vector<T> data(count);
  if (count > 0 &&
      H5Dread(set.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) < 0)
    fail("cannot read the dataset", name);
  return data;
}

namespace {

/// Writes `count` elements behind the `rows` a dataset has. 0: done.
int append_to(hid_t set, hid_t type, const void* data, hsize_t count) {
  Handle old(H5Dget_space(set), H5Sclose);
  hsize_t rows = 0;
  if (H5Sget_simple_extent_ndims(old.get()) != 1) return -1;
  H5Sget_simple_extent_dims(old.get(), &rows, nullptr);
  const hsize_t total = rows + count;
  if (H5Dset_extent(set, &total) < 0) return -1;
  Handle space(H5Dget_space(set), H5Sclose), memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &rows, nullptr, &count, nullptr) < 0)
    return -1;
  return H5Dwrite(set, type, memory.get(), space.get(), H5P_DEFAULT, data);
}

Handle open_growing(hid_t group, const std::string& name, hid_t type, std::size_t size,
                    Storage storage) {
  if (H5Lexists(group, name.c_str(), H5P_DEFAULT) > 0)
    return Handle(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
  const hsize_t none = 0, unlimited = H5S_UNLIMITED;
  Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose);
  Handle p = growing(size, storage);
  return Handle(
      H5Dcreate2(group, name.c_str(), type, space.get(), H5P_DEFAULT, p.get(), H5P_DEFAULT),
      H5Dclose);
}

}  // namespace

template <Number T> void Group::append(const std::string& name, std::span<const T> data) {
  Handle set = open_growing(id_.get(), name, file_type<T>(), sizeof(T), Storage::plain);
  if (set.get() < 0) fail("cannot make the dataset", name);
  if (!data.empty() && append_to(set.get(), memory_type<T>(), data.data(), data.size()) < 0)
    fail("cannot extend the dataset", name);
  check_sink();
}

void Group::append_rows(const std::string& name, const std::vector<Member>& members,
                        const void* rows, std::size_t count, Storage storage) {
  const Handle stored = table_type(members, true), type = table_type(members, false);
  Handle set = open_growing(id_.get(), name, stored.get(), 8 * members.size(), storage);
  if (set.get() < 0) fail("cannot make the table", name);
  if (count > 0 && append_to(set.get(), type.get(), rows, count) < 0)
    fail("cannot extend the table", name);
  check_sink();
}

std::size_t Group::row_count(const std::string& name) const {
  const auto dims = shape(name);
  return dims.empty() ? 1 : dims[0];
}

void Group::read_rows(const std::string& name, const std::vector<Member>& members,
                      void* rows) const {
  Handle set(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle type = table_type(members, false);
  if (set.get() < 0 || H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) < 0)
    fail("cannot read the table", name);
}

void Group::truncate(const std::string& name, std::size_t rows) {
  Handle set(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  const hsize_t size = rows;
  if (set.get() < 0 || H5Dset_extent(set.get(), &size) < 0) fail("cannot cut the dataset", name);
}

void Group::write_text(const std::string& name, const std::string& text) {
  const Handle type = string_type();
  Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle p = plain();
  Handle set(H5Dcreate2(id_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, p.get(),
                        H5P_DEFAULT),
             H5Dclose);
  const char* data = text.c_str();
  if (set.get() < 0 || H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &data) < 0)
    fail("cannot write the text", name);
  check_sink();
}

std::string Group::read_text(const std::string& name) const {
  const auto all = read_texts(name);
  if (all.size() != 1) throw RunError(file_ + ": '" + name + "' is not one text");
  return all.front();
}

void Group::write_texts(const std::string& name, const std::vector<std::string>& texts) {
  const Handle type = string_type();
  const hsize_t count = texts.size();
  Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle p = plain();
  Handle set(H5Dcreate2(id_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, p.get(),
                        H5P_DEFAULT),
             H5Dclose);
  std::vector<const char*> data;
  for (const auto& t : texts) data.push_back(t.c_str());
  if (set.get() < 0 || (count > 0 && H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                              data.data()) < 0))
    fail("cannot write the texts", name);
  check_sink();
}

std::vector<std::string> Group::read_texts(const std::string& name) const {
  std::size_t count = 1;
  for (const std::size_t n : shape(name)) count *= n;
  Handle set(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  Handle space(H5Dget_space(set.get()), H5Sclose);
  if (count > H5Dget_storage_size(set.get()))
    throw RunError(file_ + ": the texts '" + name + "' are damaged");
  const Handle type = string_type();
  std::vector<char*> data(count, nullptr);
  if (count > 0 && H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) < 0)
    fail("cannot read the texts", name);
  std::vector<std::string> texts;
  for (const char* t : data) texts.emplace_back(t == nullptr ? "" : t);
  if (count > 0) H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, data.data());
  return texts;
}

// --- Attributes
// ------------------------------------------------------------------------------------

namespace {

int set_attribute(hid_t group, const std::string& of, const std::string& name, hid_t stored,
                  hid_t type, hid_t space, const void* data) {
  if (H5Aexists_by_name(group, of.c_str(), name.c_str(), H5P_DEFAULT) > 0)
    H5Adelete_by_name(group, of.c_str(), name.c_str(), H5P_DEFAULT);
  const Handle a(H5Acreate_by_name(group, of.c_str(), name.c_str(), stored, space, H5P_DEFAULT,
                                   H5P_DEFAULT, H5P_DEFAULT),
                 H5Aclose);
  return a.get() < 0 ? -1 : H5Awrite(a.get(), type, data);
}

Handle open_attribute(hid_t group, const std::string& of, const std::string& name) {
  return {H5Aopen_by_name(group, of.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
}

hssize_t attribute_size(hid_t attribute) {
  const Handle space(H5Aget_space(attribute), H5Sclose);
  return H5Sget_simple_extent_npoints(space.get());
}

}  // namespace

void Group::set(const std::string& name, double value, const std::string& of) {
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  if (set_attribute(id_.get(), of, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, scalar.get(), &value) <
      0)
    fail("cannot write the attribute", name);
}

void Group::set(const std::string& name, std::int64_t value, const std::string& of) {
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  if (set_attribute(id_.get(), of, name, H5T_STD_I64LE, H5T_NATIVE_INT64, scalar.get(), &value) < 0)
    fail("cannot write the attribute", name);
}

void Group::set(const std::string& name, const std::string& value, const std::string& of) {
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose), type = string_type();
  const char* data = value.c_str();
  if (set_attribute(id_.get(), of, name, type.get(), type.get(), scalar.get(), &data) < 0)
    fail("cannot write the attribute", name);
}

void Group::set(const std::string& name, const std::vector<double>& values, const std::string& of) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  if (set_attribute(id_.get(), of, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space.get(),
                    values.data()) < 0)
    fail("cannot write the attribute", name);
}

bool Group::has_attribute(const std::string& name, const std::string& of) const {
  return H5Aexists_by_name(id_.get(), of.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Group::attributes(const std::string& of) const {
  std::vector<std::string> all;
  hsize_t at = 0;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  if (H5Aiterate_by_name(id_.get(), of.c_str(), H5_INDEX_NAME, H5_ITER_INC, &at, add, &all,
                         H5P_DEFAULT) < 0)
    fail("cannot list the attributes of", of);
  return all;
}

Kind Group::attribute_kind(const std::string& name, const std::string& of) const {
  const Handle a = open_attribute(id_.get(), of, name);
  if (a.get() < 0) fail("no attribute", name);
  const Handle type(H5Aget_type(a.get()), H5Tclose);
  return kind_of(type.get());
}

double Group::real(const std::string& name, const std::string& of) const {
  const Handle a = open_attribute(id_.get(), of, name);
  double value = 0;
  if (a.get() < 0 || attribute_size(a.get()) != 1 ||
      H5Aread(a.get(), H5T_NATIVE_DOUBLE, &value) < 0)
    fail("cannot read the attribute", name);
  return value;
}

std::int64_t Group::integer(const std::string& name, const std::string& of) const {
  const Handle a = open_attribute(id_.get(), of, name);
  std::int64_t value = 0;
  if (a.get() < 0 || attribute_size(a.get()) != 1 || H5Aread(a.get(), H5T_NATIVE_INT64, &value) < 0)
    fail("cannot read the attribute", name);
  return value;
}

std::string Group::text(const std::string& name, const std::string& of) const {
  const Handle a = open_attribute(id_.get(), of, name), type = string_type();
  char* data = nullptr;
  if (a.get() < 0 || attribute_size(a.get()) != 1 || H5Aread(a.get(), type.get(), &data) < 0)
    fail("cannot read the attribute", name);
  std::string value = data == nullptr ? "" : data;
  if (data != nullptr) H5free_memory(data);
  return value;
}

std::vector<double> Group::reals(const std::string& name, const std::string& of) const {
  const Handle a = open_attribute(id_.get(), of, name);
  const hssize_t count = a.get() < 0 ? -1 : attribute_size(a.get());
  if (count < 0) fail("cannot read the attribute", name);
  std::vector<double> values(static_cast<std::size_t>(count));
  if (count > 0 && H5Aread(a.get(), H5T_NATIVE_DOUBLE, values.data()) < 0)
    fail("cannot read the attribute", name);
  return values;
}

// --- Files
// -----------------------------------------------------------------------------------------

File File::make(const std::string& path, bool in_memory) {
  start();
  auto sink = std::make_shared<Sink>();
  sink->in_memory = in_memory;
  const DriverInfo info{&sink->error, &sink->durable, in_memory ? &sink->bytes : nullptr};
  const Handle access = file_access(), creation = file_creation();
  H5Pset_driver(access.get(), driver(), &info);
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose);
  if (file.get() < 0) {
    if (sink->error != 0) throw_write_error(path, sink->error);
    throw RunError(path + ": cannot make the file (" + reason() + ")");
  }
  Handle root(H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose);
  return File(std::move(root), path, std::move(sink), std::move(file));
}

File File::create(const std::filesystem::path& path) {
  write_errors_not_signals();
  return make(path.string(), false);
}

File File::in_memory(const std::string& name) { return make(name, true); }

File File::open(const std::filesystem::path& path) {
  start();
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw RunError(path.string() + ": no such file");
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file.get() < 0) {
    const std::string why = reason();
    const bool foreign = H5Fis_hdf5(path.c_str()) == 0;
    throw RunError(path.string() +
                   (foreign ? ": not an HDF5 file" : ": cannot open the file (" + why + ")"));
  }
  Handle root(H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose);
  if (root.get() < 0) throw RunError(path.string() + ": damaged (" + reason() + ")");
  return File(std::move(root), path.string(), nullptr, std::move(file));
}

File::~File() {
  id_.reset();
  // A file that HDF5 cannot close writes again when the process ends: leave it its sink.
  if (!file_id_.reset() && sink_) new std::shared_ptr<Sink>(sink_);
}

const std::string& File::image() {
  if (!sink_ || !sink_->in_memory) throw RunError(file_ + ": not a file in memory");
  hsize_t size = 0;
  if (H5Fflush(file_id_.get(), H5F_SCOPE_GLOBAL) < 0 || H5Fget_filesize(file_id_.get(), &size) < 0)
    fail("cannot flush the file", "");
  check_sink();
  sink_->bytes.resize(size);
  return sink_->bytes;
}

void File::close(bool durable) {
  if (sink_) sink_->durable = durable;
  id_.reset();
  if (!file_id_.reset()) {
    if (sink_) new std::shared_ptr<Sink>(sink_);  // as in the destructor
    fail("cannot close the file", "");
  }
  check_sink();
}

template void Group::write(const std::string&, std::span<const double>, std::size_t, Storage);
template void Group::write(const std::string&, std::span<const std::int64_t>, std::size_t, Storage);
template void Group::write(const std::string&, std::span<const std::uint32_t>, std::size_t,
                           Storage);
template void Group::write(const std::string&, std::span<const std::uint16_t>, std::size_t,
                           Storage);
template void Group::write(const std::string&, std::span<const std::uint8_t>, std::size_t, Storage);
template void Group::append(const std::string&, std::span<const double>);
template void Group::append(const std::string&, std::span<const std::int64_t>);
template void Group::append(const std::string&, std::span<const std::uint32_t>);
template void Group::append(const std::string&, std::span<const std::uint16_t>);
template void Group::append(const std::string&, std::span<const std::uint8_t>);
template std::vector<double> Group::read(const std::string&) const;
template std::vector<std::int64_t> Group::read(const std::string&) const;
template std::vector<std::uint32_t> Group::read(const std::string&) const;
template std::vector<std::uint16_t> Group::read(const std::string&) const;
template std::vector<std::uint8_t> Group::read(const std::string&) const;

}  // namespace scree::hdf5
