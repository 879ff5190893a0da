// The heaps of an HDF5 file, in which texts of any length lie. The C library believes what an object in them says of
// its own size: one of none it reads for ever, and a huge one takes it out of the file. So they are walked before it
// does.
#pragma once

#include <cstddef>
#include <string_view>

namespace cavity {

/// Whether the objects of every global heap follow each other to its end. A file that was changed in place may keep
/// remains of old ones; written anew (h5repack) it has none.
bool hdf5_heaps_are_sound(std::string_view file);

/// Whether each of the `count` references to texts that begin at `at` is empty or leads to one object of a heap, as
/// long as it says: the C library looks up any number in a heap's list, and copies as much as the object has. The heaps
/// are sound.
bool hdf5_texts_are_there(std::string_view file, std::size_t at, std::size_t count);

}  // namespace cavity
