#define _GNU_SOURCE 1
#include "keeper/keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keeper/keeper_state.h"

#define MOST_TEXT (16 * 1024 * 1024) /* bytes */

struct keeper keeper;

bool keeper_exists(void) {
    return keeper.is_server;
}

bool keeper_is_process(pid_t id) {
    return keeper.is_server && id == keeper.process;
}

void keeper_end_with(void) {
    if (keeper.is_server)
        prctl(PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
}

bool keeper_has_history(void) {
    return keeper.is_server && keeper.generation > 1;
}

bool keeper_is_fallback(void) {
    return keeper.is_server && keeper.is_fallback;
}

bool keeper_is_checker(void) {
    return keeper.is_checker;
}

struct kept *keeper_find(const char *prefix, size_t length) {
    for (size_t i = 0; i < keeper.places; i++)
        if (keeper.kept[i].born != 0 && strncmp(keeper.kept[i].key, prefix, length) == 0)
            return &keeper.kept[i];
    return NULL;
}

bool keeper_holds(const char *key) {
    return keeper_find(key, strlen(key) + 1) != NULL;
}

/* A keeper that is gone has ended this process as well. The filter of system calls does not allow this any more. */
static void send_message(enum message type, const char *key, int fd) {
    char text[KEEPER_KEY_SIZE + 1];
    const int length = snprintf(text, sizeof text, "%c%s", type, key);
    struct iovec part = {.iov_base = text, .iov_len = (size_t)length};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (!keeper.is_server || keeper.link < 0 || length < 1 || length >= (int)KEEPER_KEY_SIZE)
        return;
    if (fd >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    while (sendmsg(keeper.link, &message, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}

void keeper_keep(const char *key, int fd) {
    send_message(KEEP, key, fd);
}

void keeper_claim(const char *key) {
    send_message(keeper_holds(key) ? CLAIM : KEEP, key, -1);
}

int keeper_take(const char *prefix, char *key) {
    struct kept *kept = keeper.is_server && keeper.link >= 0 ? keeper_find(prefix, strlen(prefix) + !key) : NULL;
    if (!kept || kept->fd < 0)
        return -1;
    if (key)
        memcpy(key, kept->key, KEEPER_KEY_SIZE);
    else
        send_message(CLAIM, kept->key, -1);
    const int fd = kept->fd;
    kept->fd = -1;
    return fd;
}

const char *keeper_inherit(const char *prefix) {
    struct kept *kept = keeper.is_server && keeper.link >= 0 ? keeper_find(prefix, strlen(prefix)) : NULL;
    if (!kept)
        return NULL;
    kept->born = 0;
    return kept->key + strlen(prefix);
}

void keeper_on_unclaimed(keeper_unclaimed *unclaimed) {
    keeper.unclaimed = unclaimed;
}

void keeper_ready(const char *status) {
    if (!keeper.is_server || keeper.link < 0)
        return;
    for (size_t i = 0; keeper.generation > 1 && i < keeper.places; i++) {
        const struct kept *kept = &keeper.kept[i];
        if (kept->born == 0 || kept->fd < 0)
            continue;
        if (keeper.unclaimed)
            keeper.unclaimed(kept->key, kept->fd);
        close(kept->fd);
    }
    /* By a call that the filter of system calls allows; if it fails, the keeper is gone. */
    char text[KEEPER_KEY_SIZE];
    snprintf(text, sizeof text, "%c%s", READY, status);
    while (write(keeper.link, text, strlen(text)) < 0 && errno == EINTR)
        ;
    close(keeper.link);
    keeper.link = -1;
}

bool keeper_has_started(void) {
    return keeper.is_server && (keeper.link < 0 || keeper.generation == 1);
}

void keeper_begin_handing_over(void) {
    keeper.is_handing_over = true;
}

bool keeper_is_handing_over(void) {
    return keeper.is_handing_over || (keeper_has_history() && keeper.link >= 0);
}

void keeper_hand_over(const char *text, size_t length) {
    const struct text_header header = {.magic = keeper.is_checker ? TOKENS_MAGIC : STATES_MAGIC,
                                       .length = (uint32_t)length};
    size_t written = 0;
    while (length <= MOST_TEXT && written < length) {
        ssize_t more = pwrite(keeper.text, text + written, length - written, (off_t)(sizeof header + written));
        if (more <= 0)
            return;
        written += (size_t)more;
    }
    if (written < length || pwrite(keeper.text, &header, sizeof header, 0) != (ssize_t)sizeof header)
        return;
    _exit(keeper.is_checker ? TOKENS_STATUS : 0);
}

bool keeper_has_text(uint32_t magic) {
    struct text_header header;
    return keeper.text >= 0 && pread(keeper.text, &header, sizeof header, 0) == (ssize_t)sizeof header &&
           header.magic == magic;
}

/* Returns the text, for free(3), or NULL. */
static char *read_text(uint32_t magic, size_t *length) {
    struct text_header header;
    struct stat status;
    if (!keeper.is_server || !keeper_has_text(magic) || fstat(keeper.text, &status) < 0 ||
        pread(keeper.text, &header, sizeof header, 0) != (ssize_t)sizeof header || header.length > MOST_TEXT ||
        (off_t)(sizeof header + header.length) > status.st_size)
        return NULL;
    char *text = malloc((size_t)header.length + 1);
    if (text && pread(keeper.text, text, header.length, sizeof header) != (ssize_t)header.length) {
        free(text);
        return NULL;
    }
    if (text)
        text[header.length] = '\0';
    *length = header.length;
    return text;
}

char *keeper_states(size_t *length) {
    return read_text(STATES_MAGIC, length);
}

char *keeper_tokens(size_t *length) {
    static const struct text_header none;
    char *text = read_text(TOKENS_MAGIC, length);
    if (text && pwrite(keeper.text, &none, sizeof none, 0) != (ssize_t)sizeof none) {
        free(text); /* not to be taken for new at the next signal */
        return NULL;
    }
    return text;
}

uint64_t keeper_feeding_interval(void) {
    return keeper.is_server && keeper.feedings >= 0 ? keeper.feeding_interval : 0;
}

void keeper_feed(void) {
    const uint64_t one = 1;
    (void)!write(keeper.feedings, &one, sizeof one); /* fails where the keeper has not read for 2^64 of them */
}
