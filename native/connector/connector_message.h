/* The messages to the connector: its plan and questions; and its answers. */
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
    int64_t earliest;       /* a date that has passed, in s since 1970 */
    size_t count;           /* of targets */
    size_t tls_count;
    struct target targets[]; /* then the settings of TLS */
};

/* Returns the bytes of a plan with so many targets and settings of TLS. */
static inline size_t connector_plan_size(size_t count, size_t tls_count) {
    return sizeof(struct connector_plan) + count * sizeof(struct target) + tls_count * sizeof(struct tls_settings);
}

/* Returns the settings of TLS, which belong to the plan and may be changed if it may be. */
static inline struct tls_settings *connector_plan_tls(const struct connector_plan *plan) {
    return (struct tls_settings *)(plan->targets + plan->count);
}

_Static_assert(_Alignof(struct tls_settings) <= _Alignof(struct target), "settings of TLS may follow targets");

#endif
