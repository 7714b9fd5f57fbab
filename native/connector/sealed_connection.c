#define _GNU_SOURCE 1
#include "connector/sealed_connection.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/passed_descriptor.h"
#include "base/stack.h"
#include "connector/dial.h"
#include "guard/seccomp.h"
#include "tls/tls_client.h"

/* The open files of each settings. */
static struct tls_files files[MOST_TARGETS];

/* Why the files of the settings cannot be used, or NULL. They live as long as the process. */
static const char *refusals[MOST_TARGETS];

bool sealed_connection_open(const struct connector_plan *plan, struct sentence *reason) {
    for (size_t i = 0; i < plan->tls_count; i++) {
        struct sentence refusal = {0};
        if (tls_files_open(&files[i], &connector_plan_tls(plan)[i], plan->account.user, &refusal))
            continue;
        const char *copy = strdup(refusal.text);
        refusals[i] = copy ? copy : "cannot use the files of TLS: there is no memory";
        if (reason->length == 0)
            sentence_say(reason, "%s", refusals[i]);
    }
    return reason->length == 0;
}

void sealed_connection_close(const struct connector_plan *plan) {
    for (size_t i = 0; i < plan->tls_count; i++)
        tls_files_close(&files[i]);
}

/* Ends the process, with the ends of all certificates in the pipe, or the reason if something is wrong. */
static _Noreturn void check(const struct connector_plan *plan, int pipe) {
    struct sentence reason = {0};
    struct tls_ends ends[MOST_TARGETS];
    bool are_right = seccomp_restrict(&seccomp_tls, &reason);
    for (size_t i = 0; are_right && i < plan->tls_count; i++)
        are_right = tls_files_check(&files[i], &connector_plan_tls(plan)[i], &ends[i], &reason);
    const void *text = are_right ? (const void *)ends : reason.text;
    const size_t length = are_right ? plan->tls_count * sizeof ends[0] : reason.length;
    if (send(pipe, text, length, MSG_NOSIGNAL) < 0)
        _exit(2);
    _exit(are_right ? 0 : 1);
}

bool sealed_connection_check(const struct connector_plan *plan, struct tls_ends *ends, struct sentence *reason) {
    int pipe, how = -1;
    if (plan->tls_count == 0)
        return true;
    const pid_t child = passed_descriptor_fork(SOCK_STREAM, &pipe);
    if (child == 0)
        check(plan, pipe);
    if (child < 0) {
        sentence_say(reason, "cannot check the files of TLS: %s", strerror(errno));
        return false;
    }
    const bool has_ended = waitpid(child, &how, 0) == child;
    const size_t whole = plan->tls_count * sizeof *ends;
    if (how == 0 && recv(pipe, ends, whole, MSG_DONTWAIT) != (ssize_t)whole)
        memset(ends, 0, whole);
    if (how != 0) {
        const ssize_t length = recv(pipe, reason->text, sizeof reason->text - 1, MSG_DONTWAIT);
        reason->length = has_ended && length > 0 ? (size_t)length : 0;
        reason->text[reason->length] = '\0';
        if (reason->length == 0)
            sentence_say(reason, "cannot check the files of TLS: the process that checks has ended");
    }
    close(pipe);
    return how == 0;
}

/* Makes the connection and encrypts it. Returns NULL with the reason. */
static struct tls_client *seal(const struct connector_plan *plan, const struct target *target,
                               const int resolvers[FAMILIES], int64_t deadline, struct net_endpoint *peer,
                               struct sentence *reason) {
    const struct tls_settings *settings = &connector_plan_tls(plan)[target->tls - 1];
    char refusal[DIAL_REASON];
    if (refusals[target->tls - 1]) {
        sentence_say(reason, "%s", refusals[target->tls - 1]);
        return NULL;
    }
    const int fd = dial(target, resolvers, deadline, refusal);
    if (fd < 0) {
        sentence_say(reason, "%s", refusal);
        return NULL;
    }
    *peer = net_endpoint_of_peer(fd);
    struct tls_client *client =
        tls_client_prepare(&files[target->tls - 1], settings, target->host, plan->earliest, reason);
    tls_files_close(&files[target->tls - 1]);
    /* From here on, bytes of a stranger are read. */
    const bool is_sealed =
        client && seccomp_restrict(&seccomp_tls, reason) && tls_client_connect(client, fd, deadline, reason);
    return is_sealed ? client : NULL;
}

_Noreturn void sealed_connection_run(int connector, int own, const struct connector_plan *plan,
                                     const struct target *target, const int resolvers[FAMILIES], int64_t deadline) {
    struct connector_answer answer = {0};
    struct sentence reason = {0};
    if (!seccomp_restrict(&seccomp_dial, &reason))
        _exit(1);
    struct tls_client *client = seal(plan, target, resolvers, deadline, &answer.peer, &reason);
    snprintf(answer.reason, sizeof answer.reason, "%.*s", (int)sizeof answer.reason - 1, client ? "" : reason.text);
    const bool is_told = passed_descriptor_send(connector, &answer, sizeof answer, -1, 0);
    if (!is_told || !client)
        _exit(is_told ? 0 : 1);
    close(connector);
    stack_release(); /* of the handshake */
    tls_client_copy(client, own);
    _exit(0);
}
