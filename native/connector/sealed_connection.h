/* The process of an encrypted connection: from the resolving of its name to its end. */
#ifndef NOUND_SEALED_CONNECTION_H
#define NOUND_SEALED_CONNECTION_H

#include <stdbool.h>

#include "connector/connector_message.h"
#include "text/sentence.h"
#include "tls/tls_client.h"

/* Opens the files that settings of TLS name, while the connector may. Returns false with the reason. */
bool sealed_connection_open(const struct connector_plan *plan, struct sentence *reason);

/*
 * Checks what the files contain, in a process of its own, so that its memory ends with it. Returns false with the
 * reason. ends: for each settings, when its certificates end.
 */
bool sealed_connection_check(const struct connector_plan *plan, struct tls_ends *ends, struct sentence *reason);

/* Closes the files. */
void sealed_connection_close(const struct connector_plan *plan);

/*
 * The life of the process: connects as dial() does, does the handshake, says so, and copies between its end of a pair
 * of sockets and the peer. It outlives the connector by what the nouns' process has left to be sent.
 * connector: its end of the pair with the connector. own: that of the pair whose other end the nouns' process gets.
 */
_Noreturn void sealed_connection_run(int connector, int own, const struct connector_plan *plan,
                                     const struct target *target, const int resolvers[FAMILIES], int64_t deadline);

#endif
