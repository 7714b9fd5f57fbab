/*
 * The fuzz target for the messages between nound's processes, from the less trusted side: what the acceptor takes from
 * the process of a connection and from the process with the nouns, what the keeper takes from the latter, and what the
 * connector takes from it, from the process of a connection and from one that asks for a name. An input is a list of
 * messages: two bytes choose the receiver, the kind of descriptors and the length, then come the bytes.
 * NOUND_FUZZ_CHOICE is the number of the only receiver.
 *
 * After each input an honest connection must still come through, and no descriptor may be left. Nothing is forked, and
 * no signal is sent.
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>

#include "../e2e/native/forged-message.h"
#include "defect.h"
#include "fuzz-connector.h"

/* Both have functions of these names. */
#define find_place find_place_for_connection
#define reap reap_connections
#define take_message take_message_of_connection
#include "acceptor/acceptor_process.c"
#undef find_place
#undef reap
#undef take_message
#include "keeper/keeper_process.c"

#define MOST_MESSAGES 64
#define RECEIVERS 6

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
pid_t __wrap_fork(void);
int __wrap_kill(pid_t process, int signal);
void __wrap_log_output_print(const char *format, ...);

pid_t __wrap_fork(void) {
    if (fuzz_connector_forks)
        return 1;
    errno = EAGAIN;
    return -1;
}

int __wrap_kill(pid_t process, int signal) {
    (void)process, (void)signal;
    return 0;
}

void __wrap_log_output_print(const char *format, ...) {
    (void)format;
}

/* ---- In place of native/tls/tls_server.c, of which no code is reached ---- */

bool tls_server_open(const struct tls_server_settings *settings, const struct account *account, bool makes,
                     struct tls_server_facts *facts, struct sentence *reason) {
    (void)settings, (void)account, (void)makes, (void)facts, (void)reason;
    return false;
}

bool tls_server_must_renew(int64_t renewal) {
    (void)renewal;
    return false;
}

bool tls_server_begin(struct sentence *reason) {
    (void)reason;
    return false;
}

void tls_server_ask(bool asks) {
    (void)asks;
}

bool tls_server_renew_tickets(void) {
    return true;
}

bool tls_server_handshake(int peer, int64_t deadline, struct sentence *reason) {
    (void)peer, (void)deadline, (void)reason;
    return false;
}

bool kernel_tls_exists(void) {
    return false;
}

enum kernel_tls tls_server_pass_to_kernel(uint32_t *refused) {
    (void)refused;
    return KERNEL_TLS_REFUSED;
}

bool tls_server_client_key(uint8_t hash[TLS_HASH_BYTES]) {
    (void)hash;
    return false;
}

void tls_server_copy(int own, const volatile bool *is_wanted) {
    (void)own, (void)is_wanted;
}

/* ---- The target ---- */

static const struct acceptor_plan plan = {.most = 8, .tells = true};
static struct watch watch;

static size_t count_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    size_t count = 0;
    must(folder != NULL, "there is no /proc");
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void make_pair(int type, int pair[2]) {
    must(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) == 0, "there is no pair of sockets");
}

