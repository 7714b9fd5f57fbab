/*
 * Runs on the emulated board beside nound, for `npm run bench -- --reaction`.
 *
 *     reaction floor            ACT follows EDGE: one loop of two system calls
 *     reaction load PORT        50 requests a second, on one connection, until it is killed
 *     reaction stream PORT N    prints the times from N edges to their events on the stream of /edge, in 100 ns
 *     reaction put PORT N       prints the times from N PUTs to the change of the output
 *     reaction broker PORT N    is a broker at PORT; prints the times from N edges to the messages on the topic of
 * edge, then from N commands for the output to its change
 *
 * Times are the kernel's CLOCK_MONOTONIC, which test/board/guest/reaction/ notes for each edge and each change.
 */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PARAMETERS "/sys/module/reaction/parameters/"
#define PAUSE 110000 /* µs; a rule runs ten times in a second at most, and so do the others */

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "reaction: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t parameter(const char *path) {
    char text[32] = "";
    const int file = open(path, O_RDONLY);
    if (file < 0 || read(file, text, sizeof text - 1) <= 0)
        fail(path);
    close(file);
    return strtoull(text, NULL, 10);
}

static void begin_edges(int count) {
    char text[16];
    const int file = open(PARAMETERS "left", O_WRONLY);
    const int length = snprintf(text, sizeof text, "%d", count);
    if (file < 0 || write(file, text, (size_t)length) != length)
        fail("left");
    close(file);
}

static int request_line(int chip, unsigned offset, uint64_t flags) {
    struct gpio_v2_line_request request = {.offsets = {offset}, .num_lines = 1, .consumer = "floor"};
    request.config.flags = flags;
    if (ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) != 0)
        fail("line");
    return request.fd;
}

/* The system calls that libgpiod makes for gpiod_line_request_read_edge_events and gpiod_line_request_set_value. */
static _Noreturn void floor_loop(void) {
    char path[32];
    struct gpiochip_info info = {0};
    int chip = -1;
    for (int number = 0; strcmp(info.label, "reaction") != 0; number++) {
        snprintf(path, sizeof path, "/dev/gpiochip%d", number);
        chip = open(path, O_RDWR | O_CLOEXEC);
        if (chip < 0 || ioctl(chip, GPIO_GET_CHIPINFO_IOCTL, &info) != 0)
            fail(path);
    }
    const int edge =
        request_line(chip, 0, GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING);
    const int act = request_line(chip, 1, GPIO_V2_LINE_FLAG_OUTPUT);
    dprintf(1, "ready\n");
    for (;;) {
        struct gpio_v2_line_event event;
        if (read(edge, &event, sizeof event) != sizeof event)
            fail("edge");
        struct gpio_v2_line_values values = {.bits = event.id == GPIO_V2_LINE_EVENT_RISING_EDGE, .mask = 1};
        if (ioctl(act, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) != 0)
            fail("act");
    }
}

static struct sockaddr_in loopback(const char *port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int connect_to(const char *port) {
    const struct sockaddr_in address = loopback(port);
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (const struct sockaddr *)&address, sizeof address) != 0)
        fail("connect");
    return connection;
}

static ssize_t receive(int connection, char *bytes, size_t size) {
    const ssize_t count = recv(connection, bytes, size, 0);
    if (count <= 0)
        fail("receive");
    return count;
}

static void send_all(int connection, const void *bytes, size_t length) {
    if (send(connection, bytes, length, MSG_NOSIGNAL) != (ssize_t)length)
        fail("send");
}

static volatile sig_atomic_t is_ending;

static void end_load(int number) {
    (void)number;
    is_ending = 1;
}

/* Says on SIGTERM how many requests were answered. */
static void load(const char *port) {
    static const char get[] = "GET /edge HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    const int connection = connect_to(port);
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    signal(SIGTERM, end_load);
    dprintf(1, "ready\n");
    unsigned answered = 0;
    for (; !is_ending; answered++) {
        char answer[2048];
        next.tv_nsec += 20000000;
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        send_all(connection, get, sizeof get - 1);
        receive(connection, answer, sizeof answer);
    }
    dprintf(1, "%u answered\n", answered);
}

static void print_time(uint64_t from, uint64_t to) {
    dprintf(1, "%llu ", (unsigned long long)(to - from) / 100);
}

static void measure_stream(const char *port, int count) {
    static const char get[] = "GET /edge HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n";
    const int connection = connect_to(port);
    char bytes[4096];
    send_all(connection, get, sizeof get - 1);
    do
        bytes[receive(connection, bytes, sizeof bytes - 1)] = '\0';
    while (!strstr(bytes, "data"));
    begin_edges(count);
    for (int at = 0; at < count; at++) {
        do
            bytes[receive(connection, bytes, sizeof bytes - 1)] = '\0';
        while (!strstr(bytes, "data"));
        const uint64_t heard = now();
        print_time(parameter(PARAMETERS "edge"), heard);
    }
}

