/* The program: the engine with the C modules of all rooms, and the loop. */
#ifndef NOUND_PROGRAM_H
#define NOUND_PROGRAM_H

#include "engine/runtime.h"

/*
 * Returns a runtime with its loop and the C modules, or NULL when there is no memory or no epoll.
 * argc, argv: main's; they must outlive the runtime.
 */
struct runtime *program_create(int argc, char **argv);

/* Runs one turn of the loop. Returns false, without waiting, when it has ended. */
bool program_turn(struct runtime *runtime);

/* Runs the loop until it ends. Returns the exit status of the process. */
int program_run(struct runtime *runtime);

/* Closes and frees everything. */
void program_free(struct runtime *runtime);

#endif
