/* Promises that were rejected and that nobody has handled so far. They are judged at the end of the loop's turn. */
#ifndef NOUND_REJECTION_H
#define NOUND_REJECTION_H

#include "runtime.h"

/* Begins to collect. */
void rejection_track(struct runtime *runtime);

/*
 * Has each promise remember the guarded call that makes it, so that the handler is told of that call, too. It costs
 * each promise that is made in such a call a property. Returns false with an exception when there is no memory.
 */
bool rejection_mark(struct runtime *runtime);

/* Tells the handler of what is still unhandled, or drops it silently without a handler. */
void rejection_report(struct runtime *runtime);

/* Drops what was collected. */
void rejection_clear(struct runtime *runtime);

#endif
