/*
 * The connector: a process of its own that resolves names and connects, because the process with the nouns may do
 * neither. It knows the targets of the configuration and is asked for one of them by its number. For each connection it
 * forks another process, so a target or a name server that hangs delays no other. The connection comes back over a pair
 * of sockets (SOCK_SEQPACKET, SCM_RIGHTS).
 */
#ifndef NOUND_CONNECTOR_H
#define NOUND_CONNECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "connector/connector_message.h"
#include "text/sentence.h"

/*
 * Starts the connector (helper/helper.h) and waits until it has given up its rights. If the keeper has forked it, it
 * forks another one when that has ended.
 * Returns the descriptor to ask it by, which does not block; or -1 with the reason.
 */
int connector_start(const struct connector_plan *plan, struct sentence *reason);

/*
 * Asks for a connection. At most MOST_DIALS may be under way, and one to a target. Each question gets one answer, in
 * any order. number: another one for each question to a target. time: ms for the connection; 10 s at most. Returns
 * false with errno set.
 */
bool connector_ask(int connector, size_t target, uint32_t number, uint32_t time);

/*
 * Takes an answer. Returns 1 with the answer, and in `fd` the connection, which closes on exec, or -1; 0 if there is
 * no answer yet; -1 when the connector has ended.
 */
int connector_take(int connector, struct connector_answer *answer, int *fd);

#endif
