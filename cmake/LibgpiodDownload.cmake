# nound_libgpiod_tarball(<result>): the path of libgpiod's release, from the first place that has it:
#
#   -DNOUND_LIBGPIOD_TARBALL=FILE, the source tarball of a release of nound, an earlier download, upstream's server, the
#   mirrors of Debian that apt is set up with.
#
# Whatever the place, it is the file of this SHA-256 or none.
set(NOUND_DOWNLOADS_DIR "${CMAKE_CURRENT_LIST_DIR}/../build/downloads" CACHE PATH "Where downloads are kept, for all builds")

function(nound_download_from_upstream file)
  file(DOWNLOAD "${nound_libgpiod_url}" "${file}" STATUS status INACTIVITY_TIMEOUT 10 TIMEOUT 120)
endfunction()

# Leaves in `result` the addresses of the archives that apt knows, as it is set up on this machine. Suites with a dash are
# those of updates, which have no whole distribution.
function(nound_debian_mirrors result)
  execute_process(COMMAND "${NOUND_APT_GET}" indextargets --no-release-info --format "$(REPO_URI) $(RELEASE)"
                          "Created-By: Packages" "Component: main"
                  OUTPUT_VARIABLE lines ERROR_QUIET)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  list(FILTER lines EXCLUDE REGEX " [^ ]*-[^ ]*$|^cdrom:")
  list(TRANSFORM lines REPLACE " [^ ]*$" "")
  list(REMOVE_DUPLICATES lines)
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# Debian's source package has upstream's release as it is; Debian 13 (trixie) is the release of Debian with this version,
# whatever this machine runs. apt gets folders of its own, so this needs no rights and leaves the system's state alone.
function(nound_download_from_debian file)
  find_program(NOUND_APT_GET apt-get)
  mark_as_advanced(NOUND_APT_GET)
  file(GLOB keyring /usr/share/keyrings/debian-archive-keyring.gpg /usr/share/keyrings/debian-archive-keyring.pgp)
  if(NOT NOUND_APT_GET OR NOT keyring)
    return()
  endif()
  list(GET keyring 0 keyring)
  set(folder "${NOUND_DOWNLOADS_DIR}/apt")
  # What apt is told to do after an update is about the system's state.
  file(CONFIGURE OUTPUT "${folder}/apt.conf" @ONLY CONTENT [=[
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
Dir::Etc::SourceList "@folder@/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "@folder@/state";
Dir::State::status "/dev/null";
Dir::Cache "@folder@/cache";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
]=])
  nound_debian_mirrors(mirrors)
  foreach(mirror IN LISTS mirrors)
    file(WRITE "${folder}/sources.list" "deb-src [signed-by=${keyring}] ${mirror} trixie main\n")
    file(MAKE_DIRECTORY "${folder}/state/lists/partial" "${folder}/cache/archives/partial" "${folder}/source")
    execute_process(COMMAND "${NOUND_APT_GET}" -q -c "${folder}/apt.conf" update OUTPUT_QUIET ERROR_QUIET)
    execute_process(COMMAND "${NOUND_APT_GET}" -q -c "${folder}/apt.conf" source --download-only --tar-only libgpiod
                    WORKING_DIRECTORY "${folder}/source" OUTPUT_QUIET ERROR_QUIET)
    set(tarball "${folder}/source/libgpiod_${nound_libgpiod_version}.orig.tar.xz")
    nound_is_libgpiod("${tarball}" found)
    if(found)
      file(RENAME "${tarball}" "${file}")
      break()
    endif()
  endforeach()
  file(REMOVE_RECURSE "${folder}")
endfunction()

function(nound_libgpiod_tarball result)
  if(NOUND_LIBGPIOD_TARBALL)
    nound_is_libgpiod("${NOUND_LIBGPIOD_TARBALL}" found)
    if(NOT found)
      set(given "${NOUND_LIBGPIOD_TARBALL}")
      nound_refuse_libgpiod("${given} is not the release ${nound_libgpiod_version} of libgpiod (a file of the SHA-256 "
                            "${nound_libgpiod_sha256}).")
    endif()
    set(${result} "${NOUND_LIBGPIOD_TARBALL}" PARENT_SCOPE)
    return()
  endif()
  set(tarball "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../vendor/libgpiod-${nound_libgpiod_version}.tar.xz")
  nound_is_libgpiod("${tarball}" found)
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
    nound_is_libgpiod("${tarball}" found)
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
