/* What the harness does when something that must always hold does not: it says so and ends, which libFuzzer counts as a
 * crash. */
#ifndef NOUND_FUZZ_DEFECT_H
#define NOUND_FUZZ_DEFECT_H

#include <stdbool.h>

/* Ends the program with the sentence, unless it holds. */
void must(bool holds, const char *sentence);

/* The same, about a part of what the server sent. */
void must_in(bool holds, const char *sentence, const char *bytes, unsigned long length);

#endif
