#define _GNU_SOURCE 1
#include "tls/tls_heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROOM (256 << 10)
#define UNIT 16 /* bytes: the alignment of a block */

/* Stands before each block. The blocks follow one another, free and used ones, from the beginning to the end. */
struct head {
    size_t size; /* bytes of the block, a multiple of UNIT */
    bool is_used;
};

#define HEAD ((sizeof(struct head) + UNIT - 1) / UNIT * UNIT)

static unsigned char *room; /* NULL before the first block */

static struct head *head_at(size_t offset) {
    return (struct head *)(void *)(room + offset);
}

static bool map_room(void) {
    void *mapped = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return false;
    room = mapped;
    *head_at(0) = (struct head){.size = ROOM - HEAD};
    return true;
}

/* Joins a free block with the free ones behind it. */
static void join(size_t offset) {
    struct head *head = head_at(offset);
    for (;;) {
        const size_t next = offset + HEAD + head->size;
        if (next >= ROOM || head_at(next)->is_used)
            return;
        head->size += HEAD + head_at(next)->size;
    }
}

void *tls_heap_calloc(size_t count, size_t size) {
    if ((!room && !map_room()) || (size > 0 && count > ROOM / size))
        return NULL;
    const size_t wanted = (count * size + UNIT - 1) / UNIT * UNIT;
    for (size_t offset = 0; offset < ROOM; offset += HEAD + head_at(offset)->size) {
        struct head *head = head_at(offset);
        if (head->is_used)
            continue;
        join(offset);
        if (head->size < wanted)
            continue;
        if (head->size >= wanted + HEAD + UNIT) {
            *head_at(offset + HEAD + wanted) = (struct head){.size = head->size - wanted - HEAD};
            head->size = wanted;
        }
        head->is_used = true;
        return memset(room + offset + HEAD, 0, head->size);
    }
    return NULL;
}

void tls_heap_free(void *block) {
    if (block)
        head_at((size_t)((unsigned char *)block - room) - HEAD)->is_used = false;
}

void tls_heap_trim(void) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t offset = 0; room && offset < ROOM; offset += HEAD + head_at(offset)->size) {
        if (head_at(offset)->is_used)
            continue;
        join(offset);
        const uintptr_t begin = ((uintptr_t)room + offset + HEAD + page - 1) / page * page;
        const uintptr_t end = ((uintptr_t)room + offset + HEAD + head_at(offset)->size) / page * page;
        if (begin < end)
            (void)madvise((void *)begin, end - begin, MADV_DONTNEED); /* otherwise it stays */
    }
}
