/* From a part to the struct that it is embedded in. */
#ifndef NOUND_OWNER_H
#define NOUND_OWNER_H

#include <stddef.h>

/* The struct that a watcher, a timer or a link of a list is embedded in: owner_of(watcher, struct stream, watcher). */
#define owner_of(part, type, member) ((type *)(void *)((char *)(part) - offsetof(type, member)))

#endif
