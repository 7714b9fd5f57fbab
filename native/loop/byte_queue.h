/*
 * Bytes that wait to be sent. An empty queue holds no memory. Other queues use the engine's memory, so waiting bytes
 * count against its limit like everything else that is held for a client.
 */
#ifndef NOUND_BYTE_QUEUE_H
#define NOUND_BYTE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include <quickjs.h>

/* A queue with its engine set and all else zero is empty. */
struct byte_queue {
    JSRuntime *engine;
    char *bytes;
    size_t start, end, capacity;
};

/* Returns how many bytes wait. */
static inline size_t byte_queue_length(const struct byte_queue *queue) {
    return queue->end - queue->start;
}

/* Returns the first of the bytes that wait. */
static inline const char *byte_queue_first(const struct byte_queue *queue) {
    return queue->bytes + queue->start;
}

/* Adds a copy of bytes at the end. Returns false, with the queue as it was, when there is no memory. */
bool byte_queue_append(struct byte_queue *queue, const char *bytes, size_t length);

/* Takes `length` bytes, at most as many as wait, from the front. */
void byte_queue_drop(struct byte_queue *queue, size_t length);

/* Takes them all. */
void byte_queue_clear(struct byte_queue *queue);

#endif
