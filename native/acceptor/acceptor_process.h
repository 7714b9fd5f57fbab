/*
 * What runs in the acceptor, and in the processes that it forks. The acceptor has the listening sockets of https and
 * the certificate's key. It reads no byte of a client: a process of its own does so for each connection, from the
 * handshake to the end. Where the kernel has TLS (tls/kernel_tls.h), that process ends after the handshake.
 */
#ifndef NOUND_ACCEPTOR_PROCESS_H
#define NOUND_ACCEPTOR_PROCESS_H

#include <sys/types.h>

#include "acceptor/acceptor_message.h"

/*
 * Runs the acceptor in a new process: reads the certificate, gives up its rights, sends a message to that effect, and
 * accepts connections until the asker is gone.
 * asker: the acceptor's end of the pair. parent: the process that has forked it, with which it ends. plan: a struct
 * acceptor_plan.
 */
_Noreturn void acceptor_run(int asker, pid_t parent, const void *plan);

/* Reads the certificate in a new process, whose memory ends with it; sends what it is, or what is wrong; and ends. */
_Noreturn void acceptor_inspect(int asker, const struct acceptor_plan *plan);

/* As acceptor_run, with the plan in a file, which is mapped. Ends if the file holds no plan. */
void acceptor_run_plan(int asker, pid_t parent, int file);

#endif
