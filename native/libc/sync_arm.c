/*
 * Atomic operations for ARM processors before version 6, which have no instruction for them: by the kernel's, as its
 * Documentation/arch/arm/kernel_user_helpers.rst describes. The compiler calls these functions where other processors
 * have an instruction; GCC's run-time library has them, zig's has not.
 *
 * The compiler does not allow definitions of functions with these names. So the assembler gives them these names.
 */
#include <stdbool.h>
#include <stdint.h>

/* Replaces `before` by `after`. Returns 0 if it did. This is code of the kernel at a fixed address.
 */
typedef int compare_and_exchange(int before, int after, volatile int *place);
#define KERNEL_COMPARE_AND_EXCHANGE ((compare_and_exchange *)0xffff0fc0u)

/* The same for 64 bits, in kernels since 3.1. Only a script that calls Atomics with 64-bit integers comes here. */
typedef int compare_and_exchange_64(const int64_t *before, const int64_t *after, volatile int64_t *place);
#define KERNEL_COMPARE_AND_EXCHANGE_64 ((compare_and_exchange_64 *)0xffff0f60u)

static bool exchanged_4(volatile uint32_t *place, uint32_t before, uint32_t after) {
    return KERNEL_COMPARE_AND_EXCHANGE((int)before, (int)after, (volatile int *)place) == 0;
}

static bool exchanged_8(volatile uint64_t *place, uint64_t before, uint64_t after) {
    int64_t signed_before = (int64_t)before;
    int64_t signed_after = (int64_t)after;
    return KERNEL_COMPARE_AND_EXCHANGE_64(&signed_before, &signed_after, (volatile int64_t *)place) == 0;
}

/* A shorter value is exchanged with the word that it is in. `mask` has the bits of its type. */
static bool exchanged_in_word(volatile void *place, uint32_t before, uint32_t after, uint32_t mask) {
    volatile uint32_t *word = (volatile uint32_t *)((uintptr_t)place & ~(uintptr_t)3);
    unsigned shift = ((uintptr_t)place & 3) * 8; /* little-endian, as all of these are */
    uint32_t others = *word & ~(mask << shift);
    return exchanged_4(word, others | before << shift, others | after << shift);
}

static bool exchanged_2(volatile uint16_t *place, uint16_t before, uint16_t after) {
    return exchanged_in_word(place, before, after, UINT16_MAX);
}

static bool exchanged_1(volatile uint8_t *place, uint8_t before, uint8_t after) {
    return exchanged_in_word(place, before, after, UINT8_MAX);
}

/* A function the compiler calls by `symbol`, which stores `expression` of the value `before` and of `operand`. */
#define DEFINE_OPERATION(name, symbol, size, type, expression)                                                         \
    type name##_##size(volatile type *place, type operand) __asm__(symbol "_" #size);                                  \
    type name##_##size(volatile type *place, type operand) {                                                           \
        type before;                                                                                                   \
        do                                                                                                             \
            before = *place;                                                                                           \
        while (!exchanged_##size(place, before, (type)(expression)));                                                  \
        return before;                                                                                                 \
    }

/* If the value is not `expected`, nothing is stored; the returned value shows it. */
#define DEFINE_OPERATIONS(size, type)                                                                                  \
    DEFINE_OPERATION(fetch_and_add, "__sync_fetch_and_add", size, type, before + operand)                              \
    DEFINE_OPERATION(fetch_and_sub, "__sync_fetch_and_sub", size, type, before - operand)                              \
    DEFINE_OPERATION(fetch_and_and, "__sync_fetch_and_and", size, type, (operand) & (before))                          \
    DEFINE_OPERATION(fetch_and_or, "__sync_fetch_and_or", size, type, before | operand)                                \
    DEFINE_OPERATION(fetch_and_xor, "__sync_fetch_and_xor", size, type, before ^ operand)                              \
    DEFINE_OPERATION(exchange, "__sync_lock_test_and_set", size, type, operand)                                        \
    type compare_and_swap_##size(volatile type *place, type expected, type desired) __asm__(                           \
        "__sync_val_compare_and_swap_" #size);                                                                         \
    type compare_and_swap_##size(volatile type *place, type expected, type desired) {                                  \
        type before;                                                                                                   \
        do                                                                                                             \
            before = *place;                                                                                           \
        while (before == expected && !exchanged_##size(place, expected, desired));                                     \
        return before;                                                                                                 \
    }

DEFINE_OPERATIONS(1, uint8_t)
DEFINE_OPERATIONS(2, uint16_t)
DEFINE_OPERATIONS(4, uint32_t)
DEFINE_OPERATIONS(8, uint64_t)
