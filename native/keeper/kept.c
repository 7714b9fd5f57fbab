#include "keeper/kept.h"

#include <stddef.h>
#include <string.h>

#include "base/descriptor.h"
#include "base/log_output.h"
#include "keeper/keeper_state.h"

void kept_settle(bool has_started) {
    for (size_t i = 0; i < keeper.places; i++) {
        struct kept *kept = &keeper.kept[i];
        if (kept->born == 0 || (has_started ? kept->claimed == keeper.generation : kept->born != keeper.generation))
            continue;
        descriptor_close(kept->fd);
        kept->born = 0;
    }
}

/* Returns a free place of the table, or NULL. */
static struct kept *find_place(void) {
    for (size_t i = 0; i < keeper.places; i++)
        if (keeper.kept[i].born == 0)
            return &keeper.kept[i];
    return keeper_make_room(keeper.places + 1) ? &keeper.kept[keeper.places++] : NULL;
}

void kept_add(const struct keeper_thing *thing, bool has_descriptor, int fd) {
    const bool is_lost = has_descriptor && fd < 0;
    struct kept *kept = NULL;
    for (size_t i = 0; i < keeper.places && !is_lost && thing->kind != KEEPER_CONFIGURATION; i++)
        if (keeper.kept[i].born != 0 && memcmp(&keeper.kept[i].thing, thing, sizeof *thing) == 0) {
            keeper.kept[i].claimed = keeper.generation;
            descriptor_close(fd);
            return;
        }
    if (!is_lost && (kept = find_place())) {
        *kept = (struct kept){fd, keeper.generation, keeper.generation, *thing};
        return;
    }
    log_output_print("nound: cannot keep %.*s over a reload: %s",
                     (int)sizeof thing->name,
                     thing->name,
                     is_lost ? "too many files are open" : "the keeper's table is full");
    descriptor_close(fd);
}

void kept_release(const struct keeper_thing *thing) {
    for (size_t i = 0; i < keeper.places; i++) {
        struct kept *kept = &keeper.kept[i];
        if (kept->born == 0 || memcmp(&kept->thing, thing, sizeof kept->thing) != 0)
            continue;
        descriptor_close(kept->fd);
        kept->born = 0;
    }
}
