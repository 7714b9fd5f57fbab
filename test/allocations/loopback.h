/*
 * Waits for the loopback interface. The kernel delivers most packets over it before send(2) returns, but not all: on a
 * busy machine a thread of the kernel's own does so later.
 */
#ifndef NOUND_LOOPBACK_H
#define NOUND_LOOPBACK_H

/* Keeps this process on one processor, the n-th that it may use: there the kernel delivers packets in their order. */
void loopback_prepare(unsigned long n);

/* Returns when each packet that was sent before has been delivered, and those that the kernel sent in answer. */
void loopback_wait(void);

#endif
