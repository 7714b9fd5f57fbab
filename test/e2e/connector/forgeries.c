/*
 * The connector with a dial() that has been taken over, for some of its targets: it finds each socket that its process
 * has, and sends forged, doubled, truncated and other wrong messages by it, with descriptors of any kind. Asks for such
 * a target and for an honest one at once, and checks that each gets its own answer, and the honest one its connection.
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
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../native/forged-message.h"
#include "base/descriptor.h"
#include "connector/connector.h"

#define HONEST 0
#define ATTACKERS 3  /* targets 1 to 3 */
#define MOST_OPEN 64 /* descriptors of a process: if one is left open in each round, they run out */
#define GREETING "honest"
#define CONFIGURED_PORT 9

/* Returns one end of a pair, by which the greeting can be read. */
static int greet(int type) {
    int pair[2];
    if (socketpair(AF_UNIX, type, 0, pair) < 0 || send(pair[1], GREETING, sizeof GREETING, MSG_NOSIGNAL) < 0)
        return -1;
    return pair[0];
}

static void send_forgery(int fd) {
    struct {
        struct connector_answer answer;
        char more[64];
    } message = {0};
    const size_t lengths[] = {
        sizeof message.answer, sizeof message.answer, 0, forged_below(sizeof message), sizeof message};
    message.answer.target = forged_below(ATTACKERS + 2);
    message.answer.number = forged_below(1000);
    message.answer.peer.family = (uint16_t)forged_below(12);
    if (forged_below(2) == 0)
        memset(message.answer.reason, 'x', sizeof message.answer.reason);
    forged_send_any(fd, &message, lengths[forged_below(5)], greet);
}

int64_t dial_deadline(int64_t deadline) {
    return deadline;
}

int dial(const struct target *target, const int resolvers[FAMILIES], int64_t deadline, char reason[DIAL_REASON]) {
    (void)resolvers, (void)deadline;
    forged_vary();
    if (target->kind == TARGET_LOCAL && target->port == HONEST)
        return greet(SOCK_STREAM);
    forged_attack(MOST_OPEN, send_forgery);
    if (forged_below(4) == 0)
        _exit((int)forged_below(2));
    snprintf(reason, DIAL_REASON, "refused");
    return forged_below(2) == 0 ? -1 : forged_descriptor(greet);
}

static int fail(const char *what, size_t round) {
    fprintf(stderr, "round %zu: %s\n", round, what);
    return 1;
}

/* Takes the answers to the two questions of a round. */
static int take_answers(int connector, uint32_t attacker, uint32_t number, size_t round) {
    bool are_answered[ATTACKERS + 1] = {false};
    for (int count = 0; count < 2; count++) {
        struct pollfd file = {.fd = connector, .events = POLLIN};
        struct connector_answer answer;
        char greeting[sizeof GREETING] = "";
        int fd, type = 0;
        socklen_t length = sizeof type;
        if (poll(&file, 1, 60000) != 1 || connector_take(connector, &answer, &fd) != 1)
            return fail("a question has no answer", round);
        if ((answer.target != HONEST && answer.target != attacker) || answer.number != number ||
            are_answered[answer.target])
            return fail("an answer is to no question", round);
        are_answered[answer.target] = true;
        if (fd < 0 ? answer.reason[0] == '\0' : getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) < 0)
            return fail("an answer has neither a connection nor a reason", round);
        if (fd >= 0 && type != SOCK_STREAM)
            return fail("the descriptor is no connection", round);
        if (answer.target == HONEST &&
            (fd < 0 || read(fd, greeting, sizeof greeting) < 0 || strcmp(greeting, GREETING) != 0))
            return fail(fd < 0 ? answer.reason : "the honest target has no greeting", round);
        descriptor_close(fd);
    }
    return 0;
}

int main(int argc, char **argv) {
    const size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    const struct rlimit limit = {.rlim_cur = MOST_OPEN, .rlim_max = MOST_OPEN};
    struct sentence reason = {0};
    struct connector_plan *plan = calloc(1, connector_plan_size(ATTACKERS + 1, 0));
    if (!plan || setrlimit(RLIMIT_NOFILE, &limit) < 0 || !privileges_harden())
        return fail(strerror(errno), 0);
    forged_seed(argc > 2 ? strtoul(argv[2], NULL, 10) : 1);
    plan->count = ATTACKERS + 1;
    plan->targets[HONEST] = (struct target){.kind = TARGET_LOCAL, .port = HONEST};
    for (size_t i = 1; i <= ATTACKERS; i++)
        plan->targets[i] = (struct target){
            .kind = i == ATTACKERS ? TARGET_LOCAL : TARGET_NUMERIC, .host = "127.0.0.1", .port = CONFIGURED_PORT};
    const int connector = connector_start(plan, &reason);
    free(plan);
    if (connector < 0)
        return fail(reason.text, 0);
    for (size_t round = 1; round <= rounds; round++) {
        const uint32_t attacker = 1 + forged_below(ATTACKERS), number = (uint32_t)round;
        if (!connector_ask(connector, attacker, number, 1000) || !connector_ask(connector, HONEST, number, 1000))
            return fail("the connector takes no question", round);
        if (take_answers(connector, attacker, number, round) != 0)
            return 1;
    }
    printf("%zu rounds\n", rounds);
    return 0;
}
