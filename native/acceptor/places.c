#define _GNU_SOURCE 1
#include "acceptor/places.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"

void places_open(struct places *places) {
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        places->all[i] = (struct place){.peer = -1, .plain = -1, .end = -1};
    places->is_full = &places->is_full_alone;
}

/* This process alone has a mapping that can be written; the others inherit one from a descriptor that can be read. */
void places_share_fullness(struct places *places) {
    char path[32];
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    const int file = memfd_create("nound-full", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int readable = file >= 0 && ftruncate(file, (off_t)size) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *written = readable < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void *shown = written == MAP_FAILED ? MAP_FAILED : mmap(NULL, size, PROT_READ, MAP_SHARED, readable, 0);
    if (shown != MAP_FAILED && madvise(written, size, MADV_DONTFORK) == 0) {
        places->is_full = written;
        places->shown = shown;
    }
    descriptor_close(readable);
    descriptor_close(file);
}

bool place_is_taken(const struct place *place) {
    return place->process != 0 || place->is_passed || place->end >= 0;
}

bool place_is_handshaking(const struct place *place) {
    return place->end >= 0;
}

/* Its process has not ended: one that waits for the asker with its message is no handshake that can be ended. */
static bool is_under_way(const struct place *place) {
    return place_is_handshaking(place) && place->process != 0;
}

void place_close_files(struct place *place) {
    descriptor_close(place->peer);
    descriptor_close(place->plain);
    descriptor_close(place->end);
    place->peer = place->plain = place->end = -1;
}

struct places_use places_use_of(struct places *places) {
    struct places_use use = {0};
    for (size_t i = 0; i < MOST_ACCEPTED; i++) {
        struct place *place = &places->all[i];
        use.taken += place_is_taken(place);
        use.handshakes += is_under_way(place);
        if (!place_is_taken(place))
            use.free = place;
    }
    return use;
}

struct place *places_find(struct places *places, pid_t process) {
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        if (places->all[i].process == process)
            return &places->all[i];
    return NULL;
}

static bool is_same_client(const struct net_endpoint *one, const struct net_endpoint *other) {
    const size_t length = one->family == AF_INET6 ? 8 : 4; /* of an IPv6 address, its network (RFC 6177, 2) */
    return one->family == other->family && memcmp(one->host, other->host, length) == 0;
}

static size_t count_handshakes_of(const struct places *places, const struct net_endpoint *client) {
    size_t count = 0;
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        count += is_under_way(&places->all[i]) && is_same_client(&places->all[i].from, client);
    return count;
}

void places_end_handshake(struct places *places) {
    const struct place *chosen = NULL;
    size_t most = 0;
    for (size_t i = 0; i < MOST_ACCEPTED; i++) {
        const struct place *place = &places->all[i];
        const size_t count = is_under_way(place) ? count_handshakes_of(places, &place->from) : 0;
        if (count == 0 || count < most || (count == most && chosen && place->number > chosen->number))
            continue;
        chosen = place;
        most = count;
    }
    if (chosen)
        shutdown(chosen->peer, SHUT_RDWR); /* also after an error, it is at its end */
}

static bool is_handshake_of(const struct place *place, size_t listener) {
    return place_is_handshaking(place) && place->listener == listener;
}

bool places_have_handshake_of(const struct places *places, size_t listener) {
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        if (is_handshake_of(&places->all[i], listener))
            return true;
    return false;
}

void places_end_handshakes_of(struct places *places, size_t listener) {
    for (size_t i = 0; i < MOST_ACCEPTED; i++) {
        struct place *place = &places->all[i];
        if (!is_handshake_of(place, listener))
            continue;
        (void)shutdown(place->peer, SHUT_RDWR); /* also after an error, it is at its end */
        place_close_files(place);
    }
}

void places_hurry(const struct places *places, size_t listener) {
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        if (is_handshake_of(&places->all[i], listener))
            (void)shutdown(places->all[i].end, SHUT_WR); /* otherwise its process has ended */
}

void places_leave(struct places *places, uint32_t connection) {
    for (size_t i = 0; i < MOST_ACCEPTED; i++) {
        struct place *place = &places->all[i];
        if (place->is_passed && (uint32_t)place->number == connection)
            farewell_begin(&place->farewell, place->peer);
    }
}

void places_leave_all(struct places *places) {
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        if (places->all[i].is_passed)
            farewell_begin(&places->all[i].farewell, places->all[i].peer);
}

bool places_have_passed(const struct places *places) {
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        if (places->all[i].is_passed && !places->all[i].farewell.is_begun)
            return true;
    return false;
}
