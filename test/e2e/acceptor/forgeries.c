/*
 * The acceptor, some of whose handshakes have been taken over by their client: the process finds each socket that it
 * has, and sends forged, doubled, truncated and other wrong messages by it, with descriptors of any kind. With it come
 * wrong orders. An honest client of each round must have its connection, and no other client may be named. The
 * certificate is due to be renewed all the time, which the acceptor says once.
 * Arguments: rounds, seed.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../native/forged-message.h"
#include "acceptor/acceptor_process.h"
#include "base/descriptor.h"
#include "base/passed_descriptor.h"

#define MOST_OPEN 96 /* descriptors of a process: if one is left open in each round, they run out */
#define GREETING "honest"
#define HONEST 'H'
#define TAKEN_OVER 'A'

static bool is_taken_over;

static int end_of_pair(int type) {
    int pair[2];
    if (socketpair(AF_UNIX, type, 0, pair) < 0)
        return -1;
    close(pair[1]);
    return pair[0];
}

/* Sends some of the bytes of a message, with descriptors. */
static void send_wrong(int fd, const void *bytes, size_t size, size_t room) {
    const size_t lengths[] = {size, size, 0, forged_below((unsigned)size), room};
    forged_send_any(fd, bytes, lengths[forged_below(5)], end_of_pair);
}

static void send_forgery(int fd) {
    struct {
        struct acceptor_message message;
        char more[64];
    } forged = {.message.type = forged_below(7)};
    forged.message.listener = forged_below(3) + 1;
    forged.message.peer.family = (uint16_t)forged_below(12);
    forged.message.peer.port = (uint16_t)forged_below(65536);
    forged.message.has_key = forged_below(2) * 255;
    if (forged_below(2) == 0)
        memset(forged.message.reason, 'x', sizeof forged.message.reason);
    send_wrong(fd, &forged, sizeof forged.message, sizeof forged);
}

/* An order that concerns another listener than the first one, which serves, or nothing. */
static void send_wrong_order(int fd) {
    struct {
        struct acceptor_order order;
        char more[64];
    } wrong = {.order = {.type = forged_below(8), .listener = 1 + forged_below(40)}};
    if (wrong.order.type == ACCEPTOR_ASK)
        wrong.order.type = ACCEPTOR_LISTEN;
    send_wrong(fd, &wrong, sizeof wrong.order, sizeof wrong);
}

/* ---- In place of native/tls/tls_server.c ---- */

bool tls_server_open(const struct tls_server_settings *settings, const struct account *account, bool makes,
                     struct tls_server_facts *facts, struct sentence *reason) {
    (void)settings, (void)account, (void)makes, (void)reason;
    *facts = (struct tls_server_facts){.renewal = 1};
    return true;
}

bool tls_server_must_renew(int64_t renewal) {
    (void)renewal;
    return true;
}

bool tls_server_begin(struct sentence *reason) {
    (void)reason;
    return true;
}

void tls_server_ask(bool asks) {
    (void)asks;
}

bool tls_server_renew_tickets(void) {
    return true;
}

bool tls_server_handshake(int peer, int64_t deadline, struct sentence *reason) {
    char who = 0;
    (void)deadline;
    is_taken_over = recv(peer, &who, 1, 0) != 1 || who != HONEST;
    if (!is_taken_over)
        return true;
    forged_vary();
    forged_attack(MOST_OPEN, send_forgery);
    if (forged_below(4) == 0)
        _exit((int)forged_below(2));
    sentence_say(reason, "refused");
    return forged_below(2) == 0;
}

bool kernel_tls_exists(void) {
    return true;
}

enum kernel_tls tls_server_pass_to_kernel(uint32_t *refused) {
    (void)refused;
    return KERNEL_TLS_REFUSED;
}

bool tls_server_client_key(uint8_t hash[TLS_HASH_BYTES]) {
    memset(hash, 1, TLS_HASH_BYTES);
    return true;
}

/* Fails by an abort if the process could write what others read. */
void tls_server_copy(int own, const volatile bool *is_wanted) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (is_taken_over && is_wanted &&
        mprotect((void *)((uintptr_t)is_wanted / page * page), page, PROT_READ | PROT_WRITE) == 0)
        (void)send(own, "writable", sizeof "writable", MSG_NOSIGNAL);
    else if (!is_taken_over)
        (void)send(own, GREETING, sizeof GREETING, MSG_NOSIGNAL);
}

/* ---- The test ---- */

static int fail(const char *what, size_t round) {
    fprintf(stderr, "round %zu: %s\n", round, what);
    return 1;
}

/* Whether the acceptor has said that its certificate is due to be renewed. */
static bool is_due;

/* Clients, by their port, of which no message has come. That of one that was taken over may come late. */
static bool are_untold[UINT16_MAX + 1];

/* Connects, says who it is, and finds its own port. */
static int connect_as(char who, const struct sockaddr_in *address, uint16_t *port) {
    struct sockaddr_in own;
    socklen_t length = sizeof own;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof *address) < 0 ||
        getsockname(fd, (struct sockaddr *)&own, &length) < 0 || send(fd, &who, 1, MSG_NOSIGNAL) != 1)
        return -1;
    *port = ntohs(own.sin_port);
    are_untold[*port] = true;
    return fd;
}

