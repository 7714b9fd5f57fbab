#define _GNU_SOURCE 1
#include "guard/privileges.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* LeakSanitizer reads the process as a debugger does. */
#ifdef __SANITIZE_ADDRESS__
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

static bool wants_debugger(void) {
    const char *value = getenv("NOUND_DUMPABLE");
    return IS_SANITIZED || (value && strcmp(value, "1") == 0);
}

bool privileges_harden(void) {
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = 0};
    umask(077);
    /* EINVAL: a kernel before 3.5 has no such thing. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0 && errno != EINVAL)
        return false;
    if (wants_debugger())
        return true;
    /* Both are needed: the limit does not apply to a core that /proc/sys/kernel/core_pattern sends to a program. */
    return setrlimit(RLIMIT_CORE, &none) == 0 && (prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L) == 0 || errno == EINVAL);
}

/* Reads a number below 2^32 - 1, which setresuid(2) takes for "leave it". */
static bool read_id(const char *text, uint32_t *id) {
    size_t digits = strspn(text, "0123456789");
    if (digits < 1 || digits > 10 || text[digits] != '\0')
        return false;
    unsigned long long number = strtoull(text, NULL, 10);
    *id = (uint32_t)number;
    return number < UINT32_MAX;
}

static bool find_user(const char *user, bool has_group, struct account *account, const char **name,
                      struct failure *failure) {
    uint32_t id;
    bool is_number = read_id(user, &id);
    const struct passwd *entry = is_number ? getpwuid(id) : getpwnam(user);
    *name = NULL;
    if (entry) {
        account->user = entry->pw_uid;
        account->group = entry->pw_gid;
        *name = entry->pw_name; /* stays as it is while no other entry is looked up */
        return true;
    }
    if (is_number && has_group) {
        account->user = id;
        return true;
    }
    failure_note(failure, is_number ? "userGroup" : "user", 0, "%s", user);
    return false;
}

static bool find_group(const char *group, gid_t *id, struct failure *failure) {
    uint32_t number;
    if (read_id(group, &number)) {
        *id = number;
        return true;
    }
    const struct group *entry = getgrnam(group);
    if (entry) {
        *id = entry->gr_gid;
        return true;
    }
    failure_note(failure, "group", 0, "%s", group);
    return false;
}

static bool find_account(const char *user, const char *group, struct account *account, const char **name,
                         struct failure *failure) {
    *account = (struct account){.group_count = MOST_GROUPS};
    if (!find_user(user, group != NULL, account, name, failure) ||
        (group && !find_group(group, &account->group, failure)))
        return false;
    const bool is_root = account->user == 0 && geteuid() == 0;
    if (is_root)
        failure_note(failure, "userRoot", 0, "%s", user);
    return !is_root;
}

bool privileges_exist(const char *user, const char *group, struct failure *failure) {
    const char *name;
    struct account account;
    return find_account(user, group, &account, &name, failure);
}

bool privileges_find(const char *user, const char *group, struct account *account, struct failure *failure) {
    const char *name;
    if (!find_account(user, group, account, &name, failure))
        return false;
    if (geteuid() != 0) {
        bool is_self = account->user == getuid() && account->user == geteuid() && account->group == getegid();
        if (!is_self)
            failure_note(failure, "userOther", 0, "%s", user);
        return is_self;
    }
    if (!name) {
        account->group_count = 1;
        account->groups[0] = account->group;
    } else if (getgrouplist(name, account->group, account->groups, &account->group_count) < 0) {
        failure_note(failure, "userGroups", 0, "%s" AND "%d", user, MOST_GROUPS);
        return false;
    }
    account->chosen = true;
    return true;
}

static bool become(const struct account *account) {
    return setgroups((size_t)account->group_count, account->groups) == 0 &&
           setresgid(account->group, account->group, account->group) == 0 &&
           setresuid(account->user, account->user, account->user) == 0;
}

static bool is_for_good(const struct account *account) {
    uid_t users[3];
    gid_t groups[3];
    if (getresuid(&users[0], &users[1], &users[2]) < 0 || getresgid(&groups[0], &groups[1], &groups[2]) < 0)
        return false;
    for (int i = 0; i < 3; i++)
        if (users[i] != account->user || groups[i] != account->group)
            return false;
    return setresuid(0, 0, 0) < 0 && (account->group == 0 || setresgid(0, 0, 0) < 0);
}

static bool drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
    /* EINVAL: a kernel before 4.3 has no ambient ones. */
    if (prctl(PR_CAP_AMBIENT, (long)PR_CAP_AMBIENT_CLEAR_ALL, 0L, 0L, 0L) < 0 && errno != EINVAL)
        return false;
    if (syscall(SYS_capset, &header, data) < 0 || syscall(SYS_capget, &header, data) < 0)
        return false;
    for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        if (data[i].permitted != 0 || data[i].effective != 0 || data[i].inheritable != 0)
            return false;
    return true;
}

bool privileges_drop(const struct account *account, struct sentence *reason) {
    if (account->chosen && !become(account)) {
        sentence_say(reason, "cannot become the user %lu: %s", (unsigned long)account->user, strerror(errno));
        return false;
    }
    if (!drop_capabilities()) {
        sentence_say(reason, "cannot give up capabilities: %s", strerror(errno));
        return false;
    }
    if (account->chosen && !is_for_good(account)) {
        sentence_say(reason, "became the user %lu, but could become root again", (unsigned long)account->user);
        return false;
    }
    /* Becoming another user has set this as /proc/sys/fs/suid_dumpable says. It fails for no value that there is. */
    prctl(PR_SET_DUMPABLE, wants_debugger() ? 1L : 0L, 0L, 0L, 0L);
    return true;
}
