/* The stack of the first thread. */
#ifndef NOUND_STACK_H
#define NOUND_STACK_H

#include <stdbool.h>

/*
 * Reserves the address space of the whole stack, while an error message is possible. Later, at a limit (RLIMIT_AS), a
 * stack that cannot grow would end the process with SIGSEGV. Prints a failure and returns false.
 */
bool stack_reserve(void);

/* Releases the pages below the caller, which deeper calls have used. */
void stack_release(void);

#endif