static int judge_message(const struct acceptor_message *message, int fd, uint16_t honest, size_t round) {
    char text[16] = "";
    int type = 0;
    socklen_t length = sizeof type;
    if (message->type == ACCEPTOR_CLOSED || message->type == ACCEPTOR_FULL) /* of a wrong order that was followed */
        return message->listener == 0 ? fail("the first listener is closed", round) : 0;
    if (message->type == ACCEPTOR_DUE) {
        if (is_due)
            return fail("the certificate is due twice", round);
        is_due = true;
        return 0;
    }
    const bool is_honest = message->peer.port == honest;
    if (!are_untold[message->peer.port])
        return fail("a message names another client, or is a second one", round);
    if (message->listener != 0)
        return fail("a message names another listener", round);
    are_untold[message->peer.port] = false;
    if (message->type == ACCEPTOR_REFUSED)
        return is_honest ? fail("the honest client is refused", round) : 0;
    if (message->type != ACCEPTOR_CONNECTION || getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) < 0 ||
        type != SOCK_STREAM)
        return fail("a message has no connection", round);
    struct pollfd greeting = {.fd = fd, .events = POLLIN};
    if (is_honest &&
        (poll(&greeting, 1, 60000) != 1 || recv(fd, text, sizeof text - 1, 0) <= 0 || strcmp(text, GREETING) != 0))
        return fail("the honest client has another connection", round);
    if (!is_honest && recv(fd, text, sizeof text - 1, MSG_DONTWAIT) > 0 && strcmp(text, "writable") == 0)
        return fail("a process can write what others read", round);
    return 0;
}

/* Takes messages until the honest client has its connection and the other one is gone. */
static int take_messages(int acceptor, int other, const uint16_t ports[2], size_t round) {
    bool is_gone = false;
    while (are_untold[ports[1]] || !is_gone) {
        struct pollfd files[] = {{.fd = acceptor, .events = POLLIN}, {.fd = is_gone ? -1 : other, .events = POLLIN}};
        struct acceptor_message message;
        int fd;
        if (poll(files, 2, 60000) < 1)
            return fail("the honest client has no connection, or the other one does not end", round);
        is_gone = is_gone || files[1].revents != 0;
        if (files[0].revents == 0)
            continue;
        if (passed_descriptor_receive(acceptor, &message, sizeof message, &fd, 0) != (ssize_t)sizeof message)
            return fail("the acceptor has ended, or sent no message", round);
        const int failure = judge_message(&message, fd, ports[1], round);
        descriptor_close(fd);
        const struct acceptor_order leave = {.type = ACCEPTOR_LEAVE, .connection = message.connection};
        if (message.type == ACCEPTOR_CONNECTION && message.in_kernel &&
            !passed_descriptor_send(acceptor, &leave, sizeof leave, -1, 0))
            return fail("the acceptor takes no order", round);
        if (failure != 0)
            return failure;
    }
    return 0;
}

static int play_round(int acceptor, const struct sockaddr_in *address, size_t round) {
    uint16_t ports[2];
    for (unsigned count = forged_below(3); count > 0; count--)
        send_wrong_order(acceptor);
    const int other = connect_as(TAKEN_OVER, address, &ports[0]), honest = connect_as(HONEST, address, &ports[1]);
    if (other < 0 || honest < 0)
        return fail(strerror(errno), round);
    const int failure = take_messages(acceptor, other, ports, round);
    close(other);
    close(honest);
    return failure;
}

/* Ends the acceptor in order. */
static int finish(int acceptor, size_t rounds) {
    const struct acceptor_order order = {.type = ACCEPTOR_END, .listener = 0};
    struct acceptor_message message = {.listener = 1};
    bool is_closed = false;
    int fd;
    if (!passed_descriptor_send(acceptor, &order, sizeof order, -1, 0))
        return fail("the acceptor takes no order", rounds);
    while (!is_closed) {
        if (passed_descriptor_receive(acceptor, &message, sizeof message, &fd, 0) != (ssize_t)sizeof message)
            return fail("the acceptor does not tell of its end", rounds);
        descriptor_close(fd);
        is_closed = message.type == ACCEPTOR_CLOSED && message.listener == 0;
    }
    return is_due ? 0 : fail("the certificate is not due", rounds);
}

int main(int argc, char **argv) {
    static struct acceptor_plan plan = {.most = 16, .tells = true};
    const size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    const struct rlimit limit = {MOST_OPEN, MOST_OPEN};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    struct acceptor_message ready;
    int acceptor, fd;
    forged_seed(argc > 2 ? strtoul(argv[2], NULL, 10) : 1);
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (!privileges_harden() || setrlimit(RLIMIT_NOFILE, &limit) < 0 ||
        bind(listener, (const struct sockaddr *)&address, length) < 0 || listen(listener, 8) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) < 0)
        return fail(strerror(errno), 0);
    const pid_t parent = getpid(), child = passed_descriptor_fork(SOCK_SEQPACKET, &acceptor);
    if (child == 0)
        acceptor_run(acceptor, parent, &plan);
    if (child < 0 || passed_descriptor_receive(acceptor, &ready, sizeof ready, &fd, 0) != (ssize_t)sizeof ready ||
        ready.reason[0] != '\0')
        return fail(child < 0 ? strerror(errno) : ready.reason, 0);
    const struct acceptor_order order = {.type = ACCEPTOR_LISTEN};
    if (!passed_descriptor_send(acceptor, &order, sizeof order, listener, 0))
        return fail("the acceptor takes no order", 0);
    close(listener);
    for (size_t round = 0; round < rounds; round++)
        if (play_round(acceptor, &address, round) != 0)
            return 1;
    if (finish(acceptor, rounds) != 0)
        return 1;
    printf("%zu rounds\n", rounds);
    return 0;
}
