// The heaps of an HDF5 file, in which texts of any length lie. The C library believes what an object in them says of
// its own size: one of none it reads for ever, and a huge one takes it out of the file. So they are walked before it
// does.
#pragma once

#include <string_view>

namespace cavity {

/// Whether the objects of every global heap follow each other to its end. A file that was changed in place may keep
/// remains of old ones; written anew (h5repack) it has none.
bool hdf5_heaps_are_sound(std::string_view file);

}  // namespace cavity
