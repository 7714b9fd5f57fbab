#define _GNU_SOURCE 1
#include "client.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "defect.h"

/* Small, so that a deaf client is soon full. */
#define RECEIVE_BUFFER 4096

static int open_local(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    must(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0, "the harness cannot connect");
    return fd;
}

static int open_tcp(const char *text) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons((in_port_t)atoi(strrchr(text, ':') + 1));
    int on = 1, size = RECEIVE_BUFFER;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(fd >= 0, "the harness has no socket");
    /* Gone with RST rather than waiting: thousands of inputs a second would use up the ports. */
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    must(setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger) == 0 &&
             setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size) == 0 &&
             setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
             connect(fd, (struct sockaddr *)&address, sizeof address) == 0,
         "the harness cannot connect");
    return fd;
}

void client_open(struct client *client, const char *address) {
    bool local = strncmp(address, "unix:", 5) == 0;
    client->open = client->connected = true;
    client->fd = local ? open_local(address + 5) : open_tcp(address);
}

static void look_for_stream(struct client *client, const char *bytes, size_t length) {
    static const char type[] = "event-stream";
    for (size_t i = 0; i < length && !client->awaits; i++) {
        const char byte = (char)tolower((unsigned char)bytes[i]);
        client->matched = byte == type[client->matched] ? client->matched + 1 : byte == type[0];
        client->awaits = !type[client->matched];
    }
}

void client_send(struct client *client, const char *bytes, size_t length) {
    look_for_stream(client, bytes, length);
    if (memmem(bytes, length, "HEAD", 4) || memmem(bytes, length, "D ", 2))
        client->answers.head_asked = true; /* or a part of it: the method may be cut anywhere */
    ssize_t sent = send(client->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    /* What the kernel does not take of a server that does not read is dropped: the stream is another one then. */
    must(sent >= 0 || errno == EAGAIN || errno == EPIPE || errno == ECONNRESET, "the harness cannot send");
}

static void end(struct client *client) {
    close(client->fd);
    client->open = false;
}

bool client_receive(struct client *client) {
    static char bytes[64 * 1024];
    if (!client->open || client->deaf)
        return false;
    ssize_t length = recv(client->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (length > 0) {
        answers_take(&client->answers, bytes, (size_t)length);
        return true;
    }
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (length < 0)
        client->lost = true;
    else if (!client->lost)
        answers_end(&client->answers);
    end(client);
    return true;
}

void client_finish(struct client *client) {
    if (!client->open)
        return;
    shutdown(client->fd, SHUT_WR);
    client->finished = true;
}

void client_reset(struct client *client) {
    if (!client->open)
        return;
    client->lost = true;
    end(client);
}
