#include "read/hdf5_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "read/hdf5_heaps.hpp"

namespace cavity {

namespace {

/// Closes what it holds.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): it stands for the number
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

constexpr std::size_t free_bytes = std::size_t{32} << 20, ratio = 500;  // as for compressed files

/// A text of a fixed length ends at its first NUL.
std::vector<std::string> fixed_texts(const std::vector<char>& bytes, std::size_t length, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view text(bytes.data() + i * length, length);
    std::string_view whole = text.substr(0, text.find('\0'));
    while (whole.ends_with(' ')) whole.remove_suffix(1);
    out.emplace_back(whole);
  }
  return out;
}

/// To be closed.
hid_t memory_text(hid_t type) {
  const hid_t out = H5Tcopy(H5T_C_S1);
  H5Tset_size(out, H5Tis_variable_str(type) > 0 ? H5T_VARIABLE : H5Tget_size(type) + 1);
  H5Tset_cset(out, H5Tget_cset(type));
  return out;
}

// The library asks for memory for the file's image and copies into it; what it gets is the image itself, and nothing is
// released. (H5LTopen_file_image does the same and leaks what it notes where the file is damaged.)
using ImageOp = H5FD_file_image_op_t;
void* image_itself(std::size_t, ImageOp, void* image) { return image; }
void* image_is_there(void* to, const void*, std::size_t, ImageOp, void*) { return to; }
void* image_does_not_grow(void*, std::size_t, ImageOp, void*) { return nullptr; }
herr_t keep_image(void*, ImageOp, void*) { return 0; }
void* same_image(void* image) { return image; }
herr_t keep_it(void*) { return 0; }

hid_t open_in_memory(std::string_view bytes) {
  auto* image = const_cast<char*>(bytes.data());
  H5FD_file_image_callbacks_t calls{image_itself, image_is_there, image_does_not_grow, keep_image, same_image,
                                    keep_it,      image};
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t step = 65536;  // by which it would grow
  if (H5Pset_fapl_core(access, step, false) < 0 || H5Pset_file_image_callbacks(access, &calls) < 0 ||
      H5Pset_file_image(access, image, bytes.size()) < 0)
    return -1;
  // Files of one name are one to the library.
  return H5Fopen(fmt::format("{}", fmt::ptr(image)).c_str(), H5F_ACC_RDONLY, access);
}

}  // namespace

void Hdf5File::fail(const std::string& what) const {
  throw InputError(fmt::format("{}: HDF5 file: {}", shown_path(path_), what));
}

Hdf5File::Hdf5File(std::string_view bytes, std::string path) : path_(std::move(path)), bytes_(bytes) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  if (!hdf5_heaps_are_sound(bytes))
    fail("a heap of texts in it is damaged; copy the file again, or write it anew: h5repack OLD NEW");
  file_ = open_in_memory(bytes);
  if (file_ < 0) fail("it is damaged or cut short; copy it again");
}

Hdf5File::~Hdf5File() { H5Fclose(file_); }

bool Hdf5File::has(const std::string& name) const {
  for (std::size_t at = name.find('/', 1); at != std::string::npos; at = name.find('/', at + 1))
    if (H5Lexists(file_, name.substr(0, at).c_str(), H5P_DEFAULT) <= 0) return false;
  return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0 && H5Oexists_by_name(file_, name.c_str(), H5P_DEFAULT) > 0;
}

bool Hdf5File::is_group(const std::string& name) const {
  if (!has(name)) return false;
  const Handle object(H5Oopen(file_, name.c_str(), H5P_DEFAULT), H5Oclose);
  return object.valid() && H5Iget_type(object) == H5I_GROUP;
}

std::vector<std::string> Hdf5File::members(const std::string& group) const {
  std::vector<std::string> out;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  const Handle opened(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose);
  if (opened.valid()) H5Literate(opened, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &out);
  return out;
}

std::vector<std::uint64_t> Hdf5File::shape(const std::string& name) const {
  const Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle space(dataset.valid() ? H5Dget_space(dataset) : -1, H5Sclose);
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space) : -1;
  if (rank < 0) fail(fmt::format("it has no array {}", shown(name)));
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

