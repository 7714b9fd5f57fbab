#define _GNU_SOURCE 1
#include "guard/seccomp_filter.h"

#include <assert.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARM_EABI__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__mips__) && _MIPS_SIM == _ABIO32 && defined(__MIPSEB__)
#define ARCHITECTURE AUDIT_ARCH_MIPS
#elif defined(__mips__) && _MIPS_SIM == _ABIO32
#define ARCHITECTURE AUDIT_ARCH_MIPSEL
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#define ARCHITECTURE 0
#endif

#define REFUSE (SECCOMP_RET_ERRNO | EPERM)
#define TO_END 255 /* stands for a jump to the end of a rule, until that is known */

struct program {
    struct sock_filter *filter;
    size_t length;
};

static void add(struct program *program, uint16_t code, uint32_t k, uint8_t when_true, uint8_t when_false) {
    assert(program->length < SECCOMP_FILTER_LIMIT);
    program->filter[program->length++] = (struct sock_filter){.code = code, .jt = when_true, .jf = when_false, .k = k};
}

static void load(struct program *program, size_t offset) {
    add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void end(struct program *program, uint32_t verdict) {
    add(program, BPF_RET | BPF_K, verdict, 0, 0);
}

/* The place of an argument's lower half: each has 64 bits, in the processor's byte order. */
static size_t place_of_argument(unsigned index) {
    const bool is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    return offsetof(struct seccomp_data, args) + 8 * index + (is_big_endian ? 4 : 0);
}

/* Adds a jump, and which of its ways is taken if the argument fails the test: to the end of the rule. */
static void add_test(struct program *program, const struct condition *condition, uint32_t process) {
    size_t place = place_of_argument(condition->argument);
    load(program, place);
    if (condition->test == HAS_NO_BIT_OF) {
        add(program, BPF_JMP | BPF_JSET | BPF_K, condition->value, TO_END, 0);
        return;
    }
    add(program, BPF_JMP | BPF_JEQ | BPF_K, condition->test == IS_PROCESS ? process : condition->value, 0, TO_END);
    if (condition->test == IS_NULL) {
        load(program, place ^ 4); /* the upper half */
        add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, TO_END);
    }
}

/* Adds what allows a call that a rule allows, and leads any other on with its number loaded. */
static void add_rule(struct program *program, const struct rule *rule, uint32_t process) {
    size_t first = program->length;
    if (rule->call == NO_CALL)
        return;
    add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rule->call, 0, TO_END);
    for (size_t i = 0; i < COUNT(rule->conditions) && rule->conditions[i].test != NOTHING; i++)
        add_test(program, &rule->conditions[i], process);
    end(program, SECCOMP_RET_ALLOW);
    for (size_t i = first; i < program->length; i++) {
        struct sock_filter *instruction = &program->filter[i];
        uint8_t distance = (uint8_t)(program->length - i - 1);
        if (instruction->jt == TO_END)
            instruction->jt = distance;
        if (instruction->jf == TO_END)
            instruction->jf = distance;
    }
    load(program, offsetof(struct seccomp_data, nr));
}

bool seccomp_filter_exists(void) {
    return ARCHITECTURE != 0;
}

size_t seccomp_filter_build(struct sock_filter filter[SECCOMP_FILTER_LIMIT], const struct seccomp_table *table,
                            uint32_t process) {
    struct program program = {.filter = filter};
    load(&program, offsetof(struct seccomp_data, arch));
    add(&program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    end(&program, SECCOMP_RET_KILL_PROCESS);
    load(&program, offsetof(struct seccomp_data, nr));
    if (table->first)
        add_rule(&program, table->first, process);
    for (const struct seccomp_table *part = table; part; part = part->base)
        for (size_t i = 0; i < part->allowed_count; i++)
            if (part->allowed[i] != NO_CALL) {
                add(&program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)part->allowed[i], 0, 1);
                end(&program, SECCOMP_RET_ALLOW);
            }
    for (const struct seccomp_table *part = table; part; part = part->base)
        for (size_t i = 0; i < part->rule_count; i++)
            add_rule(&program, &part->rules[i], process);
    end(&program, REFUSE);
    return program.length;
}
