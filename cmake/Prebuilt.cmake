# The source tarball of a release has the script of `nound` in C already, in prebuilt/, so that it can be built without
# Node.js. After a change in ts/, set NOUND_PREBUILT=OFF.
#
# prebuilt/nound-bytecode.c is for little-endian processors and the same engine that wrote it, prebuilt/nound-text.c for
# all others, and prebuilt/engine.sha256 identifies that engine's files.
set(nound_prebuilt_folder "${CMAKE_CURRENT_LIST_DIR}/../prebuilt")
set(nound_prebuilt_exists OFF)
if(EXISTS "${nound_prebuilt_folder}/engine.sha256")
  set(nound_prebuilt_exists ON)
endif()
option(NOUND_PREBUILT "Take the script that comes compiled with a release" ${nound_prebuilt_exists})

# Leaves in `result` the path of the script of program `name`, or nothing when it has to be compiled.
function(nound_prebuilt_script name result)
  set(${result} "" PARENT_SCOPE)
  if(NOT NOUND_PREBUILT OR NOT EXISTS "${nound_prebuilt_folder}/${name}-text.c")
    return()
  endif()
  file(READ "${nound_prebuilt_folder}/engine.sha256" expected)
  if(NOUND_ENGINE_LIST STREQUAL expected AND NOT CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN")
    set(${result} "${nound_prebuilt_folder}/${name}-bytecode.c" PARENT_SCOPE)
  else()
    set(${result} "${nound_prebuilt_folder}/${name}-text.c" PARENT_SCOPE)
  endif()
endfunction()
