/*
 * The system calls that are left to the connector (connector/connector_process.h): those of the processes that it
 * forks, and the forking.
 */
#define _GNU_SOURCE 1
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include "guard/seccomp_table.h"

static const unsigned allowed[] = {
#ifdef SYS_fork
    SYS_fork,
#endif
    SYS_wait4,
    SYS_getppid,
    SYS_set_tid_address, /* the C libraries, in the new process */
    SYS_set_robust_list,
};

/* The flags that are allowed in clone(2): nothing that shares memory or makes a namespace. */
#define FORKING (SIGCHLD | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)

static const struct rule rules[] = {
    {SYS_clone, {{HAS_NO_BIT_OF, 0, (uint32_t)~FORKING}}},
    {SYS_prctl, {{IS, 0, PR_SET_PDEATHSIG}, {IS, 1, SIGKILL}}},
};

const struct seccomp_table seccomp_connector = {SECCOMP_LISTS, .base = &seccomp_dial};
