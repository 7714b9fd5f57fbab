/**
 * A nound in a jail: a PID namespace, where its processes have numbers of their own, and see none outside. ujail, which
 * starts one, passes a signal on, but not the value that comes with it.
 */
#ifndef NOUND_JAIL_H
#define NOUND_JAIL_H

#include <stdbool.h>
#include <sys/types.h>

/** A process as /proc shows it. */
struct jailed_process {
    long id;            /* by which this process knows it */
    long number;        /* by which it knows itself */
    long parent;        /* the number of its parent, as this process knows it */
    unsigned long user; /* its real user's */
    unsigned depth;     /* of namespaces in which it has a number */
};

/** Reads what /proc shows of a process. Returns false if there is no such process. */
bool jail_read_process(long id, struct jailed_process *process);

/** Goes on to the process in the jail that this process keeps, if it keeps one. */
void jail_enter(struct jailed_process *process);

/** Joins the namespace of a process: the next child is in it. Returns false with errno set. */
bool jail_join(const struct jailed_process *process);

#endif
