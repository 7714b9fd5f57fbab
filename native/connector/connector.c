#define _GNU_SOURCE 1
#include "connector/connector.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/monotonic_clock.h"
#include "base/passed_descriptor.h"
#include "base/socket_send.h"
#include "connector/connector_process.h"
#include "helper/helper.h"

static int receive(int connector, struct connector_answer *answer, int *fd, int flags) {
    const ssize_t length = passed_descriptor_receive(connector, answer, sizeof *answer, fd, flags);
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return 0;
    if (length == (ssize_t)sizeof *answer) {
        answer->reason[sizeof answer->reason - 1] = '\0';
        return 1;
    }
    descriptor_close(*fd);
    *fd = -1;
    return -1;
}

int connector_take(int connector, struct connector_answer *answer, int *fd) {
    return receive(connector, answer, fd, MSG_DONTWAIT);
}

bool connector_ask(int connector, size_t target, uint32_t number, uint32_t time) {
    const struct connector_question question = {
        .target = (uint32_t)target, .number = number, .deadline = monotonic_clock() + time};
    return socket_send(connector, &question, sizeof question, 0) == (ssize_t)sizeof question;
}

int connector_start(const struct connector_plan *plan, struct sentence *reason) {
    struct connector_answer ready = {0};
    const size_t size = connector_plan_size(plan->count, plan->tls_count);
    int fd, connector = helper_start(KEEPER_CONNECTOR, plan, size, connector_run);
    if (connector < 0) {
        sentence_say(reason, "cannot start the connector: %s", strerror(errno));
        return -1;
    }
    if (receive(connector, &ready, &fd, 0) == 1 && ready.reason[0] == '\0')
        return connector;
    close(connector);
    sentence_say(reason, "cannot start the connector: %s", ready.reason[0] == '\0' ? "it has ended" : ready.reason);
    return -1;
}
