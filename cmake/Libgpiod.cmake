# GPIO through the character device: target `nound-gpiod`, if it is wanted. libgpiod is LGPL-2.1-or-later.
#
#   NOUND_LIBGPIOD=bundled   compiled from its release, which is downloaded once for all builds, and linked statically
#                  system    the one of this system, 2.0 or later, by the system's compiler
#                  off       without it; only the kernel's sysfs interface
set(NOUND_LIBGPIOD bundled CACHE STRING "libgpiod: bundled, system or off")
set(NOUND_LIBGPIOD_TARBALL "" CACHE FILEPATH "The release of libgpiod, where it cannot be downloaded")
set(NOUND_LIBGPIOD_DIR "" CACHE PATH "Any source of libgpiod 2, unpacked, instead of the release")
set(nound_libgpiod_version 2.2.1)
set(nound_libgpiod_sha256 0e948049c309b87c220fb24ee0d605d7cd5b72f22376e608470903fffa2d4b18)
set(nound_libgpiod_url "https://mirrors.edge.kernel.org/pub/software/libs/libgpiod/libgpiod-${nound_libgpiod_version}.tar.xz")
set(nound_libgpiod_title libgpiod)
set(nound_libgpiod_suites trixie) # Debian 13 has this version, whatever this machine runs
string(CONCAT nound_libgpiod_otherwise "take the system's by -DNOUND_LIBGPIOD=system (in a build by the system's "
                                       "compiler), or do without the GPIO character device by -DNOUND_LIBGPIOD=off")
set(nound_libgpiod_series "libgpiod 2")
set(nound_libgpiod_sign lib/line-request.c)
set(nound_libgpiod_parts "lib/*" include/gpiod.h "LICENSES/*")
set(nound_libgpiod_options NOUND_LIBGPIOD NOUND_LIBGPIOD_TARBALL NOUND_LIBGPIOD_DIR)

include("${CMAKE_CURRENT_LIST_DIR}/ReleaseDownload.cmake")

function(nound_add_bundled_libgpiod)
  nound_release_source(libgpiod source upstream debian)
  file(GLOB files "${source}/lib/*.c")
  add_library(libgpiod STATIC ${files})
  set_target_properties(libgpiod PROPERTIES PREFIX "" C_STANDARD 99 C_EXTENSIONS ON)
  target_include_directories(libgpiod SYSTEM PUBLIC "${source}/include")
  target_include_directories(libgpiod PRIVATE "${source}/lib")
  target_compile_definitions(libgpiod PRIVATE _GNU_SOURCE "GPIOD_VERSION_STR=\"${nound_libgpiod_version}\""
                             "$<$<CONFIG:Release>:NDEBUG>")
  target_compile_options(libgpiod PRIVATE -w)
  target_link_libraries(nound-gpiod INTERFACE libgpiod)
endfunction()

function(nound_add_system_libgpiod)
  if(NOUND_ZIG_TARGET)
    nound_refuse(libgpiod "A system's libgpiod is compiled for the system's C library, and this target has its own: "
                          "NOUND_LIBGPIOD=system needs a build by the system's compiler, such as `cmake -B "
                          "build/system -DNOUND_LIBGPIOD=system`.")
  endif()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(nound_libgpiod QUIET IMPORTED_TARGET libgpiod>=2.0)
  endif()
  if(nound_libgpiod_FOUND)
    target_link_libraries(nound-gpiod INTERFACE PkgConfig::nound_libgpiod)
    return()
  endif()
  # Without pkg-config: a header of version 2 has line settings.
  find_library(NOUND_LIBGPIOD_LIBRARY gpiod)
  find_path(NOUND_LIBGPIOD_INCLUDE gpiod.h)
  if(NOUND_LIBGPIOD_LIBRARY AND NOUND_LIBGPIOD_INCLUDE)
    file(STRINGS "${NOUND_LIBGPIOD_INCLUDE}/gpiod.h" settings REGEX "gpiod_line_settings_new" LIMIT_COUNT 1)
  endif()
  if(NOT settings)
    nound_refuse(libgpiod "This system has no libgpiod 2.0 or later with its header: install it (Debian 13: apt-get "
                          "install libgpiod-dev), or leave out -DNOUND_LIBGPIOD=system.")
  endif()
  target_include_directories(nound-gpiod SYSTEM INTERFACE "${NOUND_LIBGPIOD_INCLUDE}")
  target_link_libraries(nound-gpiod INTERFACE "${NOUND_LIBGPIOD_LIBRARY}")
endfunction()

add_library(nound-gpiod INTERFACE)
if(NOUND_LIBGPIOD STREQUAL "bundled")
  nound_add_bundled_libgpiod()
elseif(NOUND_LIBGPIOD STREQUAL "system")
  nound_add_system_libgpiod()
elseif(NOT NOUND_LIBGPIOD STREQUAL "off")
  set(nound_libgpiod_wanted "${NOUND_LIBGPIOD}")
  nound_refuse(libgpiod "There is no NOUND_LIBGPIOD=${nound_libgpiod_wanted}: say bundled, system or off.")
endif()
