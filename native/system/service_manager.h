/*
 * Tells a service manager how the program is, by the protocol of sd_notify(3): datagrams to the socket that the
 * environment names. The socket is connected at the start, because the filter of system calls allows no socket later.
 */
#ifndef NOUND_SERVICE_MANAGER_H
#define NOUND_SERVICE_MANAGER_H

#include "loop/loop.h"

struct service_manager;

/*
 * Connects to the socket of NOTIFY_SOCKET. If the environment has WATCHDOG_USEC for this process, a timer of the loop
 * feeds the watchdog from then on, twice as often as it asks for: a loop that is stuck does not feed it. Returns NULL
 * without a service manager, or if it cannot be reached, which standard error says.
 */
struct service_manager *service_manager_open(struct loop *loop);

/* Sends a state, such as "READY=1\nSTATUS=serving". A state that the manager does not take is lost. */
void service_manager_tell(struct service_manager *manager, const char *state);

/* Disconnects and frees. NULL is allowed. */
void service_manager_close(struct service_manager *manager);

#endif
