# The source of the engine: NOUND_ENGINE_DIR and NOUND_ENGINE_VERSION. It comes from the first place that has it:
#
#   -DQUICKJS_DIR=FOLDER, the source tarball of a release of nound, an earlier download, Debian's package qjs-src
#   (testing, from the mirrors that apt is set up with), upstream's archive of the tag.
#
# cmake/quickjs-ng.sha256 pins the version and each file. If the pinned engine is not available, because Debian has a
# newer one, the build takes Debian's and prints both hashes. With -DNOUND_ENGINE=pinned it refuses, as a release does.
set(QUICKJS_DIR "" CACHE PATH "A source of QuickJS-ng instead of the pinned one")
set(NOUND_ENGINE any CACHE STRING "Which engine may be built: pinned, or any from nound_engine_minimum on")
set(NOUND_DOWNLOADS_DIR "${CMAKE_CURRENT_LIST_DIR}/../build/downloads" CACHE PATH
  "Where downloads are kept, for all builds")
set(nound_engine_minimum 0.17)
set(nound_engine_options QUICKJS_DIR NOUND_ENGINE)

include("${CMAKE_CURRENT_LIST_DIR}/Refuse.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/EngineFiles.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/DebianEngine.cmake")

set(nound_engine_pin_file "${CMAKE_CURRENT_LIST_DIR}/quickjs-ng.sha256")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${nound_engine_pin_file}")
file(READ "${nound_engine_pin_file}" nound_engine_pin)
if(NOT nound_engine_pin MATCHES "^# quickjs-ng ([0-9.]+)\n(.*)$")
  message(FATAL_ERROR "${nound_engine_pin_file} does not begin with the engine's version.")
endif()
set(nound_engine_pin_version "${CMAKE_MATCH_1}")
set(nound_engine_pin "${CMAKE_MATCH_2}")
set(nound_engine_url "https://github.com/quickjs-ng/quickjs/archive/refs/tags/v${nound_engine_pin_version}.tar.gz")

# nound_engine_from_upstream(<folder>): puts the pinned version into a folder from upstream's archive of its tag, if it
# can.
function(nound_engine_from_upstream folder)
  set(archive "${NOUND_DOWNLOADS_DIR}/quickjs-ng.tar.gz")
  file(DOWNLOAD "${nound_engine_url}" "${archive}" STATUS status INACTIVITY_TIMEOUT 10 TIMEOUT 120)
  list(GET status 0 code)
  if(code EQUAL 0)
    file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${NOUND_DOWNLOADS_DIR}/quickjs-ng.unpacked")
    file(RENAME "${NOUND_DOWNLOADS_DIR}/quickjs-ng.unpacked/quickjs-${nound_engine_pin_version}" "${folder}")
  endif()
  file(REMOVE_RECURSE "${archive}" "${NOUND_DOWNLOADS_DIR}/quickjs-ng.unpacked")
endfunction()

# Leaves in `result` the folder of the pinned engine; if that is not available, of the newest other one; or nothing.
function(nound_download_engine result)
  file(MAKE_DIRECTORY "${NOUND_DOWNLOADS_DIR}")
  file(LOCK "${NOUND_DOWNLOADS_DIR}" DIRECTORY GUARD FUNCTION TIMEOUT 300) # of two builds at once, one downloads
  set(wanted "${NOUND_DOWNLOADS_DIR}/quickjs-ng-${nound_engine_pin_version}")
  set(new "${NOUND_DOWNLOADS_DIR}/quickjs-ng.new")
  set(${result} "${wanted}" PARENT_SCOPE)
  nound_engine_list("${wanted}" files)
  if(files STREQUAL nound_engine_pin)
    return()
  endif()
  foreach(place IN ITEMS debian upstream)
    file(REMOVE_RECURSE "${new}")
    cmake_language(CALL nound_engine_from_${place} "${new}")
    nound_engine_version("${new}" version)
    if(version)
      file(REMOVE_RECURSE "${NOUND_DOWNLOADS_DIR}/quickjs-ng-${version}")
      file(RENAME "${new}" "${NOUND_DOWNLOADS_DIR}/quickjs-ng-${version}")
      nound_engine_list("${wanted}" files)
      if(files STREQUAL nound_engine_pin)
        return()
      endif()
    endif()
  endforeach()
  file(GLOB others "${NOUND_DOWNLOADS_DIR}/quickjs-ng-*")
  list(SORT others COMPARE NATURAL ORDER DESCENDING)
  set(newest "")
  foreach(newest IN LISTS others)
    break()
  endforeach()
  set(${result} "${newest}" PARENT_SCOPE)
