/*
 * The connector: a process of its own that resolves names and connects, because the process with the nouns may do
 * neither. It knows the targets of the configuration and is told a number alone. It passes each connection over a pair
 * of sockets (SOCK_SEQPACKET, SCM_RIGHTS) and then forgets it. It ends with the process that forked it.
 */
#ifndef NOUND_CONNECTOR_H
#define NOUND_CONNECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "connector/dial.h"
#include "connector/target.h"
#include "guard/privileges.h"
#include "net/net_address.h"
#include "text/sentence.h"

/* An answer of the connector: a descriptor is with it if the reason is empty. */
struct connector_answer {
    char reason[DIAL_REASON];
    struct net_endpoint peer; /* of the connection */
};

/* What the connector gets from the process that forks it. It points to nothing on the stack, which is released. */
struct connector_plan {
    const struct target *targets;
    size_t count;
    const struct account *account; /* what it becomes, if one is chosen */
};

/*
 * Forks the connector and waits until it has given up its rights. Returns the descriptor to ask it by, which does not
 * block; or -1 with the reason.
 */
int connector_fork(const struct connector_plan *plan, struct sentence *reason);

/* Asks for a connection. Answers come in the order of the questions. Returns false with errno set. */
bool connector_ask(int connector, size_t target);

/*
 * Takes an answer. Returns 1 with the answer, and in `fd` the connection, which closes on exec, or -1; 0 if there is
 * no answer yet; -1 when the connector has ended.
 */
int connector_take(int connector, struct connector_answer *answer, int *fd);

#endif
