# What differs between a machine and a browser is one source of each pair, chosen here and nowhere else.
if(EMSCRIPTEN)
  set(CAVITY_NOT_HERE base/threads file/mapped_file file/memory_limit file/decompress)
else()
  set(CAVITY_NOT_HERE base/threads_serial file/mapped_file_read file/memory_limit_wasm file/decompress_portable)
endif()
foreach(source IN LISTS CAVITY_NOT_HERE)
  list(FILTER CAVITY_SOURCES EXCLUDE REGEX "/src/${source}\\.cpp$")
endforeach()
