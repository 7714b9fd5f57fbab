/*
 * Tries how much a server may leave for the next one (native/keeper/keeper.c): KEEPER_MOST_LEFT bytes in all, and not
 * one more. Prints nothing when all went as it must.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "keeper/keeper.h"
#include "keeper/keeper_state.h"

#define PIECE (16U * 1024 * 1024)

static char piece[PIECE + 1];

static void expect(bool holds, const char *sentence) {
    if (holds)
        return;
    fprintf(stderr, "states-left-test: %s\n", sentence);
    exit(EXIT_FAILURE);
}

static void leave_most(void) {
    for (size_t left = 0; left < KEEPER_MOST_LEFT; left += PIECE)
        expect(keeper_leave(piece, PIECE, left == 0), "states of the most bytes are refused");
}

int main(void) {
    memset(piece, 'x', sizeof piece);
    keeper.left = memfd_create("states-left-test", MFD_CLOEXEC);
    expect(keeper.left >= 0, "there is no file in memory");

    leave_most();
    errno = 0;
    expect(!keeper_leave("y", 1, false) && errno == E2BIG, "a byte beyond the most is not refused as too much");
    expect(keeper_leave("", 0, false), "no byte more is refused");

    /* A server that goes on after the refusal begins again at the next reload. */
    expect(keeper_leave("y", 1, true), "the first text of another reload is refused");
    errno = 0;
    for (size_t left = 1; left + PIECE <= KEEPER_MOST_LEFT; left += PIECE)
        expect(keeper_leave(piece, PIECE, false), "a text within the most is refused");
    expect(!keeper_leave(piece, PIECE, false) && errno == E2BIG, "a text that goes beyond the most is not refused");
    return EXIT_SUCCESS;
}
