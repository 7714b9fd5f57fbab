/*
 * A server of one state on GNU libmicrohttpd, as a C program that needs HTTP would use it: one thread with epoll(7), a
 * response that is made once.
 *
 *     microhttpd 18080 '{"led":0}'
 */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#define CONNECTIONS 2048

static struct MHD_Response *state;

/* MHD calls it when it has a head, for each part of a body, and when the request is complete. */
static enum MHD_Result answer(void *opaque, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *body, size_t *body_length, void **request) {
    static int begun;
    (void)opaque, (void)version, (void)body;
    if (!*request) {
        *request = &begun;
        return MHD_YES;
    }
    if (*body_length > 0) {
        *body_length = 0;
        return MHD_YES;
    }
    if (strcmp(url, "/led") != 0 || strcmp(method, "GET") != 0)
        return MHD_NO;
    return MHD_queue_response(connection, MHD_HTTP_OK, state);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--version") == 0)
        return printf("%s\n", MHD_get_version()) > 0 ? EX_OK : EX_IOERR;
    if (argc != 3) {
        fprintf(stderr, "Usage: microhttpd PORT STATE\n");
        return EX_USAGE;
    }
    sigset_t ending;
    int signal;
    if (sigemptyset(&ending) < 0 || sigaddset(&ending, SIGTERM) < 0 || sigprocmask(SIG_BLOCK, &ending, NULL) < 0)
        return EX_OSERR;
    state = MHD_create_response_from_buffer(strlen(argv[2]), argv[2], MHD_RESPMEM_PERSISTENT);
    if (!state || MHD_add_response_header(state, "Content-Type", "application/json") != MHD_YES ||
        MHD_add_response_header(state, "X-Content-Type-Options", "nosniff") != MHD_YES ||
        MHD_add_response_header(state, "Cache-Control", "no-store") != MHD_YES)
        return EX_OSERR;
    uint16_t port = (uint16_t)strtoul(argv[1], NULL, 10);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG,
                                                 port,
                                                 NULL,
                                                 NULL,
                                                 answer,
                                                 NULL,
                                                 MHD_OPTION_SOCK_ADDR,
                                                 (struct sockaddr *)&address,
                                                 MHD_OPTION_CONNECTION_LIMIT,
                                                 (unsigned int)CONNECTIONS,
                                                 MHD_OPTION_END);
    if (!daemon)
        return EX_OSERR;
    if (sigwait(&ending, &signal) != 0)
        return EX_OSERR;
    MHD_stop_daemon(daemon);
    MHD_destroy_response(state);
    return EX_OK;
}
