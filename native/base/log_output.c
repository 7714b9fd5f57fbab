#define _GNU_SOURCE 1
#include "base/log_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/socket_send.h"

#define LONGEST_LINE 8000
#define LONGEST_PRINTED (PATH_MAX + 256) /* a sentence with a path */
#define LONGEST_NOTE 100                 /* that lines were dropped */

/* How standard error is written to without waiting. */
enum way {
    DIRECTLY, /* a file, which is never full */
    SEND,     /* a socket, as of the journal */
    REOPENED, /* a pipe or a terminal, opened again: O_NONBLOCK on the shared descriptor would affect other programs */
    POLLED,   /* one that cannot be opened again; poll(2) is right as long as no other program writes */
};

static struct {
    enum way way;
    int reopened; /* the descriptor of our own. All is zero at first, so the binary does not have these bytes */
    unsigned long dropped;
    size_t start, end; /* the rest of a line that was written in part */
    char bytes[LONGEST_NOTE + LONGEST_LINE + 1];
} output;

static int descriptor(void) {
    return output.way == REOPENED ? output.reopened : STDERR_FILENO;
}

void log_output_open(void) {
    struct stat status;
    if (fstat(STDERR_FILENO, &status) < 0)
        return;
    if (S_ISSOCK(status.st_mode)) {
        output.way = SEND;
    } else if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)) {
        int fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        output.way = fd >= 0 ? REOPENED : POLLED;
        output.reopened = fd;
    }
}

static ssize_t write_some(const char *bytes, size_t length) {
    if (output.way == SEND)
        return socket_send(descriptor(), bytes, length, 0);
    if (output.way == POLLED) {
        struct pollfd wait = {.fd = descriptor(), .events = POLLOUT};
        if (poll(&wait, 1, 0) <= 0 || !(wait.revents & POLLOUT)) {
            errno = EAGAIN;
            return -1;
        }
        length = length < PIPE_BUF ? length : PIPE_BUF; /* for which a pipe that is not full has room (pipe(7)) */
    }
    return write(descriptor(), bytes, length);
}

/* Writes the rest. Returns whether the line is finished. After an error it is, because nobody can read it. */
static bool write_rest(void) {
    while (output.start < output.end) {
        ssize_t written = write_some(output.bytes + output.start, output.end - output.start);
        if (written > 0)
            output.start += (size_t)written;
        else if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return false;
        else if (written == 0 || errno != EINTR)
            output.start = output.end;
    }
    return true;
}

void log_output_line(const char *text, size_t length) {
    if (!write_rest()) {
        output.dropped++;
        return;
    }
    size_t note = 0;
    if (output.dropped > 0)
        note = (size_t)snprintf(
            output.bytes, LONGEST_NOTE, "(%lu lines dropped here, because nobody read them)\n", output.dropped);
    length = length < LONGEST_LINE ? length : LONGEST_LINE;
    memcpy(output.bytes + note, text, length);
    output.bytes[note + length] = '\n';
    output.start = 0;
    output.end = note + length + 1;
    if (!write_rest() && output.start == 0) {
        output.end = 0; /* nothing of it was written */
        output.dropped++;
    } else {
        output.dropped = 0;
    }
}

void log_output_print(const char *format, ...) {
    char line[LONGEST_PRINTED];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    log_output_line(line, length < (int)sizeof line ? (size_t)length : sizeof line - 1);
}
