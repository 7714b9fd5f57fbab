# What an application's own build (cmake/application/) takes over instead of compiling it again: nound-export.cmake in the
# build folder, with the native layer, the engine and libgpiod as targets `nound::...`, and NOUND_EMBED.
#
# `nound-parts` builds them and no program.
if(NOUND_LIBGPIOD STREQUAL "system")
  return() # found anew on each machine, by pkg-config
endif()
set(nound_parts nound-native quickjs)
foreach(nound_part IN ITEMS libgpiod nound-atomics)
  if(TARGET ${nound_part})
    list(APPEND nound_parts ${nound_part})
  endif()
endforeach()
export(TARGETS ${nound_parts} nound-flags nound-gpiod NAMESPACE nound:: FILE "${CMAKE_BINARY_DIR}/nound-targets.cmake")

if(TARGET nound-embed)
  set(nound_embed_program "${CMAKE_BINARY_DIR}/nound-embed")
  list(APPEND nound_parts nound-embed)
elseif(TARGET nound-host-tools)
  set(nound_embed_program "${NOUND_EMBED}")
  list(APPEND nound_parts nound-host-tools)
endif()
if(TARGET nound-libc)
  list(APPEND nound_parts nound-libc)
endif()
add_custom_target(nound-parts DEPENDS ${nound_parts})
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/nound-export.cmake" @ONLY CONTENT
     "include(\"@CMAKE_BINARY_DIR@/nound-targets.cmake\")\nset(NOUND_EMBED \"@nound_embed_program@\")\n")
