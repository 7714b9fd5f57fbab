/* The process gives up the system calls that it does not make any more, for good and for all of its threads. */
#ifndef NOUND_SECCOMP_H
#define NOUND_SECCOMP_H

#include <stdbool.h>

#include "sentence.h"

/* Returns whether the kernel has such filters, and this build one for its processor. */
bool seccomp_is_available(void);

/* Returns whether seccomp_restrict has restricted the process. */
bool seccomp_is_on(void);

/*
 * Restricts the process to what seccomp_filter.c allows. Threads that run are restricted too; none can be started.
 * Returns false, with the reason, when it could not be done although it is available; the process must end then.
 */
bool seccomp_restrict(struct sentence *reason);

#endif
