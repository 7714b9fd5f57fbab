/* Promises that were rejected and that nobody has handled so far. They are judged at the end of the loop's turn. */
#ifndef NOUND_REJECTION_H
#define NOUND_REJECTION_H

#include "runtime.h"

/* Begins to collect. */
void rejection_track(struct runtime *runtime);

/* Tells the handler of what is still unhandled, or drops it silently when there is none. */
void rejection_report(struct runtime *runtime);

/* Drops what was collected. */
void rejection_clear(struct runtime *runtime);

#endif