static void measure_put(const char *port, int count) {
    const int connection = connect_to(port);
    for (int at = 0; at < count; at++) {
        char request[256], answer[2048];
        const int length = snprintf(request,
                                    sizeof request,
                                    "PUT /act HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                                    "Content-Length: 8\r\n\r\n{\"on\":%d}",
                                    (at + 1) % 2);
        usleep(PAUSE);
        const uint64_t begun = now();
        send_all(connection, request, (size_t)length);
        receive(connection, answer, sizeof answer);
        print_time(begun, parameter(PARAMETERS "act"));
    }
}

/* A packet of MQTT with a body of at most 16,383 bytes. */
struct packet {
    unsigned char head;
    size_t length;
    unsigned char body[16384];
};

static unsigned char receive_byte(int connection) {
    char byte;
    receive(connection, &byte, 1);
    return (unsigned char)byte;
}

static void receive_packet(int connection, struct packet *packet) {
    packet->head = receive_byte(connection);
    packet->length = 0;
    for (unsigned shift = 0, more = 1; more; shift += 7) {
        const unsigned char byte = receive_byte(connection);
        packet->length |= (size_t)(byte & 127) << shift;
        more = byte & 128;
    }
    if (packet->length >= sizeof packet->body)
        exit(3);
    for (size_t got = 0; got < packet->length;)
        got += (size_t)receive(connection, (char *)packet->body + got, packet->length - got);
    packet->body[packet->length] = '\0';
}

/* Answers whatever is to be answered. Returns whether the packet is a message on a topic that ends so. */
static bool serve_packet(int connection, const char *ending) {
    static struct packet packet;
    receive_packet(connection, &packet);
    const unsigned char *body = packet.body;
    switch (packet.head >> 4) {
    case 1:
        send_all(connection, "\x20\x03\0\0\0", 5);
        return false;
    case 8: {
        size_t filters = 0;
        for (size_t at = 2 + 1 + body[2]; at < packet.length; filters++)
            at += 2 + (size_t)(body[at] << 8 | body[at + 1]) + 1;
        unsigned char answer[64] = {0x90, (unsigned char)(3 + filters), body[0], body[1]};
        send_all(connection, answer, 5 + filters);
        return false;
    }
    case 12:
        send_all(connection, "\xd0\0", 2);
        return false;
    case 3: {
        const size_t length = (size_t)(body[0] << 8 | body[1]), wanted = strlen(ending);
        if ((packet.head >> 1 & 3) == 1)
            send_all(connection, (unsigned char[]){0x40, 2, body[2 + length], body[3 + length]}, 4);
        return length >= wanted && memcmp(body + 2 + length - wanted, ending, wanted) == 0;
    }
    default:
        return false;
    }
}

static void measure_broker(const char *port, int count) {
    static const char topic[] = "nound/board/act/put";
    const struct sockaddr_in address = loopback(port);
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(listener, (const struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4) != 0)
        fail("listen");
    dprintf(1, "ready\n");
    const int connection = accept(listener, NULL, NULL);
    /* Two small packets in a row would wait for the acknowledgement of the first. */
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    while (!serve_packet(connection, "/edge"))
        continue;
    /* The other states that it has published first. */
    struct timeval half = {.tv_usec = 500000};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &half, sizeof half);
    for (char byte; recv(connection, &byte, 1, MSG_PEEK) > 0;)
        serve_packet(connection, "/edge");
    half.tv_sec = 20;
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &half, sizeof half);
    begin_edges(count);
    for (int at = 0; at < count; at++) {
        while (!serve_packet(connection, "/edge"))
            continue;
        const uint64_t heard = now();
        print_time(parameter(PARAMETERS "edge"), heard);
    }
    dprintf(1, "\n");
    for (int at = 0; at < count; at++) {
        unsigned char publish[64] = {0x30, 0, 0, sizeof topic - 1};
        const int length = snprintf((char *)publish + 4, sizeof publish - 4, "%s%c{\"on\":%d}", topic, 0, (at + 1) % 2);
        publish[1] = (unsigned char)(2 + length);
        usleep(PAUSE);
        const uint64_t begun = now();
        send_all(connection, publish, (size_t)(4 + length));
        while (!serve_packet(connection, "/act"))
            continue;
        print_time(begun, parameter(PARAMETERS "act"));
    }
}

int main(int count, char **words) {
    const char *command = count > 1 ? words[1] : "";
    if (strcmp(command, "floor") == 0)
        floor_loop();
    if (count > 2 && strcmp(command, "load") == 0)
        load(words[2]);
    else if (count > 3 && strcmp(command, "stream") == 0)
        measure_stream(words[2], atoi(words[3]));
    else if (count > 3 && strcmp(command, "put") == 0)
        measure_put(words[2], atoi(words[3]));
    else if (count > 3 && strcmp(command, "broker") == 0)
        measure_broker(words[2], atoi(words[3]));
    else
        return 2;
    return 0;
}
