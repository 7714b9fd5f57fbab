#define _GNU_SOURCE 1
#include "acceptor/accepted_connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/monotonic_clock.h"
#include "base/passed_descriptor.h"
#include "base/stack.h"
#include "guard/seccomp.h"

#define HANDSHAKE_TIME 10000 /* ms */
#define FIRST_TIME 1000      /* ms for a first byte once the listener is closed, or thrice that since it came */

/*
 * Waits for the client's first byte, so that one that sends nothing costs no more than its process. Once the listener
 * is closed, nobody waits long.
 */
static bool wait_for_client(int peer, int end) {
    struct pollfd files[] = {{.fd = peer, .events = POLLIN}, {.fd = end, .events = POLLIN}};
    const int64_t accepted = monotonic_clock();
    int ready = poll(files, 2, HANDSHAKE_TIME);
    if (ready > 0 && files[0].revents == 0) {
        const int64_t left = accepted + 3 * FIRST_TIME - monotonic_clock();
        ready = poll(files, 1, left > FIRST_TIME ? (int)left : FIRST_TIME);
    }
    return ready > 0;
}

_Noreturn void accepted_connection_serve(const struct acceptor_plan *plan,
                                         const struct accepted_connection *connection) {
    struct acceptor_message message = {.type = ACCEPTOR_CONNECTION};
    struct sentence reason = {0};
    const int peer = connection->peer, end = connection->end;
    const int64_t deadline = monotonic_clock() + HANDSHAKE_TIME;
    if (!seccomp_restrict(&seccomp_accepted, &reason))
        _exit(1);
    /* From here on, bytes of a stranger are read. */
    if (!wait_for_client(peer, end))
        _exit(0);
    if (!tls_server_handshake(peer, deadline, &reason)) {
        message.type = ACCEPTOR_REFUSED;
        acceptor_message_explain(&message, &reason);
        if (plan->tells)
            (void)passed_descriptor_send(end, &message, sizeof message, -1, MSG_DONTWAIT);
        _exit(0);
    }
    message.has_key = tls_server_client_key(message.client_key);
    message.refused = connection->refused;
    const enum kernel_tls kernel = tls_server_pass_to_kernel(&message.refused);
    message.in_kernel = kernel == KERNEL_TLS_BEGUN;
    if (kernel == KERNEL_TLS_BROKEN || !passed_descriptor_send(end, &message, sizeof message, -1, 0) ||
        message.in_kernel)
        _exit(0);
    close(end);
    stack_release(); /* of the handshake */
    tls_server_copy(connection->own, connection->shown);
    _exit(0);
}
