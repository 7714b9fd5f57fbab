/* What the connector is told: its plan, and questions; and its answers. */
#ifndef NOUND_CONNECTOR_MESSAGE_H
#define NOUND_CONNECTOR_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "connector/dial.h"
#include "connector/target.h"
#include "guard/privileges.h"
#include "net/net_address.h"
#include "tls/tls_settings.h"

#define MOST_DIALS 8 /* connections under way at once */

/* A question to the connector. */
struct connector_question {
    uint32_t target;
    uint32_t number;  /* its answer has it */
    int64_t deadline; /* ms on CLOCK_MONOTONIC */
};

#define NO_TARGET UINT32_MAX /* of the answer that the connector begins with */

/* Its answer: a descriptor is with it if the reason is empty. */
struct connector_answer {
    uint32_t target;
    uint32_t number; /* that of the question */
    char reason[DIAL_REASON];
    struct net_endpoint peer; /* of the connection */
};

/* What the connector may do. It is in no memory that the connector releases, such as the stack of its parent. */
struct connector_plan {
    struct account account; /* what it becomes, if one is chosen */
    size_t count;
    struct target targets[MOST_TARGETS];
    int64_t earliest; /* a date that has passed, in s since 1970 */
    size_t tls_count;
    struct tls_settings tls[]; /* those of targets */
};

/* Returns the bytes of a plan with so many settings of TLS. */
static inline size_t connector_plan_size(size_t tls_count) {
    return sizeof(struct connector_plan) + tls_count * sizeof(struct tls_settings);
}

#endif
