#include "loop/byte_queue.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define MOST_SPARE                                                                                                     \
    ((size_t)64 * 1024) /* bytes of memory beyond the waiting ones; they count against the limit, too                  \
                         */

static bool make_room(struct byte_queue *queue, size_t length) {
    size_t waiting = byte_queue_length(queue);
    if (queue->start > 0) {
        memmove(queue->bytes, queue->bytes + queue->start, waiting);
        queue->start = 0;
        queue->end = waiting;
    }
    if (length <= queue->capacity - waiting)
        return true;
    if (length > SIZE_MAX / 2 - waiting)
        return false;
    /* At first exactly what is needed, because most answers are written at once. Later with spare room. */
    size_t spare = queue->capacity < MOST_SPARE ? queue->capacity : MOST_SPARE;
    size_t capacity = waiting + length + spare;
    char *bytes = js_realloc_rt(queue->engine, queue->bytes, capacity);
    if (!bytes)
        return false;
    queue->bytes = bytes;
    queue->capacity = capacity;
    return true;
}

bool byte_queue_append(struct byte_queue *queue, const char *bytes, size_t length) {
    if (length == 0)
        return true;
    if (length > queue->capacity - queue->end && !make_room(queue, length))
        return false;
    memcpy(queue->bytes + queue->end, bytes, length);
    queue->end += length;
    return true;
}

void byte_queue_drop(struct byte_queue *queue, size_t length) {
    assert(length <= byte_queue_length(queue));
    queue->start += length;
    if (queue->start == queue->end)
        byte_queue_clear(queue);
}

void byte_queue_clear(struct byte_queue *queue) {
    js_free_rt(queue->engine, queue->bytes);
    *queue = (struct byte_queue){.engine = queue->engine};
}
