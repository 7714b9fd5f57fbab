/* The first process of the emulated board: mounts what nound looks at, loads the modules of /modules in the order of
 * /modules/order, gives the network its address, and serves the test's commands.
 *
 * It says "board: ready" on the console, or "board: " and what it could not do. */
#include "control.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* QEMU's user network expects its guest there. */
static const char address[] = "10.0.2.15";
static const char netmask[] = "255.255.255.0";
enum { CONTROL_PORT = 9000 };

/* The kernel panics when its first process ends, and QEMU then ends too. */
static _Noreturn void give_up(const char *what) {
    printf("board: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void mount_on(const char *type, const char *path) {
    if ((mkdir(path, 0755) != 0 && errno != EEXIST) || mount("none", path, type, 0, NULL) != 0) {
        give_up(path);
    }
}

static void load_module(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "/modules/%s", name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || syscall(SYS_finit_module, file, "", 0) != 0) {
        give_up(path);
    }
    close(file);
}

static void load_modules(void) {
    FILE *order = fopen("/modules/order", "re");
    if (order == NULL) {
        give_up("/modules/order");
    }
    char name[200];
    while (fgets(name, sizeof name, order) != NULL) {
        name[strcspn(name, "\n")] = '\0';
        load_module(name);
    }
    fclose(order);
}

static void set_address(int fd, struct ifreq *request, unsigned long what, const char *text) {
    struct sockaddr_in value = {.sin_family = AF_INET};
    inet_pton(AF_INET, text, &value.sin_addr);
    memcpy(&request->ifr_addr, &value, sizeof value);
    if (ioctl(fd, what, request) != 0) {
        give_up(text);
    }
}

static void bring_up(int fd, const char *name) {
    struct ifreq request = {0};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(fd, SIOCGIFFLAGS, &request) != 0) {
        give_up(name);
    }
    request.ifr_flags |= IFF_UP;
    if (ioctl(fd, SIOCSIFFLAGS, &request) != 0) {
        give_up(name);
    }
}

/* A network driver finds its device on a thread of the kernel's own: the interface may come a little after the module.
 */
static void await_interface(const char *name) {
    for (int tries = 0; if_nametoindex(name) == 0; tries++) {
        if (tries == 1000) {
            give_up(name);
        }
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    }
}

static void set_up_network(void) {
    await_interface("eth0");
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        give_up("socket");
    }
    bring_up(fd, "lo");
    struct ifreq request = {0};
    strncpy(request.ifr_name, "eth0", IFNAMSIZ - 1);
    set_address(fd, &request, SIOCSIFADDR, address);
    set_address(fd, &request, SIOCSIFNETMASK, netmask);
    bring_up(fd, "eth0");
    close(fd);
}

int main(void) {
    mount_on("devtmpfs", "/dev");
    /* The kernel opened no console: /dev/console came with the file system mounted just now. */
    int console = open("/dev/console", O_RDWR);
    if (console < 0 || dup2(console, 1) != 1 || dup2(console, 2) != 2) {
        return 1;
    }
    setvbuf(stdout, NULL, _IONBF, 0);
    mount_on("proc", "/proc");
    mount_on("sysfs", "/sys");
    mount_on("debugfs", "/sys/kernel/debug");
    mount_on("tmpfs", "/tmp");
    load_modules();
    set_up_network();
    int listener = control_listen(CONTROL_PORT);
    if (listener < 0) {
        give_up("the control port");
    }
    printf("board: ready\n");
    control_serve(listener);
}
