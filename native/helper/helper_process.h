/* The beginning of a helper's process: it leaves behind what its parent has. */
#ifndef NOUND_HELPER_PROCESS_H
#define NOUND_HELPER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "text/sentence.h"

/*
 * Closes all that the parent has open but `asker`; standard input, output and error lead nowhere. SIGCHLD is read; the
 * signals that end the program in order are for its other processes. Returns a signalfd(2), or -1 with the reason.
 */
int helper_begin(int asker, struct sentence *reason);

/*
 * Has the kernel end this process when its parent ends. A change of the user undoes that. Returns false, with errno
 * set, also if the parent has ended already.
 */
bool helper_end_with(pid_t parent);

/* Maps a plan of at least `least` bytes. Returns NULL if the file has no such plan. */
const void *helper_map_plan(int file, size_t least, size_t *size);

#endif
