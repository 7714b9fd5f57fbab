#define _GNU_SOURCE 1
#include "keeper/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/log_output.h"
#include "base/owner.h"
#include "base/passed_descriptor.h"
#include "base/socket_send.h"
#include "keeper/keeper_state.h"

struct keeper keeper;

bool keeper_exists(void) {
    return keeper.is_server;
}

bool keeper_is_process(pid_t id) {
    return keeper.is_server && id == keeper.process;
}

void keeper_end_with(void) {
    if (!keeper.is_server && !keeper.is_checker)
        return;
    prctl(PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
    if (getppid() != keeper.process)
        _exit(128 + SIGKILL); /* it has ended before the kernel knew */
}

bool keeper_is_successor(void) {
    return keeper.is_server && keeper.generation > 1;
}

bool keeper_is_fallback(void) {
    return (keeper.is_server || keeper.is_checker) && keeper.is_fallback;
}

bool keeper_is_checker(void) {
    return keeper.is_checker;
}

struct keeper_thing keeper_thing_of(enum keeper_kind kind, const char *name, uint32_t number, const void *note,
                                    size_t size) {
    struct keeper_thing thing = {.kind = kind, .number = number};
    const size_t length = strlen(name);
    if (length < sizeof thing.name && size <= sizeof thing.note) {
        memcpy(thing.name, name, length);
        memcpy(thing.note, note, size);
    }
    return thing;
}

void keeper_keep(const struct keeper_thing *thing, int fd) {
    const struct keeper_keep message = {KEEPER_KEEP, fd >= 0, *thing};
    if (!keeper.is_server || keeper.has_started)
        return;
    if (thing->name[0] == '\0')
        fputs("nound: a name or settings are too long to be kept over a reload\n", stderr);
    else if (!passed_descriptor_send(keeper.link, &message, sizeof message, fd, 0))
        fprintf(stderr, "nound: %s cannot be kept over a reload: %s\n", thing->name, strerror(errno));
}

const struct keeper_thing *keeper_find(enum keeper_kind kind, const char *name, uint32_t number) {
    for (size_t i = 0; !keeper.has_started && i < keeper.places; i++) {
        const struct keeper_thing *thing = &keeper.kept[i].thing;
        if (keeper.kept[i].born != 0 && thing->kind == kind &&
            (!name || (thing->number == number && strcmp(thing->name, name) == 0)))
            return thing;
    }
    return NULL;
}

int keeper_take(const struct keeper_thing *found) {
    if (!found)
        return -1;
    owner_of(found, struct kept, thing)->born = 0;
    return keeper_descriptor(found);
}

int keeper_descriptor(const struct keeper_thing *found) {
    return owner_of(found, struct kept, thing)->fd;
}

bool keeper_release(const struct keeper_thing *found) {
    const struct keeper_release message = {KEEPER_RELEASE, *found};
    int ends[2];
    char nothing;
    descriptor_close(keeper_take(found));
    if (pipe2(ends, O_CLOEXEC) < 0)
        return false;
    const bool is_asked = passed_descriptor_send(keeper.link, &message, sizeof message, ends[1], 0);
    descriptor_close(ends[1]);
    /* The pipe ends when the keeper closes its end, or is gone. */
    if (is_asked)
        (void)UNINTERRUPTED(read(ends[0], &nothing, sizeof nothing));
    descriptor_close(ends[0]);
    return is_asked;
}

void keeper_on_unclaimed(void (*unclaimed)(const struct keeper_thing *thing, int fd)) {
    keeper.unclaimed = unclaimed;
}

/* Logs a message that is lost, and of those that follow none until one has been sent. */
static void note_sending(bool is_sent) {
    if (!is_sent && !keeper.takes_nothing)
        log_output_print("nound: the keeper takes no message: %s", strerror(errno));
    keeper.takes_nothing = !is_sent;
}

/*
 * Sends a message that is its type alone, by a call that the filter of system calls allows. If the keeper has not read
 * for long, the message is lost.
 */
static void send_type(enum keeper_message_type type) {
    if (keeper.is_server)
        note_sending(socket_send(keeper.link, &type, sizeof type, 0) == (ssize_t)sizeof type);
}

void keeper_ready(const char *status, bool expects_online, uint32_t closing) {
    struct keeper_ready message = {.type = KEEPER_READY, .expects_online = expects_online, .closing = closing};
    if (!keeper.is_server || keeper.has_started)
        return;
    keeper.has_started = true;
    for (size_t i = 0; keeper.generation > 1 && i < keeper.places; i++) {
        const struct kept *kept = &keeper.kept[i];
        if (kept->born == 0 || kept->fd < 0)
            continue;
        if (keeper.unclaimed)
            keeper.unclaimed(&kept->thing, kept->fd);
        close(kept->fd);
    }
    snprintf(message.status, sizeof message.status, "%s", status);
    /* It waits, as no other message after the restrictions does. If it fails, the keeper is gone. */
    note_sending(UNINTERRUPTED(write(keeper.link, &message, sizeof message)) == (ssize_t)sizeof message);
}

bool keeper_has_started(void) {
    return keeper.is_server && (keeper.has_started || keeper.generation == 1);
}

void keeper_begin_handing_over(void) {
    keeper.is_handing_over = true;
}

bool keeper_is_handing_over(void) {
    return keeper.is_handing_over || (keeper_is_successor() && !keeper.has_started);
}

static bool write_left(const void *bytes, size_t length, off_t at) {
    size_t written = 0;
    while (written < length) {
        const void *rest = (const char *)bytes + written;
        const ssize_t more = UNINTERRUPTED(pwrite(keeper.left, rest, length - written, at + (off_t)written));
        if (more < 0)
            return false;
        written += (size_t)more;
    }
    return true;
}

bool keeper_leave(const char *text, size_t length, bool is_first) {
    if (is_first)
        keeper.left_length = 0;
    if (length > KEEPER_MOST_LEFT - keeper.left_length) {
        errno = E2BIG;
        return false;
    }
    if (!write_left(text, length, (off_t)(sizeof(struct left_header) + keeper.left_length)))
        return false;
    keeper.left_length += (uint32_t)length;
    return true;
}

bool keeper_hand_over(bool goes_on) {
    const struct left_header header = {.magic = keeper.is_checker ? TOKENS_MAGIC : STATES_MAGIC,
                                       .length = keeper.left_length};
    const bool is_left = write_left(&header, sizeof header, 0);
    if (is_left && !goes_on)
        _exit(keeper.is_checker ? TOKENS_STATUS : 0);
    return is_left;
}

void keeper_online(void) {
    send_type(KEEPER_ONLINE);
}

bool keeper_has_gone_back(void) {
    return keeper.is_server && keeper.failed_file != 0;
}

void keeper_refuse(void) {
    keeper.is_handing_over = false;
    send_type(KEEPER_REFUSE);
}

void keeper_admit(void) {
    send_type(KEEPER_ADMIT);
}

static bool read_header(uint32_t magic, struct left_header *header) {
    return keeper.left >= 0 && pread(keeper.left, header, sizeof *header, 0) == (ssize_t)sizeof *header &&
           header->magic == magic;
}

bool keeper_make_room(size_t places) {
    if (places <= keeper.room)
        return true;
    /* A server has a copy of the table, so that of a device with few outputs is small. */
    const size_t room = (places + 3) / 4 * 4;
    struct kept *kept = room <= MOST_KEPT ? realloc(keeper.kept, room * sizeof *kept) : NULL;
    if (!kept)
        return false;
    keeper.kept = kept;
    keeper.room = room;
    return true;
}

bool keeper_has_left(uint32_t magic) {
    struct left_header header;
    return read_header(magic, &header);
}

/* Returns the text, for free(3), or NULL. */
static char *read_left(uint32_t magic, size_t *length) {
    struct left_header header;
    struct stat status;
    if (!keeper.is_server || !read_header(magic, &header) || fstat(keeper.left, &status) < 0 ||
        header.length > KEEPER_MOST_LEFT || (off_t)(sizeof header + header.length) > status.st_size)
        return NULL;
    char *bytes = malloc((size_t)header.length + 1); /* never 0 */
    if (bytes && pread(keeper.left, bytes, header.length, sizeof header) != (ssize_t)header.length) {
        free(bytes);
        return NULL;
    }
    *length = header.length;
    return bytes;
}

char *keeper_states(size_t *length) {
    return read_left(STATES_MAGIC, length);
}

char *keeper_tokens(size_t *length) {
    static const struct left_header none;
    char *bytes = read_left(TOKENS_MAGIC, length);
    if (bytes && !write_left(&none, sizeof none, 0)) {
        free(bytes); /* not to be taken for new at the next signal */
        return NULL;
    }
    return bytes;
}

bool keeper_may_help(void) {
    return keeper.is_server && !keeper.has_started;
}

bool keeper_start_helper(enum keeper_helper_kind helper, int plan) {
    const struct keeper_help message = {.type = KEEPER_HELP, .helper = helper};
    const bool is_asked = passed_descriptor_send(keeper.link, &message, sizeof message, plan, 0);
    if (helper == KEEPER_CONNECTOR)
        keeper.has_connector = is_asked;
    return is_asked;
}

int keeper_take_helper(enum keeper_helper_kind helper, bool waits) {
    struct keeper_connection told = {0};
    int fd;
    const ssize_t size = passed_descriptor_receive(keeper.link, &told, sizeof told, &fd, waits ? 0 : MSG_DONTWAIT);
    if (size != (ssize_t)sizeof told)
        return fd;
    errno = told.error;
    if (told.helper == helper)
        return fd;
    descriptor_close(fd);
    return -1;
}

int keeper_connector_channel(void) {
    return keeper.has_connector ? keeper.link : -1;
}

uint64_t keeper_feeding_interval(void) {
    return keeper.is_server ? keeper.feeding_interval : 0;
}

void keeper_feed(void) {
    send_type(KEEPER_FEED);
}
