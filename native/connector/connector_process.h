/* What runs in the connector, and in the processes that it forks. */
#ifndef NOUND_CONNECTOR_PROCESS_H
#define NOUND_CONNECTOR_PROCESS_H

#include <sys/types.h>

#include "connector/connector_message.h"

/*
 * Runs the connector in a new process: closes all descriptors but `asker`, gives up its rights, sends an answer to
 * that effect, and answers questions until the asker is gone.
 * asker: the connector's end of the pair. parent: the process that has forked it, with which it ends. plan: a struct
 * connector_plan.
 */
_Noreturn void connector_run(int asker, pid_t parent, const void *plan);

/* As connector_run, with the plan in a file, which is mapped. Ends if the file holds no plan. */
void connector_run_plan(int asker, pid_t parent, int file);

#endif
