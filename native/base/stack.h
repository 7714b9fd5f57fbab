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

/*
 * Releases the pages of the callers of a function that never returns. What they hold must not be used after it.
 * frame: that function's __builtin_frame_address(0). Its frame is not longer than this.
 */
#define STACK_LONGEST_FRAME 2048 /* bytes */
void stack_release_callers(const void *frame);

#endif
