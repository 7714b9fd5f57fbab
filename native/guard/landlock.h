/*
 * Landlock (Documentation/userspace-api/landlock.rst of the kernel): the process gives up every file, TCP port and
 * other process that it does not name. This holds for good and for every program that it might start.
 */
#ifndef NOUND_LANDLOCK_H
#define NOUND_LANDLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/sentence.h"

/* A file, or a folder with all its contents, that can still be opened. */
struct landlock_path {
    const char *path;
    bool writable;
};

/* The rights that the process keeps. */
struct landlock_reach {
    const struct landlock_path *paths;
    size_t path_count;
    const uint16_t *ports; /* of TCP that can still be connected to, in host byte order */
    size_t port_count;
};

/* Returns the version of the kernel's Landlock, or 0 where it has none or it is switched off. */
int landlock_version(void);

/*
 * Restricts the process. Open files stay open. These can still be opened: the paths given; beneath
 * each folder that the program itself has open (its descriptor closes on exec), regular files to be read, written, made
 * and removed; and beneath one it has open with O_PATH, files to be removed. No TCP port can be bound, and none can be
 * connected to but those given.
 *
 * Returns the version of the kernel's Landlock, or 0 where it has none or it is switched off; nothing is restricted
 * then. Returns -1, with the reason, when it could not be done.
 */
int landlock_restrict(const struct landlock_reach *reach, struct sentence *reason);

#endif
