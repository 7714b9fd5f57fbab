/* The kernel's messages about devices that come, go and change (netlink(7), NETLINK_KOBJECT_UEVENT). */
#ifndef NOUND_UEVENTS_H
#define NOUND_UEVENTS_H

#include <stddef.h>
#include <sys/types.h>

#define UEVENT_SIZE 4096 /* bytes: UEVENT_BUFFER_SIZE of the kernel, and the head before it */

/* Returns a socket that gets the messages from now on, or -1 with errno set. */
int uevents_open(void);

/* Takes a message of the kernel: lines that end in NUL. Returns its bytes; 0 without a message; -1 with errno set. */
ssize_t uevents_take(int fd, char *message, size_t size);

#endif
