#define _GNU_SOURCE 1
#include "engine/constant_pages.h"

#include <link.h>
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

static int release_segments(struct dl_phdr_info *program, size_t size, void *unused) {
    (void)size;
    (void)unused;
    for (size_t i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W))
            constant_pages_release((const uint8_t *)(program->dlpi_addr + segment->p_vaddr), segment->p_memsz);
    }
    return 1; /* the program is the first of the objects; the others do not matter */
}

/*
 * The program headers say where the segments are. The linker's `etext` does not: it is after the data if a script was
 * put into the file as another segment.
 */
void constant_pages_release_program(void) {
    (void)dl_iterate_phdr(release_segments, NULL);
}
