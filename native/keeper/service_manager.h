/*
 * Tells a service manager how the program is, by the protocol of sd_notify(3): datagrams to the socket that the
 * environment names. The keeper does, because it is the process that the manager has started.
 */
#ifndef NOUND_SERVICE_MANAGER_H
#define NOUND_SERVICE_MANAGER_H

#include <stdint.h>

/* Connects to the socket of NOTIFY_SOCKET. Returns -1 without one, or if it cannot be reached, which standard error
 * says. */
int service_manager_open(void);

/* Sends a state, such as "READY=1\nSTATUS=serving". A state that the manager does not take is lost. fd: may be -1. */
void service_manager_tell(int fd, const char *state);

/* Returns ms between two feedings of the watchdog, half of what it allows; 0 if it is off or for another process. */
uint64_t service_manager_feeding_interval(void);

#endif
