# What differs between a machine and a browser is one source of each pair, chosen here and nowhere else.
if(EMSCRIPTEN)
  set(CAVITY_NOT_HERE base/threads file/mapped_file file/memory_limit file/decompress)
else()
  set(CAVITY_NOT_HERE base/threads_serial file/mapped_file_read file/memory_limit_wasm file/decompress_portable)
endif()
# The browser has no HDF5.
if(EMSCRIPTEN)
  list(APPEND CAVITY_NOT_HERE read/hdf5_file read/cell_file)
else()
  list(APPEND CAVITY_NOT_HERE read/cell_file_absent)
endif()
# A module hands over tables and takes numbers: files of other programs, the paper's figures and comparisons are the command line's.
if(SKBUILD)
  list(FILTER CAVITY_SOURCES EXCLUDE REGEX "/src/(baselines|compare|read|reproduce)/|/src/report/compare_")
  list(APPEND CAVITY_SOURCES ${PROJECT_SOURCE_DIR}/src/read/keep_samples.cpp)  # the folds of panels take it, too
endif()
foreach(source IN LISTS CAVITY_NOT_HERE)
  list(FILTER CAVITY_SOURCES EXCLUDE REGEX "/src/${source}\\.cpp$")
endforeach()
