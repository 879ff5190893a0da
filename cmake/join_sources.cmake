# CAVITY_SOURCES become fewer: tools/join-sources says which may be read together.
# pip names its Python, another one each time: none is kept.
if(Python_EXECUTABLE)
  set(python ${Python_EXECUTABLE})
else()
  find_program(python NAMES python3 python NO_CACHE REQUIRED)
endif()
set(joined ${PROJECT_BINARY_DIR}/joined)
# What has source properties of its own stays as it is.
set(apart src/read/hdf5_file.cpp)
list(TRANSFORM apart PREPEND ${PROJECT_SOURCE_DIR}/)
set(together ${CAVITY_SOURCES})
list(REMOVE_ITEM together ${apart})
list(REMOVE_ITEM CAVITY_SOURCES ${together})
execute_process(COMMAND ${python} ${PROJECT_SOURCE_DIR}/tools/join-sources
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${joined} ${together}
  OUTPUT_VARIABLE sources OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${together} ${PROJECT_SOURCE_DIR}/tools/join-sources)
string(REPLACE "\n" ";" sources "${sources}")
list(APPEND CAVITY_SOURCES ${sources})
