/* Limits what the process may do: a little at the start, and more once everything is open. */
#ifndef NOUND_PRIVILEGES_H
#define NOUND_PRIVILEGES_H

#include <stdbool.h>
#include <sys/types.h>

#include "text/failure.h"
#include "text/sentence.h"

#define MOST_GROUPS 64

/* A user to become, with its groups. */
struct account {
    bool chosen;   /* otherwise nothing is changed */
    bool given_up; /* whether the process has given up its rights */
    uid_t user;
    gid_t group;
    int group_count;
    gid_t groups[MOST_GROUPS];
};

/*
 * For the very start: no program that this one starts gains a privilege (PR_SET_NO_NEW_PRIVS), only the user can read
 * new files (umask), memory is not written to a core file nor shown to other processes of the user (PR_SET_DUMPABLE;
 * the environment's NOUND_DUMPABLE=1 leaves that, for debuggers). Returns false with errno set.
 */
bool privileges_harden(void);

/*
 * Looks an account up in /etc/passwd and /etc/group. One that this process is already is not `chosen`.
 * user: a name or a number. group: the same, or NULL for the user's own.
 * Returns false, with a failure, if the user is unknown, or this process is not root and so cannot become it.
 */
bool privileges_find(const char *user, const char *group, struct account *account, struct failure *failure);

/* Returns whether there is such an account, whatever user this process is; otherwise false with a failure. */
bool privileges_exist(const char *user, const char *group, struct failure *failure);

/*
 * Becomes the account, where one is chosen, and gives up all capabilities. This cannot be undone, and the function
 * checks that.
 * Returns false with the reason; the process must end then.
 */
bool privileges_drop(const struct account *account, struct sentence *reason);

#endif
