/* What the connector is told: its plan, and questions; and its answers. */
#ifndef NOUND_CONNECTOR_MESSAGE_H
#define NOUND_CONNECTOR_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "connector/dial.h"
#include "connector/target.h"
#include "guard/privileges.h"
#include "net/net_address.h"

#define MOST_DIALS 8 /* connections under way at once */

/* A question to the connector. */
struct connector_question {
    uint32_t target;
    int64_t deadline; /* ms on CLOCK_MONOTONIC */
};

/* Its answer: a descriptor is with it if the reason is empty. */
struct connector_answer {
    uint32_t target;
    char reason[DIAL_REASON];
    struct net_endpoint peer; /* of the connection */
};

/* What the connector gets from the process that forks it. It points to nothing on the stack, which is released. */
struct connector_plan {
    const struct target *targets;
    size_t count;
    const struct account *account; /* what it becomes, if one is chosen */
};

#endif
