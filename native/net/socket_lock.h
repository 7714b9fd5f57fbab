/*
 * The lock on the path of a Unix socket: the file PATH.lock beside it, locked by flock(2) for as long as the program
 * listens there. Without it, two programs that find the same stale socket would each remove the other's new socket.
 */
#ifndef NOUND_SOCKET_LOCK_H
#define NOUND_SOCKET_LOCK_H

/*
 * Takes the lock. path: the socket's. Returns the lock's descriptor, or -1 with errno set: EWOULDBLOCK when another
 * program has it.
 */
int socket_lock_take(const char *path);

/*
 * Gives the lock back and removes its file, where that is allowed.
 * folder: a descriptor of the folder that `name`, the socket's, is in; or AT_FDCWD.
 */
void socket_lock_release(int lock, int folder, const char *name);

#endif
