/* Promises that were rejected and that nothing has handled so far. They are checked at the end of the loop's turn. */
#ifndef NOUND_REJECTION_H
#define NOUND_REJECTION_H

#include "engine/runtime_state.h"

/* Begins to collect. */
void rejection_track(struct runtime *runtime);

/*
 * Makes each promise remember the guarded call that made it, so that the handler is told of that call, too. Each
 * promise that is made in such a call gets a property for that. Returns false with an exception when there is no
 * memory.
 */
bool rejection_mark(struct runtime *runtime);

/* Tells the handler of what is still unhandled, or drops it silently without a handler. */
void rejection_report(struct runtime *runtime);

/* Drops what was collected. */
void rejection_clear(struct runtime *runtime);

#endif
