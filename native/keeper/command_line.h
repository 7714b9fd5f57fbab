/* What the keeper reads of a command line, and changes in that of a check. */
#ifndef NOUND_COMMAND_LINE_H
#define NOUND_COMMAND_LINE_H

#include <stdbool.h>

/* Returns whether a command line may serve: it neither asks for help nor for a check. */
bool command_line_serves(int argc, char **argv);

/*
 * Inserts --check where the program that serves reads its own options: behind the -- of `--run FILE --`. The new words
 * are allocated, for the life of the process. Returns false when there is no memory.
 */
bool command_line_ask_for_check(int *argc, char ***argv);

#endif
