#define _GNU_SOURCE 1
#include "guard/seccomp.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guard/seccomp_filter.h"

/* Of <linux/seccomp.h>: the header of the system that compiles may be older than the kernel this runs on. */
enum {
    SET_MODE_FILTER = 1,
    FLAG_TSYNC = 1 << 0,
};

/* LeakSanitizer starts a process of its own at the end, which traces this one. */
#ifdef __SANITIZE_ADDRESS__
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

const char *seccomp_obstacle(void) {
    const char *unfiltered = getenv("NOUND_UNFILTERED");
    if (unfiltered && strcmp(unfiltered, "1") == 0)
        return "as NOUND_UNFILTERED=1 asks";
    if (IS_SANITIZED)
        return "because this build has sanitizers";
    if (!seccomp_filter_exists())
        return "because this build has no filter for its processor";
    /* A kernel with filters tries to read the filter at the invalid address (EFAULT); a kernel without them does not
     * know this mode (EINVAL). */
    if (prctl(PR_SET_SECCOMP, (long)SECCOMP_MODE_FILTER, 0L, 0L, 0L) < 0 && errno == EFAULT)
        return NULL;
    return "because this kernel has no seccomp";
}

bool seccomp_restrict(const struct seccomp_table *table, struct sentence *reason) {
    struct sock_filter filter[SECCOMP_FILTER_LIMIT];
    if (seccomp_obstacle())
        return true;
    const struct sock_fprog program = {
        .len = (unsigned short)seccomp_filter_build(filter, table, (uint32_t)getpid()),
        .filter = filter,
    };
#ifdef SYS_seccomp
    long result = syscall(SYS_seccomp, SET_MODE_FILTER, FLAG_TSYNC, &program);
    if (result == 0)
        return true;
    if (result > 0) {
        sentence_say(reason, "cannot restrict system calls: the thread %ld has a filter of its own", result);
        return false;
    }
    if (errno != ENOSYS && errno != EPERM) { /* EPERM: what started nound refuses that call to it */
        sentence_say(reason, "cannot restrict system calls: %s", strerror(errno));
        return false;
    }
#endif
    /* A kernel before 3.17 has only this call, which restricts one thread. */
    if (prctl(PR_SET_SECCOMP, (long)SECCOMP_MODE_FILTER, &program, 0L, 0L) == 0)
        return true;
    sentence_say(reason, "cannot restrict system calls: %s", strerror(errno));
    return false;
}