endfunction()

if(QUICKJS_DIR)
  set(NOUND_ENGINE_DIR "${QUICKJS_DIR}")
elseif(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../vendor/quickjs-ng")
  set(NOUND_ENGINE_DIR "${CMAKE_CURRENT_LIST_DIR}/../vendor/quickjs-ng")
else()
  nound_download_engine(NOUND_ENGINE_DIR)
  if(NOT NOUND_ENGINE_DIR)
    nound_refuse(engine "QuickJS-ng ${nound_engine_pin_version} can be downloaded neither as Debian's package "
                        "qjs-src nor from ${nound_engine_url}: give the folder of its source by -DQUICKJS_DIR=.")
  endif()
endif()
cmake_path(ABSOLUTE_PATH NOUND_ENGINE_DIR NORMALIZE)
if(NOT EXISTS "${NOUND_ENGINE_DIR}/quickjs.h")
  nound_refuse(engine "There is no source of QuickJS-ng in ${NOUND_ENGINE_DIR}: leave out -DQUICKJS_DIR= for the "
                      "pinned one, or give a folder such as /usr/src/quickjs-ng of Debian's package qjs-src.")
endif()

nound_engine_version("${NOUND_ENGINE_DIR}" NOUND_ENGINE_VERSION)
if(NOUND_ENGINE_VERSION STREQUAL "")
  nound_refuse(engine "${NOUND_ENGINE_DIR}/quickjs.h names no version of QuickJS-ng: nound needs QuickJS-ng "
                      "${nound_engine_minimum} or later (Bellard's quickjs is another engine).")
elseif(NOUND_ENGINE_VERSION VERSION_LESS nound_engine_minimum)
  nound_refuse(engine "QuickJS-ng in ${NOUND_ENGINE_DIR} is version ${NOUND_ENGINE_VERSION}: nound needs "
                      "${nound_engine_minimum} or later.")
endif()

# One hash identifies an engine: that of the list of its files' hashes.
nound_engine_list("${NOUND_ENGINE_DIR}" NOUND_ENGINE_LIST)
string(SHA256 nound_engine_hash "${NOUND_ENGINE_LIST}")
string(SHA256 nound_engine_pin_hash "${nound_engine_pin}")
set(nound_engine_difference "")
if(NOT nound_engine_hash STREQUAL nound_engine_pin_hash)
  string(CONCAT nound_engine_difference
    "The engine in ${NOUND_ENGINE_DIR}, QuickJS-ng ${NOUND_ENGINE_VERSION} with the SHA-256 ${nound_engine_hash}, "
    "is not the pinned one, ${nound_engine_pin_version} with the SHA-256 ${nound_engine_pin_hash}.")
  if(NOUND_ENGINE STREQUAL "pinned")
    nound_refuse(engine "${nound_engine_difference} \"npm run dist -- --engine any\" makes a release with it "
                        "for a test, and `npm run engine` moves the pin.")
  endif()
  message(NOTICE "${nound_engine_difference}")
endif()
# What the scripts of the build read.
set(NOUND_ENGINE_FOLDER "${NOUND_ENGINE_DIR}" CACHE INTERNAL "The source of the engine that was taken")
set(NOUND_ENGINE_DIFFERENCE "${nound_engine_difference}" CACHE INTERNAL "How it differs from the pinned one")
