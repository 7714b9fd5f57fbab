#define _GNU_SOURCE 1
#include "input/evdev.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "guard/evdev_sizes.h"
#include "text/utf8.h"

#define FOLDER "/dev/input"

_Static_assert(KEY_CNT <= EVDEV_BITS_SIZE * 8, "each code needs a bit");

/* The search for a device, and its result so far. */
struct search {
    const char *device;
    const struct evdev_code *code;
    struct failure *failure;      /* the names of the devices that were opened are among its values */
    char denied[EVDEV_PATH_SIZE]; /* the first device that this user may not open, or "" */
    const char *comma;
    bool lacks_code; /* a device with the name has not the code */
};

static bool has_bit(const uint8_t *bits, unsigned bit) {
    return bits[bit / 8] >> (bit % 8) & 1;
}

/* The kernel's bits are in words of a long. On a big-endian machine, the first byte of a word has its last bits. */
static void order_bytes(uint8_t *bits) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t word = 0; word < EVDEV_BITS_SIZE; word += sizeof(long))
        for (size_t i = 0; i < sizeof(long) / 2; i++) {
            uint8_t byte = bits[word + i];
            bits[word + i] = bits[word + sizeof(long) - 1 - i];
            bits[word + sizeof(long) - 1 - i] = byte;
        }
#else
    (void)bits;
#endif
}

static bool has_code(int fd, const struct evdev_code *code) {
    uint8_t bits[EVDEV_BITS_SIZE] = {0};
    if (code->type == EVDEV_ANY)
        return true;
    if (ioctl(fd, EVIOCGBIT(code->type, EVDEV_BITS_SIZE), bits) < 0)
        return false;
    order_bytes(bits);
    return has_bit(bits, code->code);
}

/* Lets no events of a type come but those of the code, if it is the code's type. Kernels before 4.4 let all come. */
static void mask(int fd, uint32_t type, const struct evdev_code *code) {
    uint8_t bits[EVDEV_BITS_SIZE] = {0};
    if (type == code->type)
        bits[code->code / 8] |= (uint8_t)(1u << (code->code % 8));
    order_bytes(bits);
    const struct input_mask mask = {.type = type, .codes_size = EVDEV_BITS_SIZE, .codes_ptr = (uintptr_t)bits};
    (void)ioctl(fd, EVIOCSMASK, &mask);
}

/* Prepares an open device for reading. Returns false with errno set. */
static bool prepare(int fd, const struct evdev_code *code) {
    const int clock = CLOCK_MONOTONIC;
    for (uint32_t type = EV_KEY; type <= EV_SW && code->type != EVDEV_ANY; type++)
        mask(fd, type, code);
    return ioctl(fd, EVIOCSCLOCKID, &clock) == 0;
}

/* Opens a device if it is the one. Returns -1 if it is not. */
static int try_device(struct search *search, const char *path) {
    char name[EVDEV_NAME_SIZE] = "";
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        if ((errno == EACCES || errno == EPERM) && search->denied[0] == '\0')
            snprintf(search->denied, sizeof search->denied, "%s", path);
        return -1;
    }
    if (ioctl(fd, EVIOCGNAME(EVDEV_NAME_SIZE - 1), name) < 0 || !utf8_is_valid(name, strlen(name)))
        name[0] = '\0';
    bool is_meant = search->device[0] == '/' || strcmp(name, search->device) == 0;
    if (is_meant && has_code(fd, search->code) && prepare(fd, search->code))
        return fd;
    search->lacks_code |= is_meant;
    failure_add(search->failure, "%s\"%s\"", search->comma, name);
    search->comma = ", ";
    close(fd);
    return -1;
}

static int is_event_device(const struct dirent *entry) {
    return strncmp(entry->d_name, "event", strlen("event")) == 0;
}

static int search_folder(struct search *search) {
    struct dirent **entries = NULL;
    int count = scandir(FOLDER, &entries, is_event_device, versionsort);
    int fd = -1;
    if (count < 0 && (errno == EACCES || errno == EPERM))
        strcpy(search->denied, FOLDER);
    for (int i = 0; i < count; i++) {
        char path[EVDEV_PATH_SIZE];
        snprintf(path, sizeof path, FOLDER "/%s", entries[i]->d_name);
        if (fd < 0)
            fd = try_device(search, path);
        free(entries[i]);
    }
    free(entries);
    return fd;
}

int evdev_open(const char *device, const struct evdev_code *code, struct failure *failure) {
    struct search search = {.device = device, .code = code, .failure = failure, .comma = ""};
    failure_note(failure, "input", 0, "%.128s" AND "%s" AND, device, code->name);
    int fd = device[0] == '/' ? try_device(&search, device) : search_folder(&search);
    failure_add(failure, AND "%s" AND "%s", search.denied, search.lacks_code ? "lacks it" : "");
    return fd;
}

int evdev_value(int fd, const struct evdev_code *code) {
    uint8_t bits[EVDEV_BITS_SIZE] = {0};
    if (code->type != EV_KEY && code->type != EV_SW)
        return 0;
    if (ioctl(fd, code->type == EV_SW ? EVIOCGSW(EVDEV_BITS_SIZE) : EVIOCGKEY(EVDEV_BITS_SIZE), bits) < 0)
        return -1;
    order_bytes(bits);
    return has_bit(bits, code->code);
}
