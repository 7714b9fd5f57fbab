# nound_libgpiod_tarball(<result>): the path of libgpiod's release, from the first place that has it:
#
#   -DNOUND_LIBGPIOD_TARBALL=FILE, the source tarball of a release of nound, an earlier download, upstream's server, the
#   mirrors of Debian that apt is set up with.
#
# From any place, only a file with this SHA-256 is accepted.
function(nound_download_from_upstream file)
  file(DOWNLOAD "${nound_libgpiod_url}" "${file}" STATUS status INACTIVITY_TIMEOUT 10 TIMEOUT 120)
endfunction()

# Debian's source package has upstream's release as it is; Debian 13 (trixie) is the release of Debian with this
# version, whatever this machine runs.
function(nound_download_from_debian file)
  set(folder "${NOUND_DOWNLOADS_DIR}/apt-libgpiod")
  set(tarball "libgpiod_${nound_libgpiod_version}.orig.tar.xz")
  nound_debian_apt("${folder}" deb-src trixie "${tarball}" source --download-only --tar-only libgpiod)
  nound_is_release("${folder}/${tarball}" "${nound_libgpiod_sha256}" found)
  if(found)
    file(RENAME "${folder}/${tarball}" "${file}")
  endif()
  file(REMOVE_RECURSE "${folder}")
endfunction()

function(nound_libgpiod_tarball result)
  if(NOUND_LIBGPIOD_TARBALL)
    nound_is_release("${NOUND_LIBGPIOD_TARBALL}" "${nound_libgpiod_sha256}" found)
    if(NOT found)
      set(given "${NOUND_LIBGPIOD_TARBALL}")
      nound_refuse_libgpiod("${given} is not the release ${nound_libgpiod_version} of libgpiod (a file of the SHA-256 "
                            "${nound_libgpiod_sha256}).")
    endif()
    set(${result} "${NOUND_LIBGPIOD_TARBALL}" PARENT_SCOPE)
    return()
  endif()
  set(tarball "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../vendor/libgpiod-${nound_libgpiod_version}.tar.xz")
  nound_is_release("${tarball}" "${nound_libgpiod_sha256}" found)
  if(found)
    set(${result} "${tarball}" PARENT_SCOPE)
    return()
  endif()
  set(tarball "${NOUND_DOWNLOADS_DIR}/libgpiod-${nound_libgpiod_version}.tar.xz")
  set(${result} "${tarball}" PARENT_SCOPE)
  file(MAKE_DIRECTORY "${NOUND_DOWNLOADS_DIR}")
  file(LOCK "${NOUND_DOWNLOADS_DIR}" DIRECTORY GUARD FUNCTION TIMEOUT 300) # of two builds at once, one downloads
  foreach(place IN ITEMS earlier upstream debian)
    if(place STREQUAL "upstream")
      nound_download_from_upstream("${tarball}")
    elseif(place STREQUAL "debian")
      nound_download_from_debian("${tarball}")
    endif()
    nound_is_release("${tarball}" "${nound_libgpiod_sha256}" found)
    if(found)
      return()
    endif()
    file(REMOVE "${tarball}")
  endforeach()
  nound_refuse_libgpiod("libgpiod ${nound_libgpiod_version} can be downloaded neither from ${nound_libgpiod_url} nor "
                        "from a mirror of Debian: give the file by -DNOUND_LIBGPIOD_TARBALL=, take the system's by "
                        "-DNOUND_LIBGPIOD=system (in a build by the system's compiler), or do without the GPIO "
                        "character device by -DNOUND_LIBGPIOD=off.")
endfunction()
