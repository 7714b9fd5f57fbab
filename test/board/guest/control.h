/* The test's hand inside the guest: a TCP port that runs programs, sends signals, reads and writes files. */
#ifndef NOUND_BOARD_CONTROL_H
#define NOUND_BOARD_CONTROL_H

/* Listens on all addresses. Returns the listening socket, or -1 with errno. */
int control_listen(unsigned short port);

/* Serves commands for ever, each connection in a process of its own. */
_Noreturn void control_serve(int listener);

#endif
