#include "memory.h"

#include "loop.h"
#include "quota.h"

#define COLLECTION_INTERVAL 1000 /* ms between two collections while memory is scarce */

#define ENDING_BYTES ((size_t)1024 * 1024) /* beyond the limit, for what ends a program whose memory is taken */

void memory_set_limit(struct runtime *runtime, size_t limit) {
    runtime->memory_limit = limit;
    quota_set_limit(runtime->quota, limit > 0 ? limit : SIZE_MAX);
}

static bool is_above_mark(const struct runtime *runtime) {
    return runtime->memory_limit > 0 && runtime->quota->used >= runtime->memory_limit - runtime->memory_limit / 4;
}

bool memory_is_scarce(struct runtime *runtime) {
    if (!is_above_mark(runtime))
        return false;
    uint64_t now = loop_now(runtime->loop);
    if (runtime->memory_collected != 0 && now - runtime->memory_collected < COLLECTION_INTERVAL)
        return true;
    runtime->memory_collected = now;
    JS_RunGC(runtime->engine);
    return is_above_mark(runtime);
}

void memory_grant_ending(struct runtime *runtime) {
    if (runtime->memory_limit > 0)
        quota_set_limit(runtime->quota, runtime->memory_limit + ENDING_BYTES);
}