bool Hdf5File::holds_text(const std::string& name) const {
  const Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle type(dataset.valid() ? H5Dget_type(dataset) : -1, H5Tclose);
  return type.valid() && H5Tget_class(type) == H5T_STRING;
}

bool Hdf5File::holds_compound(const std::string& name) const {
  const Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle type(dataset.valid() ? H5Dget_type(dataset) : -1, H5Tclose);
  return type.valid() && H5Tget_class(type) == H5T_COMPOUND;
}

/// What is not stored is filled in by the library, and a few bytes may ask for any size.
std::size_t Hdf5File::checked_count(std::int64_t dataset, std::size_t item, const std::string& name) const {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space) : -1;
  if (count < 0) fail(fmt::format("the array {} has no size", shown(name)));
  const auto items = static_cast<std::size_t>(count);
  const std::size_t stored = std::min<std::size_t>(H5Dget_storage_size(dataset), bytes_.size());
  const std::size_t most = std::min(std::max(free_bytes, stored * ratio), memory_limit());
  if (items > most / item)
    fail(
        fmt::format("the array {} has {} values and {} stored bytes (a bomb, or beyond memory); if it is genuine, save "
                    "it without compression",
                    shown(name), items, stored));
  return items;
}

template <class T>
std::vector<T> Hdf5File::numbers(const std::string& name, std::int64_t memory_type) const {
  const Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle type(dataset.valid() ? H5Dget_type(dataset) : -1, H5Tclose);
  if (!type.valid()) fail(fmt::format("it has no array {}", shown(name)));
  const H5T_class_t kind = H5Tget_class(type);
  // A boolean is an enumeration of FALSE and TRUE over bytes.
  const Handle base(kind == H5T_ENUM ? H5Tget_super(type) : H5Tcopy(type), H5Tclose);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM)
    fail(fmt::format("the array {} holds no numbers", shown(name)));
  std::vector<T> out(checked_count(dataset, sizeof(T), name));
  if (kind == H5T_ENUM && H5Tget_size(base) == 1) {
    std::vector<signed char> bytes(out.size());
    const Handle memory(H5Tcopy(type), H5Tclose);
    if (!bytes.empty() && H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
      fail(fmt::format("the array {} is damaged", shown(name)));
    std::copy(bytes.begin(), bytes.end(), out.begin());
    return out;
  }
  if (kind == H5T_ENUM) fail(fmt::format("the array {} holds no numbers", shown(name)));
  if (!out.empty() && H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
    fail(fmt::format("the array {} is damaged, or compressed in a way that is not read here", shown(name)));
  return out;
}

std::vector<float> Hdf5File::floats(const std::string& name) const { return numbers<float>(name, H5T_NATIVE_FLOAT); }
std::vector<double> Hdf5File::doubles(const std::string& name) const {
  return numbers<double>(name, H5T_NATIVE_DOUBLE);
}
std::vector<std::int64_t> Hdf5File::whole_numbers(const std::string& name) const {
  return numbers<std::int64_t>(name, H5T_NATIVE_INT64);
}

/// Of arrays that lie in one piece, or in pieces as they are; others are up to the library.
bool Hdf5File::texts_are_there(std::int64_t dataset, std::size_t count) const {
  if (const haddr_t at = H5Dget_offset(dataset); at != HADDR_UNDEF) return hdf5_texts_are_there(bytes_, at, count);
  const Handle list(H5Dget_create_plist(dataset), H5Pclose), space(H5Dget_space(dataset), H5Sclose);
  hsize_t pieces = 0;
  if (!list.valid() || H5Pget_layout(list) != H5D_CHUNKED || H5Pget_nfilters(list) != 0 ||
      H5Dget_num_chunks(dataset, space, &pieces) < 0)
    return true;
  for (hsize_t piece = 0; piece < pieces; ++piece) {
    hsize_t place[H5S_MAX_RANK], size = 0;
    haddr_t at = HADDR_UNDEF;
    unsigned unfiltered = 0;
    constexpr hsize_t of_a_reference = 16;
    if (H5Dget_chunk_info(dataset, space, piece, place, &unfiltered, &at, &size) < 0 || at == HADDR_UNDEF ||
        !hdf5_texts_are_there(bytes_, at, size / of_a_reference))
      return false;
  }
  return true;
}

std::vector<std::string> Hdf5File::texts(const std::string& name) const {
  const Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle type(dataset.valid() ? H5Dget_type(dataset) : -1, H5Tclose);
  if (!type.valid() || H5Tget_class(type) != H5T_STRING) fail(fmt::format("the array {} holds no text", shown(name)));
  const Handle space(H5Dget_space(dataset), H5Sclose), memory(memory_text(type), H5Tclose);
  if (H5Tis_variable_str(type) <= 0) {
    const std::size_t length = H5Tget_size(memory), count = checked_count(dataset, length, name);
    std::vector<char> bytes(length * count);
    if (count > 0 && H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
      fail(fmt::format("the array {} is damaged", shown(name)));
    return fixed_texts(bytes, length, count);
  }
  const std::size_t count = checked_count(dataset, sizeof(char*), name);
  if (!texts_are_there(dataset, count)) fail(fmt::format("the texts of {} are not where it says", shown(name)));
  hsize_t needed = 0;
  if (count > 0 && H5Dvlen_get_buf_size(dataset, memory, space, &needed) < 0)
    fail(fmt::format("the array {} is damaged", shown(name)));
  if (needed > std::max<std::size_t>(free_bytes, 16 * bytes_.size()))
    fail(fmt::format("the texts of {} repeat so often that they expand to {} bytes", shown(name), needed));
  std::vector<char*> pointers(count, nullptr);
  const herr_t read =
      count == 0 ? 0 : H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, static_cast<void*>(pointers.data()));
  std::vector<std::string> out;
  for (const char* text : pointers) out.emplace_back(read < 0 || text == nullptr ? "" : text);
  if (count > 0) H5Dvlen_reclaim(memory, space, H5P_DEFAULT, static_cast<void*>(pointers.data()));
  if (read < 0) fail(fmt::format("the array {} is damaged", shown(name)));
  return out;
}

std::vector<std::string> Hdf5File::texts_attribute(const std::string& object, const std::string& name) const {
  if (H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return {};
  const Handle attribute(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Handle type(attribute.valid() ? H5Aget_type(attribute) : -1, H5Tclose);
  const Handle space(attribute.valid() ? H5Aget_space(attribute) : -1, H5Sclose);
  if (!type.valid() || !space.valid() || H5Tget_class(type) != H5T_STRING) return {};
  const Handle memory(memory_text(type), H5Tclose);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  const std::size_t length = H5Tget_size(memory);
  if (points <= 0 || static_cast<std::size_t>(points) > std::max(free_bytes, bytes_.size()) / length) return {};
  const auto count = static_cast<std::size_t>(points);
  if (H5Tis_variable_str(type) <= 0) {
    std::vector<char> bytes(length * count);
    if (H5Aread(attribute, memory, bytes.data()) < 0) return {};
    return fixed_texts(bytes, length, count);
  }
  std::vector<char*> pointers(count, nullptr);
  std::vector<std::string> out;
  if (H5Aread(attribute, memory, static_cast<void*>(pointers.data())) < 0) return {};
  for (const char* text : pointers) out.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(memory, space, H5P_DEFAULT, static_cast<void*>(pointers.data()));
  return out;
}

std::string Hdf5File::text_attribute(const std::string& object, const std::string& name) const {
  const std::vector<std::string> all = texts_attribute(object, name);
  return all.empty() ? "" : all.front();
}

std::vector<std::int64_t> Hdf5File::whole_attribute(const std::string& object, const std::string& name) const {
  if (H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return {};
  const Handle attribute(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Handle type(attribute.valid() ? H5Aget_type(attribute) : -1, H5Tclose);
  const Handle space(attribute.valid() ? H5Aget_space(attribute) : -1, H5Sclose);
  constexpr hssize_t most = 16;
  if (!type.valid() || !space.valid() || H5Tget_class(type) != H5T_INTEGER) return {};
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 1 || count > most) return {};
  std::vector<std::int64_t> out(static_cast<std::size_t>(count));
  if (H5Aread(attribute, H5T_NATIVE_INT64, out.data()) < 0) return {};
  return out;
}

}  // namespace cavity
