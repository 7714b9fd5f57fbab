/*
 * Ends endless loops of nouns. The engine asks now and then whether to interrupt the running code. Only a noun's code
 * is interrupted: what runs between interruption_enter and interruption_leave, once it has used the processor for too
 * long. That is each call through interruption_call, each job of promises, each callback of a line or a serial device,
 * and a start. nound's own code is never interrupted, because its objects would stay as they are at that moment.
 *
 * No `catch` and no `finally` of the script delays an interruption: it ends at interruption_call as an ordinary error,
 * or else ends the whole call from the loop.
 *
 * The limit counts processor time, because a noun may wait for a slow flash memory, and a busy machine is not its
 * fault.
 */
#ifndef NOUND_INTERRUPTION_H
#define NOUND_INTERRUPTION_H

#include "engine/runtime_state.h"

/* Makes the engine ask. Until a limit is set, only a start that never ends is interrupted. */
void interruption_watch(struct runtime *runtime);

/* Sets the limit: ms of processor time. It is in force while the loop runs; a start has a limit of its own. */
void interruption_set_limit(struct runtime *runtime, uint32_t limit);

/* Begins code of a noun. Returns the argument for interruption_leave after that code. */
static inline struct busy interruption_enter(struct runtime *runtime) {
    struct busy outer = runtime->busy;
    runtime->busy = (struct busy){.is_guarded = true};
    return outer;
}

static inline void interruption_leave(struct runtime *runtime, struct busy outer) {
    runtime->busy = outer;
}

/* Restarts the count. */
static inline void interruption_restart(struct runtime *runtime) {
    runtime->busy.since = 0;
}

/* Calls a function of a noun. An interruption is thrown as an ordinary error, which interruption_is recognizes. */
JSValue interruption_call(struct runtime *runtime, JSValueConst function, int argc, JSValueConst *argv);

/*
 * Calls a function of nound from where a noun's code may be running. It is not interrupted, and the noun's count leaves
 * out its time.
 */
JSValue interruption_exempt(struct runtime *runtime, JSValueConst function, int argc, JSValueConst *argv);

/*
 * To be called between two jobs of the queue. The engine makes a rejection of an interruption that comes while a
 * promise adopts another, and an endless chain of promises goes on. It asks after a fixed number of calls, so it may
 * meet the chain at that same point each time. This function makes a few calls, so that it meets another point.
 */
void interruption_persist(struct runtime *runtime);

/* Turns a caught error into an ordinary one, if it is an interruption. Returns whether it is. */
bool interruption_tame(struct runtime *runtime, JSValueConst error);

/* Returns whether this is the error of the last interruption, which is made an ordinary one if it is not yet. */
bool interruption_is(struct runtime *runtime, JSValueConst error);

#endif
