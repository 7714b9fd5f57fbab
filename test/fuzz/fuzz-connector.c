/*
 * The part of the fuzz target for processes that concerns the connector: the questions of the process with the nouns,
 * the one message of the process of a connection, and what a process that asks for a name has found.
 */
#define _GNU_SOURCE 1
#include "fuzz-connector.h"

#include "connector/connector.h"
#include "defect.h"

#define take_message take_message_of_connector
#include "connector/connector_process.c"
#include "connector/dial.c"
#undef take_message

#define FORGED 7 /* numbers of questions */
#define HONEST 8
#define TARGETS 3 /* one by its address, a local one, an encrypted one */

bool fuzz_connector_forks;

static struct connector_process process;
static union {
    struct connector_plan plan;
    char bytes[sizeof(struct connector_plan) + TARGETS * sizeof(struct target)];
} given;
static struct dialing dialing;
static int asker, forger, honest, resolver;
/* The answers to the questions of the two connections. */
static unsigned answers[2];

static void make_pair(int type, int pair[2]) {
    must(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) == 0, "there is no pair of sockets");
}

/* Puts a connection in a place, as after fork(2). Returns its process's end of the pair. */
static int begin(struct place *place, uint32_t target, uint32_t number) {
    int pair[2], plain[2] = {-1, -1};
    make_pair(SOCK_SEQPACKET, pair);
    if (given.plan.targets[target].tls > 0) {
        make_pair(SOCK_STREAM, plain);
        close(plain[1]);
    }
    *place = (struct place){
        .process = 1, .end = pair[0], .plain = plain[0], .question = {.target = target, .number = number}};
    return pair[1];
}

void fuzz_connector_begin(unsigned target) {
    int pair[2];
    const enum target_kind kinds[TARGETS] = {TARGET_NUMERIC, TARGET_LOCAL, TARGET_NUMERIC};
    given.plan.count = TARGETS;
    for (size_t i = 0; i < TARGETS; i++)
        given.plan.targets[i] = (struct target){.kind = kinds[i], .host = "127.0.0.1", .port = 9, .tls = i == 2};
    make_pair(SOCK_SEQPACKET, pair);
    process = (struct connector_process){.asker = pair[0], .signals = -1};
    asker = pair[1];
    for (size_t i = 0; i < MOST_CONNECTIONS; i++)
        places[i] = (struct place){.end = -1, .plain = -1};
    forger = begin(&places[0], target % TARGETS, FORGED);
    honest = begin(&places[1], 1, HONEST);
    answers[0] = answers[1] = 0;
    make_pair(SOCK_SEQPACKET, pair);
    resolver = pair[1];
    dialing = (struct dialing){.target = &given.plan.targets[0], .files = {{.fd = pair[0]}, {.fd = -1}}};
}

int fuzz_connector_asker(void) {
    return asker;
}

int fuzz_connector_forger(void) {
    return forger;
}

int fuzz_connector_resolver(void) {
    return resolver;
}

/* Each answer is whole, is for a question, and has a connection or a reason. */
static void read_answers(void) {
    struct connector_answer answer;
    int fd, told;
    while ((told = connector_take(asker, &answer, &fd)) > 0) {
        must((answer.reason[0] == '\0') == (fd >= 0), "an answer has no connection and no reason, or both");
        must(answer.target < TARGETS, "an answer is for no target");
        must(memchr(answer.reason, '\0', sizeof answer.reason) != NULL, "a reason does not end");
        if (answer.number == FORGED || answer.number == HONEST)
            answers[answer.number - FORGED]++;
        descriptor_close(fd);
    }
    must(told == 0, "an answer is no answer");
}

void fuzz_connector_take_question(void) {
    struct place *free_place = NULL;
    for (size_t i = 2; i < MOST_CONNECTIONS; i++)
        if (places[i].process == 0)
            free_place = &places[i];
    if (free_place)
        (void)take_question(&process, &given.plan, free_place);
    read_answers();
}

void fuzz_connector_take_resolved(void) {
    if (dialing.files[0].fd >= 0)
        take_resolved(&dialing, 0);
    must(dialing.untried[0].count <= MOST_ADDRESSES, "there are more addresses than room");
}

/* The process of each connection has ended, most of them without a message. */
void fuzz_connector_end(void) {
    static const struct connector_answer message = {0};
    int pair[2];
    if (forger >= 0)
        close(forger);
    for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
        if (i == 1 || places[i].end < 0)
            continue;
        conclude(&process, &given.plan, &places[i]);
        read_answers();
    }
    const unsigned before = answers[1]; /* a forged question may have its number */
    make_pair(SOCK_STREAM, pair);
    must(passed_descriptor_send(honest, &message, sizeof message, pair[0], 0), "the honest message cannot be sent");
    close(pair[0]);
    conclude(&process, &given.plan, &places[1]);
    read_answers();
    must(answers[0] >= 1, "the forged connection has no answer");
    must(answers[1] == before + 1, "the honest connection is lost");
    close(pair[1]);
    close(honest);
    close(resolver);
    descriptor_close(dialing.files[0].fd);
    close(process.asker);
    close(asker);
}
