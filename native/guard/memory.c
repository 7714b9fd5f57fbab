#include "guard/memory.h"

#include <stdlib.h>

#include "base/owner.h"
#include "engine/engine_heap.h"
#include "engine/quota.h"
#include "loop/loop.h"

#define COLLECTION_INTERVAL 1000 /* ms between two collections while memory is scarce */
#define CLEANING_DELAY 2000      /* ms to wait for a collection once that much more is in use */
#define CLEANING_GROWTH ((size_t)512 * 1024)

struct memory {
    struct runtime *runtime;
    size_t limit;              /* bytes the script may have, or 0 */
    uint64_t collected;        /* ms on CLOCK_MONOTONIC when a collection was last asked for here, or 0 */
    size_t left;               /* bytes that were in use after it */
    struct loop_timer cleaner; /* runs while more has come into use than before */
};

/* Bytes in use from which memory is scarce. */
static size_t mark(const struct runtime *runtime) {
    size_t limit = runtime->memory->limit;
    return limit > 0 ? limit - limit / 4 : SIZE_MAX;
}

/* Sets the alarm for the moment when the cleaner must start, or when memory becomes scarce. */
static void set_alarm(struct runtime *runtime) {
    size_t growth = runtime->quota->used + CLEANING_GROWTH;
    bool is_cleaning = runtime->memory->cleaner.place != 0;
    runtime->quota->alarm = is_cleaning || growth > mark(runtime) ? mark(runtime) : growth;
}

void memory_collect(struct runtime *runtime) {
    JS_RunGC(runtime->engine);
    engine_heap_give_back(runtime->heap);
    runtime->memory->left = runtime->quota->used;
    runtime->memory->collected = loop_clock();
    JS_SetGCThreshold(runtime->engine, runtime->memory->left + runtime->memory->left / 2);
}

/* Leaves it to the engine, which sets its threshold by what is left. */
static void ask_for_collection(struct runtime *runtime) {
    runtime->memory->left = 0;
    runtime->memory->collected = loop_clock();
    JS_SetGCThreshold(runtime->engine, 0);
}

static bool is_asked_for(const struct runtime *runtime) {
    return JS_GetGCThreshold(runtime->engine) == 0;
}

/* Returns whether the last collection made room, so that another one is worth its time at once. */
static bool has_made_room(const struct runtime *runtime) {
    size_t left = runtime->memory->left > 0 ? runtime->memory->left : JS_GetGCThreshold(runtime->engine) / 3 * 2;
    return left < mark(runtime) - mark(runtime) / 8;
}

static bool may_collect(const struct runtime *runtime) {
    return loop_clock() - runtime->memory->collected >= COLLECTION_INTERVAL || has_made_room(runtime);
}

/* This is called in the middle of an allocation, where nothing can be collected. The engine collects before its next
 * object. */
static void alarmed(void *opaque) {
    struct runtime *runtime = opaque;
    if (runtime->memory->cleaner.place == 0)
        loop_start_timer(runtime->loop,
                         &runtime->memory->cleaner,
                         CLEANING_DELAY); /* otherwise only the engine's own collections happen */
    set_alarm(runtime);
    if (runtime->quota->used >= mark(runtime) && !is_asked_for(runtime) && may_collect(runtime))
        ask_for_collection(runtime);
}

static void clean(struct loop_timer *timer) {
    struct runtime *runtime = owner_of(timer, struct memory, cleaner)->runtime;
    memory_collect(runtime);
    set_alarm(runtime);
}

bool memory_watch(struct runtime *runtime) {
    runtime->memory = calloc(1, sizeof *runtime->memory);
    if (!runtime->memory)
        return false;
    runtime->memory->runtime = runtime;
    runtime->memory->cleaner = (struct loop_timer){.fired = clean, .background = true};
    runtime->quota->alarmed = alarmed;
    runtime->quota->opaque = runtime;
    return true;
}

void memory_set_limit(struct runtime *runtime, size_t limit) {
    runtime->memory->limit = limit;
    quota_set_limit(runtime->quota, limit > 0 ? limit : SIZE_MAX);
    set_alarm(runtime);
}

bool memory_is_scarce(struct runtime *runtime) {
    if (runtime->quota->used < mark(runtime))
        return false;
    if (is_asked_for(runtime) || may_collect(runtime))
        memory_collect(runtime);
    return runtime->quota->used >= mark(runtime);
}

void memory_release(struct runtime *runtime) {
    loop_stop_timer(runtime->loop, &runtime->memory->cleaner);
}
