/* What the keeper reads of a command line, and changes in that of a check. */
#ifndef NOUND_COMMAND_LINE_H
#define NOUND_COMMAND_LINE_H

#include <stdbool.h>

/* Returns whether a command line may serve: it asks for nothing else, such as help or a check. */
bool command_line_serves(int argc, char **argv);

/* Returns the words with --check as the first option, for free(3), or NULL when there is no memory. argc: is set to
 * their number. */
char **command_line_of_check(int *argc, char **argv);

#endif
