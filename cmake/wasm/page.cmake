# The library with the page's interface: cavity_page.js, which web/page wraps into a worker, and cavity_page.wasm.
file(GLOB CAVITY_PAGE_FRONT CONFIGURE_DEPENDS src/page/*.cpp)
add_executable(cavity_page ${CAVITY_PAGE_FRONT})
target_include_directories(cavity_page PRIVATE src)
target_link_libraries(cavity_page PRIVATE cavity_core cavity_flags fmt::fmt nlohmann_json::nlohmann_json)
target_link_options(cavity_page PRIVATE
  --no-entry -sMODULARIZE -sEXPORT_NAME=load_cavity -sENVIRONMENT=worker,node
  -sEXPORTED_RUNTIME_METHODS=ccall,FS,WORKERFS -lworkerfs.js
  # Grown as needed; where it cannot grow, malloc says no and the fit ends with a sentence.
  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sABORTING_MALLOC=0 -sTOTAL_STACK=8MB)
