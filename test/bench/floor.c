/*
 * The floor of nound's design: its event loop (native/loop/loop.c) and its way of accepting, receiving and sending,
 * with one fixed answer and no JavaScript engine. What nound costs above this is the engine and the TypeScript.
 *
 *     nound-floor 127.0.0.1:8080
 *
 * It knows no HTTP but for what a load generator's requests need: an empty line ends a request, no request comes in two
 * pieces, and "Connection: close" has the answer be the last. A client that names "text/event-stream" gets an event,
 * and another after each POST. The stream layer itself (native/net/net_stream.c) hands engine values up, so what it
 * does is written out here, system call for system call.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/list.h"
#include "loop/loop.h"
#include "net/net_listen.h"

#define RECEIVE_SIZE (16 * 1024)
#define ACCEPTS_A_TURN 32
#define PIPELINED 16 /* answers that leave in one piece */

#define CONTENT "Content-Type: application/json\r\nContent-Length: 9\r\n"
#define FIELDS CONTENT "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
#define BODY "{\"led\":0}"
static const char answer[] = "HTTP/1.1 200 OK\r\n" FIELDS "\r\n" BODY;
static const char last_answer[] = "HTTP/1.1 200 OK\r\n" FIELDS "Connection: close\r\n\r\n" BODY;
static const size_t answer_length = sizeof answer - 1;

static const char stream_head[] = "HTTP/1.1 200 OK\r\n"
                                  "Content-Type: text/event-stream\r\n"
                                  "X-Content-Type-Options: nosniff\r\n"
                                  "Cache-Control: no-store\r\n"
                                  "X-Accel-Buffering: no\r\n"
                                  "Connection: close\r\n"
                                  "\r\n"
                                  "retry: 2000\n\n";
static const char event[] = "id: bf32f00a-997433595\ndata: " BODY "\n\n"; /* as long as one of nound */

static char received[RECEIVE_SIZE];
static char answers[PIPELINED * sizeof answer];
static struct loop *loop;

struct connection {
    struct loop_watcher watcher;
    bool has_stream;
    struct list_link link; /* in `streams` if it has one */
};
static struct list_link *streams;

static void connection_close(struct connection *connection) {
    if (connection->has_stream)
        list_remove(&connection->link);
    loop_unwatch(loop, &connection->watcher);
    close(connection->watcher.fd);
    free(connection);
}

static bool send_all(const struct connection *connection, const char *bytes, size_t length, int more) {
    return send(connection->watcher.fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT | more) == (ssize_t)length;
}

/* Whether a text is the end of what was received. */
static bool received_ends(size_t length, const char *text, size_t text_length) {
    return length >= text_length && memcmp(received + length - text_length, text, text_length) == 0;
}

/* Sends the head of a stream and its first event. Returns false when the connection is to be closed. */
static bool begin_stream(struct connection *connection) {
    connection->has_stream = true;
    list_add(&streams, &connection->link);
    return send_all(connection, stream_head, sizeof stream_head - 1, MSG_MORE) &&
           send_all(connection, event, sizeof event - 1, 0);
}

/* Tells all streams of a change. What a full socket does not take is lost. */
static void tell_streams(void) {
    for (struct list_link *link = streams; link; link = link->next)
        send_all(owner_of(link, struct connection, link), event, sizeof event - 1, 0);
}

/* Answers each request in what was received. Returns false when the connection is to be closed. */
static bool serve(struct connection *connection, size_t length) {
    static const char closing[] = "Connection: close\r\n", empty_line[] = "\r\n\r\n";
    static const char wants_stream[] = "Accept: text/event-stream\r\n\r\n";
    if (received_ends(length, wants_stream, sizeof wants_stream - 1) && !connection->has_stream)
        return begin_stream(connection);
    if (length > 4 && memcmp(received, "POST", 4) == 0)
        tell_streams();
    if (memmem(received, length, closing, sizeof closing - 1)) {
        send_all(connection, last_answer, sizeof last_answer - 1, MSG_MORE); /* closed either way */
        shutdown(connection->watcher.fd, SHUT_WR);
        return false;
    }
    size_t count = 0;
    const char *end = received + length;
    for (const char *at = received; count < PIPELINED; count++, at += sizeof empty_line - 1)
        if (!(at = memmem(at, (size_t)(end - at), empty_line, sizeof empty_line - 1)))
            break;
    return send_all(connection, answers, count * answer_length, 0);
}

/* Receives and answers. Returns false when the connection is to be closed. */
static bool receive(struct connection *connection, uint32_t events) {
    ssize_t length = recv(connection->watcher.fd, received, sizeof received, MSG_DONTWAIT);
    if (length < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK;
    if ((size_t)length == sizeof received || (events & ~(uint32_t)EPOLLIN))
        loop_rearm(loop, &connection->watcher);
    return length > 0 && serve(connection, (size_t)length);
}

static void connection_ready(struct loop_watcher *watcher, uint32_t events) {
    struct connection *connection = owner_of(watcher, struct connection, watcher);
    if (!receive(connection, events))
        connection_close(connection);
}

static void open_connection(int fd) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) {
        close(fd);
        return;
    }
    connection->watcher = (struct loop_watcher){.ready = connection_ready, .fd = fd};
    const uint32_t events = EPOLLIN | EPOLLPRI | EPOLLRDHUP | EPOLLET; /* as net_stream.c */
    if (!receive(connection, 0) || !loop_watch(loop, &connection->watcher, events))
        connection_close(connection);
}

static void listener_ready(struct loop_watcher *watcher, uint32_t events) {
    (void)events;
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        struct sockaddr_storage address;
        socklen_t length = sizeof address;
        int fd = accept4(watcher->fd, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0)
            return;
        open_connection(fd);
    }
}

static void signalled(void *opaque, int signal) {
    (void)opaque, (void)signal;
    loop_exit(loop, EX_OK);
}

static int complain(const char *what, const char *reason) {
    fprintf(stderr, "nound-floor: %s: %s\n", what, reason);
    return EX_OSERR;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "Usage: nound-floor ADDRESS:PORT\n");
        return EX_USAGE;
    }
    for (int i = 0; i < PIPELINED; i++)
        memcpy(answers + (size_t)i * answer_length, answer, answer_length);
    struct net_address address;
    const char *what = net_address_parse(argv[1], &address);
    int lock;
    int fd = what ? -1 : net_listen_on(&address, argv[1], &lock, &what);
    if (fd < 0)
        return complain(argv[1], what);
    struct loop_watcher listener = {.ready = listener_ready, .fd = fd};
    loop = loop_create();
    if (!loop || !loop_catch_signals(loop, signalled, NULL) || !loop_watch(loop, &listener, EPOLLIN))
        return complain("cannot start", strerror(errno));
    while (loop_turn(loop))
        ;
    int status = loop_status(loop); /* the kernel takes back what is still open */
    loop_free(loop);
    return status;
}
