/* Makes the process give up the system calls that it no longer needs, for good and for all of its threads. */
#ifndef NOUND_SECCOMP_H
#define NOUND_SECCOMP_H

#include <stdbool.h>

#include "guard/seccomp_table.h"
#include "text/sentence.h"

/*
 * Returns NULL, or why system calls are not restricted, as the end of a sentence: the kernel or the build has nothing
 * for it, or the environment has NOUND_UNFILTERED=1, which is for programs such as valgrind that need more calls. Call
 * it before seccomp_restrict, because the filter refuses prctl(2).
 */
const char *seccomp_obstacle(void);

/*
 * Restricts the process to what a table allows. Threads that run are restricted too; none can be started.
 * Returns false, with the reason, when it could not be done although it is available; the process must end then.
 */
bool seccomp_restrict(const struct seccomp_table *table, struct sentence *reason);

#endif
