#define _GNU_SOURCE 1
#include "engine/constant_pages.h"

#include <sys/mman.h>
#include <unistd.h>

/* Gives the kernel advice about the pages that contain nothing else. If the kernel ignores it, they stay in use. */
static void advise(const uint8_t *bytes, size_t size, int advice) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)bytes + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)bytes + size) & ~(page - 1);
    if (first < end)
        (void)madvise((void *)first, end - first, advice);
}

void constant_pages_set_apart(const uint8_t *bytes, size_t size) {
    advise(bytes, size, MADV_DONTDUMP); /* because of its flag, which the neighbouring mappings do not have */
    advise(bytes, size, MADV_DONTNEED);
}

void constant_pages_release(const uint8_t *bytes, size_t size) {
    advise(bytes, size, MADV_DONTNEED);
}
