#include "loop/timer_heap.h"

#include <assert.h>
#include <stdlib.h>

static bool is_before(const struct loop_timer *a, const struct loop_timer *b) {
    return a->deadline != b->deadline ? a->deadline < b->deadline : a->order < b->order;
}

static void put(struct timer_heap *heap, struct loop_timer *timer, size_t place) {
    heap->timers[place - 1] = timer;
    timer->place = place;
}

/* Moves a timer from a free place towards the root, until its parent is due earlier. */
static void sift_up(struct timer_heap *heap, struct loop_timer *timer, size_t place) {
    while (place > 1) {
        struct loop_timer *parent = heap->timers[place / 2 - 1];
        if (is_before(parent, timer))
            break;
        put(heap, parent, place);
        place /= 2;
    }
    put(heap, timer, place);
}

/* Moves a timer from a free place towards the leaves, until both its children are due after it. */
static void sift_down(struct timer_heap *heap, struct loop_timer *timer, size_t place) {
    size_t child;
    while ((child = 2 * place) <= heap->length) {
        if (child < heap->length && is_before(heap->timers[child], heap->timers[child - 1]))
            child++;
        if (is_before(timer, heap->timers[child - 1]))
            break;
        put(heap, heap->timers[child - 1], place);
        place = child;
    }
    put(heap, timer, place);
}

bool timer_heap_add(struct timer_heap *heap, struct loop_timer *timer, uint64_t deadline) {
    assert(timer->place == 0);
    if (heap->length == heap->capacity) {
        size_t capacity = heap->capacity > 0 ? 2 * heap->capacity : 16;
        struct loop_timer **timers = realloc(heap->timers, capacity * sizeof(struct loop_timer *));
        if (!timers)
            return false;
        heap->timers = timers;
        heap->capacity = capacity;
    }
    timer->deadline = deadline;
    timer->order = heap->starts++;
    sift_up(heap, timer, ++heap->length);
    return true;
}

void timer_heap_remove(struct timer_heap *heap, struct loop_timer *timer) {
    size_t place = timer->place;
    if (place == 0)
        return;
    timer->place = 0;
    struct loop_timer *last = heap->timers[--heap->length];
    if (last == timer)
        return;
    if (is_before(last, timer))
        sift_up(heap, last, place);
    else
        sift_down(heap, last, place);
}

struct loop_timer *timer_heap_first(const struct timer_heap *heap) {
    return heap->length > 0 ? heap->timers[0] : NULL;
}

void timer_heap_free(struct timer_heap *heap) {
    while (heap->length > 0)
        heap->timers[--heap->length]->place = 0;
    free(heap->timers);
    heap->timers = NULL;
    heap->capacity = 0;
}
