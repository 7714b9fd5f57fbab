#include "byte_queue.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `length` more bytes at the end. */
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
    /* At first exactly what is needed, as most answers are written at once; then doubling. */
    size_t needed = waiting + length;
    size_t capacity = needed > 2 * queue->capacity ? needed : 2 * queue->capacity;
    char *bytes = realloc(queue->bytes, capacity);
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
    free(queue->bytes);
    *queue = (struct byte_queue){0};
}
