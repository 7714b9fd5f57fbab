#define _GNU_SOURCE 1
#include "base/stack.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* The engine's 256 KB (program.c), and what C needs below. Sanitizers need more, and their stack may grow. */
#define STACK_SIZE ((size_t)384 * 1024)

/* Makes the kernel map the stack as far as it is used later. Returns the lowest address that was touched. */
static __attribute__((noinline)) uintptr_t grow_stack(void) {
    char stack[STACK_SIZE];
    uintptr_t lowest = (uintptr_t)stack;
    stack[0] = 0;
    __asm__ volatile(""
                     :
                     : "r"(stack)
                     : "memory"); /* otherwise the compiler would leave it out, because nothing reads it */
    return lowest;
}

bool stack_reserve(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_SIZE + STACK_SIZE / 4) {
        fprintf(stderr,
                "nound: cannot start: its stack is limited to %lu KB, and it needs %lu KB; see ulimit -s\n",
                (unsigned long)(limit.rlim_cur / 1024),
                (unsigned long)((STACK_SIZE + STACK_SIZE / 4) / 1024));
        return false;
    }
    void *room = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) {
        fprintf(stderr, "nound: cannot start: %s\n", strerror(errno));
        return false;
    }
    munmap(room, STACK_SIZE); /* cannot fail: it was mapped as one */
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    madvise((void *)(grow_stack() & ~(page - 1)), page, MADV_DONTNEED); /* if this fails, the page stays in use */
    return true;
}

void stack_release(void) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    /* This function and what it calls are within the next page. */
    const uintptr_t end = ((uintptr_t)__builtin_frame_address(0) - page) & ~(page - 1);
    madvise((void *)(end - STACK_SIZE), STACK_SIZE, MADV_DONTNEED); /* if this fails, the pages stay in use */
}

void stack_release_callers(const void *frame) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    /* On some processors, MIPS for one, this is the lower end of the frame, which may have so much. */
    const uintptr_t start = ((uintptr_t)frame + STACK_LONGEST_FRAME + page - 1) & ~(page - 1);
    /* The C library goes on to use what the kernel has put above the first frame: environment, vector of constants. */
    const uintptr_t end = (uintptr_t)environ & ~(page - 1);
    if (start < end)
        madvise((void *)start, end - start, MADV_DONTNEED); /* if this fails, the pages stay in use */
}
