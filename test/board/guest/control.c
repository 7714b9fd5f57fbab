/* One connection is one command. The request is its words, a line each, then an empty line; `write` takes what follows
 * up to the end of the stream. The answer is what the command prints, a NUL, and how it ended: "exit 0" or "signal 9".
 *
 *   run PROGRAM ARGUMENT...   prints "pid N" first, then what the program prints
 *   kill PID SIGNAL
 *   read PATH
 *   write PATH                the file is made when it is not there
 *   remove PATH
 */
#include "control.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_REQUEST = 8192, MAX_WORDS = 32 };

struct command {
    int connection;
    int count;
    char *words[MAX_WORDS + 1];
};

static bool send_all(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = write(fd, bytes, length);
        if (sent < 0) {
            return false;
        }
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

/* Tells of a failed system call; the command's exit status. */
static int failed(const struct command *command, const char *what) {
    dprintf(command->connection, "%s: %s\n", what, strerror(errno));
    return 1;
}

static int copy(const struct command *command, int from, int to, const char *path) {
    char buffer[4096];
    for (;;) {
        ssize_t length = read(from, buffer, sizeof buffer);
        if (length < 0) {
            return failed(command, path);
        }
        if (length == 0) {
            return 0;
        }
        /* A sysfs attribute takes its text in one write. */
        if (!send_all(to, buffer, (size_t)length)) {
            return failed(command, path);
        }
    }
}

static int read_file(const struct command *command) {
    int file = open(command->words[1], O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return failed(command, command->words[1]);
    }
    int status = copy(command, file, command->connection, command->words[1]);
    close(file);
    return status;
}

static int write_file(const struct command *command) {
    int file = open(command->words[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) {
        return failed(command, command->words[1]);
    }
    int status = copy(command, command->connection, file, command->words[1]);
    if (close(file) != 0) {
        return failed(command, command->words[1]);
    }
    return status;
}

static int remove_file(const struct command *command) {
    return unlink(command->words[1]) == 0 ? 0 : failed(command, command->words[1]);
}

static int send_signal(const struct command *command) {
    return kill(atoi(command->words[1]), atoi(command->words[2])) == 0 ? 0 : failed(command, "kill");
}

/* Runs a program with the connection as its output and tells how it ended. */
static void run_program(const struct command *command) {
    pid_t pid = fork();
    if (pid == 0) {
        dprintf(command->connection, "pid %d\n", (int)getpid());
        int nothing = open("/dev/null", O_RDONLY);
        if (nothing >= 0 && dup2(nothing, 0) == 0 && dup2(command->connection, 1) == 1 &&
            dup2(command->connection, 2) == 2) {
            char *const *words = &command->words[1];
            while (strchr(*words, '=') != NULL) {
                if (putenv(*words++) != 0)
                    _exit(126);
            }
            execv(*words, words);
        }
        failed(command, command->words[1]);
        _exit(127);
    }
    int status;
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        dprintf(command->connection,
                "%c"
                "exit %d\n",
                0,
                failed(command, "run"));
    } else if (WIFSIGNALED(status)) {
        dprintf(command->connection,
                "%c"
                "signal %d\n",
                0,
                WTERMSIG(status));
    } else {
        dprintf(command->connection,
                "%c"
                "exit %d\n",
                0,
                WEXITSTATUS(status));
    }
}

static const struct {
    const char *name;
    int words;
    int (*perform)(const struct command *command);
} commands[] = {
    {"kill", 3, send_signal},
    {"read", 2, read_file},
    {"write", 2, write_file},
    {"remove", 2, remove_file},
};

/* Reads up to the empty line, a byte at a time so that what follows stays in the stream. */
static bool read_request(int connection, char request[MAX_REQUEST]) {
    for (size_t length = 0; length + 1 < MAX_REQUEST; length++) {
        if (read(connection, &request[length], 1) != 1) {
            return false;
        }
        if (length > 0 && request[length] == '\n' && request[length - 1] == '\n') {
            request[length] = '\0';
            return true;
        }
    }
    return false;
}

static void serve_connection(int connection) {
    char request[MAX_REQUEST];
    struct command command = {.connection = connection};
    if (!read_request(connection, request)) {
        return;
    }
    for (char *word = strtok(request, "\n"); word != NULL && command.count < MAX_WORDS; word = strtok(NULL, "\n")) {
        command.words[command.count++] = word;
    }
    if (command.count >= 2 && strcmp(command.words[0], "run") == 0) {
        run_program(&command);
        return;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (command.count == commands[i].words && strcmp(command.words[0], commands[i].name) == 0) {
            int status = commands[i].perform(&command);
            dprintf(connection,
                    "%c"
                    "exit %d\n",
                    0,
                    status);
            return;
        }
    }
    dprintf(connection,
            "no such command\n%c"
            "exit 2\n",
            0);
}

int control_listen(unsigned short port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_ANY)};
    if (listener < 0 || bind(listener, (struct sockaddr *)&any, sizeof any) != 0 || listen(listener, 16) != 0) {
        return -1;
    }
    return listener;
}

_Noreturn void control_serve(int listener) {
    /* The processes of ended connections vanish by themselves. */
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (connection < 0) {
            continue;
        }
        if (fork() == 0) {
            signal(SIGCHLD, SIG_DFL);
            serve_connection(connection);
            _exit(0);
        }
        close(connection);
    }
}