/* Returns a descriptor of one of several kinds, or -1. */
static int any_descriptor(unsigned kind) {
    int pair[2];
    switch (kind % 6) {
    case 0:
        return -1;
    case 1:
    case 2:
        make_pair(kind % 6 == 1 ? SOCK_STREAM : SOCK_SEQPACKET, pair);
        close(pair[1]);
        return pair[0];
    case 3:
        return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    case 4:
        return memfd_create("nound-fuzz", MFD_CLOEXEC);
    default:
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
}

/* Sends bytes, with up to three descriptors. */
static void send_message(int fd, const uint8_t *bytes, size_t length, unsigned kinds) {
    int passed[MOST_PASSED];
    size_t count = 0;
    for (const size_t wanted = kinds / 6 % (MOST_PASSED + 1);
         count < wanted && (passed[count] = any_descriptor(kinds)) >= 0;)
        count++;
    forged_send(fd, bytes, length, passed, count);
}

/* Puts a connection in a place, as after accept(2). Returns its process's end of the pair. */
static int begin_handshake(size_t number, uint16_t port) {
    int pair[2], peer[2], plain[2];
    make_pair(SOCK_SEQPACKET, pair);
    make_pair(SOCK_STREAM, peer);
    make_pair(SOCK_STREAM, plain);
    close(peer[1]);
    close(plain[1]);
    acceptor.places.all[number] = (struct place){.process = 1,
                                                 .end = pair[0],
                                                 .peer = peer[0],
                                                 .plain = plain[0],
                                                 .listener = 0,
                                                 .from = {.family = AF_INET, .port = port},
                                                 .number = acceptor.accepted++};
    return pair[1];
}

/* What the process with the nouns has received must concern those clients, once each. Returns those that it has. */
static unsigned read_told(int nouns) {
    struct acceptor_message message;
    unsigned told = 0;
    int fd;
    ssize_t length;
    while ((length = passed_descriptor_receive(nouns, &message, sizeof message, &fd, MSG_DONTWAIT)) > 0) {
        must(length == (ssize_t)sizeof message, "a message is passed on that is none");
        if (message.type == ACCEPTOR_CONNECTION || message.type == ACCEPTOR_REFUSED) {
            must(message.listener == 0 && (message.peer.port == 1 || message.peer.port == 2),
                 "another client is named");
            must((message.type == ACCEPTOR_CONNECTION) == (fd >= 0), "a descriptor is missing, or too many");
            must(!(told & 1U << message.peer.port), "a client is named twice");
            told |= 1U << message.peer.port;
        } else {
            must(message.type == ACCEPTOR_CLOSED && fd < 0, "a message is of another type");
        }
        descriptor_close(fd);
    }
    return told;
}

/* Sends the honest message, which must come through. */
static void end_honestly(int process, int nouns) {
    const struct acceptor_message message = {.type = ACCEPTOR_CONNECTION};
    must(passed_descriptor_send(process, &message, sizeof message, -1, 0), "the honest message cannot be sent");
    take_message_of_connection(&plan, &acceptor.places.all[1]);
    must(read_told(nouns) & 1U << 2, "the honest connection is lost");
}

static void forget_kept(void) {
    for (size_t i = 0; i < keeper.places; i++)
        if (keeper.kept[i].born != 0)
            descriptor_close(keeper.kept[i].fd);
    keeper.places = 0;
    for (size_t i = 0; i < KEEPER_HELPERS; i++) {
        descriptor_close(watch.helpers[i].plan);
        watch.helpers[i].plan = -1;
    }
}

/* The keeper ends the channel after a wrong message. Another process with the nouns has another one. */
static int open_channel(void) {
    int pair[2];
    make_pair(SOCK_SEQPACKET, pair);
    descriptor_close(keeper.link);
    keeper.link = pair[0];
    watch.is_ready = false;
    return pair[1];
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    for (size_t i = 0; i < MOST_LISTENERS; i++)
        acceptor.listeners[i] = -1;
    places_open(&acceptor.places);
    keeper.link = keeper.left = -1;
    keeper.generation = 1;
    watch = (struct watch){.signals = -1, .manager = -1, .program = -1, .trial = {.previous = -1}};
    for (unsigned i = 0; i < KEEPER_HELPERS; i++)
        watch.helpers[i] = (struct keeper_helper){.kind = (enum keeper_helper_kind)i, .plan = -1};
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    int orders[2];
    const char *only = getenv("NOUND_FUZZ_CHOICE");
    const size_t before = count_descriptors();
    make_pair(SOCK_SEQPACKET, orders);
    acceptor.asker = orders[0];
    const int forger = begin_handshake(0, 1), honest = begin_handshake(1, 2);
    int server = open_channel();
    fuzz_connector_begin(size > 0 ? bytes[0] / RECEIVERS : 0);
    for (size_t count = 0; size >= 2 && count < MOST_MESSAGES; count++) {
        const unsigned kinds = bytes[0] / RECEIVERS;
        size_t length = (size_t)bytes[1] * 4;
        const uint8_t receiver = only ? (uint8_t)atoi(only) : bytes[0] % RECEIVERS;
        bytes += 2;
        size -= 2;
        length = length < size ? length : size;
        if (receiver == 0) {
            send_message(forger, bytes, length, kinds);
        } else if (receiver == 1) {
            send_message(orders[1], bytes, length, kinds);
            (void)take_order();
            (void)tell_closed();
        } else if (receiver == 2) {
            send_message(server, bytes, length, kinds);
            (void)take_message(&watch);
            if (keeper.link < 0) {
                close(server);
                server = open_channel();
            }
        } else if (receiver == 3) {
            send_message(fuzz_connector_asker(), bytes, length, kinds);
            fuzz_connector_forks = kinds % 2 == 1;
            fuzz_connector_take_question();
            fuzz_connector_forks = false;
        } else if (receiver == 4) {
            send_message(fuzz_connector_forger(), bytes, length, kinds);
        } else {
            send_message(fuzz_connector_resolver(), bytes, length, kinds);
            fuzz_connector_take_resolved();
        }
        bytes += length;
        size -= length;
    }
    fuzz_connector_end();
    if (place_is_handshaking(&acceptor.places.all[0]))
        take_message_of_connection(&plan, &acceptor.places.all[0]);
    /* An order may end all handshakes of a listener, and nothing else may. */
    if (place_is_handshaking(&acceptor.places.all[1]))
        end_honestly(honest, orders[1]);
    (void)read_told(orders[1]);
    for (size_t i = 0; i < MOST_LISTENERS; i++) {
        close_listener(i, false);
        acceptor.are_closing[i] = false;
    }
    acceptor.places.all[0] = acceptor.places.all[1] = (struct place){.peer = -1, .plain = -1, .end = -1};
    acceptor.has_listened = acceptor.waits = acceptor.is_blocked = false;
    forget_kept();
    close(forger);
    close(honest);
    close(server);
    close(keeper.link);
    keeper.link = -1;
    close(orders[0]);
    close(orders[1]);
    must(count_descriptors() == before, "a descriptor is left open");
    return 0;
}
