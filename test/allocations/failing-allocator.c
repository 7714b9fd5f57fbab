#include "failing-allocator.h"

#include <errno.h>
#include <stddef.h>

static unsigned long counted, first_refused, after_refused;
static bool is_watched;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *pointer, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *pointer, size_t size);

void failing_allocator_arm(unsigned long first, unsigned long count) {
    counted = 0;
    first_refused = first;
    after_refused = first + count;
}

void failing_allocator_watch(bool watched) {
    is_watched = watched;
}

unsigned long failing_allocator_count(void) {
    return counted;
}

static bool refuses(void) {
    if (!is_watched)
        return false;
    counted++;
    if (first_refused == 0 || counted < first_refused || counted >= after_refused)
        return false;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size) {
    return refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return refuses() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *pointer, size_t size) {
    return refuses() ? NULL : __real_realloc(pointer, size);
}
